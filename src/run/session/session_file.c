/* The file of a session: "cordon-place PID BEGAN", then the key, one line for each part. */
#define _GNU_SOURCE
#include "base/path.h"
#include "run/run_internal.h"
#include <poll.h>
#include <signal.h>
#include <sys/file.h>

#define FILE_MAX ((size_t)1 << 20)
#define MARK "cordon-place "
#define END_ROUNDS 200
#define END_MS 10

/* ---- the key */

static void
put_path(struct buf *b, const char *what, struct str path)
{
	buf_puts(b, what);
	buf_put(b, path);
	buf_putc(b, '\n');
	/* A newline in a path would read as two lines. */
	if (str_find(path, '\n') < path.n)
		b->full = true;
}

struct str
session_key(struct arena *a, const struct plan *plan)
{
	struct buf b;

	buf_init(&b, a);
	for (size_t i = 0; i < plan->roots_n; i++)
		put_path(&b, "root ", plan->roots[i]);
	put_path(&b, plan->read_workspace ? "boundary " : "home ",
	    plan->home.p ? plan->home : STR(""));
	buf_putc(&b, '\n');
	return b.full ? (struct str){ NULL, 0 } : buf_str(&b);
}

struct str
session_writable(struct arena *a, const struct plan *plan)
{
	struct buf b;

	buf_init(&b, a);
	for (size_t i = 0; i < plan->mounts_n; i++)
		if (plan->mounts[i].kind == PLAN_WRITABLE ||
		    plan->mounts[i].kind == PLAN_READONLY)
			put_path(&b, plan->mounts[i].kind == PLAN_WRITABLE ? "w" : "r",
			    str_from_c(plan->mounts[i].path));
	if (plan->tmp_write)
		put_path(&b, "w", STR("/tmp"));
	return b.full ? (struct str){ NULL, 0 } : buf_str(&b);
}

/* ---- the file */

static bool
file_name(const struct session_ref *p, bool make, char *buf, size_t n)
{
	static const char folder[] = "/places/";
	size_t d = strlen(p->dir), f = sizeof folder - 1;

	if (p->name.n == 0 || str_find(p->name, '/') < p->name.n || p->name.p[0] == '.' ||
	    d + f + p->name.n >= n)
		return false;
	memcpy(buf, p->dir, d);
	memcpy(buf + d, folder, f);
	if (make) {
		buf[d + f - 1] = '\0';
		(void)mkdir(p->dir, 0700);
		(void)mkdir(buf, 0700);
		buf[d + f - 1] = '/';
	}
	memcpy(buf + d + f, p->name.p, p->name.n);
	buf[d + f + p->name.n] = '\0';
	return true;
}

/* Open and lock the file, if it still has its name; -1 with errno.  Without `make` neither
 * create it nor wait for the lock. */
static int
open_locked(const char *path, bool make)
{
	for (;;) {
		cleanup_fd int fd = openat(AT_FDCWD, path,
		    O_RDWR | (make ? O_CREAT : 0) | O_CLOEXEC | O_NOFOLLOW, 0600);
		struct stat st;

		if (fd < 0 || flock(fd, LOCK_EX | (make ? 0 : LOCK_NB)) || fstat(fd, &st))
			return -1;
		if (st.st_uid != geteuid() || (st.st_mode & 077)) {
			errno = EPERM;
			return -1;
		}
		if (st.st_nlink)
			return fd_steal(&fd);
	}
}

static struct str
read_file(struct arena *a, int fd)
{
	struct stat st;
	char *text;
	ssize_t n;

	if (fstat(fd, &st) || st.st_size < 0 || (size_t)st.st_size > FILE_MAX ||
	    !(text = arena_alloc(a, (size_t)st.st_size + 1)))
		return STR("");
	n = pread(fd, text, (size_t)st.st_size, 0);
	return str_of(text, n > 0 ? (size_t)n : 0);
}

static uint64_t
take_number(struct str *text)
{
	uint64_t n = 0;

	(void)str_take_number(text, UINT64_MAX, &n);
	*text = str_skip(*text, 1);
	return n;
}

/* Field 22; field 2 may hold anything but ends with the last ')'. */
uint64_t
session_began(pid_t pid)
{
	char path[64], text[1024];
	cleanup_fd int fd = openat(
	    AT_FDCWD, proc_path(path, sizeof path, pid, "stat"), O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text) : -1;
	struct str s = str_of(text, n > 0 ? (size_t)n : 0);

	s = str_skip(s, str_rfind(s, ')') + 2);
	/* A zombie has ended. */
	if (s.n == 0 || s.p[0] == 'Z' || s.p[0] == 'X')
		return 0;
	for (int word = 3; word < 22; word++)
		s = str_skip(s, str_find(s, ' ') + 1);
	return take_number(&s);
}

/* The keeper that the text names, or 0; *key is what follows. */
static pid_t
named_keeper(struct str text, struct str *key, uint64_t *began)
{
	pid_t pid;

	*key = STR("");
	if (!str_starts(text, STR(MARK)))
		return 0;
	text = str_skip(text, sizeof MARK - 1);
	pid = (pid_t)take_number(&text);
	*began = take_number(&text);
	*key = text;
	return pid > 1 ? pid : 0;
}

/* The same, if the keeper is alive. */
static pid_t
find_keeper(struct str text, struct str *key, uint64_t *began)
{
	pid_t pid = named_keeper(text, key, began);

	if (pid && session_began(pid) == *began)
		return pid;
	*key = STR("");
	return 0;
}

bool
session_write(int fd, pid_t keeper, struct str key, struct str writable)
{
	char memory[256];
	struct arena a;
	struct buf b;

	arena_init(&a, memory, sizeof memory);
	buf_init(&b, &a);
	buf_puts(&b, MARK);
	buf_putu(&b, (uint64_t)keeper);
	buf_putc(&b, ' ');
	buf_putu(&b, session_began(keeper));
	buf_putc(&b, '\n');
	return ftruncate(fd, 0) == 0 && pwrite(fd, b.p, b.n, 0) == (ssize_t)b.n &&
	       pwrite(fd, key.p, key.n, (off_t)b.n) == (ssize_t)key.n &&
	       pwrite(fd, writable.p, writable.n, (off_t)(b.n + key.n)) ==
		   (ssize_t)writable.n;
}

/* ---- opening */

static bool
alone(struct supervisor *s, struct session *x, const char *why)
{
	s->result->session = (struct session_answer){ SESSION_ALONE, why };
	session_close(x);
	fd_close(&x->keeper_fd);
	fd_close(&s->br.root);
	return false;
}

void
session_kept_path(const struct session *x, int number, char *buf, size_t n)
{
	char link[FD_LINK_SIZE];

	(void)proc_path(
	    buf, n, x->keeper, fd_link(link, number) + sizeof "/proc/self/" - 1);
}

void
session_close(struct session *x)
{
	fd_close(&x->file);
	for (size_t i = 0; i < NS_COUNT; i++)
		fd_close(&x->ns[i]);
}

static int
open_kept(const struct session *x, int number, int how)
{
	char path[SESSION_PATH];

	session_kept_path(x, number, path, sizeof path);
	return openat(AT_FDCWD, path, how | O_CLOEXEC);
}

/* The keeper was alive before; if it still is the same process, what we opened was its. */
static bool
open_namespaces(struct supervisor *s, struct session *x)
{
	for (int i = 0; i < NS_COUNT; i++) {
		if (i == NS_NET && s->br.plan->network)
			continue;
		if ((x->ns[i] = open_kept(x, SESSION_FD_FIRST + i, O_RDONLY)) < 0)
			return false;
	}
	s->br.root = open_kept(x, SESSION_FD_ROOT, O_PATH);
	x->keeper_fd = (int)syscall(SYS_pidfd_open, x->keeper, 0);
	return s->br.root >= 0 && x->keeper_fd >= 0 && session_began(x->keeper) == x->began;
}

static bool
start_session(struct supervisor *s, struct session *x, const char *path, struct str key)
{
	struct enter_report failed;

	x->writable = session_writable(s->br.a, s->br.plan);
	x->keeper = x->writable.p ? ns_keeper_start(s, x, path, key, &failed) : 0;
	x->began = session_began(x->keeper);
	if (!x->keeper || !x->began) {
		(void)unlink(path);
		return false;
	}
	s->result->session.how = SESSION_STARTED;
	return true;
}

const char *
session_check_paths(struct supervisor *s)
{
	for (size_t i = 0; i < s->br.plan->mounts_n; i++) {
		const struct plan_mount *m = &s->br.plan->mounts[i];
		cleanup_fd int fd = -1;
		struct stat st;

		if (m->kind != PLAN_WRITABLE && m->kind != PLAN_READABLE)
			continue;
		fd = sys_openat2(s->br.root, m->path, O_PATH, 0,
		    KERNEL_RESOLVE_IN_ROOT | KERNEL_RESOLVE_NO_SYMLINKS);
		if (fd < 0 || fstat(fd, &st) || st.st_dev != m->dev || st.st_ino != m->ino)
			return "a path that it needs is not in the session";
	}
	return NULL;
}

/* Enter the session.  Returns NULL, or why not. */
static const char *
join_session(struct supervisor *s, struct session *x, const char *path, struct str key)
{
	struct str there;

	x->keeper = find_keeper(read_file(s->br.a, x->file), &there, &x->began);
	if (x->keeper && !str_starts(there, key))
		return "the session was started with other roots, or another read boundary";
	x->writable = str_skip(there, key.n);
	if (!x->keeper && !start_session(s, x, path, key))
		return "the session could not be started";
	if (!open_namespaces(s, x))
		return "the session cannot be joined";
	x->differs = !str_eq(x->writable, session_writable(s->br.a, s->br.plan));
	return session_check_paths(s);
}

bool
session_open(struct supervisor *s, struct session *x)
{
	const struct session_ref *p = s->q->session;
	struct str key = session_key(s->br.a, s->br.plan);
	char path[LIMIT_PATH];
	const char *why;

	*x = (struct session)SESSION_NOT_OPEN;
	if (!key.p || !file_name(p, true, path, sizeof path))
		return alone(s, x, "its name or its paths cannot be used for a session");
	if (s->br.plan->listed)
		return alone(s, x, "a list of hosts needs its own network namespace");
	/* A process that the command leaves would continue to print. */
	if (s->br.plan->limits.output)
		return alone(
		    s, x, "a run with an output limit cannot leave processes behind");
	x->file = open_locked(path, true);
	if (x->file < 0)
		return alone(s, x, "the file of the session cannot be used");
	s->result->session = (struct session_answer){ SESSION_JOINED, NULL };
	why = join_session(s, x, path, key);
	/* The keeper reads the mtime as the time of the last join. */
	if (!why)
		(void)futimens(x->file, NULL);
	return why ? alone(s, x, why) : true;
}

bool
session_lock(const struct session_ref *p, struct session *x)
{
	char path[LIMIT_PATH];

	*x = (struct session)SESSION_NOT_OPEN;
	return file_name(p, false, path, sizeof path) &&
	       (x->file = open_locked(path, false)) >= 0;
}

bool
session_read(struct arena *a, struct session *x)
{
	x->keeper = named_keeper(read_file(a, x->file), &x->text, &x->began);
	if (x->keeper)
		x->keeper_fd = (int)syscall(SYS_pidfd_open, x->keeper, 0);
	/* In this order: then the pidfd is of the process that began at that time. */
	return x->keeper_fd >= 0 && session_began(x->keeper) == x->began;
}

bool
session_is_held(int fd, pid_t keeper)
{
	char text[64];
	ssize_t n = pread(fd, text, sizeof text, 0);
	struct str s = str_of(text, n > 0 ? (size_t)n : 0);

	if (!str_starts(s, STR(MARK)))
		return false;
	s = str_skip(s, sizeof MARK - 1);
	return (pid_t)take_number(&s) == keeper;
}

/* ---- for others */

size_t
session_key_roots(struct arena *a, struct str key, struct str **ret)
{
	size_t n = 0;

	if (!(*ret = arena_array(a, key.n / 6 + 1, sizeof **ret)))
		return 0;
	for (; str_starts(key, STR("root ")); key = str_skip(key, str_find(key, '\n') + 1))
		(*ret)[n++] = str_cut(key, 5, str_find(key, '\n'));
	return n;
}

size_t
session_roots(struct arena *a, const struct session_ref *p, struct str **ret)
{
	char path[LIMIT_PATH];
	cleanup_fd int fd = -1;
	struct str text, key;
	uint64_t began;

	if (!file_name(p, false, path, sizeof path))
		return 0;
	fd = openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	text = fd >= 0 ? read_file(a, fd) : STR("");
	return find_keeper(text, &key, &began) ? session_key_roots(a, key, ret) : 0;
}

bool
session_stop(const struct session_ref *p)
{
	char path[LIMIT_PATH], memory[8192];
	cleanup_fd int fd = -1;
	struct str key;
	struct arena a;
	uint64_t began;
	pid_t keeper;

	arena_init(&a, memory, sizeof memory);
	if (!file_name(p, false, path, sizeof path))
		return false;
	fd = openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	keeper = fd >= 0 ? find_keeper(read_file(&a, fd), &key, &began) : 0;
	if (!keeper) {
		/* The file of a keeper that was killed. */
		(void)unlink(path);
		return false;
	}
	(void)kill(keeper, SIGTERM);
	for (int i = 0; i < END_ROUNDS && session_began(keeper) == began; i++)
		(void)poll(NULL, 0, END_MS);
	return true;
}
