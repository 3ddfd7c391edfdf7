#include "base/path.h"
#include "base/limits.h"

static const struct str dotdot = STR_INIT("..");

static int
check(struct str s, struct err *e)
{
	size_t nul = str_find(s, '\0');

	if (nul < s.n)
		return err_at(e, CORDON_EINVAL, nul, "NUL in a path");
	if (s.n >= LIMIT_PATH)
		return err_at(e, CORDON_ELIMIT, LIMIT_PATH, "path is too long");
	return 0;
}

/* Return the component at *at, and advance *at past its slash. */
static struct str
next_part(struct str s, size_t *at)
{
	struct str rest = str_skip(s, *at), part = str_cut(rest, 0, str_find(rest, '/'));

	*at += part.n < rest.n ? part.n + 1 : part.n;
	return part;
}

/* The length up to the last slash: the parent directory, if the path has no symlinks. */
static size_t
parent_length(struct str path)
{
	size_t slash = str_rfind(path, '/');

	return slash == path.n ? 0 : slash;
}

/* Append the components of `path` to the `n` bytes in `out`; the root is "". `fold`: a
 * leading `..` removes the last name. */
static size_t
put_parts(char *out, size_t n, struct str path, bool fold)
{
	for (size_t at = 0; at < path.n;) {
		struct str part = next_part(path, &at), base = str_base(str_of(out, n));

		if (part.n == 0 || str_is(part, "."))
			continue;
		if (str_eq(part, dotdot) && (n == 0 || (fold && !str_eq(base, dotdot)))) {
			n = parent_length(str_of(out, n));
			continue;
		}
		/* After a name of `path` itself, `..` is kept: the name may be a
		 * symlink. */
		fold = fold && str_eq(part, dotdot);
		out[n++] = '/';
		memcpy(out + n, part.p, part.n);
		n += part.n;
	}
	return n;
}

int
path_normal(
    struct arena *a, struct str dir, struct str path, struct str *ret, struct err *reterr)
{
	bool absolute = path.n && path.p[0] == '/';
	size_t n = 0;
	char *out;
	int err = check(path, reterr);

	if (!err && !absolute)
		err = check(dir, reterr);
	if (err)
		return err;
	if (path.n == 0)
		return err_at(reterr, CORDON_EINVAL, 0, "empty path");
	if (!absolute && (dir.n == 0 || dir.p[0] != '/'))
		return err_at(reterr, CORDON_EINVAL, 0, "directory is not absolute");
	out = arena_alloc(a, dir.n + path.n + 2);
	if (!out)
		return err_at(
		    reterr, CORDON_ENOMEM, 0, "path needs more memory than its limit");
	if (!absolute)
		n = put_parts(out, 0, dir, false);
	n = put_parts(out, n, path, !absolute);
	if (n == 0)
		out[n++] = '/';
	if (n >= LIMIT_PATH)
		return err_at(reterr, CORDON_ELIMIT, LIMIT_PATH, "path is too long");
	*ret = str_of(out, n);
	return 0;
}

int
path_join(
    struct arena *a, struct str dir, struct str name, struct str *ret, struct err *reterr)
{
	bool slash = dir.n && dir.p[dir.n - 1] != '/';
	size_t n = dir.n + (slash ? 1 : 0);
	int err = check(dir, reterr);
	char *out;

	if (!err)
		err = check(name, reterr);
	if (err)
		return err;
	if (n + name.n >= LIMIT_PATH)
		return err_at(reterr, CORDON_ELIMIT, LIMIT_PATH, "path is too long");
	out = arena_alloc(a, n + name.n);
	if (!out)
		return err_at(
		    reterr, CORDON_ENOMEM, 0, "path needs more memory than its limit");
	if (dir.n)
		memcpy(out, dir.p, dir.n);
	if (slash)
		out[dir.n] = '/';
	if (name.n)
		memcpy(out + n, name.p, name.n);
	*ret = str_of(out, n + name.n);
	return 0;
}

bool
path_is_plain(struct str path)
{
	if (path.n < 2 || path.p[0] != '/')
		return false;
	while (path.n) {
		struct str part;

		path = str_skip(path, 1);
		part = str_cut(path, 0, str_find(path, '/'));
		if (part.n == 0 || str_is(part, ".") || str_is(part, ".."))
			return false;
		path = str_skip(path, part.n);
	}
	return true;
}

bool
path_has_dotdot(struct str path)
{
	for (size_t at = 0; at < path.n;)
		if (str_eq(next_part(path, &at), dotdot))
			return true;
	return false;
}

bool
path_is_within(struct str root, struct str path)
{
	if (root.n == 0 || root.p[0] != '/' || !str_starts(path, root))
		return false;
	if (root.n > 1 && path.n > root.n && path.p[root.n] != '/')
		return false;
	return !path_has_dotdot(path);
}
