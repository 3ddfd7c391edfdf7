/*
 * os/store.h: cordon's own files: rules, trust, sessions, images.
 *
 * MUST
 * 1. Check owner and mode on the open descriptor, never on the name.
 * 2. Take a file whole or not at all, and none beyond a limit.
 * 3. Write beside the file and rename: a reader sees the old one or the new one.
 */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* What tells one state of a file from another. */
struct identity {
	bool there;
	uint64_t dev, ino, size;
	int64_t mtime, mtime_ns, ctime, ctime_ns;
	uint32_t mode, uid;
};

/* Of the file at `path`, links followed; `there` is false when there is none. */
struct identity identity_find(const char *path);

enum store_trust {
	STORE_ANY,   /* whoever wrote it: the project's file */
	STORE_OWN,   /* this user or root, and nobody else may write it */
	STORE_ADMIN, /* root, and nobody else may write it */
};

enum store_result {
	STORE_OK,
	STORE_MISSING,
	STORE_FAILED,  /* errno says why */
	STORE_ODD,     /* no regular file, or one that is too large */
	STORE_FOREIGN, /* owner or mode are not as they must be */
};

/* The bytes of the file, with a NUL behind them. */
enum store_result store_read(struct arena *a, const char *path, enum store_trust trust,
    size_t max, struct str *ret, struct identity *ret_identity);
/* The same of a file in a directory that is open. */
enum store_result store_read_at(struct arena *a, int dir, const char *path,
    enum store_trust trust, size_t max, struct str *ret, struct identity *ret_identity);
/* A sentence for what went wrong: static, or strerror's. */
const char *store_why(enum store_result r, enum store_trust trust);

/* Mapped, read-only, for ever; only if this user owns it and nobody else may write it. */
bool store_map(const char *path, bool admin, struct str *ret);

/* Mode 0600, in a directory that is made with mode 0700 if it is missing.  False: errno. */
bool store_write(const char *path, struct str text);
bool store_make_parents(const char *path);
/* The same with another mode; *made counts those that were not there. */
bool store_make_dirs(const char *path, unsigned mode, unsigned *made);

/* `parts` one behind another as a C string in the arena; NULL when there is no room or a
 * NUL in them. */
const char *store_name(struct arena *a, const struct str *parts, size_t n);
#define STORE_NAME(a, ...)                                                                 \
	store_name((a), (const struct str[]){ __VA_ARGS__ },                               \
	    sizeof((const struct str[]){ __VA_ARGS__ }) / sizeof(struct str))
