/* What the whole tree uses, from its own /proc. */
#define _GNU_SOURCE
#include "run/supervisor.h"
#include <dirent.h>

#define EVERY_MS 40

struct usage {
	uint64_t bytes, processes;
};

/* The second number of statm: pages in memory. */
static uint64_t
resident(int dir, const char *name)
{
	char path[300], text[128];
	size_t n = strlen(name);
	closed_fd int fd = -1;
	uint64_t pages = 0;
	ssize_t got;

	memcpy(path, name, n);
	memcpy(path + n, "/statm", 7);
	fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	got = fd >= 0 ? read(fd, text, sizeof text) : -1;
	for (ssize_t i = 0, word = 0; i < got && word < 2; i++) {
		if (text[i] == ' ')
			word++;
		else if (word == 1)
			pages = pages * 10 + (uint64_t)(text[i] - '0');
	}
	return pages * 4096;
}

static struct usage
measure(struct supervisor *s)
{
	struct usage u = { 0 };
	int fd = openat(s->root, "proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;

	if (!d) {
		confine_fd_close(&fd);
		return u;
	}
	while ((e = readdir(d))) {
		if (e->d_name[0] < '1' || e->d_name[0] > '9')
			continue;
		u.processes++;
		if (s->plan->limits.memory)
			u.bytes += resident(dirfd(d), e->d_name);
	}
	(void)closedir(d);
	return u;
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
	if (l->memory && u.bytes > l->memory)
		s->result->limits_hit |= RUN_LIMIT_MEMORY;
	/* The first process is not the command's. */
	if (l->processes && u.processes > l->processes + 1 + s->joined)
		s->result->limits_hit |= RUN_LIMIT_PROCESSES;
	if (s->result->limits_hit & (RUN_LIMIT_MEMORY | RUN_LIMIT_PROCESSES))
		kill_tree(s);
}
