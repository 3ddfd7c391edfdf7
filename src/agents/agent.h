/* agents/agent.h: for agents/NAME.c: what one agent must define, and helpers for it. */
#pragma once
#include "agents/agents.h"

/* One payload being read. */
struct payload {
	struct arena *a;
	struct str text;
	const struct json *top;
	struct agent_call *call;
	bool asks;         /* the owner wants Gemini's dialog */
	const char *wrong; /* static text: why it cannot be read */
};

/* A text of an object.  Absent or null: .p == NULL.  Another kind of value is wrong. */
struct str payload_text(struct payload *r, const struct json *v, const char *key);
/* The same where it must be there. */
struct str payload_need(struct payload *r, const struct json *v, const char *key);
bool payload_wrong(struct payload *r, const char *why); /* false */

/* ---- payload.c: tools by their names */

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
void payload_tool(
    struct payload *r, const struct tool_entry *table, const struct json *input);
/* The directory that the tool itself names. */
void payload_directory(struct payload *r, const struct json *input, const char *key);
/* `text` behind `prefix` as server and tool, at every `separator`. */
bool payload_split_mcp(
    struct payload *r, struct str name, const char *prefix, const char *separator);
void payload_mcp(struct payload *r, struct str server, struct str tool);
void payload_touch(
    struct payload *r, const char *tool, struct str path, const struct json *member);
/* Each text of the list is a directory that is open. */
void payload_projects(struct payload *r, const struct json *list);

/* ---- patch.c: every file that the text of an apply_patch touches */
void payload_patch(struct payload *r, struct str patch);

/* ---- one agent: agents/NAME.c */

/* Does the agent send payloads with these keys?  For `cordon hook auto`. */
typedef bool agent_test(const struct json *top);
/* Fill r->call from r->top, or call payload_wrong. */
typedef void agent_reader(struct payload *r);
/* Print the answer in the agent's own form. */
typedef void agent_writer(
    struct buf *out, const struct agent_call *call, const struct agent_answer *answer);

#define AGENT(NAME, name)                                                                  \
	extern const struct agent_profile name##_profile;                                  \
	agent_test name##_sends;                                                           \
	agent_reader name##_read;                                                          \
	agent_writer name##_write;
#include "agents/agents.list"
#undef AGENT

#define NO_DECISION "cordon: refused: it failed or ran out of time before it could decide"

void agent_put(
    struct buf *out, const struct agent_call *call, const struct agent_answer *answer);

bool payload_has(const struct json *top, const char *key);
bool payload_is_event(const struct json *top, const char *name); /* hook_event_name */
/* Copilot in Claude Code's spelling: with a time of day, without ids of calls. */
bool copilot_is_pascal(const struct json *top);

/* {"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{...}}}, as Claude
 * Code and Codex take it. */
void agent_put_permission(
    struct buf *out, const struct agent_answer *answer, bool with_input);
