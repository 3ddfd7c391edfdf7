#include "look/tool.h"
#include "base/path.h"
#include "os/file.h"

static const struct {
	char name[8];
	enum look_use use;
	bool file; /* works on a file, not a directory */
} tools[TOOLS] = {
	[TOOL_READ] = { "read", LOOK_READ, true },
	[TOOL_WRITE] = { "write", LOOK_WRITE, true },
	[TOOL_EDIT] = { "edit", LOOK_WRITE, true },
	[TOOL_DELETE] = { "delete", LOOK_REMOVE, false },
	[TOOL_LIST] = { "list", LOOK_ENTER, false },
	[TOOL_GLOB] = { "glob", LOOK_ENTER, false },
	[TOOL_GREP] = { "grep", LOOK_READ, false },
};

bool
tool_by_name(struct str name, enum tool *ret)
{
	for (int i = 0; i < TOOLS; i++)
		if (str_is(name, tools[i].name)) {
			*ret = (enum tool)i;
			return true;
		}
	return false;
}

static void
refuse(struct tool_fact *t, enum tool_problem problem, const char *why, const char *hint)
{
	if (t->problem != TOOL_FINE)
		return;
	t->problem = problem;
	t->why = why;
	t->hint = hint;
}

static bool
is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* True if the path starts with $NAME, ${NAME} or ~: some agents expand it, some do not. */
static bool
begins_with_variable(struct str path)
{
	struct str first = str_cut(path, 0, str_find(path, '/'));
	bool braces = str_starts(first, STR("${")) && first.p[first.n - 1] == '}';

	if (first.n && first.p[0] == '~')
		return true;
	if (first.n < 2 || first.p[0] != '$')
		return false;
	for (size_t i = braces ? 2 : 1; i < first.n - braces; i++)
		if (!is_name_byte(first.p[i]))
			return false;
	return true;
}

static bool
check_text(struct str path, struct tool_fact *t)
{
	if (path.n == 0)
		refuse(t, TOOL_EMPTY, "the path is empty", NULL);
	else if (str_find(path, '\0') < path.n)
		refuse(t, TOOL_EMPTY, "the path contains a NUL", NULL);
	else if (begins_with_variable(path))
		refuse(t, TOOL_VARIABLE, "the path begins with a variable or a tilde",
		    "write the path out");
	return t->problem == TOOL_FINE;
}

/* Relative paths start at the first root; absolute ones stay unchanged. */
static int
make_absolute(struct arena *a, struct str path, const struct look_opts *o,
    struct tool_fact *t, struct err *reterr)
{
	struct str dir = o->roots.n ? o->roots.v[0] : o->cwd;
	int err;

	t->path = path;
	if (path.p[0] == '/')
		return 0;
	if (!dir.p)
		return err_at(reterr, CORDON_EINVAL, 0, "a relative path needs a root");
	err = path_join(a, dir, path, &t->path, reterr);
	if (err == CORDON_ELIMIT) {
		refuse(t, TOOL_EMPTY, "the path is too long", NULL);
		return 0;
	}
	/* With `..` the kernel must walk the path; without, it is normalised. */
	if (!err && !path_has_dotdot(path))
		err = path_normal(a, dir, path, &t->path, reterr);
	t->rewritten = true;
	return err;
}

static void
judge(enum tool tool, bool rewrite, struct tool_fact *t)
{
	const struct place_fact *f = &t->fact;
	const char *why = f->why ? f->why : "the path is outside the workspace";

	if (f->where == WHERE_UNKNOWN)
		refuse(t, TOOL_UNKNOWN, why, NULL);
	if (f->where == WHERE_OUTSIDE)
		refuse(t, TOOL_OUTSIDE, why, "use a path inside the workspace");
	if (f->where == WHERE_DEVICE && tool != TOOL_READ && tool != TOOL_WRITE)
		refuse(t, TOOL_OUTSIDE, "the path is a device", NULL);
	if (rewrite && tools[tool].file && f->directory)
		refuse(t, TOOL_DIRECTORY, "the path is a directory",
		    tool == TOOL_READ ? "list it instead (ls)" : "name a file in it");
	if (f->ignored)
		refuse(t, TOOL_IGNORED, "an ignore file hides the path", NULL);
}

int
tool_path_on(struct arena *a, struct lookup *g, enum tool tool, struct str path,
    bool rewrite, const struct look_opts *o, struct tool_fact *ret, struct err *reterr)
{
	struct tool_fact t = { .path = path,
		.writes = tools[tool].use == LOOK_WRITE || tools[tool].use == LOOK_REMOVE };
	int err = 0;

	if (check_text(path, &t))
		err = make_absolute(a, path, o, &t, reterr);
	if (!err && t.problem == TOOL_FINE) {
		err = look_fact(g, t.path, tools[tool].use, &t.fact, reterr);
		if (!err)
			judge(tool, rewrite, &t);
	}
	if (err)
		return err;
	if (!rewrite) {
		t.path = path;
		t.rewritten = false;
	}
	*ret = t;
	return 0;
}

int
tool_path(struct arena *a, enum tool tool, struct str path, bool rewrite,
    const struct look_opts *o, struct tool_fact *ret, struct err *reterr)
{
	struct lookup *g;
	int err = look_open(a, o, &g, reterr);

	return err ? err : tool_path_on(a, g, tool, path, rewrite, o, ret, reterr);
}
