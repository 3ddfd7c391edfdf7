/* Answer one line of `check --as gemini --batch`. */
#include "dialects/gemini/gemini.h"

static void
open_answer(struct buf *out, struct str id)
{
	buf_putc(out, '{');
	json_put_key(out, "id");
	buf_put(out, id.p ? id : STR("null"));
}

static void
put_error(struct buf *out, struct str id, const char *why)
{
	open_answer(out, id);
	json_put_member(out, "error", str_from_c(why));
	buf_putc(out, '}');
}

static const char *
answer_function(struct arena *a, struct str id, const struct json *request,
    const struct json *name, const struct analyse_opts *where, struct buf *out)
{
	struct buf result;
	const char *wrong;

	if (name->kind != JSON_STRING)
		return "fn must be a string";
	buf_init(&result, a);
	wrong = gemini_function(a, name->text, request, where, &result);
	if (wrong)
		return wrong;
	open_answer(out, id);
	json_put_key(out, "result");
	buf_put(out, buf_str(&result));
	buf_putc(out, '}');
	out->full = out->full || result.full;
	return NULL;
}

static const char *
answer_check(struct arena *a, struct str id, const struct json *request,
    const struct analyse_opts *where, struct buf *out, enum verdict *ret)
{
	const struct json *command = json_get(request, STR("command"));
	struct gemini_config c = { .where = *where };
	struct gemini_result r = { 0 };
	const char *wrong;

	if (!command || command->kind != JSON_STRING)
		return "command must be a string";
	wrong = gemini_read_config(a, request, &c);
	if (wrong)
		return wrong;
	gemini_check_all(a, command->text.p ? command->text : STR(""), &c, NULL, &r);
	open_answer(out, id);
	gemini_put_result(out, &r);
	buf_putc(out, '}');
	*ret = gemini_verdict(&r, c.headless);
	return NULL;
}

static const char *
answer(struct arena *a, struct str line, const struct analyse_opts *where,
    struct str *ret_id, struct buf *out, enum verdict *ret)
{
	static const struct json_opts bytes = { .surrogate_bytes = true };
	const struct json *request, *id, *name;
	struct err e = { 0 };

	if (json_read(a, line, &bytes, &request, &e))
		return e.why ? e.why : err_text(e.code);
	if (request->kind != JSON_OBJECT)
		return "a request must be an object";
	id = json_get(request, STR("id"));
	if (id)
		*ret_id = json_source(line, id);
	name = json_get(request, STR("fn"));
	if (!name)
		return answer_check(a, *ret_id, request, where, out, ret);
	*ret = VERDICT_ALLOW;
	return answer_function(a, *ret_id, request, name, where, out);
}

int
gemini_request(struct arena *a, struct str line, const struct analyse_opts *where,
    struct buf *out, enum verdict *ret_verdict)
{
	static const struct analyse_opts nowhere = { { NULL, 0 }, { NULL, 0 } };
	struct buf before = *out;
	struct str id = { NULL, 0 };
	enum verdict verdict = VERDICT_DENY;
	const char *wrong = answer(a, line, where ? where : &nowhere, &id, out, &verdict);

	if (!wrong && out->full)
		wrong = "the answer needs more memory than allowed";
	if (wrong) {
		verdict = VERDICT_DENY;
		/* Discard the output so far, and reuse its memory. */
		out->n = before.n;
		out->full = before.full;
		put_error(out, id, wrong);
	}
	if (ret_verdict)
		*ret_verdict = verdict;
	return out->full ? CORDON_ENOMEM : 0;
}
