#include "analyse/state.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"
#include "base/limits.h"
#include "base/path.h"

/* Limit for variables; beyond it, all are forgotten. */
#define VARS_MAX 256

const struct dirs dirs_anywhere = { .unknown = true };

const struct dirs *
dirs_one(struct arena *a, struct str path, bool physical)
{
	struct dirs *d = arena_alloc(a, sizeof *d + sizeof d->at[0]);

	if (!d)
		return NULL;
	d->unknown = false;
	d->n = 1;
	d->at[0] = (struct dir){ path, physical };
	return d;
}

static bool
dirs_has(const struct dirs *d, struct str path)
{
	for (size_t i = 0; i < d->n; i++)
		if (str_eq(d->at[i].path, path))
			return true;
	return false;
}

static const struct dirs *
dirs_join(struct arena *a, const struct dirs *x, const struct dirs *y)
{
	struct dirs *d;
	size_t more = 0;

	if (x == y || x->unknown)
		return x;
	if (y->unknown)
		return y;
	for (size_t i = 0; i < y->n; i++)
		more += !dirs_has(x, y->at[i].path);
	if (more == 0)
		return x;
	if (x->n + more > LIMIT_DIRS)
		return &dirs_anywhere;
	d = arena_alloc(a, sizeof *d + (x->n + more) * sizeof d->at[0]);
	if (!d)
		return NULL;
	d->unknown = false;
	d->n = x->n;
	memcpy(d->at, x->at, x->n * sizeof x->at[0]);
	for (size_t i = 0; i < y->n; i++)
		if (!dirs_has(x, y->at[i].path))
			d->at[d->n++] = y->at[i];
	return d;
}

/* Remove every `..` from `path`, as the shell's logical cd does. */
static struct str
fold(struct arena *a, struct str path)
{
	char *out = arena_alloc(a, path.n + 1);
	size_t n = 0;

	if (!out)
		return (struct str){ NULL, 0 };
	for (size_t at = 0; at < path.n;) {
		struct str rest = str_skip(path, at);
		struct str part = str_cut(rest, 0, str_find(rest, '/'));

		at += part.n + 1;
		if (part.n == 0 || str_is(part, "."))
			continue;
		if (str_is(part, "..")) {
			while (n > 0 && out[--n] != '/')
				;
			continue;
		}
		out[n++] = '/';
		memcpy(out + n, part.p, part.n);
		n += part.n;
	}
	if (n == 0)
		out[n++] = '/';
	return str_of(out, n);
}

/* Only dots and slashes: from a physical directory this leads to a physical one. */
static bool
is_dots(struct str path)
{
	for (size_t i = 0; i < path.n; i++)
		if (path.p[i] != '.' && path.p[i] != '/')
			return false;
	return !str_starts(path, STR("/")) && !str_starts(path, STR("..."));
}

const struct dirs *
dirs_enter(struct arena *a, const struct dirs *from, struct str path, bool logical)
{
	bool absolute = str_starts(path, STR("/"));
	struct dirs *d;

	if (absolute) {
		struct str to = logical
				    ? fold(a, path)
				    : dir_file(a, &(struct dir){ STR("/"), true }, path);

		return to.p ? dirs_one(a, to, to.n == 1) : NULL;
	}
	if (from->unknown)
		return from;
	d = arena_alloc(a, sizeof *d + from->n * sizeof d->at[0]);
	if (!d)
		return NULL;
	d->unknown = false;
	d->n = 0;
	for (size_t i = 0; i < from->n; i++) {
		struct str joined, to;

		if (path_join(a, from->at[i].path, path, &joined, NULL))
			return &dirs_anywhere;
		to = logical ? fold(a, joined) : dir_file(a, &from->at[i], path);
		if (!to.p)
			return NULL;
		if (!dirs_has(d, to))
			d->at[d->n++] =
			    (struct dir){ to, from->at[i].physical && is_dots(path) };
	}
	return d;
}

struct str
dir_file(struct arena *a, const struct dir *dir, struct str path)
{
	struct str out = { NULL, 0 }, joined;

	if (dir->physical || str_starts(path, STR("/"))) {
		(void)path_normal(a, dir->path, path, &out, NULL);
		return out;
	}
	/* A name in this text could be a symlink: do not fold a `..` after it. */
	if (path.n == 0 || path_join(a, dir->path, path, &joined, NULL))
		return out;
	(void)path_normal(a, STR("/"), joined, &out, NULL);
	return out;
}

const struct var *
var_find(const struct state *s, struct str name, bool *barrier)
{
	*barrier = false;
	for (const struct var *v = s->vars; v; v = v->older) {
		if (!v->name.p) {
			*barrier = true;
			return NULL;
		}
		if (str_eq(v->name, name))
			return v;
	}
	return NULL;
}

bool
vars_full(const struct state *s)
{
	return s->vars && s->vars->depth >= VARS_MAX;
}

bool
var_set(struct arena *a, struct state *s, struct str name, enum var_kind kind,
    struct field *items, size_t n)
{
	struct var *v;

	if (vars_full(s) && !var_forget_all(a, s))
		return false;
	v = arena_alloc(a, sizeof *v);
	if (!v)
		return false;
	*v =
	    (struct var){ name, kind, items, n, s->vars ? s->vars->depth + 1 : 1, s->vars };
	s->vars = v;
	return true;
}

bool
var_forget(struct arena *a, struct state *s, struct str name)
{
	return var_set(a, s, name, VAR_UNKNOWN, NULL, 0);
}

bool
var_forget_all(struct arena *a, struct state *s)
{
	struct var *v;

	if (s->vars && !s->vars->name.p)
		return true;
	v = ARENA_NEW(a, struct var);
	if (!v)
		return false;
	s->vars = v;
	return true;
}

static bool
same_value(const struct var *x, const struct var *y)
{
	if (!x || !y || x->kind != y->kind || x->kind == VAR_UNKNOWN || x->n != y->n)
		return false;
	for (size_t i = 0; i < x->n; i++)
		if (x->items[i].kind != FIELD_STR || y->items[i].kind != FIELD_STR ||
		    !str_eq(x->items[i].text, y->items[i].text))
			return false;
	return true;
}

/* Forget the names between `from` and `end` whose values differ on the two sides. */
static bool
join_names(struct arena *a, const struct var *from, const struct var *end,
    const struct state *x, const struct state *y, struct state *ret, bool *wild)
{
	for (; from != end; from = from->older) {
		bool bx, by, b;
		const struct var *vx, *vy, *now;

		if (!from->name.p) {
			*wild = true;
			return true;
		}
		vx = var_find(x, from->name, &bx);
		vy = var_find(y, from->name, &by);
		now = var_find(ret, from->name, &b);
		if (same_value(vx, vy)) {
			if (!same_value(now, vx) &&
			    !var_set(a, ret, from->name, vx->kind, vx->items, vx->n))
				return false;
		} else if ((!now || now->kind != VAR_UNKNOWN) &&
			   !var_forget(a, ret, from->name))
			return false;
	}
	return true;
}

static bool
join_vars(struct arena *a, const struct state *x, const struct state *y, struct state *ret)
{
	const struct var *vx = x->vars, *vy = y->vars;
	bool wild = false;

	if (vx == vy)
		return true;
	while (vx != vy) {
		unsigned dx = vx ? vx->depth + 1 : 0, dy = vy ? vy->depth + 1 : 0;

		if (dx >= dy && vx)
			vx = vx->older;
		else if (vy)
			vy = vy->older;
	}
	ret->vars = vx;
	if (!join_names(a, x->vars, vx, x, y, ret, &wild) ||
	    !join_names(a, y->vars, vx, x, y, ret, &wild))
		return false;
	return !wild || var_forget_all(a, ret);
}

bool
state_join(struct arena *a, const struct state *x, const struct state *y, struct state *ret)
{
	struct state to = *x;

	if (x->dead || y->dead) {
		*ret = x->dead ? *y : *x;
		return true;
	}
	to.cwd = dirs_join(a, x->cwd, y->cwd);
	to.old = dirs_join(a, x->old, y->old);
	if (!to.cwd || !to.old)
		return false;
	if (x->stack != y->stack)
		to.stack = NULL;
	if (x->args != y->args)
		to.args = NULL;
	if (!join_vars(a, x, y, &to))
		return false;
	*ret = to;
	return true;
}
