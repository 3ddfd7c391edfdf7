/*
 * agents/agents.h: the coding agents: payload → call, answer → exactly the bytes that the
 * agent reads, and a profile of each agent for installation and diagnosis.
 *
 * MUST
 * 1.  Have a refusal for every agent that needs no memory and nothing from the payload.
 * 2.  Reject a payload that cannot be read; never treat it as an event that decides
 * nothing.
 * 3.  Print no key that the agent does not know, and nothing but the answer.
 * 4.  Answer "ask" only in an event in which the agent asks a person.
 * 5.  Return a rewritten input complete, with every other member byte for byte.
 *
 * This room opens no file and reads neither the environment nor the clock.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json/json.h"
#include "base/str.h"
#include "decide/decide.h"

enum agent {
#define AGENT(NAME, name) AGENT_##NAME,
#include "agents/agents.list"
#undef AGENT
	AGENTS,
	AGENT_AUTO = AGENTS, /* recognise the agent by the keys of its payload */
};

/* Find an agent, or "auto", by its name on the command line. */
bool agent_by_name(struct str name, enum agent *ret);
const char *agent_name(enum agent agent);
/* The message for an unknown name, printed before that name, or for a missing one. */
const char *agent_expected(bool named, bool with_auto);

/* ---- profile: the facts that differ between agents */

enum agent_scope { SCOPE_USER, SCOPE_PROJECT, SCOPE_MANAGED, SCOPES };

enum agent_form {
	FORM_NONE,
	FORM_JSON,   /* shared with the user: cordon's entries are merged in */
	FORM_TOML,   /* shared: cordon has a marked block at the end */
	FORM_WHOLE,  /* cordon's own file */
	FORM_SCRIPT, /* cordon's own executable file */
};

/* A settings file in which the agent looks for hooks. */
struct agent_file {
	unsigned char form;     /* enum agent_form; FORM_NONE: the agent has none */
	unsigned char replaces; /* `variable`, if set, replaces this many bytes of `path` */
	char variable[20];      /* empty: none */
	/* Below the home, the project or the root directory, by scope. */
	char path[44];
};

/* A setting that switches hooks off. */
struct agent_switch {
	enum { SWITCH_NONE, SWITCH_TRUE, SWITCH_FALSE, SWITCH_LISTS_CORDON } when;
	enum { IN_SETTINGS, IN_PROJECT, IN_MANAGED, BESIDE_USER } where;
	char key[28]; /* members, dots between */
	/* IN_PROJECT: below the root.  BESIDE_USER: beside the user's settings file. */
	char path[32];
};
#define AGENT_SWITCHES 3

/* Behaviour of the agent if the hook is killed or cannot start. */
enum agent_fails { FAILS_OPEN, FAILS_CLOSED, FAILS_UNSURE };

/* How the agent learns of a refusal, in addition to the writer's output. */
enum agent_refuses {
	AGENT_FAULT_STATUS = 1, /* on a fault: exit status alone, reason on stderr */
	AGENT_FAULT_BOTH = 2,   /* on a fault: exit status and output */
	AGENT_DENY_STATUS = 4 | AGENT_FAULT_STATUS, /* on a denial: exit status as well */
};
#define AGENT_STATUS 2

/* Arrays, not pointers: the table needs no relocations at start. */
struct agent_profile {
	char title[20];        /* "Claude Code" */
	char variable[20];     /* names the project directory; empty: none */
	unsigned char refuses; /* enum agent_refuses */
	/* Output that refuses in any event, for when there is no memory or no time; empty:
	 * the exit status alone does. */
	char refusal[208];

	/* settings */
	struct agent_file files[SCOPES];
	char events[112]; /* to register: a NUL after each, an empty one at the end */
	/* One hook entry as JSON: % command line, $ program, & arguments, # seconds. */
	char entry[128];
	char line_key[8];   /* the member of an entry that has the command line */
	char matcher[4];    /* entries lie in groups with this matcher; empty: no groups */
	char stops_key[12]; /* the member that makes a failing hook stop the tool call */
	bool has_version;   /* the file needs "version": 1 */
	bool own_file;      /* remove the file with its last hook */
	struct agent_switch off[AGENT_SWITCHES];

	/* behaviour */
	bool user_shell;      /* commands run in the user's shell, which may not be bash */
	bool no_shell;        /* the agent starts the hook without /bin/sh */
	bool needs_trust;     /* the agent ignores a user's hook until the user trusts it */
	unsigned char fails;  /* enum agent_fails */
	char fails_text[80];  /* the same in words, after "TITLE " */
	char stops_since[12]; /* the first version that knows stops_key; empty: all versions
			       */

	/* diagnosis */
	char program[16], dir[24]; /* program on PATH, or directory below the home, of an
				      installed agent */
	char sample[352];          /* a call of its shell tool: % command, @ directory */
	char refused[32]; /* part of the output of a refusal; empty: exit status 2 */
};

const struct agent_profile *agent_profile(enum agent agent);

/* ---- the call */

enum agent_event {
	EVENT_OTHER,      /* decides nothing */
	EVENT_TOOL,       /* a tool is about to be called */
	EVENT_PERMISSION, /* the agent is about to ask a person */
	EVENT_SHELL,      /* Cursor, after preToolUse: a command is about to run */
	EVENT_MCP,
	EVENT_READ,
	EVENT_SETTINGS, /* settings changed and are about to take effect */
};

enum call_kind {
	CALL_NONE,     /* nothing to judge */
	CALL_SHELL,    /* `command` */
	CALL_FILES,    /* `touches`, at least one */
	CALL_MCP,      /* `servers`: the name is ambiguous; judge every reading */
	CALL_SETTINGS, /* `settings`: they must still name this hook */
	CALL_BAD,      /* `why`: may run code that cordon cannot read */
};

/* One path of a file tool. */
struct agent_touch {
	struct str tool;           /* read, write, edit, delete, list, glob, grep */
	struct str path;           /* as given, or absolute if the agent resolves it */
	const struct json *member; /* its member in the input; NULL: cannot be changed */
	struct agent_touch *next;
};

/* One reading of an MCP tool's name. */
struct agent_mcp {
	struct str server, tool;
	struct agent_mcp *next;
};

/* Limit for one call; a person could not follow more. */
#define AGENT_TOUCHES 256

struct agent_call {
	enum agent agent; /* the agent that gets the answer */
	enum agent_event event;
	struct str event_name; /* the agent's name for it; .p == NULL: not given */
	enum call_kind kind;
	const char *why; /* of CALL_BAD; static text */

	struct str tool;    /* the agent's name for it */
	struct str command; /* of CALL_SHELL */
	struct agent_touch *touches;
	struct agent_mcp *servers;
	struct str settings;          /* the file that changed; .p == NULL: not given */
	struct str cwd;               /* absolute; .p == NULL: not given */
	struct str session, call;     /* the agent's ids; .p == NULL: none */
	struct str generation, model; /* for external hooks; .p == NULL: none */
	struct str *projects;         /* open project directories */
	size_t projects_n;

	const struct json *input; /* the tool's input; NULL: cannot be rewritten */
	struct str input_text;    /* the text that `input` was read from */
	const char *command_key;  /* the member of `input` with the command */

	bool can_rewrite; /* the answer may replace the input */
	bool can_ask;     /* the answer may make the agent ask a person */
	bool asks_later;  /* a later event of this call can ask */
	bool untrusted;   /* the agent says that the project is not trusted */
	bool plain;       /* non-interactive: do not rewrite paths */
	bool planning;    /* plan mode: do not report a confined run as allowed */
	bool wide;        /* permission for more than this command */
	bool camel;       /* Copilot's own (camelCase) key names */
};

/*
 * Read a payload.  `agent` may be AGENT_AUTO; `ret->agent` is the real sender (Cursor and
 * Copilot also call a hook that was installed for Claude Code).  `asks` enables Gemini's
 * dialog, which also lifts Gemini's own denials.  On failure *reterr has the reason, and
 * ret->agent is valid for a refusal.
 */
int agent_read(struct arena *a, enum agent agent, bool asks, struct str text,
    struct agent_call *ret, struct err *reterr);

/* ---- the answer */

struct agent_answer {
	enum verdict verdict; /* deny, ask or allow; confine is an allow with `input` */
	bool aloud;           /* say "allow" explicitly, so that the agent does not ask */
	bool fault;           /* denied because of an error: print as agent_fault */
	struct str reason;    /* one line */
	struct str input;     /* the complete new input as JSON; .p == NULL: unchanged */
	struct str changes;   /* the same, with the changed members only */
};

struct agent_bytes {
	struct str out, err;
	int status;
};

/* Return false if memory runs out; then answer with agent_refusal. */
bool agent_write(struct arena *a, const struct agent_call *call,
    const struct agent_answer *answer, struct agent_bytes *ret);
/* A denial that the agent accepts in every event, for errors: unreadable payload, broken
 * rules.  Return false if memory runs out. */
bool agent_fault(struct arena *a, const struct agent_call *call, struct str reason,
    struct agent_bytes *ret);
/* Static refusal, for when nothing else can be printed. */
struct agent_bytes agent_refusal(enum agent agent);

/* One replaced member of the input. agent_put_input prints the input with these values,
 * or only the changed members. */
struct agent_change {
	const struct json *member;
	struct str value;
};
void agent_put_input(struct buf *b, const struct agent_call *call,
    const struct agent_change *changes, size_t n, bool only_changed);
