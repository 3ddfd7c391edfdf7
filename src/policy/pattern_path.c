/* Normalise path patterns. */
#include "policy/read.h"

bool
path_has_dots(struct str path)
{
	size_t from = 0;

	while (from <= path.n) {
		size_t to = from + str_find(str_skip(path, from), '/');
		struct str part = str_cut(path, from, to);

		if (str_is(part, ".") || str_is(part, ".."))
			return true;
		from = to + 1;
	}
	return false;
}

/* ---- the prefix */

static const struct {
	const char *name;
	enum pattern_anchor anchor;
} anchors[] = {
	{ "project", ANCHOR_PROJECT },
	{ "home", ANCHOR_HOME },
};

static int
read_anchor_name(struct rule_reader *r, const struct token *t, struct str *code,
    enum pattern_anchor *ret)
{
	size_t slash = str_find(*code, '/');
	struct str name = str_cut(*code, 1, slash);

	for (size_t i = 0; i < sizeof anchors / sizeof *anchors; i++) {
		if (str_is(name, anchors[i].name)) {
			*ret = anchors[i].anchor;
			*code = str_skip(*code, slash);
			return 0;
		}
	}
	return read_fail(
	    r, t, "a path may begin with @project or @home, with no other @name", NULL);
}

static bool
begins_deep(struct str code)
{
	return code.n >= 2 && code.p[0] == CODE_STAR && code.p[1] == CODE_STAR &&
	       (code.n == 2 || code.p[2] == '/');
}

static int
read_anchor(struct rule_reader *r, const struct token *t, struct str *code,
    enum pattern_anchor *ret)
{
	*ret = ANCHOR_NONE;
	if (code->n > 0 && code->p[0] == CODE_AT)
		return read_anchor_name(r, t, code, ret);
	if (code->n > 0 && code->p[0] == CODE_TILDE) {
		if (code->n > 1 && code->p[1] != '/')
			return read_fail(r, t,
			    "~ is the current user's home directory; for another user "
			    "write the path",
			    NULL);
		*ret = ANCHOR_HOME;
		*code = str_skip(*code, 1);
		return 0;
	}
	if (code->n > 0 && (code->p[0] == '/' || begins_deep(*code)))
		return 0;
	return read_fail(
	    r, t, "expected a path that begins with /, ~, @project, @home or **/", NULL);
}

/* ---- the components */

struct path_components {
	struct buf out;
	size_t n;
	bool glob;  /* contains a glob */
	bool deep;  /* the last component is `**` */
	bool slash; /* ends in a slash */
	bool exact; /* ends in `/.` */
};

static bool
part_has_signs(struct str part)
{
	for (size_t i = 0; i < part.n; i++)
		if (part.p[i] == CODE_STAR || part.p[i] == CODE_ANY)
			return true;
	return false;
}

static bool
part_has_deep(struct str part)
{
	for (size_t i = 0; i + 1 < part.n; i++)
		if (part.p[i] == CODE_STAR && part.p[i + 1] == CODE_STAR)
			return true;
	return false;
}

static int
add_part(struct rule_reader *r, const struct token *t, struct path_components *p,
    struct str part, bool last)
{
	bool deep = part.n == 2 && part_has_deep(part);

	if (part.n == 0) {
		p->slash = last;
		return 0;
	}
	if (str_is(part, ".") && last) {
		p->exact = true;
		return 0;
	}
	if (str_is(part, ".") || str_is(part, ".."))
		return read_fail(r, t,
		    "a path must not contain . or ..; /. at the end means the directory "
		    "alone",
		    NULL);
	if (!deep && part_has_deep(part))
		return read_fail(r, t, "** must be alone between slashes", NULL);
	if (deep && p->deep)
		return 0;
	if (++p->n > DRAFT_PARTS)
		return read_fail(r, t, "a path may have at most 60 components", NULL);
	p->deep = deep;
	p->glob |= part_has_signs(part);
	buf_putc(&p->out, '/');
	if (deep)
		buf_putc(&p->out, CODE_DEEP);
	else
		buf_put(&p->out, part);
	return 0;
}

static int
read_parts(struct rule_reader *r, const struct token *t, struct str code,
    struct path_components *p)
{
	size_t from = 0;
	int e = 0;

	while (from <= code.n && !e) {
		size_t to = from + str_find(str_skip(code, from), '/');

		e = add_part(r, t, p, str_cut(code, from, to), to == code.n);
		from = to + 1;
	}
	return e;
}

/* A final `**` means the same as a tree. */
static void
fold_tree(struct path_components *p, struct alternative *alt)
{
	struct str out = buf_str(&p->out);

	alt->tree = !p->exact && (p->deep || p->slash || !p->glob);
	if (p->deep && alt->tree)
		out.n -= 2;
	alt->code = out;
	alt->glob = false;
	for (size_t i = 0; i < out.n; i++)
		alt->glob |= out.p[i] > 0 && out.p[i] <= CODE_DEEP;
}

/* Point into the line if the text is unchanged, so that it is stored once. */
static void
share(const struct token *t, struct alternative *alt)
{
	struct str end = str_skip(t->raw, t->raw.n - alt->code.n);

	if (alt->code.n <= t->raw.n && str_eq(end, alt->code))
		alt->code = end;
}

static int
read_bare_name(
    struct rule_reader *r, const struct token *t, struct str code, struct alternative *alt)
{
	struct buf b;

	if (code.n == 0 || code.n > DRAFT_PATTERN || path_has_dots(code))
		return read_fail(r, t, "expected a program or a path", NULL);
	buf_init(&b, r->d->a);
	buf_putc(&b, '/');
	buf_putc(&b, CODE_DEEP);
	buf_putc(&b, '/');
	buf_put(&b, code);
	if (b.full)
		return read_no_memory(r);
	*alt = (struct alternative){ .code = buf_str(&b), .glob = true };
	return 0;
}

/* True if it has none of the prefixes that absolute paths have. */
static bool
is_relative(struct str code)
{
	return code.n > 0 && code.p[0] != '/' && code.p[0] != CODE_TILDE &&
	       code.p[0] != CODE_AT && !begins_deep(code);
}

int
read_path(struct rule_reader *r, const struct token *t, enum pattern_use use,
    struct str code, struct alternative *alt)
{
	struct path_components p = { 0 };
	bool name = is_relative(code) && str_find(code, '/') == code.n;
	int e = 0;

	if (use == USE_EXEC && name)
		return read_bare_name(r, t, code, alt);
	if (use == USE_FILE && is_relative(code))
		alt->anchor = ANCHOR_PROJECT;
	else
		e = read_anchor(r, t, &code, &alt->anchor);
	if (e)
		return e;
	if (code.n > DRAFT_PATTERN)
		return read_fail(r, t, "a path may have at most 1024 bytes", NULL);
	buf_init(&p.out, r->d->a);
	e = read_parts(r, t, code, &p);
	if (e)
		return e;
	if (p.out.full)
		return read_no_memory(r);
	if (use == USE_DIR && (p.glob || p.exact))
		return read_fail(r, t,
		    "expected a directory without * and ?: everything below it matches",
		    NULL);
	fold_tree(&p, alt);
	if (alt->code.n == 0)
		alt->code = STR("");
	share(t, alt);
	return 0;
}
