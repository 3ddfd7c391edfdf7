#include "base/json/json.h"
#include "base/limits.h"
#include "base/show.h"
#include "cli/cli.h"
#include "dialects/gemini/gemini.h"
#include "gate/ask/session_tools.h"
#include "gate/keep.h"
#include "gate/rules/layers.h"
#include "launch/launch_session.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#define SESSION_BYTES ((size_t)32 << 20)
#define HOURS ((int64_t)8)

static const struct str none = { NULL, 0 };

struct sessions {
	const struct process *cli;
	struct arena a;
	const char *dir; /* ends with a slash */
	int argc;
	char **argv; /* operands */
	struct str lasts, tool, level;
	bool json;
};

static int
complain(struct sessions *s, const char *what, const char *path)
{
	int error = errno;
	struct buf b;

	buf_init(&b, &s->a);
	buf_puts(&b, what);
	buf_puts(&b, " '");
	buf_puts(&b, path);
	buf_putc(&b, '\'');
	buf_putc(&b, '\0');
	return internal_error(b.full ? what : b.p, error);
}

static const char *
file_of_session(struct sessions *s, struct str name, struct str kind)
{
	return STORE_NAME(&s->a, str_from_c(s->dir), name, kind);
}

/* Return the session name from an operand, or .p == NULL after an error message. */
static struct str
name_at(struct sessions *s, int i)
{
	struct str name = i < s->argc ? str_from_c(s->argv[i]) : none;

	if (!name.p)
		(void)usage_error(s->cli, "no session name given", none);
	else if (!session_is_name(name)) {
		(void)usage_error(
		    s->cli, "a session name may have letters, digits, - and _, not", name);
		return none;
	}
	return name;
}

static int
no_such(struct sessions *s)
{
	return usage_error(
	    s->cli, "no such session (see `cordon session list`):", str_from_c(s->argv[0]));
}

static int
too_many(struct sessions *s, int most)
{
	if (s->argc <= most)
		return 0;
	return usage_error(s->cli, "unexpected argument:", str_from_c(s->argv[most]));
}

/* Write the journal record before the change takes effect. */
static int
record(struct sessions *s, const struct keep_change *change)
{
	struct keep k = { .cli = s->cli };

	if (keep_change(&k, change) == 0)
		return 0;
	keep_complain(&k);
	return EXIT_INTERNAL;
}

/* ---- new */

/* Convert 30m, 8h or 7d to seconds; return 0 for any other text. */
static int64_t
duration(struct str s)
{
	uint64_t n;

	if (s.n < 2 || s.n > 6 || !str_number(str_cut(s, 0, s.n - 1), 99999, &n))
		return 0;
	switch (s.p[s.n - 1]) {
	case 'm':
		return (int64_t)n * 60;
	case 'h':
		return (int64_t)n * 3600;
	case 'd':
		return (int64_t)n * 86400;
	default:
		return 0;
	}
}

static bool
random_name(char name[static 16])
{
	static const char letters[] = "0123456789abcdef";
	unsigned char bytes[16];

	if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
		return false;
	for (size_t i = 0; i < sizeof bytes; i++)
		name[i] = letters[bytes[i] & 15];
	return true;
}

static int
session_new(struct sessions *s)
{
	int64_t lasts = s->lasts.p ? duration(s->lasts) : HOURS * 3600;
	char made[16];
	struct str name;
	const char *path;
	struct buf b;
	int status = too_many(s, 1);

	if (status)
		return status;
	if (lasts <= 0)
		return usage_error(
		    s->cli, "--for must be a time such as 30m, 8h or 7d, not", s->lasts);
	if (s->argc == 0 && !random_name(made))
		return internal_error("cannot make a random name", errno);
	name = s->argc ? name_at(s, 0) : str_of(made, sizeof made);
	if (!name.p)
		return EXIT_USAGE;
	path = file_of_session(s, name, STR(".rules"));
	if (!path)
		return usage_error(s->cli, "not a valid file name:", name);
	/* A session that has ended may start again. */
	if (access(path, F_OK) == 0 && session_file_ends(path) > now_seconds())
		return usage_error(s->cli, "session already exists:", name);
	buf_init(&b, &s->a);
	buf_puts(&b, "# cordon session, ends ");
	buf_putu(&b, (uint64_t)(now_seconds() + lasts));
	buf_putc(&b, '\n');
	status = record(s, &(struct keep_change){ .op = STR("session new"),
			       .path = str_from_c(path),
			       .session = name,
			       .outcome = str_cut(buf_str(&b), 0, b.n - 1) });
	if (status)
		return status;
	if (!store_write(path, buf_str(&b)))
		return complain(s, "cannot write", path);
	(void)unlink(file_of_session(s, name, STR(".tools")));
	buf_init(&b, &s->a);
	buf_put(&b, name);
	buf_putc(&b, '\n');
	return put_out(buf_str(&b));
}

/* ---- allow */

/* Read a whole file, or print an error; a missing file leaves *ret unchanged. */
static int
read_session(struct sessions *s, const char *path, bool may_miss, struct str *ret)
{
	enum store_result r = store_read(&s->a, path, STORE_OWN, SESSION_MAX, ret, NULL);
	struct buf b;

	if (!r || (may_miss && r == STORE_MISSING))
		return 0;
	if (r == STORE_MISSING)
		return no_such(s);
	buf_init(&b, &s->a);
	buf_puts(&b, "cannot use '");
	buf_puts(&b, path);
	buf_puts(&b, "': ");
	buf_puts(&b, store_why(r, STORE_OWN));
	buf_putc(&b, '\0');
	return internal_error(b.full ? "cannot read the session" : b.p, 0);
}

static enum approve_level
level_of(const struct sessions *s)
{
	return str_is(s->level, "command")      ? APPROVE_COMMAND
	       : str_is(s->level, "subcommand") ? APPROVE_SUBCOMMAND
						: APPROVE_EXACT;
}

static int
append(struct sessions *s, const char *path, struct str old, struct str more)
{
	struct buf b;

	buf_init(&b, &s->a);
	buf_put(&b, old);
	if (old.n && old.p[old.n - 1] != '\n')
		buf_putc(&b, '\n');
	buf_put(&b, more);
	if (b.full || b.n > SESSION_MAX)
		return internal_error(
		    "the session has too many rules (see `cordon session list`)", 0);
	return store_write(path, buf_str(&b)) ? 0 : complain(s, "cannot write", path);
}

static struct str
lower(struct sessions *s, struct str name)
{
	struct buf b;

	buf_init(&b, &s->a);
	for (size_t i = 0; i < name.n; i++)
		buf_putc(&b, (char)(name.p[i] >= 'A' && name.p[i] <= 'Z' ? name.p[i] + 32
									 : name.p[i]));
	return buf_str(&b);
}

static bool
is_shell_tool(struct str tool)
{
	return !tool.p || gemini_is_shell(tool) || str_is(tool, "run_shell_command") ||
	       str_is(tool, "shelltool") || str_is(tool, "bash");
}

/* The tools file, its text and the line to add. */
struct tool_line {
	const char *path;
	struct str old, line;
};

static int
make_tool_line(struct sessions *s, struct str name, struct str tool, struct str command,
    struct tool_line *ret)
{
	struct buf b;

	*ret = (struct tool_line){ .path = file_of_session(s, name, STR(".tools")),
		.old = STR("") };
	buf_init(&b, &s->a);
	session_put_tool(&b, tool, command);
	if (!ret->path || b.full)
		return internal_error("no memory", 0);
	ret->line = buf_str(&b);
	return read_session(s, ret->path, true, &ret->old);
}

static uint64_t
end_of(struct str old)
{
	return old.n + (old.n && old.p[old.n - 1] != '\n');
}

static int
check_allow(struct sessions *s)
{
	if (s->argc < 2)
		return usage_error(
		    s->cli, "no command given after the name; put it in quotes", none);
	if (s->argc > 2)
		return usage_error(s->cli,
		    "one quoted command expected, with options before the name; "
		    "unexpected",
		    str_from_c(s->argv[2]));
	if (s->level.p && !str_among(s->level, "exact\0subcommand\0command\0"))
		return usage_error(
		    s->cli, "--level must be exact, subcommand or command, not", s->level);
	return 0;
}

static int
session_allow(struct sessions *s)
{
	struct str name = name_at(s, 0), text, old, tool = s->tool;
	struct tool_line line = { 0 };
	const char *path, *wrong;
	struct keep_change change;
	struct buf rule;
	int status;

	status = name.p ? check_allow(s) : EXIT_USAGE;
	if (status)
		return status;
	text = str_from_c(s->argv[1]);
	path = file_of_session(s, name, STR(".rules"));
	status = path ? read_session(s, path, false, &old) : EXIT_INTERNAL;
	if (status)
		return status;
	if (tool.p)
		tool = lower(s, tool);
	buf_init(&rule, &s->a);
	wrong = is_shell_tool(tool) ? session_rule(&s->a, text, level_of(s), &rule) : NULL;
	if (wrong)
		return usage_error(s->cli, wrong, text);
	status = tool.p ? make_tool_line(s, name, tool, text, &line) : 0;
	if (status)
		return status;
	change = (struct keep_change){
		.op = STR("session allow"), .session = name, .outcome = tool
	};
	if (rule.n) {
		change.path = str_from_c(path);
		change.command = change.added = buf_str(&rule);
		change.at = end_of(old);
	} else {
		change.path = str_from_c(line.path);
		change.command = text;
		change.added = line.line;
		change.at = end_of(line.old);
	}
	status = record(s, &change);
	if (!status && tool.p)
		status = append(s, line.path, line.old, line.line);
	if (status || !rule.n)
		return status;
	status = append(s, path, old, buf_str(&rule));
	return status ? status : put_out(buf_str(&rule));
}

/* ---- list and end */

/* Print the commands allowed for a tool as JSON; null if there never were any. */
static int
list_tool(struct sessions *s, struct str name)
{
	const char *path = file_of_session(s, name, STR(".tools"));
	struct str text = STR(""), tool = lower(s, s->tool);
	int status = path ? read_session(s, path, true, &text) : EXIT_INTERNAL;
	struct buf want, out;
	bool any = false;

	if (status)
		return status;
	buf_init(&want, &s->a);
	json_put_str(&want, tool);
	buf_putc(&want, '\t');
	buf_init(&out, &s->a);
	while (text.n) {
		size_t end = str_find(text, '\n');
		struct str line = str_cut(text, 0, end);

		if (str_starts(line, buf_str(&want))) {
			buf_putc(&out, any ? ',' : '[');
			buf_put(&out, str_skip(line, want.n));
			any = true;
		}
		text = str_skip(text, end + 1);
	}
	buf_puts(&out, any ? "]\n" : "null\n");
	return put_out(buf_str(&out));
}

static void
put_session(struct sessions *s, struct buf *out, struct str name)
{
	const char *path = file_of_session(s, name, STR(".rules"));
	int64_t ends = path ? session_file_ends(path) : 0, left = ends - now_seconds();

	if (s->json) {
		json_put_sep(out);
		buf_puts(out, "{\"name\":");
		json_put_str(out, name);
		buf_puts(out, ",\"ends\":");
		json_put_int(out, ends);
		buf_puts(out, ",\"ended\":");
		json_put_bool(out, left <= 0);
		buf_putc(out, '}');
		return;
	}
	show_put(out, name, 0);
	buf_puts(out, left > 0 ? "  ends in " : "  has ended");
	if (left > 0) {
		buf_putu(out, (uint64_t)(left + 59) / 60);
		buf_puts(out, " minutes");
	}
	buf_putc(out, '\n');
}

static int
list_all(struct sessions *s)
{
	DIR *dir = opendir(s->dir);
	struct buf out;

	buf_init(&out, &s->a);
	if (s->json)
		buf_putc(&out, '[');
	for (struct dirent *e; dir && (e = readdir(dir));) {
		struct str file = str_from_c(e->d_name);

		if (str_ends(file, STR(".rules")) &&
		    session_is_name(str_cut(file, 0, file.n - 6)))
			put_session(s, &out, str_cut(file, 0, file.n - 6));
	}
	if (dir)
		(void)closedir(dir);
	if (s->json)
		buf_puts(&out, "]\n");
	return put_out(buf_str(&out));
}

static int
session_list(struct sessions *s)
{
	struct str name, text;
	const char *path;
	struct buf out;
	int status = too_many(s, 1);

	if (status)
		return status;
	if (s->argc == 0)
		return list_all(s);
	name = name_at(s, 0);
	if (!name.p)
		return EXIT_USAGE;
	if (s->tool.p)
		return list_tool(s, name);
	path = file_of_session(s, name, STR(".rules"));
	status = path ? read_session(s, path, false, &text) : EXIT_INTERNAL;
	if (status)
		return status;
	buf_init(&out, &s->a);
	show_put(&out, text, SHOW_NEWLINES);
	return put_out(buf_str(&out));
}

static int
session_end(struct sessions *s)
{
	struct str name = name_at(s, 0);
	struct place_opts of = { .session = name };
	struct session_ref place;
	bool stopped = false;
	const char *path;
	int status = too_many(s, 1);

	if (!name.p || status)
		return EXIT_USAGE;
	path = file_of_session(s, name, STR(".rules"));
	/* End the session's namespaces, and the processes in them. */
	if (launch_session_place(&s->a, s->cli, &of, &place))
		stopped = session_stop(&place);
	if (!path || (unlink(path) && !(stopped && errno == ENOENT)))
		return path && errno == ENOENT
			   ? no_such(s)
			   : complain(s, "cannot end the session", path ? path : "");
	/* Ending a session only tightens: do it first, and ignore a failing journal. */
	(void)record(
	    s, &(struct keep_change){
		   .op = STR("session end"), .path = str_from_c(path), .session = name });
	path = file_of_session(s, name, STR(".tools"));
	if (path)
		(void)unlink(path);
	return 0;
}

int
cmd_session(const struct process *cli, int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*exec)(struct sessions *s);
	} verbs[] = { { "new", session_new }, { "allow", session_allow },
		{ "list", session_list }, { "end", session_end } };
	struct sessions s = { .cli = cli };
	struct str home = cli->home;
	const struct opt opts[] = {
		OPT_VALUE("--for", &s.lasts),
		OPT_VALUE("--tool", &s.tool),
		OPT_VALUE("--level", &s.level),
		OPT_FLAG("--json", &s.json),
	};
	struct str verb = argc > 1 ? str_from_c(argv[1]) : none;
	struct opts_result got;

	if (verb.n && verb.p[0] == '-') {
		got = opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);
		return got.done ? got.status
				: usage_error(
				      cli, "no verb given: new, allow, list or end", none);
	}
	for (size_t i = 0; verb.p && i < sizeof verbs / sizeof *verbs; i++) {
		if (!str_is(verb, verbs[i].name))
			continue;
		got = opts_read(cli, argc - 1, argv + 1, opts, sizeof opts / sizeof *opts);
		if (got.done)
			return got.status;
		if (!arena_map(&s.a, SESSION_BYTES))
			return internal_error("no memory", 0);
		s.argc = argc - 1 - got.operand;
		s.argv = argv + 1 + got.operand;
		s.dir = own_dir(&s.a, cli, home, DIR_STATE, STR("/sessions/"));
		if (!s.dir)
			return usage_error(
			    cli, "no directory for sessions: is HOME set?", none);
		return verbs[i].exec(&s);
	}
	return usage_error(cli,
	    verb.p ? "the verb must be new, allow, list or end, not"
		   : "no verb given: new, allow, list or end",
	    verb);
}
