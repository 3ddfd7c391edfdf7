/* Checks that need the whole text. */
#include "analyse/names.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"
#include "base/path.h"

/* After a symlink that the text itself creates, `..` may lead anywhere. */
static void
find_open_paths(struct walk *w)
{
	bool links = false;

	for (const struct file_effect *f = w->out.files; f; f = f->next)
		links |= f->op == FILE_CREATE && str_is(f->by, "ln");
	for (const struct file_effect *f = w->out.files; f && links; f = f->next)
		if (f->known && path_has_dotdot(f->path))
			add_unknown(w, f->at,
			    "this command creates a link that may change where .. leads");
}

/* A file that the text writes and then runs is code that was never reviewed. */
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
			add_unknown(w, c->at, "may run a file that this command writes");
	find_open_paths(w);
	/* Programs outside the system directories, profiles of a shell ... */
	for (const struct file_effect *f = w->out.files; f; f = f->next)
		if (f->op == FILE_EXEC &&
		    (anywhere || !f->known || name_has(w, str_base(f->path), NAME_WRITTEN)))
			add_unknown(w, f->at, "may run a file that this command writes");
}

/* True if neither name nor directory of the program is known. */
static bool
is_any_program(const struct command *c)
{
	return !c->program.p && !c->function &&
	       str_find(c->argv[0].text, '/') == c->argv[0].text.n;
}

/* If a limit cut a value, an unknown command may be what was cut off: "rm" after a very
 * long value. */
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
check_whole(struct walk *w)
{
	find_written_programs(w);
	find_cut(w);
}
