/* Functions that need lists: checks, merging, validation, error texts. */
#include "dialects/gemini/gemini.h"

static const char *
read_command(const struct json *args, const char *key, struct str *ret)
{
	const struct json *v = json_get(args, str_from_c(key));

	if (!v || v->kind != JSON_STRING)
		return "this function needs a \"command\" that is a string";
	*ret = v->text.p ? v->text : STR("");
	return NULL;
}

static void
put_object(struct buf *out, const struct gemini_result *r)
{
	buf_putc(out, '{');
	gemini_put_result(out, r);
	buf_putc(out, '}');
}

static const char *
read_question(
    struct arena *a, const struct json *args, struct str *command, struct gemini_config *c)
{
	const char *wrong = read_command(args, "command", command);

	return wrong ? wrong : gemini_read_config(a, args, c);
}

const char *
gemini_fn_check(struct arena *a, const struct json *args, struct buf *out)
{
	struct gemini_config c = { 0 };
	struct gemini_result r = { 0 };
	struct str command;
	const char *wrong = read_question(a, args, &command, &c);

	if (wrong)
		return wrong;
	gemini_check_all(a, command, &c, NULL, &r);
	put_object(out, &r);
	return NULL;
}

const char *
gemini_fn_allowed(struct arena *a, const struct json *args, struct buf *out)
{
	struct gemini_config c = { 0 };
	struct gemini_result r = { 0 };
	struct str command;
	const char *wrong = read_question(a, args, &command, &c);

	if (wrong)
		return wrong;
	c.session = (struct gemini_list){ 0 };
	gemini_check(a, command, &c, NULL, &r);
	buf_putc(out, '{');
	json_put_member_bool(out, "allowed", r.all_allowed);
	if (!r.all_allowed)
		json_put_member(out, "reason", r.reason);
	buf_putc(out, '}');
	return NULL;
}

/* ---- batchPermissionCheck */

static void
put_checked(struct arena *a, const struct json *commands, const struct gemini_config *c,
    bool allowed, struct buf *out)
{
	buf_putc(out, '[');
	for (const struct json *v = commands->first; v; v = v->next) {
		struct gemini_result r = { 0 };

		gemini_check_all(a, v->text, c, NULL, &r);
		if (r.all_allowed != allowed)
			continue;
		json_put_sep(out);
		buf_putc(out, '{');
		json_put_member(out, "command", v->text);
		json_put_key(out, "result");
		put_object(out, &r);
		buf_putc(out, '}');
	}
	buf_putc(out, ']');
}

const char *
gemini_fn_batch(struct arena *a, const struct json *args, struct buf *out)
{
	const struct json *commands = json_get(args, STR("commands"));
	struct gemini_list all = { 0 };
	struct gemini_config c = { 0 };
	const char *wrong = gemini_read_list(a, commands, &all);

	wrong = wrong ? wrong : gemini_read_config(a, args, &c);
	if (wrong || !all.given)
		return wrong ? wrong : "this function needs \"commands\"";
	buf_putc(out, '{');
	json_put_key(out, "allowed");
	put_checked(a, commands, &c, true, out);
	json_put_key(out, "denied");
	put_checked(a, commands, &c, false, out);
	buf_putc(out, '}');
	return NULL;
}

/* ---- formatPermissionError */

static bool
is_true(const struct json *v)
{
	return v && v->kind == JSON_BOOL && v->truth;
}

const char *
gemini_fn_format(struct arena *a, const struct json *args, struct buf *out)
{
	const struct json *v = json_get(args, STR("result"));
	const struct json *reason = json_get(v, STR("blockReason"));
	const struct json *language = json_get(args, STR("language"));
	struct gemini_result r = { .hard = is_true(json_get(v, STR("isHardDenial"))) };
	const char *wrong =
	    gemini_read_list(a, json_get(v, STR("disallowedCommands")), &r.disallowed);
	struct buf words;

	if (!v || v->kind != JSON_OBJECT)
		return "this function needs the \"result\" of a check";
	if (wrong)
		return wrong;
	if (reason && reason->kind == JSON_STRING)
		r.reason = reason->text;
	buf_init(&words, a);
	gemini_put_error(&words, &r,
	    language && language->kind == JSON_STRING && str_is(language->text, "zh"));
	json_put_str(out, buf_str(&words));
	return words.full ? "the answer needs more memory than allowed" : NULL;
}

/* ---- validatePermissionConfig */

const char *
gemini_fn_validate(struct arena *a, const struct json *args, struct buf *out)
{
	struct gemini_config c = { 0 };
	const char *wrong = gemini_read_config(a, args, &c);
	bool full = false;

	if (wrong)
		return wrong;
	buf_putc(out, '[');
	for (const struct gemini_finding *f = gemini_lint(a, &c, &full); f; f = f->next)
		gemini_put_finding(out, f);
	buf_putc(out, ']');
	return full ? "the answer needs more memory than allowed" : NULL;
}

/* ---- mergeExcludeTools */

static const char *
read_approval(const struct json *v, enum gemini_approval *ret)
{
	*ret = GEMINI_DEFAULT;
	if (!v || v->kind == JSON_NULL)
		return NULL;
	if (v->kind == JSON_STRING && str_is(v->text, "yolo"))
		*ret = GEMINI_YOLO;
	else if (v->kind == JSON_STRING &&
		 (str_is(v->text, "auto_edit") || str_is(v->text, "autoEdit")))
		*ret = GEMINI_AUTO_EDIT;
	else if (v->kind != JSON_STRING || !str_is(v->text, "default"))
		return "approvalMode must be default, auto_edit or yolo";
	return NULL;
}

const char *
gemini_fn_merge(struct arena *a, const struct json *args, struct buf *out)
{
	struct gemini_list extra = { 0 }, allowed = { 0 }, merged = { 0 };
	const struct json *person = json_get(args, STR("interactive"));
	enum gemini_approval mode;
	const char *wrong = read_approval(json_get(args, STR("approvalMode")), &mode);

	wrong = wrong ? wrong
		      : gemini_read_list(a, json_get(args, STR("allowedTools")), &allowed);
	if (wrong)
		return wrong;
	if (person && person->kind == JSON_BOOL && !person->truth)
		gemini_headless_excludes(a, mode, &allowed, &extra);
	wrong = gemini_merge_excludes(a, args, &extra, &merged);
	gemini_put_list(out, &merged);
	return wrong;
}

/* ---- getPermissions */

const char *
gemini_fn_permissions(struct arena *a, const struct json *args, struct buf *out)
{
	const struct json *given = json_get(args, STR("permissions"));
	const struct gemini_list *found;
	struct gemini_permit *all = NULL;
	struct str tool, command, name;
	const char *wrong = NULL;

	for (const struct json *v = given ? given->first : NULL; v && !wrong; v = v->next) {
		wrong = read_command(v, "tool", &tool);
		wrong = wrong ? wrong : read_command(v, "command", &command);
		if (!wrong && gemini_permit_add(a, &all, tool, command))
			wrong = "the answer needs more memory than allowed";
	}
	wrong = wrong ? wrong : read_command(args, "toolName", &name);
	if (wrong)
		return wrong;
	found = gemini_permits(all, name);
	if (found)
		gemini_put_list(out, found);
	else
		buf_puts(out, "null");
	return NULL;
}
