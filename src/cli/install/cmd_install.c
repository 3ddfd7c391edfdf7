#include "agents/setup/adapters.h"
#include "base/diff.h"
#include "base/path.h"
#include "base/show.h"
#include "cli/cli.h"
#include "cli/install/install.h"
#include "cli/project.h"
#include "gate/keep.h"
#include "gate/sha256.h"
#include "look/root.h"
#include <errno.h>
#include <unistd.h>

#define INSTALL_BYTES ((size_t)128 << 20)

static const struct str none = { NULL, 0 };

struct install {
	const struct process *cli;
	struct arena a;
	bool remove; /* true for `cordon uninstall` */
	enum agent agent;
	enum agent_scope scope;
	bool user, project, managed, dry_run;
	struct str program, shell, timeout, sysroot;
	struct install_place place;
	struct setup_params params;
	struct install_file file;
	const char *record_path;
	struct install_record record;
	struct buf why;
};

static const struct agent_profile *
profile(const struct install *in)
{
	return agent_profile(in->agent);
}

static int
complain(struct install *in, int status)
{
	buf_putc(&in->why, '\0');
	(void)internal_error(in->why.full ? "no memory" : in->why.p, 0);
	return status;
}

/* ---- options */

static int
take_scope(struct install *in)
{
	if (in->user + in->project + in->managed > 1)
		return usage_error(
		    in->cli, "use only one of --user, --project and --managed", none);
	in->scope = in->managed ? SCOPE_MANAGED : in->project ? SCOPE_PROJECT : SCOPE_USER;
	return 0;
}

static int
take_timeout(struct install *in)
{
	uint64_t n;

	in->params.timeout = SETUP_TIMEOUT;
	if (!in->timeout.p)
		return 0;
	if (!str_number(in->timeout, SETUP_TIMEOUT_MAX, &n) || n < SETUP_TIMEOUT_MIN)
		return usage_error(
		    in->cli, "--timeout must be 5 to 600 seconds, not", in->timeout);
	in->params.timeout = (unsigned)n;
	return 0;
}

/* Default program: the path of this process. */
static int
take_program(struct install *in)
{
	char *mem = arena_alloc(&in->a, 4096);
	ssize_t n = mem ? readlink("/proc/self/exe", mem, 4095) : -1;

	if (in->program.p) {
		if (in->program.n == 0 || in->program.p[0] != '/' ||
		    !str_is(str_base(in->program), "cordon"))
			return usage_error(in->cli,
			    "--program must be an absolute path that ends in /cordon, not",
			    in->program);
		in->params.program = in->program;
		return 0;
	}
	if (n <= 0)
		return internal_error(
		    "cannot find the path of this program; use --program PATH", errno);
	in->params.program = str_of(mem, (size_t)n);
	if (!str_is(str_base(in->params.program), "cordon"))
		return usage_error(in->cli,
		    "this program is not named cordon; use --program PATH:",
		    in->params.program);
	return 0;
}

/* cordon judges bash; tell the hook about any other shell. */
static void
take_shell(struct install *in)
{
	struct str shell =
	    in->shell.p ? in->shell : str_base(process_env(in->cli, "SHELL"));

	if (!profile(in)->user_shell || shell.n == 0 || str_is(shell, "bash"))
		return;
	in->params.shell = str_base(shell);
}

static int
take_place(struct install *in)
{
	const struct place_opts here = { 0 };
	struct project p;
	int status = in->scope == SCOPE_PROJECT ? project_need(in->cli, &in->a, &here, &p)
						: project_find(in->cli, &in->a, &here, &p);

	if (status)
		return status;
	in->place = (struct install_place){ .cli = in->cli,
		.home = p.q.home,
		.root = p.root,
		.sysroot = in->sysroot.p ? in->sysroot : STR("") };
	if (in->sysroot.p && in->sysroot.n && in->sysroot.p[0] != '/')
		return usage_error(
		    in->cli, "--sysroot must be an absolute path, not", in->sysroot);
	return 0;
}

static int
take_agent(struct install *in, struct str name)
{
	enum agent_form form;

	if (!agent_by_name(name, &in->agent) || in->agent == AGENT_AUTO)
		return usage_error(in->cli, agent_expected(true, false), name);
	form = (enum agent_form)profile(in)->files[in->scope].form;
	if (form == FORM_NONE)
		return usage_error(in->cli, "this agent has no managed settings:", name);
	in->params.adapter = setup_adapter(in->agent);
	if (form == FORM_WHOLE && !in->params.adapter.p)
		return usage_error(in->cli, "this build has no adapter for", name);
	return 0;
}

/* ---- the settings file */

static bool
is_unchanged(const struct install *in)
{
	char hex[SHA256_HEX];

	if (!in->record.there || !in->file.text.p)
		return false;
	sha256_hex(in->file.text, hex);
	return str_eq(in->record.written, str_of(hex, sizeof hex));
}

static void
put_place(struct install *in, const struct err *e)
{
	struct pos p = err_pos(in->file.text.p ? in->file.text : STR(""), e->at);

	show_put(&in->why, str_from_c(in->file.path), 0);
	buf_putc(&in->why, ':');
	buf_putu(&in->why, p.line);
	buf_putc(&in->why, ':');
	buf_putu(&in->why, p.column);
	buf_puts(&in->why, ": ");
	buf_puts(&in->why, e->why ? e->why : "cannot be edited");
}

/* True if the wanted entries are all there, whatever else changed since. */
static bool
is_current(struct install *in)
{
	struct str new;

	return !in->remove && in->file.text.p &&
	       setup_add(&in->a, in->agent, in->scope, &in->params, in->file.text, &new,
		   NULL) == 0 &&
	       new.p &&str_eq(new, in->file.text);
}

/* Compute the file's text without cordon, and the new text. */
static int
plan(struct install *in, struct str *ret_before, struct str *ret_new)
{
	struct err e = { 0 };
	struct str before = in->file.text;
	int err = 0;

	if (is_current(in)) {
		*ret_before = *ret_new = before;
		return 0;
	}
	if (is_unchanged(in))
		before = in->record.before;
	else if (before.p)
		err = setup_remove(&in->a, in->agent, in->scope, before, &before, &e);
	if (!err && in->remove)
		*ret_new = before;
	else if (!err)
		err = setup_add(
		    &in->a, in->agent, in->scope, &in->params, before, ret_new, &e);
	*ret_before = before;
	if (!err)
		return 0;
	put_place(in, &e);
	return complain(in, EXIT_NOT_OK);
}

static int
show_diff(struct install *in, struct str new)
{
	struct buf out;

	buf_init(&out, &in->a);
	buf_puts(&out, "--- ");
	show_put(&out, in->file.text.p ? str_from_c(in->file.path) : STR("/dev/null"), 0);
	buf_puts(&out, "\n+++ ");
	show_put(&out, new.p ? str_from_c(in->file.path) : STR("/dev/null"), 0);
	buf_putc(&out, '\n');
	if (!diff_put(&in->a, in->file.text.p ? in->file.text : STR(""),
		new.p ? new : STR(""), &out))
		return internal_error("the change exceeds the memory limit", 0);
	return put_out(buf_str(&out));
}

/* Uninstalling loosens, so it must be recorded before it is done. */
static int
keep(struct install *in)
{
	struct keep k = { .cli = in->cli };
	struct keep_change change = { .op = in->remove ? STR("uninstall") : STR("install"),
		.path = str_from_c(in->file.path),
		.command = str_from_c(agent_name(in->agent)) };

	if (keep_change(&k, &change) == 0)
		return 0;
	keep_complain(&k);
	return in->remove ? EXIT_INTERNAL : 0;
}

static int
carry_out(struct install *in, struct str before, struct str new)
{
	bool script = profile(in)->files[in->scope].form == FORM_SCRIPT;
	struct install_record r = { .before = before, .made = in->record.made };
	int status;

	/* Save the old text first, so that a kill in between loses nothing. */
	if (!in->remove && !install_record_write(&in->a, in->record_path, &r, new))
		return internal_error("cannot save the original file", errno);
	status =
	    install_write(&in->a, &in->file, new, in->scope, script, &r.made, &in->why);
	if (status)
		return complain(in, status);
	if (in->remove)
		(void)unlink(in->record_path);
	else if (r.made != in->record.made)
		(void)install_record_write(&in->a, in->record_path, &r, new);
	return 0;
}

/* ---- report */

static void
put_notes(struct install *in, struct buf *b)
{
	buf_puts(b, "  If the hook is killed or missing, ");
	buf_puts(b, profile(in)->title);
	buf_putc(b, ' ');
	buf_puts(b, profile(in)->fails_text);
	buf_puts(b, ".\n");
	if (in->params.shell.p) {
		buf_puts(b, "  The hook knows that your commands run in ");
		show_put(b, in->params.shell, 0);
		buf_puts(b, ".\n");
	}
	if (profile(in)->needs_trust && in->scope != SCOPE_MANAGED) {
		buf_puts(b, "  ");
		buf_puts(b, profile(in)->title);
		buf_puts(b, " ignores the hook until you trust it: start ");
		buf_puts(b, profile(in)->program);
		buf_puts(b, " and answer /hooks.\n");
	}
	if (in->scope == SCOPE_PROJECT)
		buf_puts(b, "  The agent may ask whether you trust this project's "
			    "settings.\n");
	buf_puts(b, "  Restart the agent, then check with `cordon doctor`.\n");
}

static int
tell(struct install *in, bool changed)
{
	struct buf b;

	buf_init(&b, &in->a);
	buf_puts(&b, profile(in)->title);
	if (in->remove)
		buf_puts(&b,
		    changed ? ": removed cordon from " : ": cordon was not registered in ");
	else
		buf_puts(&b, changed ? ": registered cordon in "
				     : ": cordon is already registered in ");
	show_put(&b, str_from_c(in->file.path), 0);
	buf_putc(&b, '\n');
	if (!in->remove && changed)
		put_notes(in, &b);
	return put_out(buf_str(&b));
}

static int
change(struct install *in)
{
	const char *path = install_path(&in->a, &in->place, in->agent, in->scope);
	struct str before, new;
	int status;

	if (!path)
		return usage_error(
		    in->cli, "no directory for its settings: is HOME set?", none);
	buf_init(&in->why, &in->a);
	status = install_read(&in->a, &in->place, in->scope, path, &in->file, &in->why);
	if (status)
		return complain(in, status);
	in->record_path = install_record_path(&in->a, &in->place, in->scope, path);
	if (!in->record_path)
		return usage_error(
		    in->cli, "no directory for the saved original: is HOME set?", none);
	install_record_read(&in->a, in->record_path, &in->record);
	status = plan(in, &before, &new);
	if (status)
		return status;
	if (new.p ? in->file.text.p &&str_eq(new, in->file.text) : !in->file.text.p)
		return tell(in, false);
	if (in->dry_run)
		return show_diff(in, new);
	status = keep(in);
	if (!status)
		status = carry_out(in, before, new);
	return status ? status : tell(in, true);
}

static int
start(const struct process *cli, int argc, char **argv, bool remove)
{
	struct install in = { .cli = cli, .remove = remove };
	const struct opt opts[] = {
		OPT_FLAG("--user", &in.user),
		OPT_FLAG("--project", &in.project),
		OPT_FLAG("--managed", &in.managed),
		OPT_FLAG("--dry-run", &in.dry_run),
		OPT_VALUE("--sysroot", &in.sysroot),
		OPT_VALUE("--program", &in.program),
		OPT_VALUE("--shell", &in.shell),
		OPT_VALUE("--timeout", &in.timeout),
	};
	size_t count = sizeof opts / sizeof *opts - (remove ? 3 : 0);
	struct opts_result got = opts_read(cli, argc, argv, opts, count);
	struct str name;
	int status;

	if (got.done)
		return got.status;
	if (got.operand >= argc)
		return usage_error(cli,
		    "no agent given: claude, cursor, codex, gemini, copilot, pi, "
		    "opencode, windsurf or cline",
		    none);
	name = str_from_c(argv[got.operand]);
	/* Options may also follow the agent's name. */
	argc -= got.operand;
	argv += got.operand;
	got = opts_read(cli, argc, argv, opts, count);
	if (got.done)
		return got.status;
	if (got.operand < argc)
		return usage_error(
		    cli, "one agent expected; unexpected", str_from_c(argv[got.operand]));
	if (!arena_map(&in.a, INSTALL_BYTES))
		return internal_error("no memory", 0);
	status = take_scope(&in);
	if (!status)
		status = take_agent(&in, name);
	if (!status)
		status = take_timeout(&in);
	if (!status)
		status = take_program(&in);
	if (!status)
		status = take_place(&in);
	if (status)
		return status;
	take_shell(&in);
	return change(&in);
}

int
cmd_install(const struct process *cli, int argc, char **argv)
{
	return start(cli, argc, argv, false);
}

int
cmd_uninstall(const struct process *cli, int argc, char **argv)
{
	return start(cli, argc, argv, true);
}
