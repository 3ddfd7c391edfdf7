/* agents/agent.h: for agents/NAME.c: what one agent must define, and helpers for it. */
#pragma once
#include "agents/agents.h"

/* A payload while it is read. */
struct payload {
	struct arena *a;
	struct str text;
	const struct json *top;
	struct agent_call *call;
	bool asks;         /* the owner wants Gemini's dialog */
	const char *wrong; /* static text: why it cannot be read */
};

/* Return a string member.  Absent or null: .p == NULL. Any other type is wrong. */
struct str payload_text(struct payload *r, const struct json *v, const char *key);
/* Return a string member that must be present. */
struct str payload_need(struct payload *r, const struct json *v, const char *key);
bool payload_wrong(struct payload *r, const char *why); /* always returns false */

/* ---- payload.c: tools by their names */

enum tool_kind {
	KIND_END, /* ends a table */
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
 * Fill the call from the tool's name and input.  A tool that is in no table is classified
 * by its input: one with a command is CALL_BAD, one with a path edits that file.
 */
void payload_tool(
    struct payload *r, const struct tool_entry *table, const struct json *input);
/* Set the working directory from a member of the tool's input. */
void payload_directory(struct payload *r, const struct json *input, const char *key);
/* Split `name`, after `prefix`, into server and tool at every `separator`. */
bool payload_split_mcp(
    struct payload *r, struct str name, const char *prefix, const char *separator);
void payload_mcp(struct payload *r, struct str server, struct str tool);
void payload_touch(
    struct payload *r, const char *tool, struct str path, const struct json *member);
/* Record each string of the list as an open project directory. */
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

#define NO_DECISION "cordon: refused: cordon failed or ran out of time before a decision"

void agent_put(
    struct buf *out, const struct agent_call *call, const struct agent_answer *answer);

bool payload_has(const struct json *top, const char *key);
bool payload_is_event(const struct json *top, const char *name); /* hook_event_name */
/* Copilot with Claude Code's key names: it sends a timestamp and no tool_use_id. */
bool copilot_is_pascal(const struct json *top);

/* Print {"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{...}}},
 * the form of Claude Code and Codex. */
void agent_put_permission(
    struct buf *out, const struct agent_answer *answer, bool with_input);
