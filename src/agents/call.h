/* agents/call.h: inside the room: what the readers of the hosts share. */
#pragma once
#include "agents/hosts.h"

/* One payload being read. */
struct reading {
	struct arena *a;
	struct str text;
	const struct json *top;
	struct host_call *call;
	bool asks;         /* the owner wants Gemini's dialog */
	const char *wrong; /* static text: why it cannot be read */
};

/* A text of an object.  Absent or null: .p == NULL.  Another kind of value is wrong. */
struct str get_text(struct reading *r, const struct json *v, const char *key);
/* The same where it must be there. */
struct str need_text(struct reading *r, const struct json *v, const char *key);
bool wrong(struct reading *r, const char *why); /* false */

/* ---- tools.c: tools by their names */

enum tool_kind {
	KIND_END, /* of a table */
	KIND_SHELL,
	KIND_BAD, /* runs what cordon cannot read */
	KIND_READ,
	KIND_WRITE,
	KIND_EDIT,
	KIND_DELETE,
	KIND_LIST,
	KIND_GLOB,
	KIND_GREP,
	KIND_PATCH,
	KIND_NONE, /* neither runs anything nor touches files */
};

struct tool_entry {
	char name[26];
	uint8_t kind; /* enum tool_kind */
};

/*
 * Fills the call by the tool's name and its input.  A name that is in no table is taken by
 * its input: one with a command is CALL_BAD, one with a path edits that file.
 */
void take_tool(struct reading *r, const struct tool_entry *table, const struct json *input);
/* The directory that the tool itself names. */
void take_directory(struct reading *r, const struct json *input, const char *key);
/* `text` behind `prefix` as server and tool, at every `separator`. */
bool take_mcp(
    struct reading *r, struct str name, const char *prefix, const char *separator);
void add_mcp(struct reading *r, struct str server, struct str tool);
void add_touch(
    struct reading *r, const char *tool, struct str path, const struct json *member);
/* Each text of the list is a directory that is open. */
void take_projects(struct reading *r, const struct json *list);

/* ---- patch.c: every file that the text of an apply_patch touches */
void take_patch(struct reading *r, struct str patch);

/* ---- four of each host, in its own file */

/* Are these the keys of this host?  Asked where nobody says who calls. */
typedef bool host_test(const struct json *top);
typedef void host_reader(struct reading *r);
typedef void host_writer(
    struct buf *out, const struct host_call *call, const struct host_answer *answer);
/* Static bytes that the host takes for a refusal in any event. */
typedef struct host_bytes host_refuser(void);

#define HOST(NAME, name, bits, variable)                                                   \
	host_test is_##name;                                                               \
	host_reader read_##name;                                                           \
	host_writer write_##name;                                                          \
	host_refuser refuse_##name;
#include "agents/hosts.list"
#undef HOST

/* How a host is told no, beside what its writer prints. */
enum host_bits {
	HOST_FAULT_STATUS = 1, /* a fault is a status alone, with the reason on stderr */
	HOST_FAULT_BOTH = 2,   /* a fault has a status besides */
	HOST_DENY_STATUS = 4 | HOST_FAULT_STATUS, /* a denial has a status as well */
};
#define HOST_STATUS 2
#define NO_DECISION "cordon: refused: it failed or ran out of time before it could decide"

bool host_has(enum host host, enum host_bits bits);
void host_put(
    struct buf *out, const struct host_call *call, const struct host_answer *answer);
/* For hosts that take a status alone. */
struct host_bytes refuse_by_status(void);

bool has_key(const struct json *top, const char *key);
bool is_event(const struct json *top, const char *name); /* hook_event_name */
/* Copilot in Claude Code's spelling: with a time of day, without ids of calls. */
bool is_copilot_pascal(const struct json *top);

/* {"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{...}}}, as Claude
 * Code and Codex take it. */
void put_permission(struct buf *out, const struct host_answer *answer, bool with_input);
