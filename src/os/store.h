/*
 * os/store.h: cordon's own files: rules, trust, sessions, compiled policies.
 *
 * MUST
 * 1. Check owner and mode on the open file descriptor, never on the name.
 * 2. Read a file whole or not at all, and none larger than a limit.
 * 3. Write a temporary file and rename it: a reader sees the old text or the new one.
 */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* The attributes that differ between two versions of a file. */
struct identity {
	bool there;
	uint64_t dev, ino, size;
	int64_t mtime, mtime_ns, ctime, ctime_ns;
	uint32_t mode, uid;
};

/* stat() the file at `path`; `there` is false if it does not exist. */
struct identity identity_find(const char *path);

enum store_trust {
	STORE_ANY,   /* any owner: a file of the project */
	STORE_OWN,   /* owned by this user or root, writable by no other user */
	STORE_ADMIN, /* owned by root, writable by no other user */
};

enum store_result {
	STORE_OK,
	STORE_MISSING,
	STORE_FAILED,  /* see errno */
	STORE_ODD,     /* not a regular file, or too large */
	STORE_FOREIGN, /* wrong owner or mode */
};

/* Read the whole file; a NUL follows its last byte. */
enum store_result store_read(struct arena *a, const char *path, enum store_trust trust,
    size_t max, struct str *ret, struct identity *ret_identity);
/* Like store_read(), with `path` relative to the open directory `dir`. */
enum store_result store_read_at(struct arena *a, int dir, const char *path,
    enum store_trust trust, size_t max, struct str *ret, struct identity *ret_identity);
/* The reason for a failed store_read(): static text, or strerror()'s. */
const char *store_why(enum store_result r, enum store_trust trust);

/* Map the file read-only until the process exits. Return false unless this user owns the
 * file (`admin`: root) and no other user may write it. */
bool store_map(const char *path, bool admin, struct str *ret);

/* Replace the file, with mode 0600; create missing directories with mode 0700. On failure
 * return false and set errno. */
bool store_write(const char *path, struct str text);
bool store_make_parents(const char *path);
/* Create the missing directories above `path` with `mode`; *made counts them. */
bool store_make_dirs(const char *path, unsigned mode, unsigned *made);

/* Concatenate `parts` as a C string in the arena; NULL if it is too long or contains a
 * NUL. */
const char *store_name(struct arena *a, const struct str *parts, size_t n);
#define STORE_NAME(a, ...)                                                                 \
	store_name((a), (const struct str[]){ __VA_ARGS__ },                               \
	    sizeof((const struct str[]){ __VA_ARGS__ }) / sizeof(struct str))
