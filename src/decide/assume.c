/* Facts from names alone, for test lines and for libcordon, which may not read files. */
#include "base/path.h"
#include "decide/decide.h"

static bool
is_device(struct str path)
{
	static const char devices[][13] = { "/dev/null", "/dev/stdout", "/dev/stderr",
		"/dev/stdin", "/dev/tty", "/dev/zero", "/dev/full", "/dev/random",
		"/dev/urandom" };

	for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
		if (str_is(path, devices[i]))
			return true;
	return false;
}

static void
assume_place(
    struct place_fact *f, struct str path, bool known, const struct str *roots, size_t n)
{
	size_t skip = 0;

	if (!known || path_has_dotdot(path)) {
		f->why = "the path is not known";
		return;
	}
	f->real = path;
	/* Assume what makes the verdict strictest. */
	f->exists = true;
	f->directory = true;
	f->unsaved = true;
	f->where = WHERE_OUTSIDE;
	if (path_is_within(STR("/tmp"), path) || path_is_within(STR("/var/tmp"), path))
		f->where = WHERE_TMP;
	for (size_t i = 0; i < n; i++)
		if (path_is_within(roots[i], path)) {
			f->where = WHERE_INSIDE;
			skip = roots[i].n > skip ? roots[i].n : skip;
		}
	if (is_device(path))
		f->where = WHERE_DEVICE;
	for (size_t i = skip; i + 1 < path.n; i++)
		f->dotfile |= path.p[i] == '/' && path.p[i + 1] == '.';
}

void
effects_assume(struct effects *e, const struct str *roots, size_t n)
{
	for (struct chdir_effect *c = e->chdirs; c; c = c->next)
		assume_place(&c->fact, c->path, c->known, roots, n);
	for (struct file_effect *f = e->files; f; f = f->next)
		assume_place(&f->fact, f->path, f->known, roots, n);
	e->looked = true;
	if (e->guesses)
		effects_assume(e->guesses, roots, n);
}
