/* Compare the guessed plan with the real one, then send argv to the process that waits; and
 * its side, which receives it. */
#define _GNU_SOURCE
#include "run/run_internal.h"
#include "run/session/prejoin.h"
#include <poll.h>
#include <sys/socket.h>
#include <sys/statvfs.h>

/* The longest message of a socket; with a longer argv the run joins when it starts. */
#define ARGV_MAX ((size_t)128 << 10)
/* With more mounts than this the run joins when it starts. */
#define MOUNTS_MAX 64

struct argv_head {
	uint32_t argc, envc;
};

/* ---- inside */

/* Take `count` strings from *at, each with its NUL. */
static char **
take_texts(struct arena *a, size_t count, char **at, const char *end)
{
	char **v = arena_array(a, count + 1, sizeof *v);

	for (size_t i = 0; v && i < count; i++) {
		char *nul = memchr(*at, '\0', (size_t)(end - *at));

		if (!nul)
			return NULL;
		v[i] = *at;
		*at = nul + 1;
	}
	return v;
}

void
prejoin_wait(struct entering *e, char *const **ret_argv, char *const **ret_envp)
{
	const struct plan *guess = e->plan;
	struct plan plan = *guess;
	char *buf = arena_alloc(e->a, ARGV_MAX), *at = buf + sizeof(struct argv_head);
	ssize_t n = buf ? recv(e->control, buf, ARGV_MAX, MSG_TRUNC) : -1;
	struct argv_head head;
	char **cwd;

	/* End of file: there is no argv for us. */
	if (n < (ssize_t)sizeof head || n > (ssize_t)ARGV_MAX)
		_exit(125);
	memcpy(&head, buf, sizeof head);
	if (!(cwd = take_texts(e->a, 1, &at, buf + n)) ||
	    !(*ret_argv = take_texts(e->a, head.argc, &at, buf + n)) ||
	    !(*ret_envp = take_texts(e->a, head.envc, &at, buf + n)))
		_exit(125);
	e->has_argv = true;
	plan.cwd = cwd[0];
	e->plan = &plan;
	e->part = ENTER_LAST;
	enter_apply(e);
	e->plan = guess;
}

/* ---- outside */

/* True if the plan is what was guessed. */
static bool
is_meant(struct supervisor *s, const struct prejoin *x)
{
	struct str key = session_key(s->br.a, s->br.plan);
	struct str writable = session_writable(s->br.a, s->br.plan);

	return s->q->session && key.p && writable.p && s->br.plan->mounts_n <= MOUNTS_MAX &&
	       enter_is_same(&x->guess, s->br.plan) && str_starts(x->session.text, key) &&
	       str_eq(x->session.writable, writable) &&
	       x->session.text.n == key.n + writable.n;
}

/* True if the mount is in the session as the plan wants it. */
static bool
is_made(const struct supervisor *s, const struct plan_mount *m)
{
	cleanup_fd int fd = sys_openat2(s->br.root, m->path, O_PATH | O_NOFOLLOW, 0,
	    KERNEL_RESOLVE_IN_ROOT | KERNEL_RESOLVE_NO_SYMLINKS);
	const struct stat *cover =
	    m->directory ? &s->br.hidden_directory : &s->br.hidden_file;
	struct statvfs fs;
	struct stat st;

	/* A path that does not exist needs no cover, like in mount_hide(). */
	if (m->kind == PLAN_HIDDEN && fd < 0)
		return errno == ENOENT;
	if (m->kind == PLAN_HIDDEN)
		return fd >= 0 && fstat(fd, &st) == 0 && st.st_dev == cover->st_dev &&
		       st.st_ino == cover->st_ino;
	return fd >= 0 && fstatvfs(fd, &fs) == 0 && (fs.f_flag & ST_RDONLY);
}

/* True if step_join() would have nothing to do. */
static bool
all_made(struct supervisor *s)
{
	if (session_check_paths(s))
		return false;
	start_find_hidden(s);
	for (size_t i = 0; i < s->br.plan->mounts_n; i++) {
		enum plan_kind kind = s->br.plan->mounts[i].kind;

		if ((kind == PLAN_HIDDEN && !s->br.has_hidden) ||
		    ((kind == PLAN_HIDDEN || kind == PLAN_READONLY) &&
			!is_made(s, &s->br.plan->mounts[i])))
			return false;
	}
	return true;
}

static void
put_texts(struct buf *b, char *const *v)
{
	for (; *v; v++)
		buf_put(b, str_of(*v, strlen(*v) + 1));
}

static uint32_t
count(char *const *v)
{
	uint32_t n = 0;

	while (v[n])
		n++;
	return n;
}

static bool
send_argv(struct supervisor *s, const struct prejoin *x)
{
	struct argv_head head = { count(s->q->argv), count(s->q->envp) };
	const char *const cwd[] = { s->br.plan->cwd, NULL };
	struct buf b;

	buf_init(&b, s->br.a);
	buf_put(&b, str_of((const char *)&head, sizeof head));
	put_texts(&b, (char *const *)(uintptr_t)cwd);
	put_texts(&b, s->q->argv);
	put_texts(&b, s->q->envp);
	return !b.full && b.n <= ARGV_MAX &&
	       send(x->pair[0], b.p, b.n, MSG_NOSIGNAL) == (ssize_t)b.n;
}

/* Send argv only after the child reported that it is confined.  A child without argv has
 * not exec'ed, so retrying cannot start the command twice. */
static bool
let_go(struct supervisor *s, struct prejoin *x)
{
	struct pollfd first = { x->made.pidfd, POLLIN, 0 };
	struct enter_report r;

	if (!enter_receive(x->pair[0], &r, &s->br.listener) || r.kind != ENTER_READY ||
	    poll(&first, 1, 0) != 0 || !privilege_clear() || !send_argv(s, x))
		return false;
	start_ready(s, r.status);
	return true;
}

static bool
stands(struct supervisor *s, struct prejoin *x)
{
	if (!prejoin_receive(x))
		return false;
	s->br.root = x->made.root;
	return all_made(s);
}

bool
prejoin_take(struct supervisor *s)
{
	struct prejoin *x = s->q->prejoin;

	if (!x || x->pair[0] < 0)
		return false;
	s->br.in_session = true;
	if (is_meant(s, x) && stands(s, x) && let_go(s, x)) {
		s->br.init = x->made.first;
		s->pidfd = x->made.pidfd;
		s->control = fd_steal(&x->pair[0]);
		session_close(&x->session);
		s->session = x->session;
		start_in_session(s, true);
		s->result->session = (struct session_answer){ SESSION_JOINED, NULL };
		return true;
	}
	s->br.in_session = false;
	s->br.root = -1;
	s->br.has_hidden = false;
	fd_close(&s->br.listener);
	prejoin_end(x);
	return false;
}
