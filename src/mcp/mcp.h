/*
 * mcp/mcp.h: internal: cordon as an MCP server on stdin and stdout.
 *
 * MUST
 * 1. Run commands only through `cordon run`, which decides, confines and records.  Touch
 *    only files that the same decision allows, and none through a symlink.
 * 2. Write only protocol messages to stdout, one per line.
 * 3. Accept only an explicit yes from the client as a yes.
 */
#pragma once
#include "gate/keep.h"
#include "gate/place.h"
#include "os/lines.h"

#define MCP_QUEUE 64
#define MCP_TEXT ((size_t)1 << 20) /* limit for a file or output in one answer */

struct mcp {
	const struct process *cli;
	struct place_opts place;
	struct arena a;      /* for one request */
	struct arena queued; /* for lines that arrive while a tool runs */
	struct loader loader;
	struct keep keep;
	struct lines in;
	struct str queue[MCP_QUEUE];
	size_t queue_n;
	bool elicits;     /* the client supports elicitation: it can ask its user */
	bool ready;       /* initialize was answered */
	bool cancelled;   /* the client cancelled the running request */
	bool ended;       /* stdin is at end-of-file */
	int64_t asked;    /* number of our last request to the client */
	char session[32]; /* AGENT:ID, as `cordon run --for` takes it */
};

/* A tool call: its id as the client wrote it, and the arguments. */
struct mcp_call {
	struct str id;
	const struct json *arguments;
	struct str token; /* progressToken as the client wrote it; .p == NULL: none */
};

/* ---- cmd_mcp.c: messages */

void mcp_send(struct str line);
void mcp_error(struct str id, int code, struct str why);
/* Send the result of a tool: its text, and whether it failed. */
void mcp_result(struct mcp *m, struct str id, struct str text, bool failed);
enum mcp_got {
	MCP_LINE,
	MCP_DEALT, /* handled, nothing left to do */
	MCP_END,
};

/*
 * Read the next line from the client.  Handle urgent ones here: a ping, and a cancellation
 * of the running request `id` or of a queued one.
 */
enum mcp_got mcp_next(struct mcp *m, struct str id, struct str *ret);
/* Queue a line; if the queue is full, answer with an error. */
void mcp_keep_line(struct mcp *m, struct str line);
/* Append `text` with invalid UTF-8 replaced by U+FFFD. */
void mcp_put_text(struct buf *b, struct str text);

/* ---- mcp_tools.c */

void mcp_tool(struct mcp *m, struct str name, const struct mcp_call *call);

/* ---- mcp_run.c: run cordon as a child */

struct mcp_run {
	char *const *argv; /* argv[0] included */
	const struct mcp_call *call;
	bool stream; /* report output as progress while it runs */
};

/* Append the output to *ret, at most MCP_TEXT followed by a note.  Return the exit status,
 * 128 + signal, or -1 if it could not be started. */
int mcp_run(struct mcp *m, const struct mcp_run *q, struct buf *ret);
