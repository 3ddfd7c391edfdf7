/* Find the files that a git process is about to change, by its argv and its repository. */
#define _GNU_SOURCE
#include "base/path.h"
#include "broker/git/tracked.h"
#include "broker/report/report.h"
#include "look/git/gitmoves.h"
#include "look/git/gitverb.h"
#include <fcntl.h>

/* Commits and trees that are read at once; untouched pages cost no memory. */
#define SCRATCH ((size_t)96 << 20)
#define RESULT ((size_t)8 << 20)
#define CMDLINE_MAX ((size_t)64 << 10)
#define WORDS_MAX 1024

struct asking {
	struct broker *br;
	struct str worktree;
	char path[LIMIT_PATH];
};

/* Make the absolute path; false if it is too long. */
static bool
whole_path(struct asking *q, struct str path, struct str *ret)
{
	size_t n = q->worktree.n;

	if (n + 1 + path.n + 1 > sizeof q->path)
		return false;
	memcpy(q->path, q->worktree.p, n);
	q->path[n] = '/';
	memcpy(q->path + n + 1, path.p, path.n);
	q->path[n + 1 + path.n] = '\0';
	*ret = str_of(q->path, n + 1 + path.n);
	return true;
}

/* True if the path is guarded and no rule of the user allows it anyway. */
static bool
is_guarded(void *context, struct str path)
{
	struct asking *q = context;
	struct target p = TARGET_NONE;
	struct str whole;

	if (!whole_path(q, path, &whole) || !guard_look(q->br->plan, whole).why)
		return false;
	memcpy(p.path, whole.p, whole.n + 1);
	p.path_n = whole.n;
	return guarded_why(q->br, &p, RUN_RENAME) != NULL;
}

static bool
is_kept(void *context, struct str path, const struct git_file *to)
{
	struct asking *q = context;
	struct str whole;

	return whole_path(q, path, &whole) && tracked_allows(q->br, whole, to);
}

/* ---- the repository */

static int
open_dir(struct broker *br, struct str path)
{
	char c[LIMIT_PATH];

	if (path.n == 0 || path.n >= sizeof c)
		return -1;
	memcpy(c, path.p, path.n);
	c[path.n] = '\0';
	return sys_openat2(br->root, c, O_RDONLY | O_DIRECTORY, 0,
	    KERNEL_RESOLVE_IN_ROOT | KERNEL_RESOLVE_NO_SYMLINKS);
}

/* Find the git directory and worktree of a lock: one in the plan, or a nested .git. */
static bool
find_dirs(const struct plan *plan, struct str gitdir, struct plan_git *ret)
{
	for (size_t i = 0; i < plan->git_n; i++)
		if (str_eq(plan->git[i].gitdir, gitdir)) {
			*ret = plan->git[i];
			return ret->worktree.p != NULL;
		}
	if (!str_is(str_base(gitdir), ".git"))
		return false;
	*ret = (struct plan_git){
		.worktree = path_parent(gitdir), .gitdir = gitdir, .commondir = gitdir
	};
	return true;
}

/* Everything that existed before the run, or before its session, is older than this. */
static struct timespec
start_time(const struct broker *br)
{
	struct timespec t = br->began, tick, real, boot;
	int64_t ns;

	/* A session began with its keeper, whose start time the kernel reports in ticks
	 * since boot. */
	if (br->in_session && br->session.began &&
	    clock_gettime(CLOCK_REALTIME, &real) == 0 &&
	    clock_gettime(CLOCK_BOOTTIME, &boot) == 0) {
		int64_t hz = sysconf(_SC_CLK_TCK), began = (int64_t)br->session.began - 1;

		ns = (int64_t)(real.tv_sec - boot.tv_sec) * 1000000000 + real.tv_nsec -
		     boot.tv_nsec + began * (1000000000 / hz);
		t = (struct timespec){ ns / 1000000000, ns % 1000000000 };
	}
	/* File systems use the coarse clock, which is late by up to a tick. */
	if (clock_getres(CLOCK_REALTIME_COARSE, &tick))
		tick.tv_nsec = 100000000;
	ns = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec - 2 * tick.tv_nsec;
	return (struct timespec){ ns / 1000000000, ns % 1000000000 };
}

/* ---- the command */

static size_t
read_words(struct call *c, char *buf, struct str *v)
{
	cleanup_fd int fd = task_open(c->br, (pid_t)c->n.pid, "cmdline", O_RDONLY);
	size_t n = 0, got = 0;
	ssize_t r;

	while (fd >= 0 && got < CMDLINE_MAX &&
	       (r = read(fd, buf + got, CMDLINE_MAX - got)) > 0)
		got += (size_t)r;
	for (struct str rest = str_of(buf, got); rest.n && n < WORDS_MAX; n++) {
		v[n] = str_cut(rest, 0, str_find(rest, '\0'));
		rest = str_skip(rest, v[n].n + 1);
	}
	return n;
}

/* Only a person changes cordon's own rules. */
static bool
is_own(struct str path)
{
	for (; path.n; path = str_skip(path, str_find(path, '/') + 1))
		if (name_is(str_cut(path, 0, str_find(path, '/')), ".cordon"))
			return true;
	return false;
}

/* True if a rule of the user forbids any change of the path. */
static bool
is_denied(const struct broker *br, struct str path)
{
	struct str why;

	return br->policy->path && br->policy->path(br->policy->ctx, RUN_RENAME, path,
				       &why) == RUN_PATH_REFUSED;
}

/* Record the moves.  Returns 0, or EACCES after reporting each file. */
static int
take_moves(struct call *c, struct asking *q, const struct git_moves *m)
{
	int error = m->more ? EACCES : 0;
	struct str whole;

	for (size_t i = 0; i < m->n; i++)
		if (whole_path(q, m->v[i].path, &whole) &&
		    (!m->v[i].known || is_own(m->v[i].path) || is_denied(c->br, whole))) {
			violation_add(c->br, (pid_t)c->n.pid, RUN_WRITE, whole,
			    BROKER_WHY_NOT_COMMITTED);
			error = EACCES;
		}
	for (size_t i = 0; i < m->n && !error; i++)
		if (!whole_path(q, m->v[i].path, &whole) ||
		    !tracked_add(c->br, whole, &m->v[i].to))
			error = EACCES;
	return error;
}

static int
find_moves(
    struct call *c, struct asking *q, struct git_repo *r, const struct str *v, size_t n)
{
	struct git_moves *moves = ARENA_NEW(r->a, struct git_moves);
	cleanup_fd int worktree = open_dir(c->br, q->worktree);
	const struct git_moves_query query = { .argv = v,
		.argc = n,
		.worktree = worktree,
		.is_guarded = is_guarded,
		.is_kept = is_kept,
		.context = q };

	if (!moves || worktree < 0)
		return 0;
	git_moves_find(r, &query, moves);
	return take_moves(c, q, moves);
}

int
tracked_find(struct call *c, const struct target *p, struct str *ret_worktree)
{
	cleanup_arena struct arena *result = arena_new(RESULT), *scratch = NULL;
	struct str *v = result ? arena_array(result, WORDS_MAX, sizeof *v) : NULL;
	char *buf = result ? arena_alloc(result, CMDLINE_MAX) : NULL;
	struct asking q = { .br = c->br };
	struct git_repo r = { .a = result, .gitdir = -1, .commondir = -1 };
	struct git_words words;
	struct plan_git dirs;
	size_t n;
	int error = 0;

	if (!v || !buf || !find_dirs(c->br->plan, path_parent(target_path(p)), &dirs))
		return 0;
	*ret_worktree = q.worktree = dirs.worktree;
	n = read_words(c, buf, v);
	git_words(v, n, &words);
	if (words.verb == VERB_OTHER || !(scratch = arena_new(SCRATCH)))
		return 0;
	r.gitdir = open_dir(c->br, dirs.gitdir);
	r.commondir = open_dir(c->br, dirs.commondir);
	if (r.gitdir >= 0 && r.commondir >= 0 &&
	    git_store_open(&r.store, scratch, r.commondir, start_time(c->br))) {
		error = find_moves(c, &q, &r, v, n);
		git_store_close(&r.store);
	}
	fd_close(&r.gitdir);
	fd_close(&r.commondir);
	return error;
}
