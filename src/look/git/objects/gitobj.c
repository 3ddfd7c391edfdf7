#define _GNU_SOURCE
#include "look/git/objects/gitobj.h"
#include "base/buf.h"
#include "look/git/objects/inflate.h"
#include "os/file.h"
#include <dirent.h>
#include <fcntl.h>

#define HEADER 64
#define ALTERNATES_MAX 4096

bool
git_is_older(int fd, struct timespec before)
{
	struct stat st;

	return fstat(fd, &st) == 0 && (st.st_ctim.tv_sec < before.tv_sec ||
					  (st.st_ctim.tv_sec == before.tv_sec &&
					      st.st_ctim.tv_nsec < before.tv_nsec));
}

bool
git_charge(struct git_store *s, size_t n)
{
	bool ok = n + 256 <= s->budget; /* small objects cost memory as well */

	s->budget = ok ? s->budget - n - 256 : 0;
	return ok;
}

bool
git_oid_read(struct str hex, struct git_oid *ret)
{
	if (hex.n != (size_t)2 * SHA1_BYTES)
		return false;
	for (size_t i = 0; i < hex.n; i++) {
		int digit = byte_hex(hex.p[i]);

		if (digit < 0)
			return false;
		ret->v[i / 2] = (unsigned char)(i % 2 ? ret->v[i / 2] | digit : digit << 4);
	}
	return true;
}

/* "ab" and "cdef…", with NULs. */
static void
put_names(const struct git_oid *oid, char dir[3], char file[2 * SHA1_BYTES - 1])
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < SHA1_BYTES; i++) {
		char *at = i ? file + 2 * (i - 1) : dir;

		at[0] = digits[oid->v[i] >> 4];
		at[1] = digits[oid->v[i] & 15];
	}
	dir[2] = '\0';
	file[2 * SHA1_BYTES - 2] = '\0';
}

static int
open_fan(int objects, const char *dir)
{
	return openat(objects, dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static int
open_loose(int objects, const struct git_oid *oid)
{
	char dir[3], file[2 * SHA1_BYTES - 1];
	cleanup_fd int fan = -1;

	put_names(oid, dir, file);
	fan = open_fan(objects, dir);
	return fan < 0 ? -1
		       : openat(fan, file,
			     O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/* ---- the store */

static struct str
read_small(struct arena *a, int dir, const char *name, struct timespec before)
{
	cleanup_fd int fd =
	    openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	char *text = arena_alloc(a, ALTERNATES_MAX);
	ssize_t n = fd >= 0 && text && git_is_older(fd, before)
			? pread(fd, text, ALTERNATES_MAX, 0)
			: 0;

	return str_of(text, n > 0 && n < ALTERNATES_MAX ? (size_t)n : 0);
}

/* Add the alternates.  A list that was changed since does not count: the command may have
 * named its own store. */
static void
add_alternates(struct git_store *s)
{
	size_t mark = s->a->used;
	struct str text = read_small(s->a, s->objects[0], "info/alternates", s->before);

	while (text.n && s->objects_n < GIT_STORES) {
		size_t end = str_find(text, '\n');
		const char *path = str_to_path(s->a, str_cut(text, 0, end));
		int fd =
		    path ? openat(s->objects[0], path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
			 : -1;

		if (fd >= 0)
			s->objects[s->objects_n++] = fd;
		text = str_skip(text, end + 1);
	}
	arena_back(s->a, mark);
}

bool
git_store_open(struct git_store *s, struct arena *a, int commondir, struct timespec before)
{
	*s = (struct git_store){ .a = a, .before = before, .budget = GIT_BUDGET };
	s->objects[0] = open_fan(commondir, "objects");
	if (s->objects[0] < 0)
		return false;
	s->objects_n = 1;
	add_alternates(s);
	for (size_t i = 0; i < s->objects_n; i++)
		git_packs_open(s, s->objects[i]);
	return true;
}

void
git_store_close(struct git_store *s)
{
	for (size_t i = 0; i < s->objects_n; i++)
		fd_close(&s->objects[i]);
	for (size_t i = 0; i < s->packs_n; i++) {
		fd_close(&s->packs[i].idx);
		fd_close(&s->packs[i].pack);
	}
	s->objects_n = s->packs_n = 0;
}

bool
git_is_old(const struct git_store *s, const struct git_oid *oid)
{
	for (size_t i = 0; i < s->packs_n; i++)
		if (s->packs[i].old && git_pack_find(&s->packs[i], oid))
			return true;
	for (size_t i = 0; i < s->objects_n; i++) {
		cleanup_fd int fd = open_loose(s->objects[i], oid);

		if (fd >= 0 && git_is_older(fd, s->before))
			return true;
	}
	return false;
}

/* ---- objects */

static const struct {
	enum git_type type;
	char name[8];
} types[] = {
	{ OBJ_COMMIT, "commit" },
	{ OBJ_TREE, "tree" },
	{ OBJ_BLOB, "blob" },
	{ OBJ_TAG, "tag" },
};

static void
name_object(enum git_type type, struct str text, struct git_oid *ret)
{
	char buf[HEADER];
	struct arena a;
	struct buf b;

	arena_init(&a, buf, sizeof buf);
	buf_init(&b, &a);
	buf_puts(&b, types[type - 1].name);
	buf_putc(&b, ' ');
	buf_putu(&b, text.n);
	buf_putc(&b, '\0');
	git_sha1((const struct str[]){ buf_str(&b), text }, 2, ret->v);
}

void
git_blob_name(struct str text, struct git_oid *ret)
{
	name_object(OBJ_BLOB, text, ret);
}

/* Parse "tree 123\0"; return its length, 0: invalid. */
static size_t
read_header(struct str head, enum git_type *ret_type, size_t *ret_size)
{
	size_t end = str_find(head, '\0'), blank = str_find(head, ' ');
	uint64_t size;

	if (end >= head.n || blank >= end || end - blank > 9 ||
	    !str_number(str_cut(head, blank + 1, end), UINT32_MAX, &size))
		return 0;
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (str_is(str_cut(head, 0, blank), types[i].name)) {
			*ret_type = types[i].type;
			*ret_size = (size_t)size;
			return size <= GIT_OBJECT_MAX ? end + 1 : 0;
		}
	return 0;
}

static bool
read_loose(struct git_store *s, int fd, enum git_type *ret_type, struct str *ret)
{
	char head[HEADER], *packed, *text;
	struct stat st;
	size_t size, skip;
	ptrdiff_t n;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || (size_t)st.st_size > GIT_OBJECT_MAX ||
	    !(packed = arena_alloc(s->a, (size_t)st.st_size)) ||
	    pread(fd, packed, (size_t)st.st_size, 0) != st.st_size)
		return false;
	n = inflate_zlib(str_of(packed, (size_t)st.st_size), head, sizeof head);
	skip = n > 0 ? read_header(str_of(head, (size_t)n), ret_type, &size) : 0;
	if (!skip || !git_charge(s, size) || !(text = arena_alloc(s->a, size + skip)))
		return false;
	n = inflate_zlib(str_of(packed, (size_t)st.st_size), text, size + skip);
	*ret = str_of(text + skip, size);
	return n == (ptrdiff_t)(size + skip);
}

static bool
read_any(struct git_store *s, const struct git_oid *oid, enum git_type *ret_type,
    struct str *ret)
{
	for (size_t i = 0; i < s->objects_n; i++) {
		cleanup_fd int fd = open_loose(s->objects[i], oid);

		if (fd >= 0)
			return read_loose(s, fd, ret_type, ret);
	}
	return git_pack_read(s, oid, ret_type, ret);
}

bool
git_read(struct git_store *s, const struct git_oid *oid, enum git_type *ret_type,
    struct str *ret)
{
	struct git_oid real;

	if (!read_any(s, oid, ret_type, ret))
		return false;
	name_object(*ret_type, *ret, &real);
	return git_oid_eq(&real, oid);
}

/* ---- abbreviated hashes */

bool
git_same_digits(const struct git_oid *x, const struct git_oid *y, size_t digits)
{
	size_t whole = digits / 2;

	return memcmp(x->v, y->v, whole) == 0 &&
	       (digits % 2 == 0 || x->v[whole] >> 4 == y->v[whole] >> 4);
}

static unsigned
find_loose(int objects, const struct git_oid *like, size_t digits, struct git_oid *ret)
{
	char dir[3], file[2 * SHA1_BYTES - 1];
	const struct dirent *e;
	unsigned found = 0;
	int fan;
	DIR *d;

	put_names(like, dir, file);
	fan = open_fan(objects, dir);
	d = fan < 0 ? NULL : fdopendir(fan);
	if (!d) {
		fd_close(&fan);
		return 0;
	}
	while ((e = readdir(d)) && found < 2) {
		char hex[2 * SHA1_BYTES + 1] = { dir[0], dir[1] };
		struct git_oid oid = { { 0 } };
		size_t n = strlen(e->d_name);

		if (n != sizeof hex - 3)
			continue;
		memcpy(hex + 2, e->d_name, n);
		if (git_oid_read(str_of(hex, n + 2), &oid) &&
		    git_same_digits(&oid, like, digits)) {
			*ret = oid;
			found++;
		}
	}
	(void)closedir(d);
	return found;
}

bool
git_abbreviated(const struct git_store *s, struct str hex, struct git_oid *ret)
{
	char whole[2 * SHA1_BYTES];
	struct git_oid like = { { 0 } }, one, found = { { 0 } };
	unsigned n = 0;

	if (hex.n < 4 || hex.n > sizeof whole)
		return false;
	memset(whole, '0', sizeof whole);
	memcpy(whole, hex.p, hex.n);
	if (!git_oid_read(str_of(whole, sizeof whole), &like))
		return false;
	for (size_t i = 0; i < s->objects_n + s->packs_n; i++) {
		unsigned here =
		    i < s->objects_n
			? find_loose(s->objects[i], &like, hex.n, &one)
			: git_pack_prefix(&s->packs[i - s->objects_n], &like, hex.n, &one);

		if (here && n && git_oid_eq(&one, &found) && here == 1)
			continue;
		n += here;
		if (here)
			found = one;
	}
	if (n == 1)
		*ret = found;
	return n == 1;
}
