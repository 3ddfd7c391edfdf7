#include "cli/run_gate.h"
#include "analyse/analyse.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/quote.h"

#define GATE_BYTES LIMIT_ARENA
/* Words beyond these are not read one by one: what begins so has shown what it is. */
#define GATE_WORDS ((size_t)2048)
#define GATE_TEXT ((size_t)64 << 10)

bool
run_gate_init(struct run_gate *g, const struct judge_answer *answer, struct str home)
{
	*g = (struct run_gate){ .in = answer->in, .home = home };
	g->in.inside = true;
	g->in.trace = false;
	g->in.error = (struct err){ 0 };
	return arena_map(&g->a, GATE_BYTES);
}

/* ---- what a person agreed to */

static bool
is_word(const struct field *f, struct str word)
{
	switch (f->kind) {
	case FIELD_STR:
		return str_eq(f->text, word);
	case FIELD_ONE:
		return str_starts(word, f->text);
	default:
		return false;
	}
}

static bool
is_approved_as(const struct command *c, const struct exec_request *q)
{
	size_t i;

	if (!c->program.p || !str_eq(c->program, str_base(q->argv[0])))
		return false;
	for (i = 1; i < c->argc && i < q->argc; i++) {
		if (c->argv[i].kind == FIELD_MANY)
			return true;
		if (!is_word(&c->argv[i], q->argv[i]))
			return false;
	}
	return i == c->argc && i == q->argc;
}

static bool
is_approved(const struct run_gate *g, const struct exec_request *q)
{
	for (const struct judged *j = g->approved; j && q->argc; j = j->next)
		if (j->command && j->verdict >= VERDICT_ASK &&
		    is_approved_as(j->command, q))
			return true;
	return false;
}

/* The same words, all of them known. */
static bool
is_same(const struct command *a, const struct command *b)
{
	if (!a->program.p || !b->program.p || !str_eq(a->program, b->program) ||
	    a->argc != b->argc)
		return false;
	for (size_t i = 1; i < a->argc; i++)
		if (a->argv[i].kind != FIELD_STR || b->argv[i].kind != FIELD_STR ||
		    !str_eq(a->argv[i].text, b->argv[i].text))
			return false;
	return true;
}

static bool
is_agreed_to(const struct run_gate *g, const struct command *c)
{
	for (const struct judged *j = g->approved; j; j = j->next)
		if (j->command && j->verdict == VERDICT_ASK && is_same(j->command, c))
			return true;
	return false;
}

/* sh -c "git push": each part of it that would be asked about has been. */
static bool
all_agreed_to(const struct run_gate *g, const struct decision *d)
{
	for (const struct judged *j = d->judged; j; j = j->next)
		if (j->verdict < VERDICT_ASK ||
		    (j->verdict == VERDICT_ASK &&
			(!j->command || !is_agreed_to(g, j->command))))
			return false;
	return g->approved && d->judged;
}

/* ---- words to a decision */

/* A name alone stands for a program of the system; what lies where the command, or its
 * user, could have put it is called by its path. */
static struct str
name_of(const struct run_gate *g, struct str file)
{
	static const struct str open[] = { STR_INIT("/tmp"), STR_INIT("/var/tmp"),
		STR_INIT("/dev/shm") };

	if (g->home.n && path_is_within(g->home, file))
		return file;
	for (size_t i = 0; i < g->in.base.roots_n; i++)
		if (path_is_within(g->in.base.roots[i], file))
			return file;
	for (size_t i = 0; i < sizeof open / sizeof *open; i++)
		if (path_is_within(open[i], file))
			return file;
	return str_base(file);
}

/* Bytes that bash uses inside for its own quoting cannot stand in a text for it as they
 * are; in $'' they can be named. */
static void
put_word(struct buf *b, struct str word)
{
	if (str_find(word, '\x01') == word.n && str_find(word, '\x7f') == word.n) {
		(void)quote_put(b, QUOTE_BASH, word, NULL);
		return;
	}
	buf_puts(b, "$'");
	for (size_t i = 0; i < word.n; i++) {
		unsigned char c = (unsigned char)word.p[i];

		buf_puts(b, "\\x");
		buf_putc(b, "0123456789abcdef"[c >> 4]);
		buf_putc(b, "0123456789abcdef"[c & 15]);
	}
	buf_putc(b, '\'');
}

/* The words as bash would have to be told them.  True when some had to be left out; then
 * something unknown stands for them. */
static bool
put_words(struct buf *b, struct str name, const struct exec_request *q)
{
	/* In quotes it is no keyword and no assignment, whatever it is. */
	(void)quote_put_always(b, QUOTE_BASH, name, NULL);
	for (size_t i = 1; i < q->argc; i++) {
		if (i == GATE_WORDS || b->n + 4 * q->argv[i].n > GATE_TEXT) {
			buf_puts(b, " $cordon_more_words");
			return true;
		}
		buf_putc(b, ' ');
		put_word(b, q->argv[i]);
	}
	return false;
}

/* A rule could match what was left out, and nothing but the gate holds such a rule. */
static bool
could_match(const struct decision *d)
{
	for (const struct judged *j = d->judged; j; j = j->next)
		if (j->rule.set && j->verdict < VERDICT_ALLOW)
			return true;
	return false;
}

static enum verdict
judge_as(struct run_gate *g, struct str name, const struct exec_request *q)
{
	struct decide_input in = g->in;
	struct analyse_opts opts = { .cwd = q->cwd, .home = g->home };
	struct analyse_shapes shapes;
	struct effects effects;
	struct decision d;
	struct buf b;
	bool cut;

	*q->ret_why = STR("it cannot be judged");
	arena_reset(&g->a);
	buf_init(&b, &g->a);
	cut = put_words(&b, name, q);
	if (b.full)
		return VERDICT_DENY;
	in.text = buf_str(&b);
	if (!decide_shapes(&g->a, in.policy, &shapes) ||
	    analyse_with(&g->a, in.text, &opts, shapes, &effects, &in.error))
		return VERDICT_DENY;
	effects_assume(&effects, in.base.roots, in.base.roots_n);
	in.effects = &effects;
	decide(&g->a, &in, &d);
	if (cut && could_match(&d))
		d = (struct decision){ .verdict = VERDICT_DENY,
			.reason = STR("it has more words than can be judged") };
	else if (d.verdict <= VERDICT_ASK && all_agreed_to(g, &d))
		d.verdict = VERDICT_CONFINE;
	*q->ret_why = d.reason;
	return d.verdict;
}

enum verdict
run_gate_judge(void *gate, const struct exec_request *q)
{
	struct run_gate *g = gate;
	struct str file = name_of(g, q->file);
	struct str called = q->argc ? q->argv[0] : STR("");
	enum verdict v, by_name;

	if (q->first || is_approved(g, q))
		return VERDICT_ALLOW;
	v = judge_as(g, file, q);
	if (str_eq(str_base(called), str_base(q->file)) || called.n == 0)
		return v;
	if (v < VERDICT_CONFINE)
		return v;
	/* One file may be many programs, and a program may be called what it is not. */
	by_name = judge_as(g, str_base(called), q);
	return by_name < v ? by_name : v;
}
