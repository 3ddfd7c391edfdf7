#define _GNU_SOURCE
#include "journal/journal.h"
#include "journal/files.h"
#include "journal/redact/redact.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

/* Bytes to read from the end first: most records are shorter. */
#define WINDOW 1024
/* Limit for retries when the file is replaced while we wait for its lock. */
#define TRIES 64

/* ---- the directory */

static void
set_opts(struct journal *j, const struct journal_opts *opts)
{
	if (opts)
		j->opts = *opts;
	if (j->opts.file_bytes == 0)
		j->opts.file_bytes = JOURNAL_FILE_BYTES;
	if (j->opts.files == 0)
		j->opts.files = JOURNAL_FILES;
	if (j->opts.wait_ms == 0)
		j->opts.wait_ms = JOURNAL_WAIT_MS;
}

static int
check_directory(int fd, uint32_t uid, struct err *reterr)
{
	struct stat st;

	if (fstat(fd, &st))
		return files_error(reterr, errno, "cannot examine the journal's directory");
	if (st.st_uid != uid)
		return files_error(
		    reterr, 0, "the journal's directory belongs to another user");
	if (st.st_mode & 077)
		return files_error(reterr, 0,
		    "other users can access the journal's directory: its mode must be "
		    "0700");
	return 0;
}

/* Create each missing parent directory of `path`, which is modified and restored. */
static bool
make_parents(int dir, char *path)
{
	for (char *c = path + 1; *c; c++) {
		bool made;

		if (*c != '/')
			continue;
		*c = '\0';
		made = mkdirat(dir, path, 0700) == 0 || errno == EEXIST;
		*c = '/';
		if (!made)
			return false;
	}
	return true;
}

static int
make_directory(int dir, char *path)
{
	if (mkdirat(dir, path, 0700) == 0 || errno == EEXIST)
		return 0;
	if (errno != ENOENT || !make_parents(dir, path))
		return -1;
	return mkdirat(dir, path, 0700) == 0 || errno == EEXIST ? 0 : -1;
}

int
journal_open_at(struct journal *j, int dir, struct str name,
    const struct journal_opts *opts, struct err *reterr)
{
	const int how = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	cleanup_fd int fd = -1;
	char path[JOURNAL_PATH_MAX];
	int err;

	*j = (struct journal){ .dir = -1 };
	if (name.n == 0 || name.n >= sizeof path || str_find(name, '\0') < name.n)
		return err_at(reterr, CORDON_EINVAL, 0, "not a possible directory name");
	memcpy(path, name.p, name.n);
	path[name.n] = '\0';
	set_opts(j, opts);
	fd = openat(dir, path, how);
	if (fd < 0 && errno == ENOENT && !j->opts.read_only) {
		if (make_directory(dir, path))
			return files_error(
			    reterr, errno, "cannot create the journal's directory");
		fd = openat(dir, path, how);
	}
	if (fd < 0)
		return files_error(reterr, errno, "cannot open the journal's directory");
	j->uid = geteuid();
	err = check_directory(fd, j->uid, reterr);
	if (err)
		return err;
	j->dir = fd_steal(&fd);
	return 0;
}

int
journal_open(
    struct journal *j, struct str path, const struct journal_opts *opts, struct err *reterr)
{
	return journal_open_at(j, AT_FDCWD, path, opts, reterr);
}

void
journal_close(struct journal *j)
{
	/* Descriptor 0 means a zeroed struct; it is never a journal. */
	if (j->dir > 0)
		(void)close(j->dir);
	j->dir = -1;
}

/* ---- appending */

/* State of the file during an append, under the lock. */
struct append_state {
	int fd;
	struct stat st;
	struct journal_tail tail;
};

/* Examine a copy of the last `n` bytes; sets *ret_found. */
static int
find_tail_in(struct arena *a, struct append_state *p, uint64_t n, bool *ret_found,
    struct err *reterr)
{
	cleanup_journal_file struct journal_file part = { 0 };
	uint64_t size = (uint64_t)p->st.st_size, from = size > n ? size - n : 0;
	int err = files_map(p->fd, from, (size_t)(size - from), &part, reterr);

	if (err)
		return err;
	*ret_found = journal_find_tail(a, part.bytes, from, &p->tail);
	if (!*ret_found && from == 0)
		return err_at(reterr, CORDON_ENOMEM, 0, "no memory for the journal");
	return 0;
}

static int
find_tail(struct arena *a, struct append_state *p, struct err *reterr)
{
	uint64_t size = (uint64_t)p->st.st_size;
	uint64_t from = size > WINDOW ? size - WINDOW : 0;
	char window[WINDOW];
	ssize_t n = pread(p->fd, window, (size_t)(size - from), (off_t)from);
	bool found;
	int err = 0;

	if (n < 0 || (uint64_t)n != size - from)
		return files_error(reterr, n < 0 ? errno : 0, "cannot read the journal");
	found = journal_find_tail(a, str_of(window, (size_t)n), from, &p->tail);
	/* A long record, or damage: read more and more of the end. */
	for (uint64_t more = WINDOW; !found && !err;) {
		more *= 16;
		err = find_tail_in(a, p, more, &found, reterr);
	}
	return err;
}

/* Make the seal for the bytes from `at` to the end of the file. */
static int
make_seal(
    struct arena *a, const struct append_state *p, struct str *ret, struct err *reterr)
{
	uint64_t at = p->tail.end, size = (uint64_t)p->st.st_size - at;
	struct record seal = {
		.kind = RECORD_SEAL, .at = { true, at }, .size = { true, size }
	};
	struct sha256 s;

	sha256_init(&s);
	for (uint64_t done = 0; done < size;) {
		char part[WINDOW / 2]; /* on the stack of every append, so keep it small */
		ssize_t n = pread(p->fd, part, sizeof part, (off_t)(at + done));

		if (n <= 0)
			return files_error(
			    reterr, n < 0 ? errno : 0, "cannot read the journal");
		sha256_put(&s, str_of(part, (size_t)n));
		done += (uint64_t)n;
	}
	seal.digest.set = true;
	sha256_done(&s, seal.digest.b);
	return record_encode(a, &seal, ret, reterr);
}

/* Build everything that this append writes: a seal if needed, and the record. */
static int
make_bytes(struct arena *a, const struct append_state *p, struct str body, int64_t time,
    struct str *ret, struct journal_head *head, struct err *reterr)
{
	bool torn = p->tail.end < (uint64_t)p->st.st_size;
	struct str seal = { NULL, 0 };
	size_t n = 0;
	char *out;
	int err = torn ? make_seal(a, p, &seal, reterr) : 0;

	if (err)
		return err;
	out = arena_alloc(a, 1 + frame_room(seal.n) + frame_room(body.n));
	if (!out)
		return err_at(reterr, CORDON_ENOMEM, 0, "no memory for a record");
	*head = p->tail.head;
	if (torn || p->tail.open)
		out[n++] = '\0';
	if (torn) {
		record_finish(
		    seal, ++head->sequence, clock_now_ns(), head->chain, head->chain);
		n += frame_put(seal, out + n);
	}
	record_finish(
	    body, ++head->sequence, time ? time : clock_now_ns(), head->chain, head->chain);
	n += frame_put(body, out + n);
	*ret = str_of(out, n);
	return 0;
}

/* True if the first line names another version of the format.  A damaged first line does
 * not count: the file continues, and `verify` reports it. */
static bool
is_of_another_version(const struct append_state *p)
{
	static const struct str magic = STR_INIT(JOURNAL_MAGIC);
	const size_t name = sizeof "cordon journal " - 1;
	char first[sizeof JOURNAL_MAGIC - 1];

	if (pread(p->fd, first, sizeof first, 0) != (ssize_t)sizeof first)
		return false;
	return memcmp(first, magic.p, name) == 0 && memcmp(first, magic.p, magic.n) != 0 &&
	       first[name] >= '0' && first[name] <= '9';
}

enum step {
	STEP_DONE,
	STEP_AGAIN, /* the file was replaced */
	STEP_FAILED,
};

static enum step
step_of(int err)
{
	return err ? STEP_FAILED : STEP_AGAIN;
}

static enum step
append_locked(struct journal *j, struct arena *a, struct append_state *p, struct str body,
    int64_t time, struct journal_head *ret, int *ret_err, struct err *reterr)
{
	struct journal_head head;
	struct str bytes;
	ssize_t n;

	/* Close it unchanged; the chain continues in a new file. */
	if (is_of_another_version(p))
		return step_of(*ret_err = journal_rotate(j, a, &p->st, reterr));
	*ret_err = find_tail(a, p, reterr);
	if (*ret_err)
		return STEP_FAILED;
	if (!p->tail.found)
		return step_of(*ret_err = journal_set_aside(j, a, &p->st, reterr));
	*ret_err = make_bytes(a, p, body, time, &bytes, &head, reterr);
	if (*ret_err)
		return STEP_FAILED;
	if ((uint64_t)p->st.st_size + bytes.n > j->opts.file_bytes && !p->tail.only_start &&
	    !p->tail.open && p->tail.end == (uint64_t)p->st.st_size)
		return step_of(*ret_err = journal_rotate(j, a, &p->st, reterr));
	n = write(p->fd, bytes.p, bytes.n);
	if (n != (ssize_t)bytes.n) {
		*ret_err =
		    files_error(reterr, n < 0 ? errno : ENOSPC, "cannot write the journal");
		return STEP_FAILED;
	}
	*ret = head;
	return STEP_DONE;
}

/* Open and lock the file that has the name now. */
static enum step
append_once(struct journal *j, struct arena *a, struct str body, int64_t time,
    struct journal_head *ret, int *ret_err, struct err *reterr)
{
	struct append_state p = { 0 };
	cleanup_fd int fd = openat(j->dir, JOURNAL_NAME,
	    O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat named;

	if (fd < 0 && errno == ENOENT)
		return step_of(*ret_err = journal_create(j, a, reterr));
	if (fd < 0) {
		*ret_err = files_error(reterr, errno, "cannot open the journal");
		return STEP_FAILED;
	}
	*ret_err = files_lock(fd, LOCK_EX, j->opts.wait_ms, reterr);
	if (*ret_err)
		return STEP_FAILED;
	p.fd = fd;
	if (fstat(fd, &p.st)) {
		*ret_err = files_error(reterr, errno, "cannot examine the journal");
		return STEP_FAILED;
	}
	if (fstatat(j->dir, JOURNAL_NAME, &named, AT_SYMLINK_NOFOLLOW) ||
	    named.st_ino != p.st.st_ino || named.st_dev != p.st.st_dev)
		return STEP_AGAIN;
	*ret_err = files_check(&p.st, j->uid, reterr);
	if (*ret_err)
		return STEP_FAILED;
	return append_locked(j, a, &p, body, time, ret, ret_err, reterr);
}

int
journal_append(struct journal *j, struct arena *scratch, const struct record *r,
    struct journal_head *ret, struct err *reterr)
{
	size_t used = scratch->used, kept;
	struct record clean = *r;
	struct journal_head head;
	enum step step = STEP_AGAIN;
	struct str body;
	int err;

	if (j->opts.read_only || r->kind < RECORD_DECISION)
		return err_at(reterr, CORDON_EUSAGE, 0,
		    "the journal is not open for writing, or the kind of record is "
		    "wrong");
	err = record_redact(scratch, &clean, reterr);
	if (!err)
		err = record_encode(scratch, &clean, &body, reterr);
	kept = scratch->used;
	for (int i = 0; !err && step == STEP_AGAIN && i < TRIES; i++) {
		arena_back(scratch, kept);
		step = append_once(j, scratch, body, clean.time, &head, &err, reterr);
	}
	arena_back(scratch, used);
	if (err)
		return err;
	if (step != STEP_DONE)
		return files_error(reterr, 0,
		    "the journal was replaced too often while waiting for its lock");
	if (ret)
		*ret = head;
	return 0;
}
