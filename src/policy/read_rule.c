/* Read allow, ask and deny lines. */
#include "policy/read.h"

enum clause_kind {
	CLAUSE_LIST,
	CLAUSE_TEXT,
	CLAUSE_UNTIL,
	CLAUSE_WHEN,
	CLAUSE_SANDBOX,
	CLAUSE_EXACTLY,
};

/* The rules that may have a clause. */
enum clause_for {
	FOR_ALL,
	FOR_COMMANDS, /* commands, not effects */
	FOR_GRANTS,   /* commands of allow and ask rules */
	FOR_REFUSALS, /* ask and deny */
};

static const struct clause {
	char word[12];
	enum clause_kind kind;
	enum clause_for whom;
	enum rule_list list;
	enum pattern_use use;
} clauses[] = {
	{ "with", CLAUSE_LIST, FOR_COMMANDS, RULE_WITH, USE_OPTION },
	{ "without", CLAUSE_LIST, FOR_COMMANDS, RULE_WITHOUT, USE_OPTION },
	{ "on", CLAUSE_LIST, FOR_COMMANDS, RULE_ON, USE_PATH },
	{ "in", CLAUSE_LIST, FOR_ALL, RULE_IN, USE_PATH },
	{ "exactly", CLAUSE_EXACTLY, FOR_COMMANDS, 0, 0 },
	{ "because", CLAUSE_TEXT, FOR_ALL, 0, 0 },
	{ "try", CLAUSE_TEXT, FOR_REFUSALS, 0, 0 },
	{ "until", CLAUSE_UNTIL, FOR_ALL, 0, 0 },
	{ "when", CLAUSE_WHEN, FOR_ALL, RULE_BRANCHES, USE_WORD },
	{ "net", CLAUSE_LIST, FOR_GRANTS, RULE_GRANT_NET, USE_HOST },
	{ "writable", CLAUSE_LIST, FOR_GRANTS, RULE_GRANT_WRITABLE, USE_DIR },
	{ "readable", CLAUSE_LIST, FOR_GRANTS, RULE_GRANT_READABLE, USE_FILE },
	{ "sandbox", CLAUSE_SANDBOX, FOR_GRANTS, 0, 0 },
};

#define CLAUSES (sizeof clauses / sizeof *clauses)
#define CLAUSE_WORDS                                                                       \
	"with, without, on, in, exactly, because, try, until, when, net, writable, "       \
	"readable or sandbox"

struct rule_reading {
	struct rule_reader *r;
	struct draft_rule *rule;
	unsigned seen;         /* bits of the clauses */
	bool grant[LEX_WORDS]; /* words dropped from a rule of an untrusted project */
};

const char *
policy_clause(size_t i)
{
	return i < CLAUSES ? clauses[i].word : NULL;
}

static const struct clause *
clause_of(const struct token *t)
{
	for (size_t i = 0; i < CLAUSES; i++)
		if (token_is(t, clauses[i].word))
			return &clauses[i];
	return NULL;
}

/* `...` after the words of a command; as the first word it is a program's name. */
static bool
is_more(const struct token *t, enum pattern_use use, const struct draft_list *list)
{
	return use == USE_WORD && list->n > 0 && token_is(t, "...");
}

/* Read one or more patterns, up to the next clause. */
static int
read_patterns(
    struct rule_reader *r, enum pattern_use use, struct draft_list *list, const char *why)
{
	const struct token *t = read_peek(r);
	int e = 0;

	if (!t || clause_of(t))
		return read_fail(r, t, why, NULL);
	while (!e && (t = read_peek(r)) && !clause_of(t) && !is_more(t, use, list)) {
		r->at++;
		e = read_pattern(r, t, use, list);
	}
	return e;
}

/* ---- until YYYY-MM-DD: to the end of that day, in UTC */

static bool
take_number(struct str s, size_t from, size_t n, int *ret)
{
	uint64_t number;

	if (!str_number(str_cut(s, from, from + n), INT32_MAX, &number))
		return false;
	*ret = (int)number;
	return true;
}

static int
days_of_month(int year, int month)
{
	static const char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return days[month - 1] + (month == 2 && leap);
}

/* Days since 1970-01-01; the year is not earlier. */
static int64_t
days_since_epoch(int year, int month, int day)
{
	int before = year - 1;
	int64_t days =
	    (int64_t)before * 365 + before / 4 - before / 100 + before / 400 - 719162;

	for (int m = 1; m < month; m++)
		days += days_of_month(year, m);
	return days + day - 1;
}

static int
read_until(struct rule_reading *x)
{
	const struct token *t = read_next(x->r);
	int year, month, day;

	if (!t || t->plain.n != 10 || t->plain.p[4] != '-' || t->plain.p[7] != '-' ||
	    !take_number(t->plain, 0, 4, &year) || !take_number(t->plain, 5, 2, &month) ||
	    !take_number(t->plain, 8, 2, &day) || year < 1970 || month < 1 || month > 12 ||
	    day < 1 || day > days_of_month(year, month))
		return read_fail(x->r, t, "expected a day as YYYY-MM-DD", NULL);
	x->rule->until = (days_since_epoch(year, month, day) + 1) * 86400 - 1;
	return 0;
}

/* ---- the other clauses */

static int
read_when(struct rule_reading *x)
{
	const struct token *t;
	unsigned bit = 0;

	do {
		t = read_next(x->r);
		if (!word_find(when_words, t, &bit))
			return read_expected(x->r, t, when_words);
		x->rule->when |= bit;
		if (bit == WHEN_BRANCH)
			return read_patterns(x->r, USE_WORD, &x->rule->lists[RULE_BRANCHES],
			    "expected names of branches, such as main or release/*");
		t = read_peek(x->r);
	} while (t && !clause_of(t));
	return 0;
}

static int
read_text(struct rule_reading *x, bool because)
{
	const struct token *t = read_next(x->r);

	if (!t || t->bare || t->plain.n == 0)
		return read_fail(x->r, t, "expected a text in quotes", NULL);
	*(because ? &x->rule->because : &x->rule->instead) = t->plain;
	return 0;
}

static int
read_grant_sandbox(struct rule_reading *x)
{
	const struct token *t = read_next(x->r);
	unsigned type = 0;

	if (!word_find(grant_words, t, &type))
		return read_expected(x->r, t, grant_words);
	x->rule->sandbox = (enum sandbox_type)type;
	return 0;
}

static int
clause_allowed(struct rule_reading *x, const struct clause *c, const struct token *t)
{
	const struct draft_rule *rule = x->rule;
	unsigned bit = 1u << (c - clauses);

	if (x->seen & bit)
		return read_fail(x->r, t, "this clause appears twice in one rule", NULL);
	x->seen |= bit;
	if ((c->whom == FOR_COMMANDS || c->whom == FOR_GRANTS) &&
	    rule->effect != RULE_COMMAND)
		return read_fail(
		    x->r, t, "only rules about commands can have this clause", NULL);
	if (c->whom == FOR_GRANTS && rule->verdict == VERDICT_DENY)
		return read_fail(x->r, t, "a deny rule cannot have this clause", NULL);
	if (c->kind == CLAUSE_EXACTLY && rule->more)
		return read_fail(
		    x->r, t, "`exactly` and `...` contradict each other", NULL);
	if (c->whom == FOR_REFUSALS && rule->verdict == VERDICT_ALLOW)
		return read_fail(
		    x->r, t, "only ask and deny rules can have this clause", NULL);
	return 0;
}

static int
read_clause(struct rule_reading *x, const struct clause *c)
{
	switch (c->kind) {
	case CLAUSE_LIST:
		return read_patterns(x->r, c->use, &x->rule->lists[c->list],
		    c->use == USE_OPTION ? "expected options, such as -f or --force"
		    : c->use == USE_HOST ? "expected hosts"
					 : "expected paths");
	case CLAUSE_TEXT:
		return read_text(x, c->word[0] == 'b');
	case CLAUSE_UNTIL:
		return read_until(x);
	case CLAUSE_WHEN:
		return read_when(x);
	case CLAUSE_SANDBOX:
		return read_grant_sandbox(x);
	case CLAUSE_EXACTLY:
		x->rule->exact = true;
	}
	return 0;
}

/* A wider sandbox than read-only loosens: an untrusted project cannot give it. */
static bool
is_loosening(const struct rule_reading *x, const struct clause *c)
{
	return c->whom == FOR_GRANTS && !(c->kind == CLAUSE_SANDBOX &&
					    x->rule->sandbox == SANDBOX_WORKSPACE_READONLY);
}

static int
read_clauses(struct rule_reading *x)
{
	struct rule_reader *r = x->r;
	const struct token *t;
	int e = 0;

	while (!e && (t = read_next(r))) {
		const struct clause *c = clause_of(t);
		size_t from = r->at - 1;

		if (!c)
			return read_fail(r, t, "expected ", CLAUSE_WORDS);
		e = clause_allowed(x, c, t);
		if (!e)
			e = read_clause(x, c);
		for (size_t i = from; !e && is_loosening(x, c) && i < r->at; i++)
			x->grant[i] = true;
	}
	return e;
}

/* ---- the subject of a rule */

static int
read_objects(struct rule_reading *x)
{
	static const struct {
		enum pattern_use use;
		const char *why;
	} of[] = {
		[RULE_COMMAND] = { USE_WORD,
		    "expected a command, or one of read, write, delete, "
		    "exec, net, env, mcp" },
		[RULE_READ] = { USE_PATH, "expected paths" },
		[RULE_WRITE] = { USE_PATH, "expected paths" },
		[RULE_DELETE] = { USE_PATH, "expected paths" },
		[RULE_EXEC] = { USE_EXEC, "expected programs or paths" },
		[RULE_NET] = { USE_HOST, "expected hosts" },
		[RULE_ENV] = { USE_ENV, "expected names of variables" },
		[RULE_MCP] = { USE_TOOL, "expected SERVER:TOOL" },
	};
	enum rule_effect effect = x->rule->effect;
	enum rule_list list = effect == RULE_COMMAND ? RULE_WORDS : RULE_OBJECTS;

	return read_patterns(x->r, of[effect].use, &x->rule->lists[list], of[effect].why);
}

/* Read `...`: any words may follow. */
static int
read_more(struct rule_reading *x)
{
	const struct token *t = read_peek(x->r);

	if (x->rule->effect != RULE_COMMAND || !t || !token_is(t, "..."))
		return 0;
	x->rule->more = true;
	x->r->at++;
	t = read_peek(x->r);
	return t && !clause_of(t) ? read_fail(x->r, t, "only clauses can follow ...", NULL)
				  : 0;
}

static int
check_program(struct rule_reading *x)
{
	const struct token *t = &x->r->x.v[1];
	char first = t->plain.n ? t->plain.p[0] : '\0';

	if (x->rule->effect != RULE_COMMAND)
		return 0;
	if (first == '-')
		return read_fail(x->r, t, "expected the name of a program first", NULL);
	if (t->bare && str_find(t->plain, '=') < t->plain.n)
		return read_fail(x->r, t,
		    "an assignment is not part of a command: for a rule about a variable "
		    "write env NAME",
		    NULL);
	return 0;
}

/* ---- rules of an untrusted project */

static int
text_without_grants(struct rule_reading *x)
{
	struct buf kept, lost;

	buf_init(&lost, x->r->d->a);
	for (size_t i = 0; i < x->r->x.n; i++) {
		if (x->grant[i]) {
			buf_puts(&lost, lost.n ? " " : "");
			buf_put(&lost, x->r->x.v[i].raw);
		}
	}
	buf_init(&kept, x->r->d->a);
	for (size_t i = 0; i < x->r->x.n; i++) {
		if (!x->grant[i]) {
			buf_puts(&kept, kept.n ? " " : "");
			buf_put(&kept, x->r->x.v[i].raw);
		}
	}
	if (lost.full || kept.full)
		return read_no_memory(x->r);
	if (lost.n == 0)
		return 0;
	x->rule->text = buf_str(&kept);
	return draft_leave_out(x->r->d, buf_str(&lost), INERT_UNTRUSTED, &x->rule->origin)
		   ? read_no_memory(x->r)
		   : 0;
}

static int
drop_grants(struct rule_reading *x)
{
	x->rule->lists[RULE_GRANT_NET] = (struct draft_list){ 0 };
	x->rule->lists[RULE_GRANT_WRITABLE] = (struct draft_list){ 0 };
	x->rule->lists[RULE_GRANT_READABLE] = (struct draft_list){ 0 };
	if (x->rule->sandbox != SANDBOX_WORKSPACE_READONLY)
		x->rule->sandbox = SANDBOX_UNSPECIFIED;
	return text_without_grants(x);
}

int
read_rule(struct rule_reader *r, enum verdict verdict)
{
	struct rule_reading x = { .r = r };
	unsigned effect = RULE_COMMAND;
	int e;

	x.rule = ARENA_NEW(r->d->a, struct draft_rule);
	if (!x.rule)
		return read_no_memory(r);
	if (word_find(effect_words, read_peek(r), &effect))
		r->at++;
	x.rule->verdict = verdict;
	x.rule->effect = (enum rule_effect)effect;
	x.rule->origin = r->origin;
	x.rule->text = r->x.text;
	e = read_objects(&x);
	if (!e)
		e = read_more(&x);
	if (!e)
		e = check_program(&x);
	if (!e)
		e = read_clauses(&x);
	if (e)
		return e;
	if (r->origin.untrusted && verdict == VERDICT_ALLOW)
		return draft_leave_out(r->d, x.rule->text, INERT_UNTRUSTED, &r->origin)
			   ? read_no_memory(r)
			   : 0;
	if (r->origin.untrusted && (e = drop_grants(&x)))
		return e;
	*r->d->rules_end = x.rule;
	r->d->rules_end = &x.rule->next;
	r->d->rules_n++;
	return 0;
}
