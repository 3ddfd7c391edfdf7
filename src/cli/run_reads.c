/* Rules about reading, asked when the sandbox is about to open a file. */
#include "base/path.h"
#include "cli/run_paths.h"

static void
see_read(void *context, size_t number)
{
	struct run_paths *p = context;
	struct rule r;

	policy_rule(p->in->policy, number, &r);
	p->reads |= r.verdict != VERDICT_ALLOW;
}

void
run_reads_init(struct run_paths *p)
{
	for (const struct judged *j = p->decision->judged; j; j = j->next)
		p->asks |= j->grant.readable.n > 0;
	policy_effects(p->in->policy, RULE_READ, see_read, p);
}

/* A person was asked about this very file, or about all that lies below. */
static bool
was_agreed(const struct run_paths *p, struct str path)
{
	const struct file_effect *f =
	    p->agreed && p->in->effects ? p->in->effects->files : NULL;

	for (; f; f = f->next) {
		const struct judged *j;

		if (f->op != FILE_READ || !f->known || !f->fact.real.p ||
		    !(str_eq(f->fact.real, path) ||
			(f->tree && path_is_within(f->fact.real, path))))
			continue;
		j = decide_owner(p->decision->judged, f->at, f->by);
		if (j && j->verdict == VERDICT_ASK)
			return true;
	}
	return false;
}

enum run_path_answer
run_paths_read(struct run_paths *p, struct str path, struct str *ret_why)
{
	struct rule r;

	if (!decide_path(p->in, FILE_READ, path, &r) || r.verdict == VERDICT_ALLOW ||
	    (r.verdict == VERDICT_ASK &&
		(was_agreed(p, path) ||
		    decide_readable(p->in, p->decision, p->agreed, &r, path))))
		return RUN_PATH_SILENT;
	run_paths_why(p, &r, ret_why);
	return RUN_PATH_REFUSED;
}

struct way {
	const struct run_paths *p;
	struct str path;
	bool found;
};

static void
see_way(void *context, size_t number)
{
	struct way *w = context;
	const struct policy *policy = w->p->in->policy;
	struct rule r;

	policy_rule(policy, number, &r);
	for (size_t i = 0; i < r.objects.n && !w->found && r.verdict != VERDICT_ALLOW; i++)
		w->found = pattern_way(
		    policy, patterns_at(policy, r.objects, i), w->path, &w->p->in->base);
}

bool
run_paths_way(void *paths, struct str directory)
{
	struct way w = { paths, directory, false };

	policy_effects(w.p->in->policy, RULE_READ, see_way, &w);
	return w.found;
}
