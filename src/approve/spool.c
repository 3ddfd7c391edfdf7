#define _GNU_SOURCE /* O_DIRECTORY, with every C library */
#include "approve/spool.h"
#include "os/fd.h"
#include "os/replace.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIRECTORY (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static bool
is_ours(int fd, mode_t kind)
{
	struct stat st;

	if (fstat(fd, &st))
		return false;
	errno = EPERM;
	return (st.st_mode & S_IFMT) == kind && st.st_uid == geteuid() &&
	       (st.st_mode & 077) == 0;
}

static int
checked(int fd, mode_t kind)
{
	int why;

	if (fd < 0 || is_ours(fd, kind))
		return fd;
	why = errno;
	(void)close(fd);
	errno = why;
	return -1;
}

static int
make_dir(int at, const char *name)
{
	if (mkdirat(at, name, 0700) && errno != EEXIST)
		return -1;
	return checked(openat(at, name, DIRECTORY), S_IFDIR);
}

static bool
is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

/* The directory above a place, or empty if there is none. */
static void
put_parent(struct buf *b, struct str xdg, enum spool_place place)
{
	if (place == SPOOL_XDG && xdg.n && xdg.p[0] == '/')
		buf_put(b, xdg);
	if (place == SPOOL_USER) {
		buf_puts(b, "/run/user/");
		buf_putu(b, geteuid());
	}
	if (place == SPOOL_TMP)
		buf_puts(b, "/tmp");
}

static bool
is_parent(struct str xdg, enum spool_place place)
{
	char room[SPOOL_PATH];
	struct arena a;
	struct buf b;

	arena_init(&a, room, sizeof room);
	buf_init(&b, &a);
	put_parent(&b, xdg, place);
	buf_putc(&b, '\0');
	return !b.full && is_directory(b.p);
}

bool
spool_place(struct str xdg, enum spool_place place, char path[static SPOOL_PATH])
{
	struct arena a;
	struct buf b;

	arena_init(&a, path, SPOOL_PATH);
	buf_init(&b, &a);
	put_parent(&b, xdg, place);
	errno = ENOENT;
	if (b.n == 0 && !b.full)
		return false;
	buf_puts(&b, "/cordon");
	if (place == SPOOL_TMP) {
		buf_putc(&b, '-');
		buf_putu(&b, geteuid());
	}
	buf_putc(&b, '\0');
	errno = ENAMETOOLONG;
	if (b.full || str_find(str_of(b.p, b.n), '\0') + 1 != b.n)
		return false;
	memmove(path, b.p, b.n);
	return true;
}

/* The path of a place; false with errno. */
static bool
name_it(struct str xdg, char path[static SPOOL_PATH])
{
	enum spool_place place = xdg.n && xdg.p[0] == '/' ? SPOOL_XDG : SPOOL_USER;

	/* A name that does not fit has no alternative. */
	if (!spool_place(xdg, place, path))
		return false;
	return is_parent(xdg, place) || spool_place(xdg, SPOOL_TMP, path);
}

int
spool_open(struct str xdg, char path[SPOOL_PATH])
{
	char name[SPOOL_PATH];

	if (!name_it(xdg, name))
		return -1;
	if (path)
		memcpy(path, name, sizeof name);
	return make_dir(AT_FDCWD, name);
}

int
spool_find(struct str xdg)
{
	char name[SPOOL_PATH];

	return name_it(xdg, name) ? checked(open(name, DIRECTORY), S_IFDIR) : -1;
}

int
spool_sub(int dir, const char *name)
{
	return make_dir(dir, name);
}

bool
spool_read(struct arena *a, int dir, const char *name, size_t max, struct str *ret)
{
	int fd = checked(
	    openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), S_IFREG);
	struct stat st;
	size_t n = 0;
	char *p;

	if (fd < 0)
		return false;
	p = fstat(fd, &st) == 0 && (uint64_t)st.st_size <= max
		? arena_alloc(a, (size_t)st.st_size + 1)
		: NULL;
	while (p && n < (size_t)st.st_size) {
		ssize_t got = read(fd, p + n, (size_t)st.st_size - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		n += (size_t)got;
	}
	(void)close(fd);
	if (!p || n < (size_t)st.st_size)
		return false;
	*ret = str_of(p, n);
	return true;
}

bool
spool_new_id(char id[static SPOOL_ID])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char bytes[SPOOL_ID / 2];

	if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
		return false;
	for (size_t i = 0; i < sizeof bytes; i++) {
		id[2 * i] = digits[bytes[i] >> 4];
		id[2 * i + 1] = digits[bytes[i] & 15];
	}
	return true;
}

bool
spool_write(int dir, const char *name, struct str text)
{
	char beside[SPOOL_PATH];

	if (!fd_name(beside, sizeof beside, name, ".new")) {
		errno = ENAMETOOLONG;
		return false;
	}
	return replace_at(dir, beside, name, text, NULL);
}

bool
spool_is_held(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool held;

	if (fd < 0)
		return false;
	held = flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
	(void)close(fd);
	return held;
}

/* Allow only letters and digits. */
static bool
spool_is_id(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!(s.p[i] >= '0' && s.p[i] <= '9') && !(s.p[i] >= 'a' && s.p[i] <= 'z'))
			return false;
	return s.n > 0 && s.n <= SPOOL_ID;
}

bool
spool_name(char *to, size_t room, struct str id, const char *suffix)
{
	size_t n = strlen(suffix) + 1;

	if (!spool_is_id(id) || id.n + n > room)
		return false;
	memcpy(to, id.p, id.n);
	memcpy(to + id.n, suffix, n);
	return true;
}
