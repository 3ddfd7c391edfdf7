/* Resource usage of a process tree, from /proc. */
#define _GNU_SOURCE /* d_type */
#include "base/buf.h"
#include "daemon/console/server.h"
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#define PROCESSES_MAX 4096

struct tree_process {
	pid_t pid, parent;
	uint64_t ticks, pages;
	bool ours;
};

/* Parse a number; *at moves after it and one blank. */
static uint64_t
take_number(struct str s, size_t *at)
{
	struct str rest = str_skip(s, *at);
	uint64_t n = 0;

	(void)str_take_number(&rest, UINT64_MAX, &n);
	rest = str_skip(rest, str_find(rest, ' ') + 1);
	*at = s.n - rest.n;
	return n;
}

/* `pid (name) S parent ...`: the name may contain anything; the last bracket ends it. */
static bool
read_stat(struct str text, struct tree_process *ret)
{
	size_t at = str_rfind(text, ')') + 4;

	if (at >= text.n)
		return false;
	ret->parent = (pid_t)take_number(text, &at);
	for (int field = 5; field < 14; field++)
		(void)take_number(text, &at);
	for (int field = 14; field < 18; field++) /* includes reaped children */
		ret->ticks += take_number(text, &at);
	for (int field = 18; field < 24; field++)
		(void)take_number(text, &at);
	ret->pages = take_number(text, &at);
	return true;
}

static bool
look_at(const char *number, struct tree_process *ret)
{
	char path[64] = "/proc/", bytes[1024];
	size_t n = strlen(number);
	ssize_t got;
	int fd;

	if (n > 12)
		return false;
	memcpy(path + 6, number, n);
	memcpy(path + 6 + n, "/stat", 6);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	got = read(fd, bytes, sizeof bytes);
	(void)close(fd);
	return got > 0 && read_stat(str_of(bytes, (size_t)got), ret);
}

static size_t
list_all(struct tree_process *v, bool *ret_more)
{
	DIR *dir = opendir("/proc");
	size_t n = 0;

	for (const struct dirent *e; dir && (e = readdir(dir));) {
		size_t at = 0;
		struct tree_process p = { 0 };

		if (e->d_name[0] < '1' || e->d_name[0] > '9')
			continue;
		if (n == PROCESSES_MAX) {
			*ret_more = true;
			break;
		}
		p.pid = (pid_t)take_number(str_from_c(e->d_name), &at);
		if (look_at(e->d_name, &p))
			v[n++] = p;
	}
	if (dir)
		(void)closedir(dir);
	return n;
}

/* Mark descendants until a pass finds no more. */
static void
mark(struct tree_process *v, size_t n, pid_t root)
{
	bool more = true;

	for (size_t i = 0; i < n; i++)
		v[i].ours = v[i].pid == root;
	while (more) {
		more = false;
		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; !v[i].ours && k < n; k++)
				if (v[k].ours && v[k].pid == v[i].parent)
					more = v[i].ours = true;
	}
}

void
usage_find(pid_t root, struct run_usage *ret)
{
	struct tree_process *v = calloc(PROCESSES_MAX, sizeof *v);
	uint64_t tick = (uint64_t)sysconf(_SC_CLK_TCK),
		 page = (uint64_t)sysconf(_SC_PAGESIZE);
	size_t n;

	*ret = (struct run_usage){ 0 };
	n = v ? list_all(v, &ret->more) : 0;
	mark(v, n, root);
	for (size_t i = 0; i < n; i++) {
		if (!v[i].ours || v[i].pid == root)
			continue;
		ret->cpu_ms += v[i].ticks * 1000 / (tick ? tick : 100);
		ret->rss += v[i].pages * page;
		ret->processes++;
	}
	free(v);
}
