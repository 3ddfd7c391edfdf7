/* Print and read SandboxPolicy as the contract's JSON. */
#include "base/ignore/ignore.h"
#include "base/limits.h"
#include "base/path.h"
#include "policy/sandbox/sandbox.h"

static const char types[][20] = {
	[SANDBOX_UNSPECIFIED] = "UNSPECIFIED",
	[SANDBOX_INSECURE_NONE] = "INSECURE_NONE",
	[SANDBOX_WORKSPACE_READWRITE] = "WORKSPACE_READWRITE",
	[SANDBOX_WORKSPACE_READONLY] = "WORKSPACE_READONLY",
};

#define TYPES (sizeof types / sizeof *types)

const char *
sandbox_type_name(enum sandbox_type type)
{
	return (size_t)type < TYPES ? types[type] : "UNSPECIFIED";
}

/* True if `name` is `upper`, all in upper or all in lower case. */
static bool
is_spelt(struct str name, const char *upper)
{
	struct str u = str_from_c(upper);
	bool capitals = true, small = true;

	if (name.n != u.n)
		return false;
	for (size_t i = 0; i < u.n; i++) {
		char low = (char)(u.p[i] == '_' ? '_' : u.p[i] | 32);

		capitals = capitals && name.p[i] == u.p[i];
		small = small && name.p[i] == low;
	}
	return capitals || small;
}

bool
sandbox_type_read(struct str name, enum sandbox_type *ret)
{
	bool prefix = str_starts(name, STR("TYPE_")) || str_starts(name, STR("type_"));
	struct str rest = prefix ? str_skip(name, 5) : name;

	/* Mixed case, TYPE_workspace_readonly, is invalid. */
	if (prefix && rest.n &&
	    (name.p[0] == 'T') != (rest.p[0] >= 'A' && rest.p[0] <= 'Z'))
		return false;
	for (size_t i = 0; i < TYPES; i++)
		if (is_spelt(rest, types[i])) {
			*ret = (enum sandbox_type)i;
			return true;
		}
	return false;
}

/* ---- print */

static void
print_list(struct buf *out, const char *key, const struct sandbox_list *list, bool always)
{
	if (!list->given && !always)
		return;
	json_put_key(out, key);
	buf_putc(out, '[');
	for (size_t i = 0; i < list->n && list->given; i++) {
		json_put_sep(out);
		json_put_str(out, list->v[i]);
	}
	buf_putc(out, ']');
}

static void
print(const struct sandbox_policy *p, struct buf *out, bool always)
{
	buf_putc(out, '{');
	json_put_member_or_null(out, "type", str_from_c(sandbox_type_name(p->type)));
	json_put_member_bool(out, "networkAccess", p->network_access);
	print_list(out, "networkAllow", &p->network_allow, always);
	print_list(out, "additionalReadwritePaths", &p->readwrite, always);
	print_list(out, "additionalReadonlyPaths", &p->readonly, always);
	json_put_member_bool(out, "blockGitWrites", p->block_git_writes);
	json_put_member_bool(out, "disableTmpWrite", p->disable_tmp_write);
	json_put_member_or_null(out, "ignoreMappingJson", p->ignore_mapping);
	json_put_member_or_null(out, "debugOutputDir", p->debug_output_dir);
	buf_putc(out, '}');
}

void
sandbox_print(const struct sandbox_policy *p, struct buf *out)
{
	print(p, out, true);
}

void
sandbox_print_given(const struct sandbox_policy *p, struct buf *out)
{
	print(p, out, false);
}

/* ---- validation */

static const char *
wrong_path(struct str path)
{
	if (path.n == 0 || path.p[0] != '/')
		return "a path must be absolute";
	if (path.n >= LIMIT_PATH)
		return "a path is too long";
	if (str_find(path, '\0') < path.n)
		return "NUL in a path";
	return path_has_dotdot(path) ? "a path must not contain .." : NULL;
}

static const char *
wrong_list(struct arena *a, const struct sandbox_list *list, enum sandbox_kind kind)
{
	if (list->n > SANDBOX_LIST_MAX)
		return "a list has more than 256 entries";
	for (size_t i = 0; i < list->n; i++) {
		size_t used = a->used;
		const char *why = NULL;

		if (kind == SANDBOX_PATHS)
			why = wrong_path(list->v[i]);
		else if (!sandbox_host_normal(a, list->v[i]).p)
			why = "expected a host such as example.org, *.example.org or "
			      "host:443";
		arena_back(a, used);
		if (why)
			return why;
	}
	return NULL;
}

/* Check that enforcement can read the mapping. */
static int
read_mappings(struct arena *a, struct str mapping, struct err *reterr)
{
	struct str *v = NULL;
	size_t n = 0;
	int r = sandbox_ignore_mappings(a, mapping, &v, &n, reterr);

	for (size_t i = 0; i < n && !r; i++) {
		struct ignore_file *files;
		struct str root;
		size_t count;

		r = ignore_read_json(a, v[i], 0, &root, &files, &count, reterr);
	}
	return r;
}

static int
check_mapping(struct arena *a, struct str mapping, size_t at, struct err *reterr)
{
	struct err e = { 0 };
	size_t used = a->used;
	int r = mapping.p ? read_mappings(a, mapping, &e) : 0;

	arena_back(a, used);
	return r ? err_at(reterr, r, at, e.why) : 0;
}

int
sandbox_check(struct arena *a, const struct sandbox_policy *p, struct err *reterr)
{
	const char *why = (size_t)p->type < TYPES ? NULL : "an unknown type";

	if (!why)
		why = wrong_list(a, &p->network_allow, SANDBOX_HOSTS);
	if (!why)
		why = wrong_list(a, &p->readwrite, SANDBOX_PATHS);
	if (!why)
		why = wrong_list(a, &p->readonly, SANDBOX_PATHS);
	if (!why && p->debug_output_dir.p)
		why = wrong_path(p->debug_output_dir);
	if (why)
		return err_at(reterr, CORDON_EINVAL, 0, why);
	return check_mapping(a, p->ignore_mapping, 0, reterr);
}

/* ---- read */

struct sandbox_reader {
	struct arena *a;
	struct sandbox_policy p;
	struct err *reterr;
};

static int
refuse(const struct sandbox_reader *r, const struct json *v, const char *why)
{
	return err_at(r->reterr, CORDON_EINVAL, v->at, why);
}

static int
read_bool(struct sandbox_reader *r, const struct json *v, bool *ret)
{
	if (v->kind != JSON_BOOL)
		return refuse(r, v, "expected true or false");
	*ret = v->truth;
	return 0;
}

static int
read_list(struct sandbox_reader *r, const struct json *v, enum sandbox_kind kind,
    struct sandbox_list *ret)
{
	struct sandbox_list list = { .given = true };
	struct str *items;
	const char *why;

	if (v->kind != JSON_ARRAY)
		return refuse(r, v, "expected a list of strings");
	items = arena_array(r->a, v->count, sizeof *items);
	if (!items)
		return err_at(r->reterr, CORDON_ENOMEM, v->at, "out of memory");
	for (const struct json *m = v->first; m; m = m->next) {
		if (m->kind != JSON_STRING)
			return refuse(r, m, "expected a string");
		items[list.n++] = m->text;
	}
	list.v = items;
	why = wrong_list(r->a, &list, kind);
	if (why)
		return refuse(r, v, why);
	*ret = list;
	return 0;
}

static int
read_text(struct sandbox_reader *r, const struct json *v, struct str *ret)
{
	if (v->kind != JSON_STRING && v->kind != JSON_NULL)
		return refuse(r, v, "expected a string or null");
	*ret = v->kind == JSON_NULL ? (struct str){ NULL, 0 } : v->text;
	return 0;
}

static int
read_mapping(struct sandbox_reader *r, const struct json *v)
{
	int err = read_text(r, v, &r->p.ignore_mapping);

	return err ? err : check_mapping(r->a, r->p.ignore_mapping, v->at, r->reterr);
}

static int
read_debug_dir(struct sandbox_reader *r, const struct json *v)
{
	int err = read_text(r, v, &r->p.debug_output_dir);
	const char *why =
	    err || !r->p.debug_output_dir.p ? NULL : wrong_path(r->p.debug_output_dir);

	return why ? refuse(r, v, why) : err;
}

static int
read_type(struct sandbox_reader *r, const struct json *v)
{
	if (v->kind != JSON_STRING || !sandbox_type_read(v->text, &r->p.type))
		return refuse(r, v,
		    "expected UNSPECIFIED, INSECURE_NONE, WORKSPACE_READWRITE or "
		    "WORKSPACE_READONLY");
	return 0;
}

static int
read_member(struct sandbox_reader *r, const struct json *m)
{
	if (str_is(m->key, "type"))
		return read_type(r, m);
	if (str_is(m->key, "networkAccess"))
		return read_bool(r, m, &r->p.network_access);
	if (str_is(m->key, "networkAllow"))
		return read_list(r, m, SANDBOX_HOSTS, &r->p.network_allow);
	if (str_is(m->key, "additionalReadwritePaths"))
		return read_list(r, m, SANDBOX_PATHS, &r->p.readwrite);
	if (str_is(m->key, "additionalReadonlyPaths"))
		return read_list(r, m, SANDBOX_PATHS, &r->p.readonly);
	if (str_is(m->key, "blockGitWrites"))
		return read_bool(r, m, &r->p.block_git_writes);
	if (str_is(m->key, "disableTmpWrite"))
		return read_bool(r, m, &r->p.disable_tmp_write);
	if (str_is(m->key, "ignoreMappingJson"))
		return read_mapping(r, m);
	if (str_is(m->key, "debugOutputDir"))
		return read_debug_dir(r, m);
	return err_at(r->reterr, CORDON_EINVAL, m->key_at, "an unknown key");
}

int
sandbox_read(
    struct arena *a, const struct json *v, struct sandbox_policy *ret, struct err *reterr)
{
	struct sandbox_reader r = { .a = a, .reterr = reterr };

	if (v->kind != JSON_OBJECT)
		return refuse(&r, v, "a sandbox policy must be an object");
	for (const struct json *m = v->first; m; m = m->next) {
		int err = read_member(&r, m);

		if (err)
			return err;
	}
	*ret = r.p;
	return 0;
}
