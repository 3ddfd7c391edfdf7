#define _GNU_SOURCE
#include "confine/cgroup.h"
#include "os/fd.h"
#include "os/sys.h"
#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>

#define CGROUP2_MAGIC 0x63677270
#define NAME "/cordon-"
/* The wait between the kill and the group being empty. */
#define ROUNDS 100
#define ROUND_MS 10

static bool
write_in(const char *dir, const char *name, struct str text)
{
	char path[LIMIT_PATH];
	cleanup_fd int fd = -1;

	if (!fd_name(path, sizeof path, dir, name))
		return false;
	fd = open(path, O_WRONLY | O_CLOEXEC);
	return fd >= 0 && write(fd, text.p, text.n) == (ssize_t)text.n;
}

static struct str
read_in(const char *dir, const char *name, char *buf, size_t n)
{
	char path[LIMIT_PATH];
	cleanup_fd int fd = -1;
	ssize_t got;

	if (!fd_name(path, sizeof path, dir, name))
		return STR("");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	got = fd >= 0 ? read(fd, buf, n) : -1;
	return str_of(buf, got > 0 ? (size_t)got : 0);
}

static bool
write_number(const char *dir, const char *name, uint64_t number)
{
	char memory[64];
	struct arena a;
	struct buf b;

	arena_init(&a, memory, sizeof memory);
	buf_init(&b, &a);
	buf_putu(&b, number);
	return !b.full && write_in(dir, name, buf_str(&b));
}

/* ---- where a group can be made */

struct str
cgroup_line(struct str text)
{
	while (text.n) {
		struct str line = str_cut(text, 0, str_find(text, '\n'));

		if (str_starts(line, STR("0::/")))
			return str_skip(line, 3);
		text = str_skip(text, line.n + 1);
	}
	return (struct str){ NULL, 0 };
}

static bool
has_word(struct str text, const char *word)
{
	while (text.n) {
		size_t end = 0;

		while (end < text.n && text.p[end] != ' ' && text.p[end] != '\n')
			end++;
		if (str_is(str_cut(text, 0, end), word))
			return true;
		text = str_skip(text, end + 1);
	}
	return false;
}

static bool
gives_controllers(const char *dir)
{
	char buf[512];
	struct str on = read_in(dir, "/cgroup.subtree_control", buf, sizeof buf);

	return has_word(on, "memory") && has_word(on, "pids");
}

/* Moving a process also needs write access here. */
static bool
is_ours(const char *dir)
{
	char procs[LIMIT_PATH];

	return fd_name(procs, sizeof procs, dir, "/cgroup.procs") &&
	       access(dir, W_OK) == 0 && access(procs, W_OK) == 0;
}

static const char *
find_mount(void)
{
	static const char *const places[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		struct statfs st;

		if (statfs(places[i], &st) == 0 && st.f_type == CGROUP2_MAGIC)
			return places[i];
	}
	return NULL;
}

int
cgroup_find(struct cgroup_parent *ret)
{
	char text[LIMIT_PATH];
	const char *mount = find_mount();
	struct str own = cgroup_line(read_in("/proc/self", "/cgroup", text, sizeof text));
	size_t n = mount ? strlen(mount) : 0, least = n;

	if (!mount || !own.p || n + own.n >= sizeof ret->path)
		return ENOENT;
	memcpy(ret->path, mount, n);
	memcpy(ret->path + n, own.p, own.n);
	/* Our own group has a process in it: ourselves. */
	for (n += own.n; n > least;) {
		n = str_rfind(str_of(ret->path, n), '/');
		ret->path[n < least ? least : n] = '\0';
		if (gives_controllers(ret->path) && is_ours(ret->path))
			return 0;
	}
	return EACCES;
}

/* ---- one group */

/* Remove the group of a run that was killed together with its janitor; the kernel refuses
 * to remove a group that is in use. */
static void
sweep(const char *dir)
{
	DIR *d = opendir(dir);
	const struct dirent *e;
	char path[LIMIT_PATH], name[300] = "/";

	while (d && (e = readdir(d)))
		if (strncmp(e->d_name, NAME + 1, sizeof NAME - 2) == 0) {
			memcpy(name + 1, e->d_name, strlen(e->d_name) + 1);
			if (fd_name(path, sizeof path, dir, name))
				(void)rmdir(path);
		}
	if (d)
		(void)closedir(d);
}

static void
remove_group(const char *path)
{
	(void)write_in(path, "/cgroup.kill", STR("1"));
	for (int i = 0; i < ROUNDS && rmdir(path) && errno == EBUSY; i++)
		(void)poll(NULL, 0, ROUND_MS);
}

/* Wait for our end, however that comes. */
static void
start_janitor(struct cgroup *g)
{
	int ends[2];
	char end;

	if (pipe2(ends, O_CLOEXEC))
		return;
	g->janitor = fork();
	if (g->janitor == 0) {
		(void)setsid();
		(void)close(ends[1]);
		(void)dup2(ends[0], 0);
		(void)sys_close_range(1, ~0U);
		while (read(0, &end, 1) < 0 && errno == EINTR)
			;
		remove_group(g->path);
		_exit(0);
	}
	(void)close(ends[0]);
	g->life = ends[1];
}

static bool
set_limits(const struct cgroup *g, const struct plan_limits *l)
{
	if (l->memory && (!write_number(g->path, "/memory.max", l->memory) ||
			     !write_in(g->path, "/memory.oom.group", STR("1"))))
		return false;
	/* A kernel without swap has no such file. */
	if (l->memory)
		(void)write_in(g->path, "/memory.swap.max", STR("0"));
	/* The first process is not the command's. */
	return !l->processes || write_number(g->path, "/pids.max", l->processes + 1);
}

int
cgroup_make(const struct plan_limits *limits, struct cgroup *ret)
{
	struct cgroup_parent parent;
	char name[64] = NAME;
	int error = cgroup_find(&parent);

	*ret = (struct cgroup){ .janitor = -1, .life = -1 };
	if (error)
		return error;
	sweep(parent.path);
	(void)fd_number(name + sizeof NAME - 1, (unsigned long)getpid());
	if (!fd_name(ret->path, sizeof ret->path, parent.path, name) ||
	    mkdir(ret->path, 0755)) {
		error = errno;
		ret->path[0] = '\0';
		return error ? error : ENAMETOOLONG;
	}
	start_janitor(ret);
	if (ret->janitor > 0 && set_limits(ret, limits))
		return 0;
	cgroup_end(ret);
	return EACCES;
}

int
cgroup_add(const struct cgroup *g, pid_t pid)
{
	return write_number(g->path, "/cgroup.procs", (uint64_t)pid) ? 0 : errno;
}

bool
cgroup_was_oom(const struct cgroup *g)
{
	char buf[256];
	struct str text = read_in(g->path, "/memory.events", buf, sizeof buf);

	while (text.n) {
		struct str line = str_cut(text, 0, str_find(text, '\n'));

		if (str_starts(line, STR("oom_kill ")))
			return !str_is(line, "oom_kill 0");
		text = str_skip(text, line.n + 1);
	}
	return false;
}

void
cgroup_end(struct cgroup *g)
{
	if (!g->path[0])
		return;
	remove_group(g->path);
	fd_close(&g->life);
	if (g->janitor > 0)
		(void)waitpid(g->janitor, NULL, 0);
	g->path[0] = '\0';
}
