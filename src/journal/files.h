/* journal/files.h: open, check and lock the journal's files.  Internal. */
#pragma once
#include "journal/journal.h"
#include "os/clock.h"
#include "os/fd.h"
#include <sys/stat.h>
#include <unistd.h>

#define JOURNAL_LOCK JOURNAL_NAME ".lock"
#define JOURNAL_FRESH JOURNAL_NAME ".new"
#define JOURNAL_BAD JOURNAL_NAME ".bad."
/* "journal.", a number of at least eight digits, a NUL. */
#define JOURNAL_NAME_BYTES 40

/* Return CORDON_EIO with errno set to `error`, or to 0 if no system call failed. */
int files_error(struct err *reterr, int error, const char *why);

/* Check for a regular file of this user that nobody else can access; else CORDON_EIO. */
int files_check(const struct stat *st, uint32_t uid, struct err *reterr);

/* Take the lock (LOCK_EX or LOCK_SH); wait at most wait_ms. */
int files_lock(int fd, int how, uint32_t wait_ms, struct err *reterr);

/* Print `prefix` and `number` with at least eight digits. */
void files_number(const char *prefix, uint64_t number, char ret[static JOURNAL_NAME_BYTES]);
/* Parse the number after "journal."; false for any other name. */
bool files_take_number(struct str name, uint64_t *ret);
/* Find the greatest and the least file number in the directory, or 0. */
int files_range(
    struct journal *j, uint64_t *ret_least, uint64_t *ret_most, struct err *reterr);

/* Read part of `fd` while nobody writes.  `ours`: check owner and mode. wait_ms 0: there
 * is no writer, so take no lock. */
struct files_part {
	uint64_t from, most;
};
#define FILES_ALL ((struct files_part){ 0, UINT64_MAX })
int files_read(int fd, bool ours, uint32_t wait_ms, struct files_part part,
    struct journal_file *ret, struct err *reterr);
/* Copy `n` bytes of `fd` to new memory, fewer if the file ends before. */
int files_map(
    int fd, uint64_t from, size_t n, struct journal_file *ret, struct err *reterr);

/* Rename without replacing (EEXIST).  On failure return false with errno. */
bool files_rename(int dir, const char *from, const char *to);

/* Create the journal if it is missing: the first file, or the one after the newest. */
int journal_create(struct journal *j, struct arena *a, struct err *reterr);
/* Close the file `st`, which the caller has locked, and create the next. */
int journal_rotate(
    struct journal *j, struct arena *a, const struct stat *st, struct err *reterr);
/* The same for a file without a complete record: set it aside as bad. */
int journal_set_aside(
    struct journal *j, struct arena *a, const struct stat *st, struct err *reterr);
