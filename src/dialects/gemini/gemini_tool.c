/* The shell tool around the check: validation and confirmation. */
#include "base/path.h"
#include "dialects/gemini/gemini.h"

static void
put_error(struct buf *out, struct str message)
{
	buf_putc(out, '{');
	json_put_member(out, "error", message);
	buf_putc(out, '}');
}

static struct str
text_of(const struct json *v)
{
	if (!v || v->kind != JSON_STRING)
		return (struct str){ NULL, 0 };
	return v->text.p ? v->text : STR("");
}

/* ---- ShellTool.build */

/* The original compares text only: /ws2 passes for /ws. */
static bool
is_in_workspace(struct arena *a, struct str directory, const struct gemini_list *roots)
{
	struct str normal, root;

	if (path_normal(a, STR("/"), directory, &normal, NULL))
		return false;
	for (size_t i = 0; i < roots->n; i++)
		if (path_normal(a, STR("/"), roots->v[i], &root, NULL) == 0 &&
		    path_is_within(root, normal))
			return true;
	return false;
}

static struct str
directory_problem(struct arena *a, struct str directory, const struct gemini_list *roots)
{
	struct buf b;

	if (directory.n == 0)
		return (struct str){ NULL, 0 };
	if (directory.p[0] != '/')
		return STR("Directory must be an absolute path.");
	if (is_in_workspace(a, directory, roots))
		return (struct str){ NULL, 0 };
	buf_init(&b, a);
	buf_puts(&b, "Directory '");
	buf_put(&b, directory);
	buf_puts(&b, "' is not within any of the registered workspace directories.");
	return b.full ? STR("Directory is not within any of the registered workspace "
			    "directories.")
		      : buf_str(&b);
}

static struct str
build_problem(struct arena *a, struct str command, const struct gemini_config *c,
    struct str directory, const struct gemini_list *roots)
{
	struct gemini_list found = { 0 };
	struct gemini_result r = { 0 };

	gemini_check(a, command, c, NULL, &r);
	if (!r.all_allowed)
		return r.reason;
	if (gemini_trim(command).n == 0)
		return STR("Command cannot be empty.");
	gemini_roots(a, command, &found);
	if (found.n == 0)
		return STR(
		    "Could not identify command root to obtain permission from user.");
	return directory_problem(a, directory, roots);
}

const char *
gemini_fn_build(struct arena *a, const struct json *args, struct buf *out)
{
	struct str command = text_of(json_get(args, STR("command"))), problem;
	struct gemini_list roots = { 0 };
	struct gemini_config c = { 0 };
	const char *wrong = gemini_read_config(a, args, &c);

	wrong = wrong ? wrong
		      : gemini_read_list(a, json_get(args, STR("workspaceDirs")), &roots);
	if (wrong || !command.p)
		return wrong ? wrong : "this function needs a \"command\" that is a string";
	problem = build_problem(
	    a, command, &c, text_of(json_get(args, STR("directory"))), &roots);
	if (problem.p)
		put_error(out, problem);
	else
		buf_puts(out, "{\"ok\":true}");
	return NULL;
}

/* ---- ShellTool.shouldConfirmExecute */

/* True if a person must confirm: some root is not approved yet. */
static bool
must_ask(struct arena *a, struct str command, const struct gemini_list *approved,
    struct gemini_list *ret_roots)
{
	bool ask = false;

	gemini_roots(a, gemini_strip_wrapper(command), ret_roots);
	for (size_t i = 0; i < ret_roots->n; i++)
		ask = ask || !gemini_has(approved, ret_roots->v[i]);
	return ask || ret_roots->full;
}

/* "Always" approves roots: npm install also approves npm test. */
static void
put_sequence(struct arena *a, const struct json *steps, struct buf *out)
{
	struct gemini_list approved = { 0 };

	buf_puts(out, "{\"confirmations\":[");
	for (const struct json *s = steps->first; s; s = s->next) {
		struct str command = text_of(json_get(s, STR("command")));
		struct str answer = text_of(json_get(s, STR("answer")));
		struct gemini_list roots = { 0 };
		bool ask = must_ask(a, command.p ? command : STR(""), &approved, &roots);

		json_put_sep(out);
		if (ask)
			json_put_str(out, STR("exec"));
		else
			json_put_bool(out, false);
		for (size_t i = 0;
		     answer.p && str_is(answer, "ProceedAlways") && i < roots.n; i++)
			gemini_add_once(a, &approved, roots.v[i]);
	}
	buf_puts(out, "]}");
}

const char *
gemini_fn_confirm(struct arena *a, const struct json *args, struct buf *out)
{
	const struct json *steps = json_get(args, STR("sequence"));
	struct str command = text_of(json_get(args, STR("command")));
	struct gemini_config c = { 0 };
	struct gemini_result r = { 0 };
	struct gemini_list none = { 0 }, roots = { 0 };
	const char *wrong = gemini_read_config(a, args, &c);

	if (wrong)
		return wrong;
	if (steps && steps->kind == JSON_ARRAY) {
		put_sequence(a, steps, out);
		return NULL;
	}
	if (!command.p)
		return "this function needs a \"command\" that is a string";
	gemini_check_all(a, command, &c, NULL, &r);
	if (!r.all_allowed) {
		put_error(out, r.reason);
		return NULL;
	}
	buf_puts(out, "{\"confirm\":");
	json_put_bool(out, !c.headless && must_ask(a, command, &none, &roots));
	buf_putc(out, '}');
	return NULL;
}
