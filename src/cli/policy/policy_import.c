/* cordon policy import: convert an agent's permissions to rules, and test each rule
 * before printing it. */
#include "cli/policy/policy_import.h"
#include "agents/import/import.h"
#include "base/json/json.h"
#include "base/show.h"
#include "cli/cli.h"
#include "cli/install/install.h"
#include "cli/project.h"
#include "gate/keep.h"
#include "gate/rules/lint.h"
#include <errno.h>
#include <time.h>
#include <unistd.h>

#define IMPORT_BYTES ((size_t)256 << 20)
#define IMPORT_NAME "import"
/* Removing a line can make another line dead; real files need few rounds. */
#define ROUNDS 8

static const struct str none = { NULL, 0 };

struct importing {
	const struct process *cli;
	struct arena a, trial; /* trial: one command at a time */
	struct import im;
	struct layers_request q;
	enum import_kind kind;
	struct str file;
	bool append, project, json;
	struct str text; /* the rules */
};

/* ---- test a rule */

struct import_outcome {
	enum verdict found;
	bool seen;
};

static void
on_test(void *context, const struct test_failure *f, bool passed)
{
	struct import_outcome *o = context;

	(void)passed;
	o->found = f->found;
	o->seen = true;
}

/* Verdict of the rules, alone or with the shipped ones, on a command; .seen is false if
 * they do not compile. */
static struct import_outcome
ask_rules(struct importing *i, struct buf *text, struct str command, const char *wanted,
    bool shipped)
{
	struct policy_source sources[] = {
		{ .layer = LAYER_BUILTIN,
		    .file = STR("built-in"),
		    .text = policy_builtin() },
		{ .layer = LAYER_USER, .file = STR(IMPORT_NAME) },
	};
	struct import_outcome o = { VERDICT_DENY, false };
	struct policy_error e;
	const struct policy *p;
	struct buf image;

	if (command.p) {
		buf_puts(text, "test ");
		import_put_quoted(text, command);
		buf_putc(text, ' ');
		buf_puts(text, wanted);
		buf_putc(text, '\n');
	}
	sources[1].text = buf_str(text);
	buf_init(&image, &i->trial);
	if (text->full ||
	    policy_compile(
		&i->trial, shipped ? sources : sources + 1, shipped ? 2 : 1, &image, &e) ||
	    image.full || policy_open(&i->trial, buf_str(&image), &p))
		return o;
	o.seen = !command.p;
	if (command.p)
		tests_run(&i->trial, p, LAYER_USER, &i->q, on_test, &o);
	return o;
}

static bool
holds(void *context, struct str rule, struct str command, enum import_verb verb)
{
	static const char names[][6] = { "allow", "ask", "deny" };
	struct importing *i = context;
	struct import_outcome o;
	struct buf text;

	arena_reset(&i->trial);
	buf_init(&text, &i->trial);
	/* A default that differs from the rule: the verdict must come from the rule. */
	if (verb == IMPORT_ALLOW)
		buf_puts(&text, "default ask\n");
	buf_put(&text, rule);
	buf_putc(&text, '\n');
	o = ask_rules(i, &text, command, names[verb], false);
	if (!o.seen || !command.p)
		return o.seen;
	/* An allow may still be confined. */
	return verb == IMPORT_ALLOW ? o.found >= VERDICT_CONFINE
	       : verb == IMPORT_ASK ? o.found == VERDICT_ASK
				    : o.found == VERDICT_DENY;
}

/* Judge a command that the agent starts without asking. */
static const char *
judge_own(void *context, struct str command)
{
	struct importing *i = context;
	struct import_outcome o;
	struct buf text;

	arena_reset(&i->trial);
	buf_init(&text, &i->trial);
	o = ask_rules(i, &text, command, "deny", true);
	if (!o.seen || o.found == VERDICT_DENY)
		return "the agent runs it without asking; cordon would deny it";
	return o.found == VERDICT_ASK ? "the agent runs it without asking; cordon would ask"
	       : o.found == VERDICT_CONFINE
		   ? "the agent runs it without a sandbox; cordon would confine it"
		   : "the agent runs it; cordon would allow it";
}

/* ---- lint the result and drop what it finds */

/* Blank one line, so that line numbers stay. */
static bool
drop_line(struct importing *i, size_t line, struct str *ret_line)
{
	size_t at = 0;
	struct buf b;

	for (size_t n = 1; n < line && at < i->text.n; n++)
		at += str_find(str_skip(i->text, at), '\n') + 1;
	*ret_line =
	    str_cut(str_skip(i->text, at), 0, str_find(str_skip(i->text, at), '\n'));
	if (!str_starts(*ret_line, STR("allow ")) && !str_starts(*ret_line, STR("test ")))
		return false;
	buf_init(&b, &i->a);
	buf_put(&b, str_cut(i->text, 0, at));
	buf_put(&b, str_skip(i->text, at + ret_line->n));
	if (b.full)
		return false;
	i->text = buf_str(&b);
	return true;
}

/* Return the comment after a rule: the entry that it was made from. */
static struct str
entry_of(struct str line)
{
	for (size_t i = 0; i + 3 < line.n; i++)
		if (str_starts(str_skip(line, i), STR("  # ")))
			return str_skip(line, i + 4);
	return line;
}

static bool
drop_found(struct importing *i, struct str findings)
{
	const struct json *list, *line, *why;
	bool any = false;

	if (json_read(&i->a, findings, NULL, &list, NULL))
		return false;
	for (const struct json *m = list->first; m; m = m->next) {
		struct str dropped;
		const char *text;
		int64_t n;

		line = json_get(m, STR("line"));
		why = json_get(m, STR("why"));
		if (!str_is(json_get(m, STR("file"))->text, IMPORT_NAME) ||
		    json_int(line, &n) || n <= 0 || !drop_line(i, (size_t)n, &dropped))
			continue;
		any = true;
		text = STORE_NAME(&i->a, why->text);
		if (str_starts(dropped, STR("allow ")))
			import_note(&i->im, entry_of(dropped), IMPORT_LEFT_OUT,
			    text ? text : "policy lint reports a problem with it");
	}
	return any;
}

/* One round over the shipped rules and these.  CORDON_EINVAL if they do not compile. */
static int
lint_once(struct importing *i, bool *ret_more)
{
	struct policy_source sources[] = {
		{ .layer = LAYER_BUILTIN,
		    .file = STR("built-in"),
		    .text = policy_builtin() },
		{ .layer = LAYER_USER, .file = STR(IMPORT_NAME), .text = i->text },
	};
	struct policy_error e = { 0 };
	struct buf image, found;
	struct lint l = { .a = &i->trial, .q = &i->q, .json = true, .out = &found };

	arena_reset(&i->trial);
	buf_init(&image, &i->trial);
	if (policy_compile(&i->trial, sources, 2, &image, &e) || image.full ||
	    policy_open(&i->trial, buf_str(&image), &l.p))
		return CORDON_EINVAL;
	buf_init(&found, &i->a);
	buf_putc(&found, '[');
	lint_policy(&l);
	buf_putc(&found, ']');
	*ret_more = drop_found(i, buf_str(&found));
	return found.full ? CORDON_ENOMEM : 0;
}

static struct str
without_empty_lines(struct importing *i)
{
	struct str rest = i->text;
	struct buf b;

	buf_init(&b, &i->a);
	while (rest.n) {
		size_t end = str_find(rest, '\n');

		if (end) {
			buf_put(&b, str_cut(rest, 0, end));
			buf_putc(&b, '\n');
		}
		rest = str_skip(rest, end + 1);
	}
	return buf_str(&b);
}

static int
settle(struct importing *i)
{
	bool more = true;
	int err = 0;

	for (int round = 0; more && !err && round < ROUNDS; round++)
		err = lint_once(i, &more);
	if (err)
		return internal_error("the resulting rules do not compile", 0);
	i->text = without_empty_lines(i);
	return 0;
}

/* ---- output */

static void
put_report(struct importing *i, struct buf *b)
{
	for (const struct import_note *n = i->im.notes; n; n = n->next) {
		buf_puts(b, import_result_name(n->result));
		buf_puts(b, ": ");
		show_put(b, n->entry, 0);
		buf_puts(b, "\n    ");
		show_put(b, str_from_c(n->why), 0);
		buf_putc(b, '\n');
	}
}

static void
put_json(struct importing *i, struct buf *b)
{
	buf_puts(b, "{\"agent\":");
	json_put_str(b, str_from_c(import_kind_name(i->kind)));
	json_put_member(b, "file", i->file);
	json_put_member(b, "rules", i->text);
	buf_puts(b, ",\"notes\":[");
	for (const struct import_note *n = i->im.notes; n; n = n->next) {
		json_put_sep(b);
		buf_puts(b, "{\"entry\":");
		json_put_str(b, n->entry);
		json_put_member(b, "result", str_from_c(import_result_name(n->result)));
		json_put_member(b, "why", str_from_c(n->why));
		buf_putc(b, '}');
	}
	buf_puts(b, "]}\n");
}

static int
finish(struct importing *i)
{
	struct buf report, out;
	int status;

	buf_init(&report, &i->a);
	put_report(i, &report);
	buf_init(&out, &i->a);
	if (i->json)
		put_json(i, &out);
	else if (!i->append)
		buf_put(&out, i->text);
	if (report.full || out.full)
		return internal_error("the answer exceeds the memory limit", 0);
	if (!i->json)
		(void)write_all(STDERR_FILENO, buf_str(&report));
	status = put_out(buf_str(&out));
	return status ? status : i->im.notes ? EXIT_NOT_OK : EXIT_OK;
}

/* ---- appending */

static int
check_whole(struct importing *i, const struct install_file *f, struct str text)
{
	struct policy_source source = {
		.layer = i->project ? LAYER_PROJECT : LAYER_USER,
		.file = str_from_c(f->path),
		.text = text,
	};
	struct policy_error e = { 0 };
	struct buf image, why;

	arena_reset(&i->trial);
	buf_init(&image, &i->trial);
	if (policy_compile(&i->trial, &source, 1, &image, &e) == 0 && !image.full)
		return 0;
	buf_init(&why, &i->a);
	load_put_error(&why, source.file, &e);
	buf_puts(&why, "\nNothing was appended.");
	buf_putc(&why, '\0');
	(void)internal_error(why.full ? "cannot read the rules" : why.p, 0);
	return EXIT_POLICY;
}

static int
append(struct importing *i)
{
	const char *path =
	    i->project
		? i->q.root.p ? STORE_NAME(&i->a, i->q.root, STR("/.cordon/rules")) : NULL
		: own_dir(&i->a, i->cli, i->q.home, DIR_CONFIG, STR("/rules"));
	struct install_place place = {
		.cli = i->cli, .home = i->q.home, .root = i->q.root
	};
	enum agent_scope scope = i->project ? SCOPE_PROJECT : SCOPE_USER;
	struct keep k = { .cli = i->cli };
	struct keep_change change = { .op = STR("policy import"), .command = i->file };
	struct install_file f;
	struct buf why, b;
	unsigned made = 0;
	int status;

	if (!path)
		return usage_error(
		    i->cli, "no directory for the rules: is HOME set?", none);
	buf_init(&why, &i->a);
	status = install_read(&i->a, &place, scope, path, &f, &why);
	if (!status) {
		buf_init(&b, &i->a);
		buf_put(&b, f.text.p ? f.text : STR(""));
		if (b.n && b.p[b.n - 1] != '\n')
			buf_putc(&b, '\n');
		buf_put(&b, i->text);
		status = b.full ? internal_error("no memory", 0)
				: check_whole(i, &f, buf_str(&b));
		if (status)
			return status;
		change.path = str_from_c(path);
		if (keep_change(&k, &change)) {
			keep_complain(&k);
			return EXIT_INTERNAL;
		}
		status = install_write(&i->a, &f, buf_str(&b), scope, false, &made, &why);
	}
	if (!status)
		return 0;
	buf_putc(&why, '\0');
	return internal_error(why.full ? "cannot append" : why.p, 0);
}

/* ---- the command line */

static int
read_source(struct importing *i, struct str agent, struct str *ret)
{
	const char *path = STORE_NAME(&i->a, i->file);
	enum store_result r =
	    path ? store_read(&i->a, path, STORE_ANY, INSTALL_FILE, ret, NULL)
		 : STORE_MISSING;

	if (r == STORE_MISSING && !agent.p &&
	    str_among(i->file, "claude\0gemini\0cursor\0codex\0"))
		return usage_error(i->cli, "no file given after", i->file);
	if (r)
		return usage_error(i->cli, store_why(r, STORE_ANY), i->file);
	if (str_starts(*ret, STR("\xef\xbb\xbf")))
		*ret = str_skip(*ret, 3);
	if (!import_kind_find(agent, i->file, *ret, &i->a, &i->kind))
		return usage_error(i->cli,
		    agent.p ? "the agent must be claude, gemini, cursor or codex, not"
			    : "unknown settings; name the agent before the file:",
		    agent.p ? agent : i->file);
	return 0;
}

static int
convert(struct importing *i, struct str text)
{
	struct err e = { 0 };
	struct buf out;
	int err;

	i->im =
	    (struct import){ .a = &i->a, .holds = holds, .judge = judge_own, .context = i };
	buf_init(&out, &i->a);
	err = import_text(&i->im, i->kind, i->file, text, &out, &e);
	if (err)
		return file_error(i->file, text, e.at, e.why ? e.why : err_text(err));
	i->text = buf_str(&out);
	return settle(i);
}

static int
find_place(struct importing *i)
{
	struct project p;
	struct timespec t;
	int status = project_find(i->cli, &i->a, &(struct place_opts){ 0 }, &p);

	if (status)
		return status;
	clock_gettime(CLOCK_REALTIME, &t);
	i->q = (struct layers_request){ .home = p.q.home, .root = p.root, .now = t.tv_sec };
	return 0;
}

int
policy_import(const struct process *cli, int argc, char **argv)
{
	struct importing i = { .cli = cli };
	const struct opt opts[] = {
		OPT_FLAG("--append", &i.append),
		OPT_FLAG("--project", &i.project),
		OPT_FLAG("--json", &i.json),
	};
	struct opts_result got =
	    opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);
	struct str agent = none, text = none;
	int status;

	if (got.done)
		return got.status;
	argc -= got.operand;
	argv += got.operand;
	if (argc < 1 || argc > 2)
		return usage_error(cli, "no file given: import [AGENT] FILE", none);
	if (argc == 2)
		agent = str_from_c(argv[0]);
	i.file = str_from_c(argv[argc - 1]);
	if (!arena_map(&i.a, IMPORT_BYTES) || !arena_map(&i.trial, IMPORT_BYTES))
		return internal_error("no memory", 0);
	status = find_place(&i);
	if (!status)
		status = read_source(&i, agent, &text);
	if (!status)
		status = convert(&i, text);
	if (!status && i.append)
		status = append(&i);
	return status ? status : finish(&i);
}
