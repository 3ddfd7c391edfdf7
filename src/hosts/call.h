/* hosts/call.h: inside the room: what the readers of the hosts share. */
#pragma once
#include "hosts/hosts.h"

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

/* ---- one of each for every host */

typedef void host_reader(struct reading *r);
typedef void host_writer(
    struct buf *out, const struct host_call *call, const struct host_answer *answer);

host_reader read_claude, read_cursor, read_codex, read_gemini, read_copilot, read_pi,
    read_opencode, read_windsurf, read_cline;
host_writer write_claude, write_cursor, write_codex, write_gemini, write_copilot, write_pi,
    write_opencode, write_windsurf, write_cline;

host_writer *writer_of(enum host host);

/* {"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{...}}}, as Claude
 * Code and Codex take it. */
void put_permission(struct buf *out, const struct host_answer *answer, bool with_input);
/* `,"key":"text"`, the comma where it is needed. */
void put_member(struct buf *out, const char *key, struct str text);
