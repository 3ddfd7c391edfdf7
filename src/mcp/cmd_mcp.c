#include "approve/spool.h"
#include "base/json/json.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "confine/plan/plan.h"
#include "mcp/mcp.h"
#include "os/file.h"
#include <unistd.h>

#define MCP_BYTES ((size_t)64 << 20)
#define QUEUE_BYTES ((size_t)16 << 20)

/* Generated from src/mcp/tools.json by tools/embed.py. */
struct str mcp_tool_list(void);

enum {
	RPC_PARSE = -32700,
	RPC_REQUEST = -32600,
	RPC_METHOD = -32601,
	RPC_PARAMS = -32602,
	RPC_BUSY = -32000
};

/* ---- sending */

void
mcp_send(struct str line)
{
	if (!write_all(STDOUT_FILENO, line) || !write_all(STDOUT_FILENO, STR("\n")))
		_exit(EXIT_INTERNAL); /* the client is gone */
}

static struct buf
message(struct mcp *m, struct str id)
{
	struct buf b;

	buf_init(&b, &m->a);
	buf_puts(&b, "{\"jsonrpc\":\"2.0\",\"id\":");
	buf_put(&b, id);
	return b;
}

void
mcp_error(struct str id, int code, struct str why)
{
	char mem[2048];
	struct arena a;
	struct buf b;

	arena_init(&a, mem, sizeof mem);
	buf_init(&b, &a);
	buf_puts(&b, "{\"jsonrpc\":\"2.0\",\"id\":");
	buf_put(&b, id.n && id.n < 256 ? id : STR("null"));
	buf_puts(&b, ",\"error\":{\"code\":");
	json_put_int(&b, code);
	buf_puts(&b, ",\"message\":");
	json_put_str(&b, why);
	buf_puts(&b, "}}");
	mcp_send(buf_str(&b));
}

void
mcp_put_text(struct buf *b, struct str text)
{
	uint32_t c;

	for (size_t i = 0, n; i < text.n; i += n ? n : 1) {
		n = utf8_take(text, i, &c);
		buf_put(b, n ? str_cut(text, i, i + n) : STR("\xef\xbf\xbd"));
	}
}

void
mcp_result(struct mcp *m, struct str id, struct str text, bool failed)
{
	struct buf b = message(m, id), clean;

	buf_init(&clean, &m->a);
	mcp_put_text(&clean, text);
	buf_puts(&b, ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":");
	json_put_str(&b, buf_str(&clean));
	buf_puts(&b, "}],\"isError\":");
	json_put_bool(&b, failed);
	buf_puts(&b, "}}");
	if (clean.full || b.full)
		mcp_error(id, -32603, STR("the answer is too large"));
	else
		mcp_send(buf_str(&b));
}

/* ---- receiving */

/*
 * Return the id of a request that does not parse, or "null": the client waits for an answer
 * to this id.  The usual cause is an escaped NUL or lone surrogate, which other JSON
 * writers let pass, so parse again with each \u escape replaced by a blank.
 */
static struct str
id_of_refused(struct mcp *m, struct str line)
{
	struct str copy = arena_copy(&m->a, line);
	char *c = (char *)(uintptr_t)copy.p;
	const struct json *v = NULL, *id;

	for (size_t i = 0; c && i + 5 < copy.n; i++)
		if (c[i] == '\\' && c[i + 1] == 'u')
			memcpy(c + i, "\\u0020", 6);
		else if (c[i] == '\\')
			i++;
	if (!c || json_read(&m->a, copy, NULL, &v, NULL))
		return STR("null");
	id = json_get(v, STR("id"));
	if (!id || (id->kind != JSON_STRING && id->kind != JSON_NUMBER))
		return STR("null");
	return json_source(line, id);
}

void
mcp_keep_line(struct mcp *m, struct str line)
{
	struct str copy =
	    m->queue_n < MCP_QUEUE ? arena_copy(&m->queued, line) : (struct str){ NULL, 0 };
	size_t used = m->a.used;

	if (copy.p) {
		m->queue[m->queue_n++] = copy;
		return;
	}
	mcp_error(id_of_refused(m, line), RPC_BUSY, STR("too many queued requests"));
	arena_back(&m->a, used);
}

/* Remove the request `of` from the queue. */
static void
take_back(struct mcp *m, struct str of)
{
	for (size_t i = 0; i < m->queue_n; i++) {
		const struct json *v = NULL;
		size_t used = m->a.used;
		bool same = json_read(&m->a, m->queue[i], NULL, &v, NULL) == 0 &&
			    json_get(v, STR("method")) && json_get(v, STR("id")) &&
			    str_eq(json_source(m->queue[i], json_get(v, STR("id"))), of);

		arena_back(&m->a, used);
		if (!same)
			continue;
		m->queue_n--;
		memmove(
		    m->queue + i, m->queue + i + 1, (m->queue_n - i) * sizeof *m->queue);
		return;
	}
}

/* Answer pings and handle cancellations; return true if the line was one. */
static bool
at_once(struct mcp *m, struct str id, struct str line)
{
	size_t used = m->a.used;
	const struct json *v = NULL, *method, *of;
	bool done = false;

	if (json_read(&m->a, line, NULL, &v, NULL) == 0) {
		method = json_get(v, STR("method"));
		of = json_get(json_get(v, STR("params")), STR("requestId"));
		if (method && str_is(method->text, "ping") && json_get(v, STR("id"))) {
			struct buf b =
			    message(m, json_source(line, json_get(v, STR("id"))));

			buf_puts(&b, ",\"result\":{}}");
			mcp_send(buf_str(&b));
			done = true;
		} else if (method && str_is(method->text, "notifications/cancelled")) {
			if (of && id.p && str_eq(json_source(line, of), id))
				m->cancelled = true;
			else if (of)
				take_back(m, json_source(line, of));
			done = true;
		}
	}
	arena_back(&m->a, used);
	return done;
}

enum mcp_got
mcp_next(struct mcp *m, struct str id, struct str *ret)
{
	switch (lines_next(&m->in, ret)) {
	case LINES_ONE:
		return at_once(m, id, *ret) ? MCP_DEALT : MCP_LINE;
	case LINES_TOO_LONG:
		mcp_error(STR("null"), RPC_PARSE, STR("the message is too long"));
		return MCP_DEALT;
	case LINES_END:
	case LINES_FAILED:
		break;
	}
	m->ended = true;
	return MCP_END;
}

/* ---- requests */

/* Protocol revisions that do not differ in anything this server uses. */
static bool
is_known_version(struct str v)
{
	static const char known[][11] = { "2025-11-25", "2025-06-18", "2025-03-26",
		"2024-11-05" };

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (str_is(v, known[i]))
			return true;
	return false;
}

static void
initialize(struct mcp *m, struct str id, const struct json *params)
{
	const struct json *asked = json_get(params, STR("protocolVersion"));
	const struct json *can =
	    json_get(json_get(params, STR("capabilities")), STR("elicitation"));
	struct buf b = message(m, id);

	if (!asked || asked->kind != JSON_STRING) {
		mcp_error(id, RPC_PARAMS, STR("initialize needs a protocolVersion"));
		return;
	}
	m->elicits = can && can->kind == JSON_OBJECT;
	m->ready = true;
	buf_puts(&b, ",\"result\":{\"protocolVersion\":");
	json_put_str(&b, is_known_version(asked->text) ? asked->text : STR("2025-11-25"));
	buf_puts(&b, ",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"cordon\","
		     "\"version\":\"" CORDON_VERSION
		     "\"},\"instructions\":\"Run shell commands with "
		     "the tool shell: they run in a sandbox, under the user's policy.\"}}");
	mcp_send(buf_str(&b));
}

static void
list_tools(struct mcp *m, struct str id)
{
	struct buf b = message(m, id);
	struct str list = mcp_tool_list();

	buf_puts(&b, ",\"result\":{\"tools\":");
	/* The file has one tool per line; a message must be a single line. */
	for (size_t i = 0; i < list.n; i++)
		if (list.p[i] != '\n')
			buf_putc(&b, list.p[i]);
	buf_puts(&b, "}}");
	mcp_send(buf_str(&b));
}

static void
call_tool(struct mcp *m, struct str id, struct str line, const struct json *params)
{
	const struct json *name = json_get(params, STR("name")),
			  *token = json_get(
			      json_get(params, STR("_meta")), STR("progressToken"));
	struct mcp_call call = { .id = id,
		.arguments = json_get(params, STR("arguments")) };

	if (!name || name->kind != JSON_STRING) {
		mcp_error(id, RPC_PARAMS, STR("tools/call needs the name of a tool"));
		return;
	}
	if (token && (token->kind == JSON_STRING || token->kind == JSON_NUMBER))
		call.token = json_source(line, token);
	m->cancelled = false;
	mcp_tool(m, name->text, &call);
}

static void
answer(struct mcp *m, struct str line)
{
	const struct json *v = NULL, *method, *id, *params;
	struct err e = { 0 };
	struct str at;

	if (json_read(&m->a, line, NULL, &v, &e)) {
		mcp_error(id_of_refused(m, line), RPC_PARSE,
		    STR("invalid JSON, NUL byte or invalid UTF-8"));
		return;
	}
	method = json_get(v, STR("method"));
	id = json_get(v, STR("id"));
	params = json_get(v, STR("params"));
	if (!id || !method) /* a notification, or a late answer */
		return;
	at = json_source(line, id);
	if ((id->kind != JSON_STRING && id->kind != JSON_NUMBER) ||
	    method->kind != JSON_STRING)
		mcp_error(STR("null"), RPC_REQUEST, STR("not a request"));
	else if (str_is(method->text, "initialize"))
		initialize(m, at, params);
	else if (!m->ready)
		mcp_error(at, RPC_REQUEST, STR("send initialize first"));
	else if (str_is(method->text, "tools/list"))
		list_tools(m, at);
	else if (str_is(method->text, "tools/call"))
		call_tool(m, at, line, params);
	else
		mcp_error(at, RPC_METHOD, STR("unknown method"));
}

/* Answer the queued lines, then the next one. */
static void
serve(struct mcp *m)
{
	struct str line, none = { NULL, 0 };

	while (!m->ended) {
		while (m->queue_n && !m->ended) {
			line = m->queue[0];
			memmove(m->queue, m->queue + 1, --m->queue_n * sizeof *m->queue);
			arena_reset(&m->a);
			answer(m, line);
		}
		arena_reset(&m->queued);
		arena_reset(&m->a);
		if (!m->ended && mcp_next(m, none, &line) == MCP_LINE) {
			line = arena_copy(&m->a, line);
			if (line.p)
				answer(m, line);
		}
	}
}

static bool
name_session(struct mcp *m)
{
	char id[SPOOL_ID];

	if (!spool_new_id(id))
		return false;
	memcpy(m->session, "mcp:", 4);
	memcpy(m->session + 4, id, 16);
	return true;
}

/* Roots come from the server's directory, not from the agent's. */
static int
take_place(struct mcp *m)
{
	static struct arena start;
	struct str where = { NULL, 0 };
	const char *path;

	if (!arena_map(&start, 4 * LIMIT_PATH))
		return internal_error("no memory", 0);
	if (m->place.cwd.p) {
		where = plan_real(&start, m->place.cwd);
		path = where.p ? str_to_path(&start, where) : NULL;
		if (!path)
			return usage_error(m->cli, "no such directory:", m->place.cwd);
		m->place.cwd = where = str_from_c(path);
	} else {
		path = str_to_path(&start, place_here(&start));
		if (!path)
			return internal_error("the current directory was removed", 0);
		where = str_from_c(path);
	}
	if (!m->place.roots.n)
		m->place.projects = (struct opt_values){ { where }, 1 };
	return 0;
}

int
cmd_mcp(const struct process *cli, int argc, char **argv)
{
	static struct mcp m;
	const struct opt opts[] = {
		OPT_VALUE("--cwd", &m.place.cwd),
		OPT_VALUE("--home", &m.place.home),
		OPT_VALUE("--policy", &m.place.policy),
		OPT_VALUE("--session", &m.place.session),
		OPT_VALUE("--mode", &m.place.mode),
		OPT_LIST("--root", &m.place.roots),
	};
	struct opts_result r = opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);

	if (r.done)
		return r.status;
	if (r.operand < argc)
		return usage_error(
		    cli, "takes no arguments, not", str_from_c(argv[r.operand]));
	m.cli = cli;
	m.keep.cli = cli;
	if (!arena_map(&m.a, MCP_BYTES) || !arena_map(&m.queued, QUEUE_BYTES) ||
	    !loader_init(&m.loader, cli) || !lines_init(&m.in, STDIN_FILENO))
		return internal_error("no memory", 0);
	if (!name_session(&m))
		return internal_error("no random numbers available", 0);
	r.status = take_place(&m);
	if (!r.status)
		serve(&m);
	return r.status;
}
