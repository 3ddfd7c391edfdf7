/* journal/files.h: the journal's files: opened, checked, locked.  For this room only. */
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

/* CORDON_EIO, errno set to `error`: the cause, or 0 when no system call failed. */
int files_error(struct err *reterr, int error, const char *why);

/* The user's, for nobody else, and a regular file; else CORDON_EIO. */
int files_check(const struct stat *st, uint32_t uid, struct err *reterr);

/* Takes the lock (LOCK_EX or LOCK_SH), waiting at most wait_ms. */
int files_lock(int fd, int how, uint32_t wait_ms, struct err *reterr);

/* `prefix` and `number` with at least eight digits. */
void files_number(const char *prefix, uint64_t number, char ret[static JOURNAL_NAME_BYTES]);
/* The number behind "journal."; false when the name is no such. */
bool files_take_number(struct str name, uint64_t *ret);
/* The greatest and the least number that a file here has, or 0. */
int files_range(
    struct journal *j, uint64_t *ret_least, uint64_t *ret_most, struct err *reterr);

/* The bytes that `fd` has there when no write is going on; `ours`: owner and mode are
 * checked; wait_ms 0: nobody can be writing, and no lock is taken. */
struct files_part {
	uint64_t from, most;
};
#define FILES_ALL ((struct files_part){ 0, UINT64_MAX })
int files_read(int fd, bool ours, uint32_t wait_ms, struct files_part part,
    struct journal_file *ret, struct err *reterr);
/* `n` bytes of `fd` in memory of their own, fewer if it ends before. */
int files_map(
    int fd, uint64_t from, size_t n, struct journal_file *ret, struct err *reterr);

/* Renames, unless the new name exists (EEXIST).  False: errno. */
bool files_rename(int dir, const char *from, const char *to);

/* Makes the journal if it is missing: the first, or the one behind the newest file. */
int journal_create(struct journal *j, struct arena *a, struct err *reterr);
/* Closes the file `st`, which the caller has locked, and makes the next. */
int journal_rotate(
    struct journal *j, struct arena *a, const struct stat *st, struct err *reterr);
/* The same for one in which no record is whole: it is set aside as bad. */
int journal_set_aside(
    struct journal *j, struct arena *a, const struct stat *st, struct err *reterr);
