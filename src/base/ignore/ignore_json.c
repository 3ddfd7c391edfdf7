/* Ignore files as one JSON value, passed to the process that enforces them. */
#include "base/ignore/ignore.h"
#include "base/path.h"

void
ignore_put_json(struct buf *b, struct str root, const struct ignore_text *files, size_t n)
{
	buf_puts(b, "{\"version\":1,\"root\":");
	json_put_str(b, root);
	buf_puts(b, ",\"files\":[");
	for (size_t i = 0; i < n; i++) {
		buf_puts(b, i ? ",{\"dir\":" : "{\"dir\":");
		json_put_str(b, files[i].dir);
		buf_puts(b, ",\"name\":");
		json_put_str(b, files[i].name);
		buf_puts(b, ",\"patterns\":");
		json_put_str(b, files[i].text);
		buf_putc(b, '}');
	}
	buf_puts(b, "]}");
}

static int
refuse(struct err *e, const struct json *v, const char *why)
{
	return err_at(e, CORDON_EINVAL, v ? v->at : 0, why);
}

/* Read the string member `key` of `v`. */
static int
member(const struct json *v, struct str key, struct str *ret, struct err *e)
{
	const struct json *m = json_get(v, key);

	if (!m || m->kind != JSON_STRING)
		return refuse(e, m ? m : v, "ignore mapping: expected a string");
	*ret = m->text;
	return 0;
}

static bool
is_below(struct str dir)
{
	return dir.n == 0 ||
	       (dir.p[0] != '/' && dir.p[dir.n - 1] != '/' && !path_has_dotdot(dir));
}

static int
read_file(struct arena *a, const struct json *v, unsigned flags, struct ignore_file *ret,
    struct err *e)
{
	struct str text;
	int err;

	if (v->kind != JSON_OBJECT || v->count != 3)
		return refuse(e, v,
		    "ignore mapping: a file must have exactly dir, name and patterns");
	if ((err = member(v, STR("dir"), &ret->dir, e)) ||
	    (err = member(v, STR("name"), &ret->name, e)) ||
	    (err = member(v, STR("patterns"), &text, e)))
		return err;
	if (!is_below(ret->dir))
		return refuse(e, v, "ignore mapping: dir is not below the root");
	return ignore_compile(a, text, flags, &ret->list, e);
}

static int
check_top(const struct json *v, struct str *ret_root, struct err *e)
{
	const struct json *version = json_get(v, STR("version")),
			  *files = json_get(v, STR("files"));
	int64_t number = 0;
	int err;

	if (v->kind != JSON_OBJECT || v->count != 3)
		return refuse(
		    e, v, "ignore mapping: must have exactly version, root and files");
	if (!version || json_int(version, &number) || number != 1)
		return refuse(
		    e, version ? version : v, "ignore mapping: version must be 1");
	if ((err = member(v, STR("root"), ret_root, e)))
		return err;
	if (!str_starts(*ret_root, STR("/")))
		return refuse(e, v, "ignore mapping: root must be an absolute path");
	if (!files || files->kind != JSON_ARRAY)
		return refuse(e, v, "ignore mapping: files must be a list");
	return 0;
}

int
ignore_read_json(struct arena *a, struct str text, unsigned flags, struct str *ret_root,
    struct ignore_file **ret, size_t *ret_n, struct err *reterr)
{
	static const struct json_opts bytes = { .surrogate_bytes = true };
	const struct json *v, *m;
	struct ignore_file *files;
	struct str root;
	size_t n = 0;
	int err = json_read(a, text, &bytes, &v, reterr);

	if (!err)
		err = check_top(v, &root, reterr);
	if (err)
		return err;
	m = json_get(v, STR("files"));
	files = arena_array(a, m->count + 1, sizeof *files);
	if (!files)
		return err_at(
		    reterr, CORDON_ENOMEM, 0, "patterns need more memory than their limit");
	for (m = m->first; m; m = m->next)
		if ((err = read_file(a, m, flags, &files[n++], reterr)))
			return err;
	*ret_root = root;
	*ret = files;
	*ret_n = n;
	return 0;
}
