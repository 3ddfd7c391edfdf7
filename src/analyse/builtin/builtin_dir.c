/* cd, pushd, popd: the possible working directories. */
#include "analyse/builtin/builtin.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"

static struct flow
entered(struct walk *w, const struct dirs *to, struct span at, struct state s)
{
	struct flow f = flow_of(s);

	if (!to) {
		walk_fail(w, CORDON_ENOMEM, at, "out of memory");
		return f;
	}
	add_chdir(w, to, at);
	f.ok.old = s.cwd;
	f.ok.cwd = to;
	return f;
}

/* The directory that a word names, relative to the current one. */
static const struct dirs *
named(struct walk *w, struct field f, const struct state *s, bool logical)
{
	if (f.kind != FIELD_STR || w->remote)
		return &dirs_anywhere;
	return dirs_enter(w->a, s->cwd, f.text, logical);
}

struct flow
builtin_cd(struct walk *w, struct invocation *c, struct state s)
{
	bool logical = true;
	struct str home = home_of(w, &s);
	size_t i = 1;

	for (; i < c->argc && c->argv[i].kind == FIELD_STR; i++) {
		struct str t = c->argv[i].text;

		if (t.n < 2 || t.p[0] != '-')
			break;
		if (str_is(t, "--")) {
			i++;
			break;
		}
		for (size_t k = 1; k < t.n; k++) {
			if (!strchr("LPe@", t.p[k]))
				return flow_of(s); /* bash refuses this option */
			if (t.p[k] == 'P' || t.p[k] == 'L')
				logical = t.p[k] == 'L';
		}
	}
	if (i == c->argc)
		return entered(w,
		    home.p ? dirs_enter(w->a, s.cwd, home, logical) : &dirs_anywhere, c->at,
		    s);
	if (field_is(c->argv[i], "-"))
		return entered(w, s.old, c->at, s);
	if (field_is(c->argv[i], ""))
		return flow_of(s);
	/* bash refuses several words, unless some of them are empty. */
	if (i + 1 < c->argc)
		return entered(w, &dirs_anywhere, c->at, s);
	return entered(w, named(w, c->argv[i], &s, logical), c->at, s);
}

struct flow
builtin_pushd(struct walk *w, struct invocation *c, struct state s)
{
	struct stack *top = walk_alloc(w, sizeof *top);
	struct flow f;
	size_t i = 1;

	if (i < c->argc && field_is(c->argv[i], "--"))
		i++;
	if (!top)
		return flow_of(s);
	/* pushd alone swaps, +1 rotates, -n does not change the directory: treat all as
	 * unknown. */
	if (i + 1 != c->argc || c->argv[i].kind != FIELD_STR ||
	    (c->argv[i].text.n && strchr("+-", c->argv[i].text.p[0]))) {
		f = entered(w, &dirs_anywhere, c->at, s);
		f.ok.stack = NULL;
		return f;
	}
	f = entered(w, named(w, c->argv[i], &s, true), c->at, s);
	*top = (struct stack){ s.cwd, s.stack };
	f.ok.stack = top;
	return f;
}

struct flow
builtin_popd(struct walk *w, struct invocation *c, struct state s)
{
	struct flow f;

	if (c->argc > 1 || !s.stack) {
		f = entered(w, &dirs_anywhere, c->at, s);
		f.ok.stack = NULL;
		return f;
	}
	f = entered(w, s.stack->dirs, c->at, s);
	f.ok.stack = s.stack->below;
	return f;
}
