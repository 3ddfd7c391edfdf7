/* Programs in the table: the effects of their words on files, hosts and other commands. */
#include "analyse/guess.h"
#include "analyse/names.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"

void
run_inner(
    struct walk *w, const struct invocation *c, size_t from, struct str via, struct state s)
{
	struct invocation inner = *c;
	const struct via *outer = w->via;
	struct via *link = walk_alloc(w, sizeof *link);

	if (!link || from >= c->argc)
		return;
	*link = (struct via){ via, outer };
	if (c->self)
		c->self->wrapper = true;
	inner.self = NULL;
	inner.argv += from;
	inner.argc -= from;
	inner.at = fields_span(inner.argv, inner.argc);
	inner.words = NULL;
	inner.no_function = inner.no_builtin = true;
	w->via = link;
	(void)run_call(w, &inner, s);
	w->via = outer;
}

/* The part of the state that a new process inherits: HOME, if it was never set. */
static struct state
new_process(struct walk *w, struct state s)
{
	bool barrier;

	s.args = NULL;
	s.stack = NULL;
	s.old = &dirs_anywhere;
	if (var_find(&s, STR("HOME"), &barrier) || barrier) {
		if (!var_forget_all(w->a, &s))
			walk_fail(w, CORDON_ENOMEM, (struct span){ 0, 0 }, "out of memory");
	} else
		s.vars = NULL;
	return s;
}

void
run_text(struct walk *w, struct str text, enum dialect dialect, struct span at,
    struct str via, const struct args *args, struct state s)
{
	struct function *functions = w->functions;
	int level = w->level;
	struct sink before;
	struct flow ignored;

	/* Another shell: functions are not shared in either direction. */
	w->functions = NULL;
	w->level = 0;
	s = new_process(w, s);
	s.args = args;
	/* On some systems sh is bash. */
	if (!walk_source(w, text, dialect, at, via, s, &ignored) && dialect == DIALECT_SH &&
	    guess_begin(w, &before)) {
		(void)walk_source(w, text, DIALECT_BASH, at, via, s, &ignored);
		guess_end(w, &before);
	}
	walk_uncalled(w);
	w->level = level;
	w->functions = functions;
}

void
run_shell_text(struct walk *w, struct field text, struct str via, struct state s)
{
	if (text.kind != FIELD_STR) {
		add_unknown(w, text.at, "an unknown string is run as commands");
		return;
	}
	run_text(w, text.text, DIALECT_SH, text.at, via, NULL, s);
}

/* Run all fields from `from` on as one text for /bin/sh. */
static void
run_shell_words(
    struct walk *w, const struct invocation *c, size_t from, struct str via, struct state s)
{
	struct field all = { .kind = FIELD_STR };
	struct buf b;

	if (from >= c->argc)
		return;
	buf_init(&b, w->a);
	for (size_t i = from; i < c->argc; i++) {
		if (c->argv[i].kind != FIELD_STR)
			all.kind = FIELD_MANY;
		if (i > from)
			buf_putc(&b, ' ');
		buf_put(&b, c->argv[i].text);
	}
	if (b.full)
		walk_fail(w, CORDON_ENOMEM, c->at, "out of memory");
	all.text = buf_str(&b);
	all.at = fields_span(c->argv + from, c->argc - from);
	run_shell_text(w, all, via, s);
}

/* True for host:path, but not ./a:b. An unknown word could be either. */
static bool
is_remote(struct field f)
{
	size_t colon = str_find(f.text, ':'), slash = str_find(f.text, '/');

	return colon < f.text.n && colon < slash;
}

static void
use_file(struct walk *w, enum file_op op, bool tree, const struct know_item *item,
    const struct dirs *here, struct str by)
{
	if (field_is(item->value, "-")) /* a standard stream */
		return;
	add_file(w, op, tree, item->value, here, by);
}

static void
use_remote(struct walk *w, enum file_op op, const struct know_item *item,
    const struct dirs *here, struct str by)
{
	if (is_remote(item->value))
		add_net(w, item->value, by);
	else
		use_file(w, op, true, item, here, by);
}

/* Case-insensitive: FILE:///x counts. */
static bool
is_file_url(struct str s)
{
	static const char scheme[] = "file";

	for (size_t i = 0; i < sizeof scheme - 1; i++)
		if (i >= s.n || (s.p[i] | 0x20) != scheme[i])
			return false;
	return str_starts(str_skip(s, sizeof scheme - 1), STR(":"));
}

/* True for an address that is a local path: ./x, /srv/x.git, file:///x. */
static bool
is_here(struct field f)
{
	if (f.kind != FIELD_MANY && is_file_url(f.text))
		return true;
	return f.kind == FIELD_STR &&
	       (str_starts(f.text, STR("/")) || str_starts(f.text, STR("./")) ||
		   str_starts(f.text, STR("../")) || str_is(f.text, ".") ||
		   str_is(f.text, ".."));
}

static void
use_here(
    struct walk *w, const struct know_item *item, const struct dirs *here, struct str by)
{
	struct know_item file = *item;

	if (is_file_url(file.value.text)) {
		file.value = field_skip(file.value, 5);
		if (str_starts(file.value.text, STR("//")))
			file.value = field_skip(file.value, 2);
		/* %2e, {a,b} or a host before the path: the file is unknown. */
		if (!str_starts(file.value.text, STR("/")) ||
		    str_has_any(file.value.text, "%{[?#\\"))
			file.value = (struct field){
				.kind = FIELD_ONE, .text = STR(""), .at = item->value.at
			};
	}
	use_file(w, FILE_READ, true, &file, here, by);
}

/* curl expands f{i}le:///x, so a scheme with braces is unknown. */
static bool
is_open_url(struct field f)
{
	struct str scheme = str_cut(f.text, 0, str_find(f.text, ':'));

	return f.kind == FIELD_STR && str_has_any(scheme, "[{") &&
	       str_find(f.text, '/') < f.text.n;
}

static void
use_url(
    struct walk *w, const struct know_item *item, const struct dirs *here, struct str by)
{
	struct know_item file = *item;

	if (is_here(item->value)) {
		use_here(w, item, here, by);
		return;
	}
	add_net(w, item->value, by);
	if (!is_open_url(item->value))
		return;
	file.value =
	    (struct field){ .kind = FIELD_ONE, .text = STR(""), .at = file.value.at };
	use_file(w, FILE_READ, true, &file, here, by);
}

static const struct dirs *
enter(struct walk *w, const struct know_item *item, const struct dirs *here)
{
	const struct dirs *to = &dirs_anywhere;

	if (item->value.kind == FIELD_STR && item->value.text.n)
		to = dirs_enter(w->a, here, item->value.text, false);
	if (!to) {
		walk_fail(w, CORDON_ENOMEM, item->value.at, "out of memory");
		return here;
	}
	add_chdir(w, to, item->value.at);
	return to;
}

static void
use_assignment(struct walk *w, const struct know_item *item)
{
	size_t equals = str_find(item->value.text, '=');
	struct str name = str_cut(item->value.text, 0, equals);
	struct field value = item->value;
	enum env_power power;

	while (name.n && strchr(":+?", name.p[name.n - 1])) /* make CC:=x */
		name.n--;
	value.text = str_skip(item->value.text, equals + 1);
	power = env_power(name, value);
	if (equals == item->value.text.n && item->value.kind != FIELD_STR)
		power = ENV_RUNS;
	if (power != ENV_PLAIN)
		add_env(w, name, value, power, item->value.at);
	if (power == ENV_RUNS || power == ENV_LEADS)
		add_unknown(
		    w, item->value.at, "sets a variable that changes what commands mean");
}

/* Skip the key of KEY=TEXT, KEY TEXT or KEY = TEXT. */
static struct field
after_key(struct field f)
{
	struct str t = f.text;
	size_t at = 0;

	while (at < t.n && strchr(" \t", t.p[at]))
		at++;
	while (at < t.n && !strchr("= \t", t.p[at]))
		at++;
	while (at < t.n && strchr(" \t", t.p[at]))
		at++;
	at += at < t.n && t.p[at] == '=';
	f.text = str_skip(t, at);
	return f;
}

/* Run the value of an option on a remote host. use_rest() runs the words of a command. */
static void
run_remote_text(struct walk *w, struct field text, struct str by, struct state s)
{
	bool remote = w->remote;

	w->remote = true;
	run_shell_text(w, text, by, forget_all(w, s));
	w->remote = remote;
}

/* Another user, or a service, has another HOME and perhaps another directory. */
static struct state
started_by(struct walk *w, struct str by, const struct know_scan *scan, struct state s)
{
	static const char keep_both[] =
	    "nice\0nohup\0timeout\0stdbuf\0setsid\0ionice\0chrt\0taskset\0time\0flock\0"
	    "script\0watch\0strace\0ltrace\0parallel\0busybox\0unbuffer\0chronic\0ccache\0"
	    "git\0make\0tar\0rsync\0";
	static const char leave[] =
	    "su\0runuser\0systemd-run\0pkexec\0machinectl\0start-stop-daemon\0bwrap\0"
	    "firejail\0at\0batch\0";
	bool moved = false, login = str_among(by, leave);

	if (str_among(by, keep_both))
		return s;
	forget_name(w, STR("HOME"), &s);
	for (size_t i = 0; i < scan->count; i++) {
		moved |= scan->items[i].role == ROLE_CHDIR && !scan->items[i].option_only;
		login |= str_is(by, "sudo") && item_is(&scan->items[i], "--login");
	}
	if (login && !moved)
		s.cwd = &dirs_anywhere;
	return s;
}

/* With --dry-run nothing is written, but the files are still read. */
static enum file_op
unless_dry(const struct know_scan *scan, enum file_op op)
{
	return scan->dry ? FILE_READ : op;
}

/* Apply one item; return the directory for the items after it. */
static const struct dirs *
use_item(struct walk *w, const struct know_item *item, const struct know_scan *scan,
    const struct dirs *here, struct str by, struct state s)
{
	switch (item->role) {
	case ROLE_CODE:
		if (!item->option && str_among(by, "make\0gmake\0bmake\0"))
			add_unknown(
			    w, item->value.at, "make could run the value of this variable");
		s.cwd = here;
		guess_code(w, item->value, by, s);
		return here;
	case ROLE_READ_NAMES:
		use_file(w, FILE_READ, false, item, here, by);
		add_file(w, FILE_READ, true,
		    (struct field){
			.kind = FIELD_MANY, .text = STR(""), .at = item->value.at },
		    here, by);
		return here;
	case ROLE_DATA:
		guess_file(w, item->value, by, (struct state){ .cwd = here });
		return here;
	case ROLE_CMD:
	case ROLE_SHELL_WORDS:
	case ROLE_REMOTE_CMD:
		return here;
	case ROLE_LIST:
		add_names(w, item->value, here, by);
		return here;
	case ROLE_READ:
	case ROLE_LINK_TARGET:
		use_file(w, FILE_READ, true, item, here, by);
		return here;
	case ROLE_WRITE:
	case ROLE_EDIT:
		use_file(w, unless_dry(scan, FILE_WRITE), false, item, here, by);
		return here;
	case ROLE_APPEND:
		use_file(w, unless_dry(scan, FILE_APPEND), false, item, here, by);
		return here;
	case ROLE_TRUNCATE:
		use_file(w, unless_dry(scan, FILE_TRUNCATE), false, item, here, by);
		return here;
	case ROLE_CREATE:
		use_file(w, unless_dry(scan, FILE_CREATE), false, item, here, by);
		return here;
	case ROLE_DELETE:
	case ROLE_MOVE:
		use_file(w, unless_dry(scan, FILE_DELETE), item->role == ROLE_MOVE, item,
		    here, by);
		return here;
	case ROLE_DELETE_TREE:
		use_file(w, unless_dry(scan, FILE_DELETE), true, item, here, by);
		return here;
	case ROLE_CHDIR:
		return enter(w, item, here);
	case ROLE_EXEC_FILE:
		use_file(w, FILE_EXEC, false, item, here, by);
		return here;
	case ROLE_SHELL:
		s.cwd = here;
		run_shell_text(w, item->value, by, started_by(w, by, scan, s));
		return here;
	case ROLE_KEY_SHELL:
		s.cwd = here;
		run_shell_text(w, after_key(item->value), by, started_by(w, by, scan, s));
		return here;
	case ROLE_REMOTE_SHELL:
		run_remote_text(w, item->value, by, s);
		return here;
	case ROLE_ASSIGN:
		use_assignment(w, item);
		return here;
	case ROLE_URL:
		use_url(w, item, here, by);
		return here;
	case ROLE_HOST:
		add_net(w, item->value, by);
		return here;
	case ROLE_REMOTE_READ:
		use_remote(w, FILE_READ, item, here, by);
		return here;
	case ROLE_REMOTE_WRITE:
		use_remote(w, unless_dry(scan, FILE_WRITE), item, here, by);
		return here;
	}
	return here;
}

/* Run the command in the words after the program's own, here or elsewhere. */
static void
use_rest(struct walk *w, struct invocation *c, const struct know_scan *scan, struct str by,
    struct state s)
{
	bool remote = w->remote;

	if (scan->rest >= c->argc)
		return;
	if (scan->unknown_option < scan->rest || scan->unsure < scan->rest)
		add_unknown(w, c->at, "it is unclear which words are the command");
	s = started_by(w, by, scan, s);
	switch (scan->rest_role) {
	case ROLE_CMD:
		if (know_handler(know_program(by)) == HANDLER_FD)
			run_fd(w, c, scan->rest, s);
		else
			run_inner(w, c, scan->rest, by, s);
		return;
	case ROLE_SHELL_WORDS:
		run_shell_words(w, c, scan->rest, by, s);
		if (str_is(by, "parallel"))
			guess_parallel(w, c, scan->rest, s);
		return;
	case ROLE_REMOTE_CMD:
	case ROLE_REMOTE_SHELL:
		w->remote = true;
		s = forget_all(w, s);
		if (scan->rest_role == ROLE_REMOTE_CMD)
			run_inner(w, c, scan->rest, by, s);
		else
			run_shell_words(w, c, scan->rest, by, s);
		w->remote = remote;
		return;
	default:
		return;
	}
}

/* True if this word is declared to be text. */
static bool
is_data(const struct invocation *c, size_t index)
{
	return c->self && index < 64 && (c->self->data >> index & 1);
}

/* xargs -a FILE: the file that contains the words. */
static void
use_lists(struct walk *w, const struct know_scan *scan, struct state s, struct str by)
{
	for (size_t i = 0; i < scan->count && !w->failed; i++)
		if (scan->items[i].role == ROLE_READ && !scan->items[i].option_only)
			use_file(w, FILE_READ, false, &scan->items[i], s.cwd, by);
}

void
run_known(
    struct walk *w, struct invocation *c, const struct know_scan *scan, struct state s)
{
	struct str by = str_base(c->program.p ? c->program : c->argv[0].text);

	switch (know_handler(know_program(by))) {
	case HANDLER_SHELL:
		run_shell(w, c, s);
		return;
	case HANDLER_ENV:
		run_env(w, c, s);
		return;
	case HANDLER_XARGS:
		use_lists(w, scan, s, by);
		run_xargs(w, c, s);
		return;
	case HANDLER_FIND:
		run_find(w, c, s);
		return;
	case HANDLER_GIT:
		run_git(w, c, scan, s);
		break;
	case HANDLER_SED:
		run_sed(w, c, scan, s);
		break;
	case HANDLER_AWK:
		run_awk(w, c, scan, s);
		break;
	case HANDLER_TAR:
		scan = run_tar(w, c, scan, &s);
		break;
	case HANDLER_CODE:
		run_code(w, c, scan, s);
		break;
	case HANDLER_NONE:
	case HANDLER_BUILTIN:
	case HANDLER_FD:
		break;
	}
	/* Read differently, an unknown word could do more than the listed effects. */
	if (scan->unsure < c->argc && scan->worst > scan->class)
		add_unknown(w, c->argv[scan->unsure].at,
		    "an unknown word could be an option that does more");
	/* An unknown word among key=value could be the one that names the output. */
	if (scan->unsure < c->argc && str_is(by, "dd"))
		add_file(w, FILE_WRITE, false, c->argv[scan->unsure], s.cwd, by);
	for (size_t i = 0; i < scan->count && !w->failed; i++)
		if (!scan->items[i].option_only && !is_data(c, scan->items[i].index))
			s.cwd = use_item(w, &scan->items[i], scan, s.cwd, by, s);
	guess_named(w, c, scan, s);
	if (!is_data(c, scan->rest))
		use_rest(w, c, scan, by, s);
}
