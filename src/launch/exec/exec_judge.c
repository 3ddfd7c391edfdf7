#include "launch/exec/exec_judge.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/quote.h"
#include "gate/outcome.h"
#include "launch/exec/exec_becomes.h"
#include <sys/mman.h>

/* Memory for one exec.  A long argv gets its own mapping while it is judged. */
#define GATE_BYTES LIMIT_ARENA
#define SHORT_WORDS ((size_t)2048)
#define SHORT_TEXT ((size_t)64 << 10)
/* Upper bounds of the memory that one word and one byte need. */
#define WORD_BYTES ((size_t)1024)
#define BYTE_BYTES ((size_t)32)
/* Loaders that load loaders: deeper nesting is refused. */
#define BECOMES_MAX 6
/* Memory for their argv. */
#define NAMES_BYTES                                                                        \
	((BECOMES_MAX * (LIMIT_ARGV_WORDS + 2)) * sizeof(struct str) +                     \
	    BECOMES_MAX * 2 * LIMIT_PATH)

bool
exec_judge_init(struct exec_judge *g, const struct judge_answer *answer, struct str home)
{
	*g = (struct exec_judge){ .in = answer->in, .home = home };
	g->in.inside = true;
	g->in.trace = false;
	g->in.error = (struct err){ 0 };
	return arena_map(&g->a, GATE_BYTES) && arena_map(&g->names, NAMES_BYTES);
}

/* ---- approvals */

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
is_approved(const struct exec_judge *g, const struct exec_request *q)
{
	for (const struct judged *j = g->approved; j && q->argc; j = j->next)
		if (j->command && j->verdict >= VERDICT_ASK &&
		    is_approved_as(j->command, q))
			return true;
	return false;
}

/* True if both have the same argv, without unknown words. */
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
is_agreed_to(const struct exec_judge *g, const struct command *c)
{
	for (const struct judged *j = g->approved; j; j = j->next)
		if (j->command && j->verdict == VERDICT_ASK && is_same(j->command, c))
			return true;
	return false;
}

/* sh -c "git push": true if a person agreed to each part that needs approval. */
static bool
all_agreed_to(const struct exec_judge *g, const struct decision *d)
{
	for (const struct judged *j = d->judged; j; j = j->next)
		if (j->verdict < VERDICT_ASK ||
		    (j->verdict == VERDICT_ASK &&
			(!j->command || !is_agreed_to(g, j->command))))
			return false;
	return g->approved && d->judged;
}

/* ---- argv → decision */

/* Use the bare name only for programs of the system.  A file where the command or its user
 * could have put it keeps its path. */
static struct str
name_of(const struct exec_judge *g, struct str file)
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

/* Bash uses the bytes 1 and 127 internally for quoting; write them as escapes in $''. */
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

/* Format argv as a text that bash reads as the same words. */
static struct str
text_of(struct arena *a, struct str name, const struct exec_request *q)
{
	struct buf b;

	buf_init(&b, a);
	/* Quoted, so that it is neither a keyword nor an assignment. */
	(void)quote_put_always(&b, QUOTE_BASH, name, NULL);
	for (size_t i = 1; i < q->argc; i++) {
		buf_putc(&b, ' ');
		put_word(&b, q->argv[i]);
	}
	return b.full ? (struct str){ NULL, 0 } : buf_str(&b);
}

/* Memory for an argv that exceeds the usual arena; 0: it does not. */
static size_t
long_bytes(const struct exec_request *q)
{
	size_t n = 0;

	for (size_t i = 0; i < q->argc; i++)
		n += q->argv[i].n;
	if (q->argc <= SHORT_WORDS && n <= SHORT_TEXT)
		return 0;
	return GATE_BYTES + q->argc * WORD_BYTES + n * BYTE_BYTES;
}

static enum verdict
judge_in(
    struct exec_judge *g, struct arena *a, struct str name, const struct exec_request *q)
{
	struct decide_input in = g->in;
	struct decide_text how = { .cwd = q->cwd, .home = g->home, .argv = true };
	struct effects effects;
	struct decision d;

	in.text = text_of(a, name, q);
	if (!in.text.p || !decide_by_name(a, &in, &how, &effects, &d))
		return VERDICT_DENY;
	*q->ret_why = d.reason;
	return outcome_run(d.verdict, all_agreed_to(g, &d) ? SAID_AGREED : 0);
}

static enum verdict
judge_as(struct exec_judge *g, struct str name, const struct exec_request *q)
{
	size_t bytes = long_bytes(q);
	struct arena large;
	enum verdict v;

	*q->ret_why = STR("the program cannot be judged");
	arena_reset(&g->a);
	if (!bytes)
		return judge_in(g, &g->a, name, q);
	if (!arena_map(&large, bytes))
		return VERDICT_DENY;
	/* The mapping is removed below; other memory may reuse its addresses. */
	large.hidden = false;
	v = judge_in(g, &large, name, q);
	*q->ret_why = arena_copy(&g->a, *q->ret_why);
	(void)munmap(large.mem, bytes);
	return v;
}

/* Judge under the name of the file and under argv[0]. */
static enum verdict
judge_names(struct exec_judge *g, const struct exec_request *q)
{
	struct str called = q->argc ? q->argv[0] : STR("");
	enum verdict v = judge_as(g, name_of(g, q->file), q), by_name;

	if (str_eq(str_base(called), str_base(q->file)) || called.n == 0)
		return v;
	if (v < VERDICT_CONFINE)
		return v;
	/* A multi-call binary has many names, and argv[0] may lie. */
	by_name = judge_as(g, str_base(called), q);
	return by_name < v ? by_name : v;
}

/* git push starts git send-pack for some transports. */
static bool
is_part_of_agreed(const struct exec_judge *g, const struct exec_request *q)
{
	for (const struct judged *j = g->approved; j; j = j->next)
		if (j->command && j->verdict == VERDICT_ASK && j->command->program.p &&
		    str_is(j->command->program, "git") && str_is(q->file, "git"))
			for (size_t i = 1; i < j->command->argc && i < q->argc; i++)
				if (is_word(&j->command->argv[i], STR("push")))
					return true;
	return false;
}

enum verdict
exec_judge_one(struct exec_judge *g, const struct exec_request *q)
{
	struct exec_request others[BECOMES_MAX];
	enum verdict v;

	if (q->first || is_approved(g, q))
		return VERDICT_ALLOW;
	v = judge_names(g, q);
	arena_reset(&g->names);
	for (size_t i = 0; i < BECOMES_MAX && v >= VERDICT_CONFINE; i++) {
		if (!exec_becomes(&g->names, i ? &others[i - 1] : q, &others[i]))
			return v;
		v = is_approved(g, &others[i]) ? v : judge_names(g, &others[i]);
		if (v == VERDICT_ASK)
			v = outcome_run(
			    v, is_part_of_agreed(g, &others[i]) ? SAID_AGREED : 0);
	}
	if (v < VERDICT_CONFINE)
		return v;
	*q->ret_why = STR("cannot tell which program it becomes");
	return VERDICT_DENY;
}
