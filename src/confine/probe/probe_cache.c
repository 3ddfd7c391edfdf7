/*
 * Cache a yes: a caller before each command must not pay for the trials.
 *
 * The cache is one line that says for whom and where it applies.  Forging it gains nothing:
 * the sandbox starts completely or not at all.
 */
#define _GNU_SOURCE
#include "base/limits.h"
#include "confine/probe/probe.h"
#include "os/fd.h"
#include "os/replace.h"
#include "os/sys.h"
#include <sys/prctl.h>
#include <sys/stat.h>

#define KEY_MAX 256
#define BOOT_ID "/proc/sys/kernel/random/boot_id"

static bool
put_inode(struct buf *b, const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	buf_putc(b, ' ');
	buf_putu(b, st.st_ino);
	return true;
}

/* Boot, user, user and mount namespace, filter: if one differs, so may the answer. */
static bool
put_key(struct buf *b)
{
	char boot[64];
	cleanup_fd int fd = open(BOOT_ID, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, boot, sizeof boot) : -1;

	if (n < 36)
		return false;
	buf_puts(b, "1 ");
	buf_put(b, str_of(boot, 36));
	buf_putc(b, ' ');
	buf_putu(b, geteuid());
	buf_putc(b, ' ');
	buf_putu(b, (uint64_t)prctl(PR_GET_SECCOMP, 0, 0, 0, 0) + 1);
	if (!put_inode(b, "/proc/self/ns/user") || !put_inode(b, "/proc/self/ns/mnt"))
		return false;
	buf_putc(b, '\n');
	return !b->full;
}

static bool
is_remembered(const char *path, struct str key)
{
	char text[KEY_MAX];
	cleanup_fd int fd =
	    open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    (st.st_mode & 022))
		return false;
	n = read(fd, text, sizeof text);
	return n > 0 && str_eq(str_of(text, (size_t)n), key);
}

/* Errors are harmless: the next run probes again. */
static void
remember(const char *cache, const char *path, struct str key)
{
	char fresh[LIMIT_PATH];

	(void)mkdir(cache, 0700);
	if (fd_name(fresh, sizeof fresh, path, ".new"))
		(void)replace_at(AT_FDCWD, fresh, path, key, NULL);
}

bool
probe_can_confine(const char *cache, const char **ret_why)
{
	char memory[1024], path[LIMIT_PATH];
	enum probe_what missing;
	struct probe p;
	struct arena a;
	struct buf key;
	bool known;

	arena_init(&a, memory, sizeof memory);
	buf_init(&key, &a);
	known = cache && fd_name(path, sizeof path, cache, "/probe") && put_key(&key);
	if (known && is_remembered(path, buf_str(&key)))
		return true;
	probe_all(&p);
	if (!probe_is_enough(&p, &missing)) {
		*ret_why = probe_advice(&p, missing);
		return false;
	}
	if (known)
		remember(cache, path, buf_str(&key));
	return true;
}
