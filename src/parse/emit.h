/* parse/emit.h: a tree of named nodes and fields, written as indented text or as JSON. */
#pragma once
#include "base/buf.h"
#include "base/span.h"
#include "base/str.h"

struct emit {
	struct buf *b;
	bool json;
	int depth;
};

/* A node; `key` says what it is to its parent and is NULL inside a list. */
void emit_open(struct emit *o, const char *key, const char *kind, const struct span *at);
void emit_close(struct emit *o);
/* Nodes of the same key; text has no sign for them. */
void emit_list(struct emit *o, const char *key);
void emit_list_end(struct emit *o);
/* Fields of the open node, before any of its nodes. */
void emit_str(struct emit *o, const char *key, struct str s);
void emit_int(struct emit *o, const char *key, int64_t n);
void emit_flag(struct emit *o, const char *key, bool set); /* nothing unless set */
