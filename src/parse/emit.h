/* parse/emit.h: write a tree of named nodes and fields as indented text or JSON. */
#pragma once
#include "base/buf.h"
#include "base/span.h"
#include "base/str.h"

struct emit {
	struct buf *b;
	bool json;
	int depth;
};

/* Begin a node; `key` is its role in the parent, NULL inside a list. */
void emit_open(struct emit *o, const char *key, const char *kind, const struct span *at);
void emit_close(struct emit *o);
/* Begin a list of nodes; indented text has no mark for it. */
void emit_list(struct emit *o, const char *key);
void emit_list_end(struct emit *o);
/* Write fields of the open node; they come before its child nodes. */
void emit_str(struct emit *o, const char *key, struct str s);
void emit_int(struct emit *o, const char *key, int64_t n);
void emit_flag(struct emit *o, const char *key, bool set); /* writes nothing unless set */
