/*
 * tests/fuzz/fuzz_decide.c: effects and policies, both of any kind.
 *
 * A byte of flags, rules of the user, a form feed, of the project's (trusted), a form
 * feed, and then a command; with flag 1 the rest is no command: effects are made of its
 * bytes, as no text might make them.
 */
#include "analyse/analyse.h"
#include "decide/decide.h"
#include "decide/match/match.h"
#include "fuzz.h"

enum { MADE = 1, BARE = 2, NOBODY = 4, EXPLICIT = 8, BUILTIN = 16, NOT_LOOKED = 32 };

static char memory[3][32 << 20];
static const struct str root = STR_INIT("/home/u/p"), home = STR_INIT("/home/u");

/* ---- effects from bytes */

struct bytes {
	struct str s;
	size_t at;
};

static unsigned
byte(struct bytes *b)
{
	return b->at < b->s.n ? (unsigned char)b->s.p[b->at++] : 0;
}

#define PICK(b, table) table[byte(b) % (sizeof(table) / sizeof *(table))]

static const struct str names[] = { STR_INIT("ls"), STR_INIT("git"), STR_INIT("rm"),
	STR_INIT("curl"), STR_INIT("foo"), STR_INIT("cat"), STR_INIT("bash"),
	STR_INIT("sudo") };
static const struct str texts[] = { STR_INIT("push"), STR_INIT("-f"), STR_INIT("--force"),
	STR_INIT("-r"), STR_INIT("src"), STR_INIT("/etc/passwd"), STR_INIT(""),
	STR_INIT("status"), STR_INIT("https://example.org") };
static const struct str paths[] = { STR_INIT("/home/u/p/a"), STR_INIT("/home/u/p/.env"),
	STR_INIT("/home/u/.ssh/id_rsa"), STR_INIT("/etc/shadow"), STR_INIT("/tmp/x"),
	STR_INIT("/home/u/p"), STR_INIT("/"), STR_INIT("/dev/null") };

static struct place_fact
make_fact(struct bytes *b, struct str path)
{
	unsigned flags = byte(b);

	return (struct place_fact){ .where = (enum where)(byte(b) % (WHERE_DEVICE + 1)),
		.real = flags & 1 ? path : PICK(b, paths),
		.ignored = flags & 2,
		.dotfile = flags & 4,
		.exists = flags & 8,
		.directory = flags & 16,
		.unsaved = flags & 32,
		.ignored_below = flags & 64,
		.secret_below = flags & 128 };
}

static void
make_command(struct arena *a, struct bytes *b, const struct dirs *cwd, struct command *c)
{
	unsigned flags = byte(b);
	struct know_scan *scan = arena_zalloc(a, sizeof *scan);

	c->argc = 1 + byte(b) % 4;
	c->argv = arena_array(a, c->argc, sizeof *c->argv);
	MUST(c->argv && scan);
	c->argv[0] = (struct field){ .kind = FIELD_STR, .text = PICK(b, names) };
	for (size_t i = 1; i < c->argc; i++)
		c->argv[i] = (struct field){ .kind = (enum field_kind)(byte(b) % 3),
			.text = PICK(b, texts) };
	if (flags & 1)
		c->argv[0].kind = FIELD_ONE;
	else
		c->program = c->argv[0].text;
	if (c->program.p && know_program(c->program) &&
	    know_scan(a, know_program(c->program), c->argv, c->argc, scan) == 0) {
		c->scan = scan;
		c->class = scan->class;
	}
	c->cwd = cwd;
	c->function = flags & 2;
	c->builtin = flags & 4;
	c->wrapper = flags & 8;
	c->found_writable = flags & 16;
	c->remote = flags & 32;
	c->pure = (flags & 192) == 192;
	c->git_runs = flags & 64 ? "it runs code" : NULL;
}

static void
make_effects(struct arena *a, struct str text, struct effects *e)
{
	struct bytes b = { text, 0 };
	struct dirs *cwd = arena_zalloc(a, sizeof *cwd + sizeof(struct dir));
	struct command **commands = &e->commands;
	struct file_effect **files = &e->files;
	struct net_effect **nets = &e->nets;

	MUST(cwd);
	cwd->n = 1;
	cwd->at[0] = (struct dir){ root, true };
	for (unsigned n = byte(&b) % 4; n; n--, commands = &(*commands)->next) {
		*commands = arena_zalloc(a, sizeof **commands);
		MUST(*commands);
		make_command(a, &b, cwd, *commands);
	}
	for (unsigned n = byte(&b) % 4; n; n--, files = &(*files)->next) {
		*files = arena_zalloc(a, sizeof **files);
		MUST(*files);
		(*files)->op = (enum file_op)(byte(&b) % (FILE_EXEC + 1));
		(*files)->known = byte(&b) & 3;
		(*files)->tree = byte(&b) & 1;
		(*files)->path = PICK(&b, paths);
		(*files)->by = byte(&b) & 1 ? STR("redirection") : PICK(&b, names);
		(*files)->fact = make_fact(&b, (*files)->path);
	}
	for (unsigned n = byte(&b) % 3; n; n--, nets = &(*nets)->next) {
		*nets = arena_zalloc(a, sizeof **nets);
		MUST(*nets);
		(*nets)->known = byte(&b) & 1;
		(*nets)->host = PICK(&b, texts);
		(*nets)->by = PICK(&b, names);
	}
	if (byte(&b) & 1) {
		e->unknowns = arena_zalloc(a, sizeof *e->unknowns);
		MUST(e->unknowns);
		e->unknowns->why = "nobody knows";
	}
	e->looked = true;
}

/* ---- what must hold of an allow */

static enum match
best_of(const struct matching *m, enum verdict verdict, const struct command *c,
    const struct file_effect *f)
{
	enum match best = MATCH_NO;

	for (size_t i = 0; i < policy_rule_count(m->in->policy); i++) {
		struct rule r;
		enum match one;

		policy_rule(m->in->policy, i, &r);
		if (r.verdict != verdict || (r.effect == RULE_COMMAND) != (c != NULL))
			continue;
		one = c ? match_command(m, &r, c) : match_file(m, &r, f);
		best = one > best ? one : best;
	}
	return best;
}

static void
check_allowed(const struct decide_input *in)
{
	struct path_hint hint = { 0 };
	const struct effects *e = in->effects;
	struct matching m = { in, e, &hint };
	bool any_rule = false;

	MUST(e && !e->unknowns);
	for (const struct command *c = e->commands; c; c = c->next) {
		bool rule = best_of(&m, VERDICT_ALLOW, c, NULL) == MATCH_CERTAIN;

		any_rule |= rule;
		MUST(best_of(&m, VERDICT_DENY, c, NULL) == MATCH_NO);
		MUST(rule || c->class == CLASS_READ || c->pure || c->wrapper ||
		     c->function || policy_entry(in->policy, LIST_SAFE, 0).p);
		MUST(rule || !c->found_writable || c->function);
		MUST(rule || !c->git_runs || c->wrapper || c->function);
	}
	for (const struct file_effect *f = e->files; f; f = f->next) {
		bool reads = f->op == FILE_READ, rule;

		rule = best_of(&m, VERDICT_ALLOW, NULL, f) == MATCH_CERTAIN;
		MUST(best_of(&m, VERDICT_DENY, NULL, f) == MATCH_NO);
		MUST(!f->fact.ignored && !f->fact.ignored_below);
		MUST(reads || rule || any_rule || f->fact.where == WHERE_DEVICE ||
		     f->op == FILE_EXEC);
	}
	for (const struct net_effect *n = e->nets; n; n = n->next)
		MUST(in->sandbox == false); /* a host is reached from a sandbox only */
}

static enum verdict
decide_in(struct arena *a, const struct decide_input *in, struct decision *ret)
{
	decide(a, in, ret);
	MUST(ret->verdict <= VERDICT_ALLOW);
	MUST(in->interactive || ret->verdict != VERDICT_ASK);
	MUST(in->sandbox || ret->verdict != VERDICT_CONFINE);
	MUST(ret->reason.p);
	if (ret->verdict == VERDICT_ALLOW)
		check_allowed(in);
	return ret->verdict;
}

/* Less is known: no allow comes of that. */
static void
check_blurred(const struct decide_input *in, enum verdict before, uint64_t h)
{
	struct effects *e = (struct effects *)in->effects;
	struct unknown more = { .why = "nobody knows", .next = e->unknowns };
	struct decision d;
	struct arena a;
	size_t n = 0;

	for (const struct file_effect *f = e->files; f; f = f->next)
		n++;
	for (struct file_effect *f = e->files; f; f = f->next)
		if (n && h % n-- == 0 && f->known) {
			f->known = false;
			arena_init(&a, memory[2], sizeof memory[2]);
			MUST(decide_in(&a, in, &d) != VERDICT_ALLOW ||
			     before == VERDICT_ALLOW || in->file_tool);
			f->known = true;
			break;
		}
	e->unknowns = &more;
	arena_init(&a, memory[2], sizeof memory[2]);
	MUST(decide_in(&a, in, &d) != VERDICT_ALLOW);
	e->unknowns = more.next;
}

static void
check(struct decide_input *in, uint64_t h)
{
	struct decision d, small;
	struct arena a, tight;
	enum verdict v;

	arena_init(&a, memory[1], sizeof memory[1]);
	v = decide_in(&a, in, &d);
	fuzz_arena(&tight, h % (a.peak + 64));
	decide(&tight, in, &small);
	MUST(small.verdict == v || small.verdict == VERDICT_DENY);
	fuzz_arena_done(&tight);
	if (in->effects)
		check_blurred(in, v, h);
	in->hook = VERDICT_ASK;
	arena_init(&a, memory[1], sizeof memory[1]);
	MUST(decide_in(&a, in, &d) <= v && d.verdict <= VERDICT_ASK);
	in->hook = VERDICT_ALLOW;
	in->has_mode = true;
	in->mode = MODE_ASK_EVERY_TIME;
	arena_init(&a, memory[1], sizeof memory[1]);
	MUST(decide_in(&a, in, &d) <= v);
	MUST(!in->effects || !in->effects->commands || d.verdict <= VERDICT_ASK);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = str_of((const char *)data + 1, size ? size - 1 : 0);
	unsigned flags = size ? data[0] : 0;
	struct policy_source v[3] = { { .layer = LAYER_BUILTIN,
	    .file = STR("built-in"),
	    .text = flags & BUILTIN ? policy_builtin() : STR("safe @read\n") } };
	struct effects e = { 0 };
	struct policy_error why;
	struct arena a;
	struct buf image;
	struct analyse_shapes shapes;
	struct decide_input in = { .base = { home, &root, 1 },
		.interactive = !(flags & NOBODY),
		.sandbox = !(flags & BARE),
		.explicit_root = flags & EXPLICIT,
		.hook = VERDICT_ALLOW };

	for (size_t i = 1; i < 3; i++) {
		size_t end = str_find(rest, '\f');

		v[i] = (struct policy_source){ .layer = i == 1 ? LAYER_PROJECT : LAYER_USER,
			.trusted = true,
			.file = STR("rules"),
			.text = str_cut(rest, 0, end) };
		rest = str_skip(rest, end < rest.n ? end + 1 : end);
	}
	arena_init(&a, memory[0], sizeof memory[0]);
	buf_init(&image, &a);
	if (policy_compile(&a, v, 3, &image, &why) || image.full ||
	    policy_open(&a, buf_str(&image), &in.policy))
		return 0;
	in.text = rest;
	if (flags & MADE) {
		make_effects(&a, rest, &e);
		in.effects = &e;
	} else if (decide_shapes(&a, in.policy, &shapes) &&
		   analyse_with(&a, rest, &(struct analyse_opts){ root, home }, shapes, &e,
		       &in.error) == 0) {
		if (!(flags & NOT_LOOKED))
			effects_assume(&e, &root, 1);
		in.effects = &e;
	}
	check(&in, fuzz_hash(rest));
	return 0;
}
