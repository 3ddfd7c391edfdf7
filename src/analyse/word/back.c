/* What only the whole text shows. */
#include "analyse/walk.h"
#include "base/path.h"

/* Behind a link that the text itself makes, `..` leads where nobody can say. */
static void
find_open_paths(struct walk *w)
{
	bool links = false;

	for (const struct file_effect *f = w->out.files; f; f = f->next)
		links |= f->op == FILE_CREATE && str_is(f->by, "ln");
	for (const struct file_effect *f = w->out.files; f && links; f = f->next)
		if (f->known && path_has_dotdot(f->path))
			add_unknown(
			    w, f->at, "a link that is made here decides where .. leads");
}

/* A file that the text writes and then runs is code that nobody has read. */
static void
find_written_programs(struct walk *w)
{
	bool anywhere = false;

	for (const struct file_effect *f = w->out.files; f; f = f->next) {
		if (f->op == FILE_READ || f->op == FILE_DELETE || f->op == FILE_EXEC)
			continue;
		anywhere |= !f->known;
		if (f->known)
			name_flag(w, str_base(f->path), NAME_WRITTEN, f->at);
	}
	for (const struct command *c = w->out.commands; c; c = c->next)
		if (c->program.p && !c->builtin && !c->function &&
		    name_has(w, c->program, NAME_WRITTEN))
			add_unknown(w, c->at, "it may run a file that this text writes");
	find_open_paths(w);
	/* Programs by a path outside the system's own directories, profiles of a shell ...
	 */
	for (const struct file_effect *f = w->out.files; f; f = f->next)
		if (f->op == FILE_EXEC &&
		    (anywhere || !f->known || name_has(w, str_base(f->path), NAME_WRITTEN)))
			add_unknown(w, f->at, "it may run a file that this text writes");
}

/* Its name is not known, nor where it lies. */
static bool
is_any_program(const struct command *c)
{
	return !c->program.p && !c->function &&
	       str_find(c->argv[0].text, '/') == c->argv[0].text.n;
}

/* Where something was cut, what is not known may be what was there: "rm" behind a value
 * that is longer than we follow. */
static void
find_cut(struct walk *w)
{
	static const char code[] = "eval of an unknown string\0"
				   "an unknown string is run as commands\0"
				   "an unknown string is split into a command\0"
				   "a trap runs an unknown string\0";

	if (!w->cut)
		return;
	for (const struct unknown *u = w->out.unknowns; u; u = u->next)
		if (str_among(str_from_c(u->why), code)) {
			add_unknown(w, u->at, UNKNOWN_CUT);
			return;
		}
	for (const struct command *c = w->out.commands; c; c = c->next)
		if (is_any_program(c)) {
			add_unknown(w, c->at, UNKNOWN_CUT);
			return;
		}
}

void
look_back(struct walk *w)
{
	find_written_programs(w);
	find_cut(w);
}
