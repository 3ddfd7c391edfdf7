/* Limits of the whole tree, measured in its own /proc. */
#define _GNU_SOURCE
#include "run/run_internal.h"
#include <dirent.h>
#include <poll.h>
#include <sys/statfs.h>

/* The interval with a limit that was asked for, and with the defaults. */
#define EVERY_MS 50
#define DEFAULT_MS 1000
/* Calls between two looks at the clock. */
#define TURNS 64
#define TMPFS_MAGIC 0x01021994

struct usage {
	uint64_t bytes, processes;
	uint64_t mapped; /* shared memory and tmpfs files that a process has mapped */
};

/* The number of KiB after `key`, in bytes. */
static uint64_t
bytes_of(const char *text, const char *key)
{
	const char *p = strstr(text, key);
	struct str rest;
	uint64_t n = 0;

	for (p = p ? p + strlen(key) : ""; *p == ' ' || *p == '\t'; p++)
		;
	rest = str_from_c(p);
	(void)str_take_number(&rest, UINT64_MAX / 1024, &n);
	return n * 1024;
}

static void
add_process(int dir, const char *name, struct usage *u)
{
	char path[300], text[4096];
	size_t n = strlen(name);
	cleanup_fd int fd = -1;
	ssize_t got;

	memcpy(path, name, n);
	memcpy(path + n, "/status", 8);
	fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	got = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
	text[got > 0 ? got : 0] = '\0';
	u->bytes += bytes_of(text, "\nVmRSS:");
	u->mapped += bytes_of(text, "\nRssShmem:");
}

/* Files on a tmpfs, also those of processes that have gone. */
static uint64_t
in_memory(const struct supervisor *s)
{
	static const char places[][16] = { "tmp", "var/tmp", "dev/shm" };
	uint64_t used = 0;

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		cleanup_fd int fd =
		    openat(s->br.root, places[i], O_PATH | O_NOFOLLOW | O_CLOEXEC);
		struct statfs st;

		if (fd >= 0 && fstatfs(fd, &st) == 0 && st.f_type == TMPFS_MAGIC)
			used += (uint64_t)(st.f_blocks - st.f_bfree) * (uint64_t)st.f_bsize;
	}
	return used;
}

/* The default limit in bytes: most of the machine's memory, and only while the machine is
 * short of memory.  0: it is not. */
static uint64_t
default_memory(void)
{
	char text[1024];
	cleanup_fd int fd = openat(AT_FDCWD, "/proc/meminfo", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
	uint64_t total;

	text[n > 0 ? n : 0] = '\0';
	total = bytes_of(text, "MemTotal:");
	return bytes_of(text, "MemAvailable:") < total / 8 ? total / 8 * 7 : 0;
}

void
watch_tmp(struct supervisor *s)
{
	struct statfs st;

	if (!s->br.plan->bare && s->tmp >= 0 && fstatfs(s->tmp, &st) == 0 &&
	    st.f_type == TMPFS_MAGIC && st.f_bfree == 0)
		s->result->limits_hit |= RUN_LIMIT_TMP;
}

static struct usage
measure(struct supervisor *s, bool memory)
{
	struct usage u = { 0 };
	int fd = openat(s->br.root, "proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;
	uint64_t files;

	if (!d) {
		fd_close(&fd);
		return u;
	}
	while ((e = readdir(d))) {
		if (e->d_name[0] < '1' || e->d_name[0] > '9')
			continue;
		u.processes++;
		if (memory)
			add_process(dirfd(d), e->d_name, &u);
	}
	(void)closedir(d);
	files = memory ? in_memory(s) : 0;
	u.bytes += files > u.mapped ? files - u.mapped : 0;
	return u;
}

/* When the tree has ended its mounts go away one by one, and the host's directories show
 * below them. */
static bool
has_ended(const struct supervisor *s)
{
	return poll(&(struct pollfd){ s->pidfd, POLLIN, 0 }, 1, 0) != 0;
}

static bool
is_asked(const struct supervisor *s)
{
	return s->br.plan->limits.memory || s->br.plan->limits.processes;
}

/* Without namespaces the tree cannot be distinguished from the user's other processes. */
uint64_t
watch_every(const struct supervisor *s)
{
	return s->br.plan->bare ? 0 : is_asked(s) ? EVERY_MS : DEFAULT_MS;
}

static bool
is_time(struct supervisor *s)
{
	uint64_t now;

	/* A busy supervisor does not read the clock at every call. */
	if (s->br.plan->bare ||
	    (!is_asked(s) && s->watched_ms && s->busy && ++s->turns % TURNS))
		return false;
	now = clock_ms();
	if (now < s->watched_ms + watch_every(s))
		return false;
	/* Do not measure a short run. */
	if (s->watched_ms == 0 && !is_asked(s)) {
		s->watched_ms = now;
		return false;
	}
	s->watched_ms = now;
	return true;
}

void
watch_tree(struct supervisor *s)
{
	const struct plan_limits *l = &s->br.plan->limits;
	uint64_t memory, processes;
	struct usage u;

	if (!is_time(s))
		return;
	memory = l->memory ? l->memory : default_memory();
	processes = limit_processes(s->br.plan);
	u = measure(s, memory != 0);
	if (has_ended(s))
		return;
	if (memory && u.bytes > memory)
		s->result->limits_hit |= RUN_LIMIT_MEMORY;
	/* The first process is not the command's. */
	if (l->processes ? u.processes > processes + 1 + s->br.in_session
			 : u.processes >= processes)
		s->result->limits_hit |= RUN_LIMIT_PROCESSES;
	watch_tmp(s);
	/* Reaching a default limit stops new processes; existing ones continue. */
	if (s->result->limits_hit & RUN_LIMIT_MEMORY ||
	    (l->processes && s->result->limits_hit & RUN_LIMIT_PROCESSES))
		supervisor_kill_tree(s);
}
