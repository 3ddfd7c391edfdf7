/*
 * agents/hosts.h: an agent's JSON → a call; an answer → exactly the bytes that agent takes.
 *
 * MUST
 * 1. Have a refusal for every host that needs no memory and nothing of the payload.
 * 2. Refuse a payload that is not understood; never take it for an event without weight.
 * 3. Print no key that the host does not know, and nothing but the answer.
 * 4. Say "ask" only in an event where the host asks a person.
 * 5. Hand a rewritten input over whole, with every other member byte for byte.
 *
 * Nothing here looks at a file, the environment or the clock.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json/json.h"
#include "base/str.h"
#include "decide/decide.h"

enum host {
#define HOST(NAME, name, bits, variable) HOST_##NAME,
#include "agents/hosts.list"
#undef HOST
	HOST_AUTO, /* whoever it is, by the keys of the payload */
	HOSTS,
};

/* By the name on the command line. */
bool host_by_name(struct str name, enum host *ret);
const char *host_name(enum host host);
/* "the host is one of ..., not", in front of a name that is none. */
const char *host_expected(bool named);
/* The variable with the directory that the host was started for; empty: there is none. */
const char *host_variable(enum host host);

/* ---- what is called */

enum host_event {
	EVENT_OTHER,      /* one that decides nothing */
	EVENT_TOOL,       /* a tool is about to be called */
	EVENT_PERMISSION, /* the host is about to ask a person */
	EVENT_SHELL,      /* the second moment of Cursor: a command is about to run */
	EVENT_MCP,
	EVENT_READ,
	EVENT_SETTINGS, /* the host's settings have changed, and are about to count */
};

enum call_kind {
	CALL_NONE,     /* nothing that cordon has an opinion on */
	CALL_SHELL,    /* `command` */
	CALL_FILES,    /* `touches`, at least one */
	CALL_MCP,      /* `servers`: one of these names, the host does not say which */
	CALL_SETTINGS, /* `settings`: they must still name this hook */
	CALL_BAD,      /* `why`: it could run something, and nobody here can read it */
};

/* One path of a file tool. */
struct host_touch {
	struct str tool; /* read, write, edit, delete, list, glob, grep */
	struct str path; /* as it was given, or absolute where the host resolves it so */
	const struct json
	    *member; /* where it stands in the input; NULL: not to be changed */
	struct host_touch *next;
};

/* A way to read an MCP tool's name. */
struct host_mcp {
	struct str server, tool;
	struct host_mcp *next;
};

/* More than this is no tool call that a person could follow. */
#define HOST_TOUCHES 256

struct host_call {
	enum host host; /* whose bytes the answer must have */
	enum host_event event;
	struct str event_name; /* as the host calls it; .p == NULL: it does not say */
	enum call_kind kind;
	const char *why; /* static text, of CALL_BAD */

	struct str tool;    /* as the host calls it */
	struct str command; /* of CALL_SHELL */
	struct host_touch *touches;
	struct host_mcp *servers;
	struct str settings; /* the file that changed; .p == NULL: it does not say which */
	struct str cwd;      /* absolute; .p == NULL: not said */
	struct str session, call;     /* the host's ids; .p == NULL: none */
	struct str generation, model; /* for external hooks; .p == NULL: none */
	struct str *projects;         /* the directories it has open */
	size_t projects_n;

	const struct json *input; /* of the tool; NULL where it cannot be rewritten */
	struct str input_text;    /* the text that `input` was read from */
	const char *command_key;  /* its member that is the command */

	bool can_rewrite; /* the answer may hold another input */
	bool can_ask;     /* the answer may make the host ask a person */
	bool asks_later;  /* a later event of the same call can */
	bool untrusted;   /* the host says that the project is not trusted */
	bool plain;       /* it prints only: nothing is rewritten */
	bool planning;    /* it only plans: a run in the sandbox is not said aloud */
	bool wide;        /* a permission for more than the command itself */
	bool camel;       /* Copilot's own spelling of the keys */
};

/*
 * Reads a payload.  `host` may be HOST_AUTO; `ret->host` is whoever really calls (Cursor
 * and Copilot also call what was installed for Claude Code).  `asks` says that the owner
 * wants Gemini's dialog, which also lifts Gemini's own denials.  On failure *reterr has
 * the reason, and ret->host is good for a refusal.
 */
int host_read(struct arena *a, enum host host, bool asks, struct str text,
    struct host_call *ret, struct err *reterr);

/* ---- what is answered */

struct host_answer {
	enum verdict verdict; /* deny, ask or allow; confine is an allow with `input` */
	bool aloud;           /* say allow, so that the host does not ask */
	bool fault;           /* a denial because something went wrong: host_fault */
	struct str reason;    /* one line */
	struct str input;     /* the tool's whole new input as JSON; .p == NULL: as it is */
	struct str changes;   /* the same, only with the members that changed */
};

struct host_bytes {
	struct str out, err;
	int status;
};

/* False when there is no memory: then host_refusal is the answer. */
bool host_write(struct arena *a, const struct host_call *call,
    const struct host_answer *answer, struct host_bytes *ret);
/* A refusal that holds in every event of the host, with its reason: the payload was not
 * understood, the rules are broken.  False when there is no memory. */
bool host_fault(struct arena *a, const struct host_call *call, struct str reason,
    struct host_bytes *ret);
/* Static bytes for when nothing else can be said. */
struct host_bytes host_refusal(enum host host);

/* The input with `member` (the first, the second) replaced by texts; with `changed` only
 * those. */
struct host_change {
	const struct json *member;
	struct str value;
};
void host_put_input(struct buf *b, const struct host_call *call,
    const struct host_change *changes, size_t n, bool only_changed);
