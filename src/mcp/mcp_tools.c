#define _GNU_SOURCE
#include "base/json/json.h"
#include "base/path.h"
#include "base/show.h"
#include "cli/cli.h"
#include "gate/ask/approval_token.h"
#include "gate/outcome.h"
#include "launch/files/agreed_paths.h"
#include "mcp/mcp.h"
#include "os/file.h"
#include "os/sys.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define REFUSED 126
#define NOT_STARTED 125

enum { TOOL_SHELL, TOOL_CHECK, TOOL_EXPLAIN, TOOL_READ_FILE, TOOL_WRITE_FILE, TOOL_NONE };

static const struct {
	char name[11];
	char keys[3][10]; /* arguments; the first is required */
} tools[] = {
	[TOOL_SHELL] = { "shell", { "command", "cwd", "timeout_s" } },
	[TOOL_CHECK] = { "check", { "command", "cwd", "" } },
	[TOOL_EXPLAIN] = { "explain", { "command", "cwd", "" } },
	[TOOL_READ_FILE] = { "read_file", { "path", "", "" } },
	[TOOL_WRITE_FILE] = { "write_file", { "path", "content", "" } },
};

static void
fail(struct mcp *m, const struct mcp_call *call, const char *why, struct str more)
{
	struct buf b;

	buf_init(&b, &m->a);
	buf_puts(&b, why);
	show_put(&b, more, 0);
	mcp_result(m, call->id, buf_str(&b), true);
}

/* Return a string argument as a C string; NULL if it is absent, no string, or contains a
 * NUL. */
static char *
word(struct mcp *m, const struct mcp_call *call, const char *key)
{
	const struct json *v = json_get(call->arguments, str_from_c(key));
	char *c;

	if (!v || v->kind != JSON_STRING ||
	    memchr(v->text.n ? v->text.p : "", 0, v->text.n))
		return NULL;
	c = arena_alloc(&m->a, v->text.n + 1);
	if (!c)
		return NULL;
	memcpy(c, v->text.n ? v->text.p : "", v->text.n);
	c[v->text.n] = '\0';
	return c;
}

/* Reject arguments that the schema does not name, instead of silently ignoring them. */
static bool
keys_are_known(const struct mcp_call *call, int tool)
{
	const struct json *v = call->arguments;

	for (v = v ? v->first : NULL; v; v = v->next)
		if (!str_is(v->key, tools[tool].keys[0]) &&
		    !str_is(v->key, tools[tool].keys[1]) &&
		    !str_is(v->key, tools[tool].keys[2]))
			return false;
	return true;
}

/* ---- asking through the client */

static bool
is_yes(struct mcp *m, struct str line, int64_t number, bool *ours)
{
	const struct json *v = NULL, *id, *result, *action, *approve;
	int64_t got = 0;

	*ours = false;
	if (json_read(&m->a, line, NULL, &v, NULL))
		return false;
	id = json_get(v, STR("id"));
	if (!id || json_get(v, STR("method")) || json_int(id, &got) || got != number)
		return false;
	*ours = true;
	result = json_get(v, STR("result"));
	action = json_get(result, STR("action"));
	approve = json_get(json_get(result, STR("content")), STR("approve"));
	return action && str_is(action->text, "accept") && approve &&
	       approve->kind == JSON_BOOL && approve->truth;
}

/* The object of a question, and the paths that a yes opens. */
struct question {
	const struct decision *d;
	struct str what;
	const struct agreed *agreed; /* NULL: none */
};

static void
put_question(struct buf *b, const struct question *q)
{
	buf_puts(b, "cordon asks: ");
	show_put(b, q->d->reason, 0);
	agreed_put(b, q->agreed);
	buf_puts(b, "\n\n");
	show_put(b, q->what, 0);
}

static bool
ask(struct mcp *m, const struct mcp_call *call, const struct question *q)
{
	int64_t number = ++m->asked;
	enum mcp_got got = MCP_DEALT;
	struct str line, copy;
	struct buf b, text;
	bool ours = false, yes = false;

	if (!m->elicits)
		return false;
	buf_init(&text, &m->a);
	put_question(&text, q);
	buf_init(&b, &m->a);
	buf_puts(&b, "{\"jsonrpc\":\"2.0\",\"id\":");
	json_put_int(&b, number);
	buf_puts(&b, ",\"method\":\"elicitation/create\",\"params\":{\"message\":");
	json_put_str(&b, buf_str(&text));
	buf_puts(&b,
	    ",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"approve\":{"
	    "\"type\":\"boolean\",\"title\":\"Run it once\",\"default\":false}},"
	    "\"required\":[\"approve\"]}}}");
	if (b.full || text.full)
		return false;
	mcp_send(buf_str(&b));
	while (!ours && !m->cancelled && (got = mcp_next(m, call->id, &line)) != MCP_END) {
		if (got == MCP_DEALT)
			continue;
		copy = arena_copy(&m->a, line);
		yes = copy.p && is_yes(m, copy, number, &ours);
		if (!ours)
			mcp_keep_line(m, line);
	}
	return ours && yes;
}

/* ---- the shell */

/* Every option once, and --root as often as it may be given. */
#define WORDS (2 * OPT_VALUES + 24)

struct words {
	char *v[WORDS + 1];
	size_t n;
	bool full;
};

static void
add(struct words *w, const char *option, const char *value)
{
	if (w->n + (value ? 2 : 1) > WORDS) {
		w->full = true;
		return;
	}
	w->v[w->n++] = (char *)(uintptr_t)option;
	if (value)
		w->v[w->n++] = (char *)(uintptr_t)value;
}

/* Add the options that this server was started with. */
static void
add_place(struct mcp *m, struct words *w)
{
	const struct place_opts *o = &m->place;

	if (strcmp(w->v[1], "run") == 0 && o->projects.n)
		add(w, "--project", o->projects.v[0].p);
	if (o->cwd.p)
		add(w, "--cwd", o->cwd.p);
	for (size_t i = 0; i < o->roots.n; i++)
		add(w, "--root", o->roots.v[i].p);
	if (o->policy.p)
		add(w, "--policy", o->policy.p);
	if (o->session.p)
		add(w, "--session", o->session.p);
	if (o->mode.p)
		add(w, "--mode", o->mode.p);
	if (o->home.p)
		add(w, "--home", o->home.p);
}

/* Judge `what` with the directories of this server.  Return 0, or a status after sending an
 * error. */
static int
decide_about(struct mcp *m, const struct mcp_call *call, const struct judge_request *what,
    struct judge_request *q, struct judge_answer *ret)
{
	int err = place_take(m->cli, &m->a, &m->place, q);

	q->text = what->text;
	q->tool = what->tool;
	q->path = what->path;
	q->must_exist = true;
	if (!err)
		err = gate_judge(&m->a, &m->loader, q, ret);
	if (err)
		fail(m, call, "cordon cannot decide: ", buf_str(&m->loader.message));
	return err;
}

static void
refused(struct mcp *m, const struct mcp_call *call, const struct decision *d)
{
	struct buf b;

	buf_init(&b, &m->a);
	buf_puts(&b, "refused: ");
	show_put(&b, d->reason, 0);
	buf_puts(&b, "\nhint: ");
	show_put(&b, d->fix, 0);
	if (d->verdict == VERDICT_ASK)
		buf_puts(&b, "\nThe user did not approve it.");
	mcp_result(m, call->id, buf_str(&b), true);
}

/* Leave an approval token, so that `cordon run` does not ask a second time. */
static bool
leave_grant(struct mcp *m, const struct judge_request *q, const struct agreed *agreed,
    char name[static APPROVAL_ID])
{
	struct approval_terms terms = { .command = q->text,
		.cwd = q->cwd,
		.width = agreed->said,
		.session = str_from_c(m->session),
		.policy = m->loader.digest,
		.now = now_seconds() };

	return approval_name(terms.session, name) &&
	       approval_leave(&m->a, m->cli, q->home, str_of(name, APPROVAL_ID), &terms);
}

/* Name the caller like `cordon run --for` does. */
static struct keep_who
who_asks(const struct mcp *m, const char *tool, const struct judge_request *q)
{
	struct str session = str_from_c(m->session);

	return (struct keep_who){ .host = STR("mcp"),
		.session = str_skip(session, str_find(session, ':') + 1),
		.tool = str_from_c(tool),
		.cwd = q->cwd };
}

static void
keep_no(struct mcp *m, const struct keep_who *who, uint64_t about, struct str command)
{
	/* A rejection stands even if recording fails. */
	(void)keep_answer(&m->keep, who, about, command, VERDICT_DENY, STR("rejected"),
	    m->elicits ? STR("by the client's user")
		       : STR("the client cannot ask its user"));
}

/* Ask, and leave an approval token on a yes; otherwise record and send the refusal. */
static bool
may_run(struct mcp *m, const struct mcp_call *call, struct judge_answer *answer,
    const struct judge_request *q, char name[static APPROVAL_ID])
{
	struct question question = { .d = &answer->decision,
		.what = q->text,
		.agreed = agreed_find(&m->a, answer) };
	struct keep_who who = who_asks(m, "bash", q);
	uint64_t number = 0;

	if (question.agreed && ask(m, call, &question) &&
	    leave_grant(m, q, question.agreed, name))
		return true;
	(void)keep_decision(&m->keep, &who, &m->loader, q->text, answer, &number);
	keep_no(m, &who, number, q->text);
	if (!m->cancelled)
		refused(m, call, &answer->decision);
	return false;
}

static void
put_end(struct buf *b, int status)
{
	if (status == 0)
		return;
	if (b->n && b->p[b->n - 1] != '\n')
		buf_putc(b, '\n');
	buf_puts(b, status == REFUSED       ? "[refused by cordon]"
		    : status == NOT_STARTED ? "[not started]"
		    : status == 124         ? "[timed out]"
					    : "[exit status ");
	if (status != REFUSED && status != NOT_STARTED && status != 124) {
		buf_putu(b, (uint64_t)status);
		buf_putc(b, ']');
	}
}

/* Set the directory of this call.  Return false after sending an error. */
static bool
take_cwd(struct mcp *m, const struct mcp_call *call, const char *cwd)
{
	struct str base = m->place.cwd.p ? m->place.cwd : place_here(&m->a), path, real;
	const char *c;

	if (!cwd)
		return true;
	if (path_normal(&m->a, base, str_from_c(cwd), &path, NULL) ||
	    !(real = plan_real(&m->a, path)).p || !(c = str_to_path(&m->a, real))) {
		fail(m, call, "no such directory: ", str_from_c(cwd));
		return false;
	}
	m->place.cwd = str_from_c(c);
	return true;
}

static void
run_words(struct mcp *m, const struct mcp_call *call, const struct words *w)
{
	struct buf out;
	int status;

	buf_init(&out, &m->a);
	status = w->full ? -1 : mcp_run(m, &(struct mcp_run){ w->v, call, true }, &out);
	if (status < 0) {
		fail(m, call, "cannot start cordon run: ",
		    str_from_c(strerror(w->full ? E2BIG : errno)));
		return;
	}
	put_end(&out, status);
	if (!m->cancelled)
		mcp_result(m, call->id, buf_str(&out), status != 0);
}

static void
run_shell(struct mcp *m, const struct mcp_call *call, char *command)
{
	const struct json *limit = json_get(call->arguments, STR("timeout_s"));
	struct judge_request what = { .text = str_from_c(command) }, q = { 0 };
	struct words w = { .n = 0 };
	struct judge_answer answer;
	char name[APPROVAL_ID + 1] = "";
	int64_t seconds = 0;
	struct buf time;

	if (limit && (json_int(limit, &seconds) || seconds < 1 || seconds > 86400)) {
		fail(m, call, "timeout_s must be from 1 to 86400", STR(""));
		return;
	}
	if (decide_about(m, call, &what, &q, &answer))
		return;
	add(&w, "cordon", "run");
	add(&w, "--for", m->session);
	add_place(m, &w);
	if (answer.decision.verdict == VERDICT_ASK) {
		if (!may_run(m, call, &answer, &q, name))
			return;
		name[APPROVAL_ID] = '\0';
		add(&w, "--grant", name);
	}
	if (seconds) {
		buf_init(&time, &m->a);
		buf_putu(&time, (uint64_t)seconds);
		buf_putc(&time, '\0');
		add(&w, "--timeout", time.full ? "1" : time.p);
	}
	add(&w, "-c", command);
	run_words(m, call, &w);
}

/* ---- check and explain */

static void
run_question(struct mcp *m, const struct mcp_call *call, int tool, char *command)
{
	struct words w = { .n = 0 };
	struct buf out;
	int status;

	add(&w, "cordon", tools[tool].name);
	if (tool == TOOL_CHECK)
		add(&w, "--json", NULL);
	add_place(m, &w);
	add(&w, "--", command);
	buf_init(&out, &m->a);
	status = w.full ? -1 : mcp_run(m, &(struct mcp_run){ w.v, call, false }, &out);
	if (!m->cancelled)
		mcp_result(m, call->id, buf_str(&out),
		    status != EXIT_OK && status != EXIT_CONFINE && status != EXIT_ASK &&
			status != EXIT_DENY);
}

/* ---- files */

/* Open exactly the file that was judged: fail if any path component is now a symlink. */
static int
open_judged(struct mcp *m, struct str path, uint64_t flags)
{
	const char *c = str_to_path(&m->a, path);

	return c ? sys_openat2(AT_FDCWD, c, flags | O_NOCTTY | O_NONBLOCK,
		       flags & O_CREAT ? 0666 : 0,
		       KERNEL_RESOLVE_NO_SYMLINKS | KERNEL_RESOLVE_NO_MAGICLINKS)
		 : -1;
}

static void
read_file(struct mcp *m, const struct mcp_call *call, struct str path)
{
	int fd = open_judged(m, path, O_RDONLY);
	char *mem = arena_alloc(&m->a, MCP_TEXT + 1);
	size_t n = 0;
	ssize_t got = 0;

	while (fd >= 0 && mem && n <= MCP_TEXT &&
	       (got = read(fd, mem + n, MCP_TEXT + 1 - n)) > 0)
		n += (size_t)got;
	if (fd < 0 || !mem || got < 0)
		fail(m, call, "cannot read the file: ", str_from_c(strerror(errno)));
	else if (n > MCP_TEXT)
		fail(m, call,
		    "the file is larger than 1 MiB; use the shell tool with head or sed",
		    STR(""));
	else
		mcp_result(m, call->id, str_of(mem, n), false);
	if (fd >= 0)
		(void)close(fd);
}

static void
write_file(struct mcp *m, const struct mcp_call *call, struct str path)
{
	const struct json *content = json_get(call->arguments, STR("content"));
	struct str text;
	int fd;

	if (!content || content->kind != JSON_STRING) {
		fail(m, call, "write_file needs the content as a string", STR(""));
		return;
	}
	text = content->text.p ? content->text : STR("");
	fd = open_judged(m, path, O_WRONLY | O_CREAT | O_TRUNC);
	if (fd < 0 || !write_all(fd, text))
		fail(m, call, "cannot write the file: ", str_from_c(strerror(errno)));
	else
		mcp_result(m, call->id, STR("written"), false);
	if (fd >= 0)
		(void)close(fd);
}

static void
touch_file(struct mcp *m, const struct mcp_call *call, int tool, char *path)
{
	bool writes = tool == TOOL_WRITE_FILE;
	struct judge_request what = { .tool = writes ? STR("write") : STR("read"),
		.path = str_from_c(path) },
			     q = { 0 };
	struct question question = { 0 };
	struct judge_answer answer;
	struct keep_who who;
	unsigned facts = DOOR_TOOL | DOOR_ASKS;
	uint64_t number = 0;

	if (decide_about(m, call, &what, &q, &answer))
		return;
	who = who_asks(m, tools[tool].name, &q);
	(void)keep_decision(&m->keep, &who, &m->loader, q.path, &answer, &number);
	question.d = &answer.decision;
	question.what = answer.path;
	if (outcome_find(answer.decision.verdict, facts) == OUTCOME_ASK) {
		if (!ask(m, call, &question))
			keep_no(m, &who, number, q.path);
		else if (keep_answer(&m->keep, &who, number, q.path, VERDICT_ALLOW,
			     STR("accepted"), STR("by the client's user")) == 0)
			facts |= SAID_YES;
	}
	if (m->cancelled)
		return;
	if (outcome_find(answer.decision.verdict, facts) != OUTCOME_PASS)
		refused(m, call, &answer.decision);
	else if (writes)
		write_file(m, call, answer.path);
	else
		read_file(m, call, answer.path);
}

void
mcp_tool(struct mcp *m, struct str name, const struct mcp_call *call)
{
	struct place_opts before = m->place;
	int tool = 0;
	char *first, *cwd;

	while (tool < TOOL_NONE && !str_is(name, tools[tool].name))
		tool++;
	if (tool == TOOL_NONE) {
		mcp_error(call->id, -32602, STR("unknown tool"));
		return;
	}
	first = word(m, call, tools[tool].keys[0]);
	cwd = word(m, call, "cwd");
	if (!first || !keys_are_known(call, tool) ||
	    (!cwd && json_get(call->arguments, STR("cwd")))) {
		mcp_error(
		    call->id, -32602, STR("the arguments do not match the tool's schema"));
		return;
	}
	if (!take_cwd(m, call, cwd))
		return;
	if (tool == TOOL_SHELL)
		run_shell(m, call, first);
	else if (tool == TOOL_CHECK || tool == TOOL_EXPLAIN)
		run_question(m, call, tool, first);
	else
		touch_file(m, call, tool, first);
	m->place = before;
}
