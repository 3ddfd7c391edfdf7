/*
 * Recognise mounts that belong to the sandbox.
 *
 * A descriptor can come from anywhere: it may be a standard stream, or have come through a
 * socket of the session from another run that had it as a stream.  So a change through a
 * descriptor must be on a mount of the sandbox.  Their IDs are read once, and again when an
 * ID is not among them.  Pipes and memfds are on internal mounts of the kernel, which hold
 * nothing else.
 */
#define _GNU_SOURCE
#include "broker/path/target.h"
#include <sys/mman.h>
#include <sys/socket.h>

/* IDs from here on never belong to the sandbox: the kernel allocates the lowest free ID. */
#define MOUNTS_MOST (1U << 20)
#define MOUNTS_BYTES (MOUNTS_MOST / 8)

static void
put(struct broker *br, uint64_t id)
{
	if (id < MOUNTS_MOST)
		br->mounts_inside[id / 8] |= (uint8_t)(1U << id % 8);
}

static bool
has(const struct broker *br, uint64_t id)
{
	return id < MOUNTS_MOST && (br->mounts_inside[id / 8] & 1U << id % 8);
}

/* Parse the first number of each line. */
static bool
read_all(struct broker *br, int fd)
{
	char text[16384];
	bool digits = true, any = false;
	uint64_t id = 0;
	ssize_t n;

	while ((n = read(fd, text, sizeof text)) > 0)
		for (ssize_t i = 0; i < n; i++) {
			if (digits && byte_is_digit(text[i]) && id < MOUNTS_MOST) {
				id = id * 10 + (uint64_t)(text[i] - '0');
				any = true;
				continue;
			}
			if (digits && any)
				put(br, id);
			digits = text[i] == '\n';
			any = false;
			id = 0;
		}
	return n == 0;
}

static void
put_of(struct broker *br, int fd)
{
	uint64_t id;

	if (fd >= 0 && file_mount(fd, &id))
		put(br, id);
}

static void
put_kernel(struct broker *br)
{
	cleanup_fd int memory = (int)syscall(SYS_memfd_create, "", MFD_CLOEXEC);
	cleanup_fd int sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int ends[2];

	put_of(br, memory);
	put_of(br, sock);
	if (pipe2(ends, O_CLOEXEC))
		return;
	put_of(br, ends[0]);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

bool
mount_is_inside(struct broker *br, uint64_t id)
{
	cleanup_fd int fd = -1;

	if (!br->mounts_inside && !(br->mounts_inside = arena_zalloc(br->a, MOUNTS_BYTES)))
		return false;
	if (has(br, id))
		return true;
	memset(br->mounts_inside, 0, MOUNTS_BYTES);
	fd = child_file(br->init, "mountinfo");
	if (fd < 0 || !read_all(br, fd)) {
		memset(br->mounts_inside, 0, MOUNTS_BYTES);
		return false;
	}
	put_kernel(br);
	return has(br, id);
}
