#include "gate/rules/lint.h"
#include "analyse/analyse.h"
#include "base/json/json.h"
#include "base/near.h"
#include "base/show.h"
#include "decide/decide.h"
#include "dialects/gemini/gemini.h"

/* ---- findings */

static struct str
join(struct lint *l, const struct str *parts, size_t n)
{
	struct buf b;

	buf_init(&b, l->a);
	for (size_t i = 0; i < n; i++)
		buf_put(&b, parts[i]);
	return buf_str(&b);
}

void
lint_report(struct lint *l, bool error, const struct policy_origin *at, struct str line,
    const struct str *parts, size_t n)
{
	struct buf *b = l->out;
	struct str text = join(l, parts, n);

	*(error ? &l->errors : &l->warnings) += 1;
	if (l->json) {
		json_put_sep(b);
		buf_puts(b, "{\"level\":");
		buf_puts(b, error ? "\"error\"" : "\"warning\"");
		json_put_member(b, "layer", str_from_c(layer_name(at->layer)));
		json_put_member(b, "file", at->file);
		json_put_member_u(b, "line", at->line);
		json_put_member(b, "text", line);
		json_put_member(b, "why", text);
		buf_putc(b, '}');
		return;
	}
	show_put(b, at->file, 0);
	if (at->line) {
		buf_putc(b, ':');
		buf_putu(b, at->line);
	}
	buf_puts(b, error ? ": error: " : ": warning: ");
	show_put(b, text, 0);
	buf_puts(b, "\n    ");
	show_put(b, line, 0);
	buf_putc(b, '\n');
}

static struct policy_origin
origin_of(const struct rule *r)
{
	return (struct policy_origin){ r->layer, r->file, r->line };
}

/* ---- one rule */

/* True for programs that run whatever code they are given. */
static bool
runs_anything(struct str program)
{
	const struct know_node *node = know_program(program);

	if (!node)
		return false;
	switch (know_handler(node)) {
	case HANDLER_ENV:
	case HANDLER_XARGS:
	case HANDLER_CODE:
	case HANDLER_SHELL:
	case HANDLER_AWK:
		return true;
	case HANDLER_NONE:
	case HANDLER_FIND:
	case HANDLER_GIT:
	case HANDLER_SED:
	case HANDLER_TAR:
	case HANDLER_BUILTIN:
	case HANDLER_FD:
		break;
	}
	return know_node_class(node) == CLASS_EXEC;
}

static void
lint_width(struct lint *l, const struct rule *r, const struct policy_origin *at)
{
	bool bare = r->words.n == 1 && r->with.n == 0 && r->on.n == 0 && !r->exact;
	const struct pattern *x = r->words.n ? patterns_at(l->p, r->words, 0) : NULL;
	bool glob = false;

	if (r->verdict != VERDICT_ALLOW || r->effect != RULE_COMMAND || !bare)
		return;
	for (size_t i = 0;; i++) {
		struct str word = pattern_alternative(l->p, x, i, &glob);

		if (!word.p)
			return;
		if (glob ? word.n && (word.p[0] == 1 || word.p[0] == 3)
			 : runs_anything(str_base(word)))
			l->wide++;
		if (glob && word.n && (word.p[0] == 1 || word.p[0] == 3))
			LINT(l, true, at, r->text, STR("too wide: allows any program"));
		else if (!glob && runs_anything(str_base(word)))
			LINT(l, false, at, r->text, STR("too wide: "), str_base(word),
			    STR(" runs any code it is given; name a subcommand, or add "
				"`exactly`"));
	}
}

/* A rule with an option the program does not have can never match. */
static void
lint_options(struct lint *l, const struct rule *r, const struct policy_origin *at)
{
	bool glob = false;
	struct str program =
	    r->words.n ? pattern_alternative(l->p, patterns_at(l->p, r->words, 0), 0, &glob)
		       : (struct str){ NULL, 0 };
	const struct know_node *node =
	    program.p && !glob ? know_program(str_base(program)) : NULL;

	for (size_t i = 0; i < r->with.n; i++) {
		struct str option = pattern_text(l->p, patterns_at(l->p, r->with, i));

		for (size_t k = 0; k < r->without.n; k++)
			if (str_eq(option,
				pattern_text(l->p, patterns_at(l->p, r->without, k))))
				LINT(l, true, at, r->text,
				    STR("can never match: `with` and `without` both name "),
				    option);
		/* Subcommands have options of their own. */
		if (node && r->words.n == 1 && !know_option(node, option) &&
		    know_handler(node) == HANDLER_NONE)
			LINT(l, false, at, r->text, program, STR(" has no known option "),
			    option);
	}
}

/* A misspelt `with` is parsed as a word of the command, and the rule never matches. */
static void
lint_slips(struct lint *l, const struct rule *r, const struct policy_origin *at)
{
	for (size_t i = 1; i < r->words.n; i++) {
		struct str word = pattern_text(l->p, patterns_at(l->p, r->words, i));
		const char *clause;

		for (size_t k = 0; (clause = policy_clause(k)); k++)
			if (strlen(clause) > 3 && is_near(word, str_from_c(clause)))
				LINT(l, false, at, r->text, word,
				    STR(" is read as a word of the command; did you mean "
					"`"),
				    str_from_c(clause), STR("`? Quote it if not"));
	}
}

static void
decide_text(struct lint *l, struct str text, struct decision *ret)
{
	struct effects effects = { 0 };
	struct decide_text how = { .cwd = l->q->root, .home = l->q->home, .blind = true };
	struct decide_input in = { .text = text,
		.policy = l->p,
		.base = { l->q->home, &l->q->root, l->q->root.p ? 1 : 0 },
		.now = l->q->now,
		.interactive = true,
		.sandbox = true,
		.hook = VERDICT_ALLOW };

	(void)decide_by_name(l->a, &in, &how, &effects, ret);
}

/* A suggestion (`try`) that is itself denied sends people in a circle. */
static void
lint_suggestion(struct lint *l, const struct rule *r, const struct policy_origin *at)
{
	struct decision d;

	if (!r->instead.p)
		return;
	decide_text(l, r->instead, &d);
	if (d.verdict == VERDICT_DENY)
		LINT(l, false, at, r->text, STR("its `try` command is denied: "), d.reason);
}

static void
lint_rule(struct lint *l, size_t i, const struct rule *r)
{
	struct policy_origin at = origin_of(r);

	if (r->until && r->until < l->q->now)
		LINT(l, false, &at, r->text, STR("dead: its `until` has passed"));
	lint_width(l, r, &at);
	if (r->effect == RULE_COMMAND) {
		lint_options(l, r, &at);
		lint_slips(l, r, &at);
	}
	lint_suggestion(l, r, &at);
	lint_cover(l, i, r);
}

/* ---- other lines */

static void
on_test(void *context, const struct test_failure *f, bool passed)
{
	struct lint *l = context;
	struct policy_origin at = { f->test.layer, f->test.file, f->test.line };

	if (!passed)
		LINT(l, f->looser, &at, f->test.command,
		    STR("this test fails: the policy says "),
		    str_from_c(verdict_name(f->found)),
		    f->looser ? STR(", which is looser than ")
			      : STR(", which is stricter than "),
		    str_from_c(verdict_name(f->test.expected)));
}

static void
lint_safe(struct lint *l)
{
	for (size_t i = 0;; i++) {
		struct str entry = policy_entry(l->p, LIST_SAFE, i);
		struct policy_origin at;

		if (!entry.p)
			return;
		if (policy_entry_origin(l->p, LIST_SAFE, i, &at) &&
		    at.layer != LAYER_BUILTIN && runs_anything(str_base(entry)))
			LINT(l, false, &at, entry, STR("too wide: "), entry,
			    STR(" runs any code it is given"));
	}
}

void
lint_policy(struct lint *l)
{
	struct policy_inert inert;
	struct rule r;

	for (size_t i = 0; i < policy_rule_count(l->p); i++) {
		policy_rule(l->p, i, &r);
		if (r.layer != LAYER_BUILTIN)
			lint_rule(l, i, &r);
	}
	lint_safe(l);
	for (size_t i = 0; policy_inert(l->p, i, &inert); i++)
		LINT(l, false, &inert.origin, inert.text, STR("no effect: "),
		    str_from_c(inert_text(inert.why)));
	for (enum layer layer = LAYER_PROJECT; layer < LAYERS; layer++)
		tests_run(l->a, l->p, layer, l->q, on_test, l);
}

/* ---- Gemini's settings */

const char *
lint_gemini(struct lint *l, struct str file, struct str text, size_t *ret_at)
{
	static const struct json_opts how = { .comments = true };
	struct policy_origin at = { LAYER_USER, file, 0 };
	const struct json *v = NULL;
	struct gemini_config c = { 0 };
	struct err e = { 0 };
	const char *wrong;
	bool full = false;

	*ret_at = SIZE_MAX;
	if (json_read(l->a, text, &how, &v, &e)) {
		*ret_at = e.at;
		return e.why;
	}
	wrong = gemini_read_config(l->a, v, &c);
	if (wrong)
		return wrong;
	for (const struct gemini_finding *f = gemini_lint(l->a, &c, &full); f; f = f->next)
		LINT(l, f->level == GEMINI_ERROR, &at, f->entry, str_from_c(f->list),
		    STR(": "), str_from_c(f->why), f->other.p ? STR(": ") : STR(""),
		    f->other.p ? f->other : STR(""));
	return full ? "the settings are too large" : NULL;
}
