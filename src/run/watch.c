/* What the whole tree uses, from its own /proc. */
#define _GNU_SOURCE
#include "run/supervisor.h"
#include <dirent.h>
#include <poll.h>
#include <sys/statfs.h>

#define EVERY_MS 40
#define TMPFS_MAGIC 0x01021994

struct usage {
	uint64_t bytes, processes;
	uint64_t mapped; /* of these: files in memory that a process has mapped */
};

/* The number of kibibytes behind `key`, in bytes. */
static uint64_t
bytes_of(const char *text, const char *key)
{
	const char *p = strstr(text, key);
	uint64_t n = 0;

	for (p = p ? p + strlen(key) : ""; *p == ' ' || *p == '\t'; p++)
		;
	for (; *p >= '0' && *p <= '9'; p++)
		n = n * 10 + (uint64_t)(*p - '0');
	return n * 1024;
}

static void
add_process(int dir, const char *name, struct usage *u)
{
	char path[300], text[4096];
	size_t n = strlen(name);
	closed_fd int fd = -1;
	ssize_t got;

	memcpy(path, name, n);
	memcpy(path + n, "/status", 8);
	fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	got = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
	text[got > 0 ? got : 0] = '\0';
	u->bytes += bytes_of(text, "\nVmRSS:");
	u->mapped += bytes_of(text, "\nRssShmem:");
}

/* Files of the places that are memory: of processes that have gone, too. */
static uint64_t
in_memory(const struct supervisor *s)
{
	static const char places[][16] = { "tmp", "var/tmp", "dev/shm" };
	uint64_t used = 0;

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		closed_fd int fd =
		    openat(s->root, places[i], O_PATH | O_NOFOLLOW | O_CLOEXEC);
		struct statfs st;

		if (fd >= 0 && fstatfs(fd, &st) == 0 && st.f_type == TMPFS_MAGIC)
			used += (uint64_t)(st.f_blocks - st.f_bfree) * (uint64_t)st.f_bsize;
	}
	return used;
}

static struct usage
measure(struct supervisor *s)
{
	struct usage u = { 0 };
	int fd = openat(s->root, "proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;
	uint64_t files;

	if (!d) {
		confine_fd_close(&fd);
		return u;
	}
	while ((e = readdir(d))) {
		if (e->d_name[0] < '1' || e->d_name[0] > '9')
			continue;
		u.processes++;
		if (s->plan->limits.memory)
			add_process(dirfd(d), e->d_name, &u);
	}
	(void)closedir(d);
	files = s->plan->limits.memory ? in_memory(s) : 0;
	u.bytes += files > u.mapped ? files - u.mapped : 0;
	return u;
}

/* When all has ended its mounts go one by one, and what is seen below them is the host's.
 */
static bool
has_ended(const struct supervisor *s)
{
	return poll(&(struct pollfd){ s->pidfd, POLLIN, 0 }, 1, 0) != 0;
}

void
watch_tree(struct supervisor *s)
{
	const struct plan_limits *l = &s->plan->limits;
	uint64_t now = clock_ms();
	struct usage u;

	if (now < s->watched_ms + EVERY_MS)
		return;
	s->watched_ms = now;
	u = measure(s);
	if (has_ended(s))
		return;
	if (l->memory && u.bytes > l->memory)
		s->result->limits_hit |= RUN_LIMIT_MEMORY;
	/* The first process is not the command's. */
	if (l->processes && u.processes > l->processes + 1 + s->joined)
		s->result->limits_hit |= RUN_LIMIT_PROCESSES;
	if (s->result->limits_hit & (RUN_LIMIT_MEMORY | RUN_LIMIT_PROCESSES))
		kill_tree(s);
}
