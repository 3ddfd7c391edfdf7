/*
 * The record of vacated paths, kept for later runs.  Each entry has its flags as a digit,
 * device and inode of the directory that was moved away (16 hexadecimal digits each; 0: it
 * was removed), its path, and a NUL.
 *
 * An entry is written before the directory is moved or the file removed, so that a killed
 * run leaves no gap.  It is dropped at the start of a run when something is at that path
 * again: that is older than the run, and protected for that reason.
 */
#define _GNU_SOURCE
#include "base/path.h"
#include "broker/guard/guard.h"
#include <stdio.h>

#define FILE_MOST ((size_t)1 << 20)
/* Rewrite the file when it has more outdated entries than this. */
#define STALE_MOST 64
#define HEX 16
#define HEAD (1 + 2 * HEX)

/* Take no lock: a confined command that can open the file could hold it for ever. */
static int
open_own(const char *path, int flags)
{
	cleanup_fd int fd = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return -1;
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 022)) {
		errno = EACCES;
		return -1;
	}
	return fd_steal(&fd);
}

static bool
read_whole(struct arena *a, int fd, struct str *ret)
{
	char *text = arena_alloc(a, FILE_MOST + 1);
	size_t got = 0;

	for (ssize_t n = 1; text && n > 0 && got <= FILE_MOST; got += (size_t)n)
		if ((n = read(fd, text + got, FILE_MOST + 1 - got)) < 0)
			return false;
	*ret = str_of(text, got);
	return text && got <= FILE_MOST;
}

static bool
is_there(struct str path)
{
	char c[LIMIT_PATH];
	struct stat st;

	if (path.n >= sizeof c)
		return false;
	memcpy(c, path.p, path.n);
	c[path.n] = '\0';
	return lstat(c, &st) == 0;
}

static uint64_t
hex_read(const char *p)
{
	uint64_t n = 0;

	for (size_t i = 0; i < HEX; i++)
		n = n << 4 | (uint64_t)(p[i] <= '9' ? p[i] - '0' : p[i] - 'a' + 10);
	return n;
}

static void
hex_write(char *p, uint64_t n)
{
	for (size_t i = 0; i < HEX; i++)
		p[i] = "0123456789abcdef"[n >> (60 - 4 * i) & 15];
}

static bool
is_hex(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!byte_is_digit(s.p[i]) && !(s.p[i] >= 'a' && s.p[i] <= 'f'))
			return false;
	return true;
}

/* Take the next entry off `text`; false at its end, or at a malformed entry. */
static bool
next_entry(struct str *text, struct vacated *ret)
{
	size_t end = str_find(*text, '\0');
	const char *p = text->p;

	if (end <= HEAD + 1 || end == text->n || p[HEAD] != '/' || p[0] < '1' ||
	    p[0] > '0' + VACATED_ALL || !is_hex(str_cut(*text, 1, HEAD)))
		return false;
	*ret = (struct vacated){ str_cut(*text, HEAD, end), (unsigned)(p[0] - '0'),
		hex_read(p + 1), hex_read(p + 1 + HEX) };
	*text = str_skip(*text, end + 1);
	return true;
}

/* Append the entries of `text` that still count. */
static bool
put_entries(int fd, struct str text)
{
	struct vacated v;

	while (next_entry(&text, &v))
		if (!is_there(v.path) && write(fd, v.path.p - HEAD, HEAD + v.path.n + 1) !=
					     (ssize_t)(HEAD + v.path.n + 1))
			return false;
	return true;
}

/* Replace the file by one without outdated entries.  An entry that another run appends
 * meanwhile is read from the old file and appended to the new one; vacated_save() notices
 * the rename. */
static void
write_anew(struct arena *a, const char *path, int old, struct str text)
{
	char beside[LIMIT_PATH];
	cleanup_fd int fd = -1;
	size_t n = strlen(path);
	struct str more;

	if (n + 5 > sizeof beside)
		return;
	memcpy(beside, path, n);
	memcpy(beside + n, ".new", 5);
	fd = open(
	    beside, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	if (!put_entries(fd, text) || rename(beside, path)) {
		(void)unlink(beside);
		return;
	}
	if (read_whole(a, old, &more))
		(void)put_entries(fd, more);
}

void
vacated_load(struct broker *br)
{
	cleanup_fd int fd = -1;
	struct str text, rest;
	struct vacated v;
	size_t stale = 0;

	if (!br->vacated_file)
		return;
	fd = open_own(br->vacated_file, O_RDONLY);
	if (fd < 0) {
		br->vacated_more |= errno != ENOENT && errno != ENOTDIR;
		return;
	}
	if (!read_whole(br->a, fd, &text)) {
		br->vacated_more = true;
		return;
	}
	for (rest = text; next_entry(&rest, &v);) {
		if (is_there(v.path))
			stale++;
		else if (plan_is_writable(br->plan, v.path))
			vacated_put(br, &v);
	}
	br->vacated_more |= rest.n > 0;
	if (stale > STALE_MOST && rest.n == 0)
		write_anew(br->a, br->vacated_file, fd, text);
}

static bool
make_parents(const char *path)
{
	char dir[LIMIT_PATH];
	size_t n = strlen(path);

	if (n >= sizeof dir)
		return false;
	memcpy(dir, path, n + 1);
	for (size_t i = 1; i < n; i++) {
		if (dir[i] != '/')
			continue;
		dir[i] = '\0';
		if (mkdir(dir, 0700) && errno != EEXIST)
			return false;
		dir[i] = '/';
	}
	return true;
}

/* True if the entry was written to the file that has this name now. */
static bool
append(const char *file, const char *entry, size_t n)
{
	cleanup_fd int fd = open_own(file, O_WRONLY | O_CREAT | O_APPEND);
	struct stat st, named;

	if (fd < 0 && errno == ENOENT && make_parents(file))
		fd = open_own(file, O_WRONLY | O_CREAT | O_APPEND);
	return fd >= 0 && write(fd, entry, n) == (ssize_t)n && fstat(fd, &st) == 0 &&
	       lstat(file, &named) == 0 && st.st_dev == named.st_dev &&
	       st.st_ino == named.st_ino;
}

bool
vacated_save(struct broker *br, const struct vacated *v)
{
	const char *file = br->vacated_file;
	char text[HEAD + LIMIT_PATH + 1];
	size_t n = HEAD + v->path.n + 1;

	if (!file)
		return true;
	if (n > sizeof text)
		return false;
	text[0] = (char)('0' + v->found);
	hex_write(text + 1, v->dev);
	hex_write(text + 1 + HEX, v->ino);
	memcpy(text + HEAD, v->path.p, v->path.n);
	text[n - 1] = '\0';
	/* Try twice: another run may have replaced the file in between. */
	return append(file, text, n) || append(file, text, n);
}
