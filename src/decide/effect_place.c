/* Judge directories that are entered and paths outside the workspace. */
#include "base/path.h"
#include "decide/judge.h"

/* True if the path is outside by its name.  A symlink may lead back into the workspace, but
 * the command does not mean that. */
static bool
is_named_outside(const struct deciding *d, struct str path)
{
	if (path.n == 0 || path.p[0] != '/' || path_has_dotdot(path))
		return false;
	for (size_t i = 0; i < d->in->base.roots_n; i++)
		if (path_is_within(d->in->base.roots[i], path))
			return false;
	return !path_is_within(STR("/tmp"), path) && !path_is_within(STR("/dev"), path) &&
	       !path_is_within(STR("/var/tmp"), path);
}

struct finding
judge_outside(struct deciding *d, struct file_place p, struct str what, struct str path)
{
	bool known = p.where == WHERE_OUTSIDE || (p.whole && is_named_outside(d, p.path));
	const char *why = p.why;
	struct finding f = { .gate = GATE_CONTAIN };

	if (d->in->explicit_root)
		f.verdict = VERDICT_DENY;
	else if (known)
		f.verdict =
		    d->set->protect & PROTECT_OUTSIDE ? VERDICT_ASK : judge_contained(d);
	else
		f.verdict = judge_contained(d);
	f.reason = SAY(d, what, path.n ? STR(" ") : STR(""), path,
	    known ? STR(" is outside the workspace")
		  : STR(": cordon cannot tell where that is"),
	    why ? STR(": ") : STR(""), str_from_c(why ? why : ""));
	return f;
}

void
judge_directories(struct deciding *d)
{
	for (const struct chdir_effect *c = d->in->effects->chdirs; c && !d->full;
	     c = c->next) {
		if (c->fact.where == WHERE_INSIDE || c->fact.where == WHERE_TMP)
			continue;
		judge_tighten(d, judge_owner(d, c->at, STR("cd")),
		    judge_outside(d,
			(struct file_place){
			    c->fact.where, c->path, c->known, c->fact.why },
			c->path, STR("")));
	}
}
