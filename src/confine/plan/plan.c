#define _GNU_SOURCE /* O_PATH */
#include "base/limits.h"
#include "base/path.h"
#include "confine/plan/plan_internal.h"
#include "os/fd.h"
#include "os/sys.h"
#include <dirent.h>
#include <sys/stat.h>

int
plan_refuse(struct planning *p, enum plan_field field, const char *why, struct str path)
{
	*p->refusal = (struct plan_refusal){ field, why, path };
	p->plan->fields[field] = (struct plan_field_state){ PLAN_REFUSED, why };
	return CORDON_EREFUSED;
}

void
plan_note(struct planning *p, const char *note)
{
	struct plan *plan = p->plan;

	for (size_t i = 0; i < plan->notes_n; i++)
		if (plan->notes[i] == note)
			return;
	if (plan->notes_n < sizeof plan->notes / sizeof *plan->notes)
		plan->notes[plan->notes_n++] = note;
}

void
plan_enforced(struct planning *p, enum plan_field field, const char *by)
{
	p->plan->fields[field] = (struct plan_field_state){ PLAN_ENFORCED, by };
}

struct str
plan_real(struct arena *a, struct str path)
{
	const char *name = str_to_path(a, path);
	cleanup_fd int fd = -1;

	if (!name)
		return (struct str){ NULL, 0 };
	/* Most paths have no symlink. */
	fd = sys_openat2(AT_FDCWD, name, O_PATH, 0, KERNEL_RESOLVE_NO_SYMLINKS);
	if (fd >= 0 && path_is_plain(path))
		return str_of(name, path.n);
	if (fd < 0)
		fd = openat(AT_FDCWD, name, O_PATH | O_CLOEXEC);
	return fd >= 0 ? fd_path(a, fd) : (struct str){ NULL, 0 };
}

bool
plan_is_writable(const struct plan *plan, struct str path)
{
	for (size_t i = 0; i < plan->writable_n; i++)
		if (path_is_within(plan->writable[i], path))
			return !plan->bare || plan_kind_at(plan, path) == PLAN_WRITABLE;
	return false;
}

static bool
grow(struct planning *p)
{
	size_t cap = p->cap ? p->cap * 2 : 64;
	struct plan_mount *more;

	if (p->n < p->cap)
		return true;
	if (cap > PLAN_MOUNTS || !(more = arena_alloc(p->a, cap * sizeof *more)))
		return false;
	if (p->n)
		memcpy(more, p->mounts, p->n * sizeof *more);
	p->mounts = more;
	p->cap = cap;
	return true;
}

bool
plan_add(struct planning *p, enum plan_kind kind, struct str path, int *ret_error)
{
	const char *name = str_to_path(p->a, path);
	cleanup_fd int fd = -1;
	struct stat st;

	*ret_error = ENOMEM;
	if (!name || !grow(p))
		return false;
	fd = sys_openat2(AT_FDCWD, name, O_PATH, 0, KERNEL_RESOLVE_NO_SYMLINKS);
	if (fd < 0 || fstat(fd, &st)) {
		*ret_error = errno;
		return false;
	}
	p->mounts[p->n++] =
	    (struct plan_mount){ name, kind, S_ISDIR(st.st_mode), st.st_dev, st.st_ino };
	return true;
}

static int
add_writable(struct planning *p, struct str real)
{
	struct plan *plan = p->plan;
	struct str copy = arena_copy(p->a, real);

	if (!copy.p)
		return CORDON_ENOMEM;
	plan->writable[plan->writable_n++] = copy;
	return 0;
}

static int
add_roots(struct planning *p)
{
	const struct plan_input *in = p->in;

	for (size_t i = 0; i < in->roots_n; i++) {
		int error;
		enum plan_kind kind = p->plan->readonly ? PLAN_READABLE : PLAN_WRITABLE;

		if (!plan_add(p, kind, in->roots[i], &error))
			return plan_refuse(p, FIELD_TYPE,
			    error == ELOOP    ? "a root is named through a symlink"
			    : error == ENOMEM ? "too many mounts for one plan"
					      : "a root cannot be opened",
			    in->roots[i]);
		if (kind == PLAN_WRITABLE && add_writable(p, in->roots[i]))
			return CORDON_ENOMEM;
	}
	return 0;
}

/* True if a directory on the way is below a writable path, so that a command could have
 * created it. */
static bool
could_be_planted(const struct planning *p, struct str path)
{
	const struct plan_input *in = p->in;

	for (size_t i = 0; i < in->roots_n; i++)
		if (path_is_within(in->roots[i], path) && !str_eq(in->roots[i], path))
			return true;
	return plan_is_writable(p->plan, path);
}

static int
add_path(struct planning *p, struct str path, enum plan_kind kind, enum plan_field field)
{
	struct str whole, real;
	int error = 0, r = path_normal(p->a, p->in->cwd, path, &whole, NULL);

	if (r)
		return plan_refuse(p, field, "not a valid path", path);
	if (str_is(whole, "/") && kind == PLAN_WRITABLE)
		return plan_refuse(p, field, "the whole system cannot be writable", whole);
	if (!plan_add(p, kind, whole, &error)) {
		if (error == ENOENT || error == ENOTDIR) {
			plan_note(p, "a path that does not exist was left out");
			return 0;
		}
		if (error != ELOOP || could_be_planted(p, whole))
			return plan_refuse(p, field,
			    error == ELOOP ? "it is a symlink below a writable path"
					   : "it cannot be opened",
			    whole);
		real = plan_real(p->a, whole);
		if (!real.p || could_be_planted(p, real) ||
		    !plan_add(p, kind, real, &error))
			return plan_refuse(
			    p, field, "its symlinks cannot be followed", whole);
		whole = real;
	}
	return kind == PLAN_WRITABLE ? add_writable(p, whole) : 0;
}

static int
add_paths(struct planning *p)
{
	const struct sandbox_policy *policy = p->in->policy;
	int r;

	for (size_t i = 0; i < policy->readwrite.n && !p->plan->readonly; i++)
		if ((r = add_path(
			 p, policy->readwrite.v[i], PLAN_WRITABLE, FIELD_READWRITE)))
			return r;
	for (size_t i = 0; i < policy->readonly.n; i++)
		if ((r = add_path(p, policy->readonly.v[i], PLAN_READONLY, FIELD_READONLY)))
			return r;
	if (policy->readwrite.n && p->plan->readonly)
		plan_note(
		    p, "the type is read-only: additionalReadwritePaths stay read-only");
	plan_enforced(p, FIELD_READWRITE, "mounts, Landlock, the supervisor");
	plan_enforced(p, FIELD_READONLY, "read-only mounts");
	return 0;
}

/* With a read boundary: make empty what no program needs and nobody granted. */
static int
add_boundary(struct planning *p)
{
	static const char system[][8] = { "bin", "boot", "dev", "etc", "lib", "lib32",
		"lib64", "libx32", "nix", "opt", "proc", "run", "sbin", "sys", "tmp", "usr",
		"var" };
	DIR *d = opendir("/");
	const struct dirent *e;
	int error;

	if (!d)
		return plan_refuse(
		    p, FIELD_TYPE, "the root directory cannot be listed", STR("/"));
	while ((e = readdir(d))) {
		struct str path;
		bool keep = e->d_type != DT_DIR || e->d_name[0] == '.';

		for (size_t i = 0; i < sizeof system / sizeof *system && !keep; i++)
			keep = strcmp(system[i], e->d_name) == 0;
		if (keep)
			continue;
		if (path_join(p->a, STR("/"), str_from_c(e->d_name), &path, NULL) ||
		    !plan_add(p, PLAN_EMPTY, path, &error)) {
			(void)closedir(d);
			return plan_refuse(
			    p, FIELD_TYPE, "the read boundary cannot be set up", STR("/"));
		}
	}
	(void)closedir(d);
	return 0;
}

static int
add_debug_dir(struct planning *p)
{
	struct str dir = p->in->policy->debug_output_dir, whole, real;
	int error;

	if (!dir.p)
		return 0;
	if (path_normal(p->a, p->in->cwd, dir, &whole, NULL))
		return plan_refuse(p, FIELD_DEBUG, "not a valid path", dir);
	real = plan_real(p->a, whole);
	if (!real.p)
		return plan_refuse(p, FIELD_DEBUG, "it does not exist", whole);
	if (plan_is_writable(p->plan, real))
		return plan_refuse(p, FIELD_DEBUG, "it lies in a writable path", real);
	for (size_t i = 0; i < p->plan->writable_n; i++)
		if (path_is_within(real, p->plan->writable[i]))
			return plan_refuse(
			    p, FIELD_DEBUG, "a writable path lies in it", real);
	p->plan->debug_dir = real;
	if (!plan_add(p, PLAN_HIDDEN, real, &error))
		return plan_refuse(p, FIELD_DEBUG, "it cannot be hidden", real);
	plan_enforced(p, FIELD_DEBUG, "hidden by a mount, written by the supervisor");
	return 0;
}

static int
check_type(struct planning *p)
{
	switch (p->in->policy->type) {
	case SANDBOX_WORKSPACE_READWRITE:
	case SANDBOX_UNSPECIFIED:
		p->plan->readonly = false;
		break;
	case SANDBOX_WORKSPACE_READONLY:
		p->plan->readonly = true;
		break;
	case SANDBOX_INSECURE_NONE:
	default:
		return plan_refuse(p, FIELD_TYPE, "this type has no sandbox", STR(""));
	}
	plan_enforced(p, FIELD_TYPE, "read-only mounts, Landlock");
	plan_enforced(p, FIELD_PROCESSES, "pid, user and ipc namespaces, seccomp");
	plan_enforced(p, FIELD_TMP, "a private /tmp and /var/tmp");
	if (!p->plan->readonly)
		plan_enforced(p, FIELD_PROTECTED,
		    "writes are made by the supervisor, which knows the names");
	else
		plan_enforced(p, FIELD_PROTECTED, "read-only mounts");
	return 0;
}

/* Hide the state directory: a process that can open the journal's lock can hold it
 * (flock(2) needs no write access), and no other cordon of the user could record or decide
 * meanwhile. */
static int
hide_state(struct planning *p)
{
	int error = 0;

	if (!p->in->state.p || plan_add(p, PLAN_HIDDEN, p->in->state, &error) ||
	    error == ENOENT || error == ENOTDIR || error == EACCES)
		return 0;
	return plan_refuse(
	    p, FIELD_PROTECTED, "cordon's state directory cannot be hidden", p->in->state);
}

/*
 * Close cordon's own directories: rules, images of rules, sessions, a pause, the journal
 * decide what the next command may do.  No grant covers them; those that do not exist yet
 * are guarded by their names.
 */
static int
add_own(struct planning *p)
{
	for (size_t i = 0; i < p->in->own_n; i++) {
		struct str dir = p->in->own[i];
		int error = 0;

		if (plan_is_writable(p->plan, dir) &&
		    !plan_add(p, PLAN_READONLY, dir, &error) && error != ENOENT &&
		    error != ENOTDIR)
			return plan_refuse(p, FIELD_PROTECTED,
			    "cordon's own directory cannot be made read-only", dir);
	}
	return hide_state(p);
}

static int
add_read_boundary(struct planning *p)
{
	return p->in->read_workspace ? add_boundary(p) : 0;
}

/* The parts of a plan, in order: a later one may look at the writable paths and mounts that
 * earlier ones added, and of two mounts at one path the later kind wins. */
static int (*const parts[])(struct planning *p) = {
	check_type,
	plan_add_network,
	add_read_boundary,
	add_roots,
	add_paths,
	add_own,
	plan_add_git,
	plan_add_hidden,
	add_debug_dir,
	plan_finish,
};

/* Copy what the input says about the plan as a whole. */
static int
begin(struct planning *p)
{
	const struct plan_input *in = p->in;
	const struct plan_limits *l = &in->limits;
	struct plan *plan = p->plan;

	*plan = (struct plan){ .tmp_write = !in->policy->disable_tmp_write,
		.read_workspace = in->read_workspace,
		.gate = in->gate,
		.review = in->review && in->policy->type != SANDBOX_WORKSPACE_READONLY,
		.watch_reads = in->judge_reads,
		.judge_reads = in->judge_reads,
		.limits = *l,
		.roots = in->roots,
		.roots_n = in->roots_n,
		.git = in->git,
		.git_n = in->git_n,
		.own = in->own,
		.own_n = in->own_n,
		.state = in->state,
		.names = in->names,
		.names_n = in->review ? 0 : in->names_n,
		.home = in->home };
	plan->writable =
	    arena_array(p->a, in->roots_n + in->policy->readwrite.n + 2 * in->git_n + 1,
		sizeof *plan->writable);
	plan->cwd = str_to_path(p->a, in->cwd);
	if (!plan->writable || !plan->cwd)
		return CORDON_ENOMEM;
	if (l->memory || l->processes || l->file_size || l->wall_ms)
		plan_enforced(
		    p, FIELD_LIMITS, "limits of the kernel, the supervisor's watch");
	return 0;
}

int
plan_make(struct arena *a, const struct plan_input *in, struct plan *ret,
    struct plan_refusal *refusal)
{
	struct planning p = { .a = a, .in = in, .plan = ret, .refusal = refusal };
	int r = begin(&p);

	for (size_t i = 0; i < sizeof parts / sizeof *parts && !r; i++)
		r = parts[i](&p);
	return r;
}
