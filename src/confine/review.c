/*
 * Writes that a person reviews before they are applied: an overlay on each writable path.
 * The upper layers are in a directory in memory that the command cannot see.  The
 * supervisor gets it as a descriptor, which keeps it when all mounts are gone.
 */
#define _GNU_SOURCE
#include "confine/enter_internal.h"
#include "os/fd.h"
#include "os/sys.h"
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#define PLACE "/run/.review"

/* Make "/run/.review/7", and the directories in it. */
static bool
name_of(char *buf, size_t n, size_t i, const char *part)
{
	char number[24];
	char start[64];

	(void)fd_number(number, i);
	return fd_name(start, sizeof start, PLACE "/", number) &&
	       fd_name(buf, n, start, part);
}

/* An overlay marks a replaced directory by an extended attribute.  If it cannot, it is
 * mounted anyway, and directories cannot be removed in it. */
int
review_try(const char *upper)
{
	return setxattr(upper, "user.overlay.try", "y", 1, 0) ? -errno : 0;
}

int
step_review_place(struct entering *e)
{
	int r;

	if (!e->plan->review)
		return 0;
	e->path = PLACE;
	if (mkdir(PLACE, 0700))
		return -errno;
	r = mount_tmpfs(PLACE, MS_NOEXEC, "mode=700");
	return r ? r : review_try(PLACE);
}

static int
make_parts(size_t i)
{
	static const char *const parts[] = { "", "/lower", "/upper", "/work" };
	char name[96];

	for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
		if (!name_of(name, sizeof name, i, parts[k]) || mkdir(name, 0755))
			return -errno;
	return 0;
}

/* Give it mode and owner of the directory below, for programs that check. */
static void
like(int fd, const char *name)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && chmod(name, st.st_mode & 07777) == 0)
		(void)!chown(name, st.st_uid, st.st_gid);
}

static bool
put_options(struct buf *b, size_t i)
{
	static const char *const parts[][2] = { { "lowerdir=", "/lower" },
		{ ",upperdir=", "/upper" }, { ",workdir=", "/work" } };

	for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
		char name[96];

		if (!name_of(name, sizeof name, i, parts[k][1]))
			return false;
		buf_puts(b, parts[k][0]);
		buf_puts(b, name);
	}
	buf_puts(b, ",userxattr");
	buf_putc(b, '\0');
	return !b->full;
}

int
review_place(struct entering *e, size_t i, int at)
{
	char memory[512], lower[96], upper[96], target[FD_LINK_SIZE];
	struct arena a;
	struct buf options;
	int r = make_parts(i);

	arena_init(&a, memory, sizeof memory);
	buf_init(&options, &a);
	if (r)
		return r;
	if (!name_of(lower, sizeof lower, i, "/lower") ||
	    !name_of(upper, sizeof upper, i, "/upper") || !put_options(&options, i))
		return -ENAMETOOLONG;
	if ((r = mount_place(&e->sources[i], lower)))
		return r;
	like(at, upper);
	return mount("overlay", fd_link(target, at), "overlay", MS_NOSUID, options.p)
		   ? -errno
		   : 0;
}

/* The supervisor has it and it is covered: the command reaches it only through the
 * overlays. */
int
step_review(struct entering *e)
{
	struct enter_report report = { .kind = ENTER_UPPER };
	cleanup_fd int fd = -1;

	if (!e->plan->review)
		return 0;
	e->path = PLACE;
	fd = open(PLACE, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (!enter_send(e->control, &report, fd))
		return -EPIPE;
	return mount_hide(PLACE, true);
}
