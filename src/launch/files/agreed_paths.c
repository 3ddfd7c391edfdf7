#include "launch/files/agreed_paths.h"
#include "base/path.h"
#include "base/show.h"
#include "os/file.h"

struct agreeing {
	struct arena *a;
	const struct judge_answer *answer;
	struct agreed *to;
	struct buf said, closed;
	size_t n, not_n; /* number of opened and of closed paths */
	struct str not_opened[AGREED_MAX];
	bool mixed; /* a part of the text runs without approval */
};

bool
agreed_admin_says(const struct policy *p, const char *setting)
{
	struct policy_origin origin;

	if (policy_origin(p, setting, &origin) && origin.layer == LAYER_ADMIN)
		return true;
	for (size_t i = 0; policy_entry(p, LIST_LOCKED, i).p; i++)
		if (str_is(policy_entry(p, LIST_LOCKED, i), setting))
			return true;
	return false;
}

static bool
has_confined(const struct decision *d)
{
	for (const struct judged *j = d->judged; j; j = j->next)
		if (j->verdict == VERDICT_CONFINE)
			return true;
	return false;
}

/* True for a directory too wide to be meant by naming one path in it. */
static bool
is_too_wide(const struct agreeing *g, struct str dir)
{
	struct str home = g->answer->in.base.home, rest = dir;

	if (g->mixed || dir.n < 2 || !home.p || path_is_within(dir, home))
		return true;
	for (size_t i = 0; i < g->answer->roots.n; i++)
		if (path_is_within(dir, g->answer->roots.roots[i]))
			return true;
	while (rest.n) {
		rest = str_skip(rest, str_find(rest, '/') + 1);
		if (rest.n && rest.p[0] == '.')
			return true;
	}
	return false;
}

static bool
is_there(const struct agreeing *g, struct str path)
{
	struct stat st;

	return file_stat(g->a, path, false, &st);
}

/* Add the path and its missing parent directories; false: too many. */
static bool
add_name(struct agreeing *g, const struct plan_name *name)
{
	struct agreed *to = g->to;
	struct str way = path_parent(name->path);
	size_t n = to->names_n;

	to->names[n++] = *name;
	for (; name->make && way.n > 1 && !is_there(g, way); way = path_parent(way)) {
		if (n - to->names_n > AGREED_WAY)
			return false;
		to->names[n++] = (struct plan_name){ .path = way, .make = true };
	}
	to->names_n = n;
	return true;
}

static void
say(struct buf *b, const char *verb, struct str path)
{
	buf_puts(b, b->n ? ", " : "");
	buf_puts(b, verb);
	show_put(b, path, 0);
}

/* List closed paths by name, up to AGREED_MAX. */
static void
say_closed(struct agreeing *g, struct str path)
{
	for (size_t i = 0; i < g->not_n && i < AGREED_MAX; i++)
		if (str_eq(g->not_opened[i], path))
			return;
	if (g->not_n < AGREED_MAX) {
		g->not_opened[g->not_n] = path;
		say(&g->closed, "", path);
	} else if (g->not_n == AGREED_MAX) {
		buf_puts(&g->closed, ", and more");
	}
	g->not_n++;
}

static bool
is_known_already(const struct agreeing *g, const struct plan_name *name, bool dir)
{
	for (size_t i = 0; i < g->to->paths_n && dir; i++)
		if (str_eq(g->to->paths[i], name->path))
			return true;
	for (size_t i = 0; i < g->to->names_n; i++)
		if (str_eq(g->to->names[i].path, name->path) &&
		    g->to->names[i].make == name->make &&
		    g->to->names[i].tree >= name->tree)
			return true;
	return false;
}

static void
see_file(struct agreeing *g, const struct file_effect *f)
{
	struct plan_name name = { .path = f->fact.real,
		.make = f->op != FILE_DELETE,
		.tree = f->op == FILE_DELETE ? f->tree : !f->fact.exists };
	bool dir = name.make && f->fact.exists && f->fact.directory;

	if (is_known_already(g, &name, dir))
		return;
	if (g->n == AGREED_MAX || (dir && is_too_wide(g, name.path)) ||
	    (!dir && !add_name(g, &name))) {
		say_closed(g, name.path);
		return;
	}
	g->n++;
	/* Existing files get a mount too, so that chmod and utimes work. */
	if (name.make && f->fact.exists)
		g->to->paths[g->to->paths_n++] = name.path;
	say(&g->said,
	    !name.make ? "delete "
	    : dir      ? "change all in "
		       : "change ",
	    name.path);
}

static bool
is_agreed(const struct agreeing *g, const struct file_effect *f)
{
	const struct judged *j = decide_owner(g->answer->decision.judged, f->at, f->by);

	return f->op != FILE_READ && f->op != FILE_EXEC && f->known &&
	       f->fact.where == WHERE_OUTSIDE && f->fact.real.n > 1 && j &&
	       j->verdict == VERDICT_ASK;
}

/* decide_agreed() gives the hosts to the whole text.  If a part of it runs without
 * approval, the question must name them. */
static bool
see_hosts(struct agreeing *g)
{
	struct sandbox_policy more = { 0 };

	if (decide_agreed(g->a, &g->answer->in, &g->answer->decision, &more))
		return false;
	if (more.network_access)
		say(&g->said, "use the network", STR(""));
	for (size_t i = 0; i < more.network_allow.n; i++)
		say(&g->said, "reach ", more.network_allow.v[i]);
	return true;
}

const struct agreed *
agreed_find(struct arena *a, const struct judge_answer *answer)
{
	const struct policy *policy = answer->in.policy;
	struct agreeing g = { .a = a,
		.answer = answer,
		.to = ARENA_NEW(a, struct agreed),
		.mixed = has_confined(&answer->decision) };
	bool bounded;

	if (!g.to || !answer->in.effects)
		return g.to;
	buf_init(&g.said, a);
	buf_init(&g.closed, a);
	/* A yes cannot exceed the administrator's bounds. */
	bounded = policy_settings(policy)->writable_bounded ||
		  agreed_admin_says(policy, "sandbox");
	for (const struct file_effect *f = answer->effects.files; f && !bounded;
	     f = f->next)
		if (is_agreed(&g, f))
			see_file(&g, f);
	if (g.mixed && !see_hosts(&g))
		return NULL;
	g.to->said = buf_str(&g.said);
	g.to->closed = buf_str(&g.closed);
	return g.said.full || g.closed.full ? NULL : g.to;
}

void
agreed_put(struct buf *b, const struct agreed *agreed)
{
	if (agreed && agreed->said.n) {
		buf_puts(b, "; if approved, it may ");
		buf_put(b, agreed->said);
	}
	if (agreed && agreed->closed.n) {
		buf_puts(b, "; approval does not open ");
		buf_put(b, agreed->closed);
	}
}
