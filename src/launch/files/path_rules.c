#include "launch/files/path_rules.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/show.h"
#include "look/names.h"

struct seeing {
	const struct decide_input *in;
	struct str root; /* a writable directory */
	bool any;
};

static void
see_own(void *context, size_t number)
{
	struct seeing *s = context;
	struct rule r;

	policy_rule(s->in->policy, number, &r);
	s->any |= r.layer > LAYER_BUILTIN;
}

/* ---- built-in rules that match below writable paths */

/* Return the path components before the first with a wildcard, each with its leading
 * slash. */
static struct str
literal_part(struct str code)
{
	size_t n = 0, end;

	for (; n < code.n; n = end) {
		struct str rest = str_skip(code, n + 1);

		end = n + 1 + str_find(rest, '/');
		for (size_t i = n; i < end; i++)
			if (code.p[i] >= '\1' && code.p[i] <= '\3')
				return str_cut(code, 0, n);
	}
	return code;
}

/* True if the pattern may match below the root. */
static bool
reaches(const struct seeing *s, struct str code, enum pattern_from from)
{
	struct str home = s->in->base.home, part = literal_part(code);

	if (from == FROM_PROJECT || str_is(s->root, "/"))
		return true;
	if (from == FROM_ROOT)
		return path_is_within(s->root, part);
	if (!home.n)
		return false;
	return path_is_within(s->root, home) ||
	       (path_is_within(home, s->root) &&
		   path_is_within(str_skip(s->root, home.n), part));
}

static void
see_builtin(void *context, size_t number)
{
	struct seeing *s = context;
	const struct policy *policy = s->in->policy;
	struct rule r;

	policy_rule(policy, number, &r);
	if (r.layer != LAYER_BUILTIN || r.verdict != VERDICT_DENY)
		return;
	for (size_t i = 0; i < r.objects.n && !s->any; i++) {
		const struct pattern *x = patterns_at(policy, r.objects, i);
		struct str code;

		for (size_t k = 0; (code = pattern_alternative(policy, x, k, NULL)).p; k++)
			s->any |= reaches(s, code, pattern_from(policy, x, k));
	}
}

/* True if a rule denies everything below the root. */
static bool
is_denied_within(const struct decide_input *in, enum file_op op, struct str root)
{
	char path[LIMIT_PATH];
	struct rule r;

	if (root.n + 2 > sizeof path)
		return true;
	memcpy(path, root.p, root.n);
	memcpy(path + root.n, "/x", 2);
	return decide_path(in, op, str_of(path, root.n + 2), &r) &&
	       r.verdict == VERDICT_DENY;
}

/* True if a built-in `deny write` or `deny delete` may match below this root. */
static bool
builtin_reaches(const struct decide_input *in, struct str root)
{
	struct seeing s = { in, root, false };

	/* A name like .claude/settings.json may begin with the root itself (.claude). */
	policy_effects(in->policy, RULE_WRITE, see_builtin, &s);
	policy_effects(in->policy, RULE_DELETE, see_builtin, &s);
	return s.any || name_begins(root, NAME_DENY) ||
	       is_denied_within(in, FILE_WRITE, root) ||
	       is_denied_within(in, FILE_DELETE, root);
}

void
path_rules_init(struct path_rules *p, struct arena *a, const struct judge_answer *answer,
    const struct sandbox_policy *sandbox, bool agreed)
{
	const struct decide_input *in = &answer->in;
	const struct root_answer *roots = &answer->roots;
	struct seeing s = { in, { NULL, 0 }, false };

	policy_effects(in->policy, RULE_WRITE, see_own, &s);
	policy_effects(in->policy, RULE_DELETE, see_own, &s);
	for (size_t i = 0; i < roots->n && !s.any; i++)
		s.any = builtin_reaches(in, roots->roots[i]);
	for (size_t i = 0; i < sandbox->readwrite.n && !s.any; i++)
		s.any = builtin_reaches(in, sandbox->readwrite.v[i]);
	*p = (struct path_rules){ .in = in,
		.decision = &answer->decision,
		.agreed = agreed,
		.roots = roots,
		.readwrite = sandbox->readwrite,
		.asks = agreed,
		.any = s.any };
	path_rules_init_reads(p, a);
}

/* ---- changes */

void
path_rules_why(struct path_rules *p, const struct rule *r, struct str *ret)
{
	struct arena a;
	struct buf b;

	arena_init(&a, p->why, sizeof p->why);
	buf_init(&b, &a);
	buf_puts(&b,
	    r->verdict == VERDICT_ASK ? "a rule asks about it (" : "a rule forbids it (");
	buf_puts(&b, layer_name(r->layer));
	buf_puts(&b, " policy, line ");
	buf_putu(&b, r->line);
	buf_putc(&b, ')');
	if (r->because.p) {
		buf_puts(&b, ": ");
		show_put(&b, r->because, 0);
	}
	*ret = b.full ? STR("a rule forbids it") : buf_str(&b);
}

static struct str
below_root(const struct path_rules *p, struct str path)
{
	size_t n = 0;

	for (size_t i = 0; i < p->roots->n; i++)
		if (p->roots->roots[i].n > n && path_is_within(p->roots->roots[i], path))
			n = p->roots->roots[i].n;
	for (size_t i = 0; i < p->readwrite.n; i++)
		if (p->readwrite.v[i].n > n && path_is_within(p->readwrite.v[i], path))
			n = p->readwrite.v[i].n;
	return str_skip(path, n + 1);
}

/* Skip built-in rules that ask, and those that deny a name anywhere: the sandbox enforces
 * them by name. */
static bool
is_guards(const struct path_rules *p, const struct rule *r, struct str path)
{
	return r->layer == LAYER_BUILTIN &&
	       (r->verdict != VERDICT_DENY ||
		   name_find_within(below_root(p, path)).action == NAME_DENY);
}

static enum run_path_answer
ask_rules(struct path_rules *p, enum file_op op, struct str path, struct str *ret_why)
{
	struct rule r;

	if (!decide_path(p->in, op, path, &r) || is_guards(p, &r, path))
		return RUN_PATH_SILENT;
	if (r.verdict == VERDICT_ALLOW)
		return RUN_PATH_LIFTED;
	if (r.verdict == VERDICT_ASK && p->asks)
		return RUN_PATH_SILENT;
	path_rules_why(p, &r, ret_why);
	return RUN_PATH_REFUSED;
}

enum run_path_answer
path_rules_judge(struct path_rules *p, enum run_op op, struct str path, struct str *ret_why)
{
	enum run_path_answer gone, there;

	if (op == RUN_READ)
		return path_rules_read(p, path, ret_why);
	if (!p->any)
		return RUN_PATH_SILENT;
	if (op != RUN_DELETE && op != RUN_RENAME)
		return ask_rules(p, FILE_WRITE, path, ret_why);
	gone = ask_rules(p, FILE_DELETE, path, ret_why);
	if (gone != RUN_PATH_SILENT && (gone == RUN_PATH_REFUSED || op == RUN_DELETE))
		return gone;
	/* Write access includes removal: git and editors replace a file that way. */
	there = ask_rules(p, FILE_WRITE, path, ret_why);
	return op == RUN_DELETE && there == RUN_PATH_REFUSED ? RUN_PATH_SILENT : there;
}
