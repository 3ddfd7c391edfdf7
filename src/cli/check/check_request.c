#include "base/path.h"
#include "cli/check/check.h"

/* Find the string field for a key. */
static struct str *
text_of(struct judge_request *q, struct str key)
{
	const struct {
		const char *key;
		struct str *to;
	} texts[] = { { "command", &q->text }, { "cwd", &q->cwd }, { "tool", &q->tool },
		{ "path", &q->path }, { "session", &q->session }, { "server", &q->server },
		{ "name", &q->name } };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (str_is(key, texts[i].key))
			return texts[i].to;
	return NULL;
}

static const char *
read_roots(struct arena *a, const struct json *v, struct judge_request *q)
{
	struct str *roots;
	size_t n = 0;

	if (v->kind != JSON_ARRAY)
		return "roots must be a list";
	roots = arena_array(a, v->count, sizeof *roots);
	if (!roots)
		return "the request exceeds the memory limit";
	for (const struct json *m = v->first; m; m = m->next) {
		if (m->kind != JSON_STRING)
			return "roots must be strings";
		roots[n++] = m->text;
	}
	if (n == 0)
		return "roots must name at least one directory";
	q->root_request = (struct look_list){ roots, n };
	/* --root takes precedence over the request. */
	return NULL;
}

static const char *
read_mode(const struct json *v, struct judge_request *q)
{
	enum mode mode;

	if (v->kind != JSON_STRING || !place_mode_read(v->text, &mode))
		return "mode must be ask_every_time, use_allowlist or run_everything";
	/* A line may be stricter than --mode, not looser. */
	if (!q->has_mode || mode < q->mode)
		q->mode = mode;
	q->has_mode = true;
	return NULL;
}

static const char *
read_host_mode(const struct json *v, struct judge_request *q)
{
	static const char known[][12] = { "tui", "rpc", "interactive", "print", "json" };

	if (v->kind == JSON_STRING)
		for (size_t i = 0; i < sizeof known / sizeof *known; i++)
			if (str_is(v->text, known[i])) {
				q->plain = i >= 3;
				return NULL;
			}
	return "hostMode must be tui, rpc, interactive, print or json";
}

static const char *
read_requested(struct arena *a, const struct json *v, struct judge_request *q)
{
	struct sandbox_policy *p = ARENA_NEW(a, struct sandbox_policy);
	struct err e = { 0 };

	if (!p)
		return "the request exceeds the memory limit";
	if (sandbox_read(a, v, p, &e))
		return e.why ? e.why : "sandbox is not a valid policy";
	q->requested = p;
	return NULL;
}

static const char *
read_member(struct arena *a, const struct json *m, struct judge_request *q)
{
	struct str *text = text_of(q, m->key);

	if (text) {
		if (m->kind != JSON_STRING)
			return "command, cwd, tool, path and session must be strings";
		*text = m->text;
		return NULL;
	}
	if (str_is(m->key, "id"))
		return NULL;
	if (str_is(m->key, "roots"))
		return read_roots(a, m, q);
	if (str_is(m->key, "mode"))
		return read_mode(m, q);
	if (str_is(m->key, "hostMode"))
		return read_host_mode(m, q);
	if (str_is(m->key, "requestedPolicy"))
		return read_requested(a, m, q);
	if (str_is(m->key, "interactive") || str_is(m->key, "projectTrusted")) {
		if (m->kind != JSON_BOOL)
			return "interactive and projectTrusted must be true or false";
		if (str_is(m->key, "interactive"))
			q->headless |= !m->truth;
		else
			q->untrusted |= !m->truth;
		return NULL;
	}
	return "unknown key";
}

const char *
check_read(struct arena *a, struct str line, const struct judge_request *base,
    struct judge_request *ret, struct str *ret_id)
{
	static const struct json_opts how = { .surrogate_bytes = true };
	const struct json *v = NULL;
	struct err e = { 0 };
	const char *wrong = NULL;

	*ret = *base;
	if (json_read(a, line, &how, &v, &e))
		return e.why;
	if (v->kind != JSON_OBJECT)
		return "not an object";
	if (json_get(v, STR("id")))
		*ret_id = json_source(line, json_get(v, STR("id")));
	for (const struct json *m = v->first; m && !wrong; m = m->next)
		wrong = read_member(a, m, ret);
	if (wrong)
		return wrong;
	if (json_get(v, STR("cwd")) &&
	    (ret->cwd.n == 0 || ret->cwd.p[0] != '/' ||
		path_normal(a, STR("/"), ret->cwd, &ret->cwd, &e)))
		return "cwd must be an absolute path";
	if (!ret->text.p && (!ret->tool.p || str_is(ret->tool, "bash")))
		return "command is missing";
	return NULL;
}
