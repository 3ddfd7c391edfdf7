/*
 * mcp/mcp.h: cordon as an MCP server on standard input and output.
 *
 * MUST
 * 1. Run nothing but through `cordon run`, which decides, confines and records; touch no
 *    file that the same decision does not allow, and none through a link.
 * 2. Put nothing on standard output but messages of the protocol, one a line.
 * 3. Let no answer of a client's but an explicit yes count as one.
 */
#pragma once
#include "gate/keep.h"
#include "gate/place.h"
#include "os/lines.h"

#define MCP_QUEUE 64
#define MCP_TEXT ((size_t)1 << 20) /* of a file or of output in one answer */

struct mcp {
	const struct process *cli;
	struct place_opts place;
	struct arena a;      /* one request */
	struct arena queued; /* lines that came while something ran */
	struct loader loader;
	struct keep keep;
	struct lines in;
	struct str queue[MCP_QUEUE];
	size_t queue_n;
	bool elicits;     /* the client can ask its user */
	bool ready;       /* initialize was answered */
	bool cancelled;   /* the client takes the request back that is at work */
	bool ended;       /* standard input has */
	int64_t asked;    /* our own requests, numbered */
	char session[32]; /* HOST:ID, as `cordon run --for` takes it */
};

/* One call of a tool: its id as the client wrote it, and what it gave. */
struct mcp_call {
	struct str id;
	const struct json *arguments;
	struct str token; /* of progress, as the client wrote it; .p == NULL: none */
};

/* ---- cmd_mcp.c: messages */

void mcp_send(struct str line);
void mcp_error(struct str id, int code, struct str why);
/* The result of a tool: text, and whether it failed. */
void mcp_result(struct mcp *m, struct str id, struct str text, bool failed);
enum mcp_got {
	MCP_LINE,
	MCP_DEALT, /* there was one, and nothing is left to do */
	MCP_END,
};

/*
 * The next line from the client.  Those that cannot wait are dealt with here: a ping, and
 * that a request is taken back, `id`, which is at work, or one that waits.
 */
enum mcp_got mcp_next(struct mcp *m, struct str id, struct str *ret);
/* It waits; without room it is answered with an error. */
void mcp_keep_line(struct mcp *m, struct str line);
/* `text` without bytes that are no UTF-8. */
void mcp_put_text(struct buf *b, struct str text);

/* ---- mcp_tools.c */

void mcp_tool(struct mcp *m, struct str name, const struct mcp_call *call);

/* ---- mcp_run.c: cordon itself as a child */

struct mcp_run {
	char *const *argv; /* with the program's name */
	const struct mcp_call *call;
	bool stream; /* report what it prints as it comes */
};

/* What it printed, at most MCP_TEXT (more is said behind it), in *ret; its exit status, 128
 * + n, or -1 when it could not be started. */
int mcp_run(struct mcp *m, const struct mcp_run *q, struct buf *ret);
