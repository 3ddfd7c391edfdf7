/* Judge effects beyond the names of commands: files, variables, unknowns. */
#include "base/path.h"
#include "decide/match/match.h"
#include "dialects/cursor/cursor.h"

static bool
writes(const struct file_effect *f)
{
	return f->op != FILE_READ && f->op != FILE_EXEC;
}

/* ---- where a path lies */

static bool
is_device(struct str path)
{
	static const char names[][12] = { "/dev/null", "/dev/zero", "/dev/full",
		"/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (str_is(path, names[i]))
			return true;
	return str_starts(path, STR("/dev/fd/"));
}

/* The place of a path by its name. */
static enum where
where_by_name(const struct cursor_view *v, struct str path)
{
	const struct cursor_input *in = v->in;

	if (is_device(path))
		return WHERE_DEVICE;
	for (size_t i = 0; i < in->roots_n; i++)
		if (path_is_within(in->roots[i], path))
			return WHERE_INSIDE;
	if (in->roots_n == 0 && (!in->where.cwd.p || path_is_within(in->where.cwd, path)))
		return WHERE_INSIDE; /* without a workspace, nothing is outside */
	for (size_t i = 0; i < v->effective->readwrite.n; i++)
		if (path_is_within(v->effective->readwrite.v[i], path))
			return WHERE_INSIDE;
	if (path_has_dotdot(path))
		return WHERE_UNKNOWN;
	if (path_is_within(STR("/tmp"), path) || path_is_within(STR("/var/tmp"), path))
		return WHERE_TMP;
	return WHERE_OUTSIDE;
}

static enum where
where(const struct cursor_view *v, const struct file_effect *f)
{
	const struct place_fact *fact = &f->fact;

	if (!v->effects->looked)
		return f->known ? where_by_name(v, f->path) : WHERE_UNKNOWN;
	/* A path that the effective policy makes writable counts as inside. */
	if (fact->where == WHERE_OUTSIDE && fact->real.p &&
	    where_by_name(v, fact->real) == WHERE_INSIDE)
		return WHERE_INSIDE;
	return fact->where;
}

static bool
has_dot_part(struct str path)
{
	for (size_t i = 0; i + 1 < path.n; i++)
		if (path.p[i] == '/' && path.p[i + 1] == '.' &&
		    !str_starts(str_skip(path, i), STR("/../")) &&
		    !str_is(str_skip(path, i), "/.."))
			return true;
	return false;
}

static bool
below(struct str root, struct str path, struct str *ret)
{
	if (!path_is_within(root, path))
		return false;
	*ret = str_skip(path, str_is(root, "/") ? 0 : root.n);
	return true;
}

/* True if a component below the root begins with a dot. */
static bool
is_dotfile(const struct cursor_view *v, const struct file_effect *f)
{
	struct str rest = f->path;
	bool found = false;

	if (v->effects->looked)
		return f->fact.dotfile;
	if (!f->known)
		return false;
	for (size_t i = 0; i < v->in->roots_n && !found; i++)
		found = below(v->in->roots[i], f->path, &rest);
	if (!found && v->in->where.cwd.p)
		(void)below(v->in->where.cwd, f->path, &rest);
	return has_dot_part(rest);
}

/* ---- the questions */

const char *
cursor_ignored(const struct cursor_view *v, struct str *ret_which)
{
	for (const struct file_effect *f = v->effects->files; f; f = f->next)
		if (v->effects->looked && f->fact.ignored) {
			*ret_which = f->path;
			return "an ignore file hides a file of this command";
		}
	return NULL;
}

const char *
cursor_protected(const struct cursor_view *v, struct str *ret_which)
{
	const struct cursor_settings *s = &v->in->settings;

	for (const struct file_effect *f = v->effects->files; f; f = f->next) {
		enum where at = where(v, f);
		bool outside = s->outside_protection && at == WHERE_OUTSIDE;
		bool dot = s->dotfiles_protection && at != WHERE_DEVICE &&
			   at != WHERE_TMP && is_dotfile(v, f);

		if (!writes(f) || (!outside && !dot) || cursor_spelt_out(v, f->at))
			continue;
		*ret_which = f->path;
		return outside ? "a file outside the workspace would be written"
			       : "a dot file would be written";
	}
	return NULL;
}

static bool
has_workspace(const struct cursor_view *v)
{
	return v->in->roots_n || v->in->where.cwd.p;
}

const char *
cursor_uncovered(const struct cursor_view *v)
{
	for (const struct unknown *u = v->effects->unknowns; u; u = u->next)
		if (!cursor_spelt_out(v, u->at))
			return u->why;
	if (v->effects->env)
		return "a variable is set that changes what programs do";
	for (const struct file_effect *f = v->effects->files; f; f = f->next)
		if (writes(f) && v->in->settings.outside_protection && has_workspace(v) &&
		    where(v, f) == WHERE_UNKNOWN)
			return "it is unknown where a file is written";
	return NULL;
}

/* ---- deleting */

/* True if an allowed entry begins with rm and covers this command. */
static bool
rm_is_lifted(const struct cursor_view *v, const struct command *c)
{
	for (size_t i = 0; i < v->allowed.n; i++)
		if (cursor_matches(v->allowed.v[i].text, STR("rm")) &&
		    cursor_covers(v, &v->allowed.v[i], c))
			return true;
	return false;
}

/* True if it may lose a file; moving, or removing an empty folder, does not. */
static bool
loses(const struct file_effect *f)
{
	return f->op == FILE_DELETE && !str_is(f->by, "mv") && !str_is(f->by, "rmdir") &&
	       !str_is(f->by, "rm");
}

static bool
delete_is_lifted(const struct cursor_view *v, const struct file_effect *f)
{
	for (const struct command *c = v->effects->commands; c; c = c->next)
		if (command_owns_file(c, f) && cursor_allowed(v, c, false))
			return true;
	return false;
}

bool
cursor_deletes(const struct cursor_view *v, struct str *ret_which)
{
	for (const struct command *c = v->effects->commands; c; c = c->next)
		if (cursor_is(v, c, STR("rm")) && !rm_is_lifted(v, c)) {
			*ret_which = STR("rm");
			return true;
		}
	for (const struct file_effect *f = v->effects->files; f; f = f->next)
		if (loses(f) && !delete_is_lifted(v, f)) {
			*ret_which = f->by;
			return true;
		}
	return false;
}

/* ---- the repository */

static bool
in_git_folder(struct str path)
{
	for (size_t i = 0; i + 4 < path.n; i++)
		if (str_starts(str_skip(path, i), STR("/.git")) &&
		    (i + 5 == path.n || path.p[i + 5] == '/'))
			return true;
	return false;
}

bool
cursor_writes_git(const struct cursor_view *v, struct str *ret_which)
{
	for (const struct command *c = v->effects->commands; c; c = c->next)
		if (cursor_is(v, c, STR("git")) &&
		    (!c->scan || c->class != CLASS_READ || c->scan->worst != CLASS_READ)) {
			*ret_which = STR("git");
			return true;
		}
	for (const struct file_effect *f = v->effects->files; f; f = f->next)
		if (writes(f) && in_git_folder(f->path)) {
			*ret_which = f->path;
			return true;
		}
	return false;
}
