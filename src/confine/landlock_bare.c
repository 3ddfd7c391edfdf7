/*
 * Landlock without mounts: grant reading around what must not be read.
 *
 * Rules grant, and cannot take away below.  So where the plan hides something, walk down to
 * it component by component, and grant everything next to the way.  Names stay visible;
 * what is created next to the way later cannot be read, which is stricter.
 */
#define _GNU_SOURCE
#include "base/limits.h"
#include "base/path.h"
#include "confine/landlock.h"
#include "confine/plan/plan_internal.h"
#include "os/fd.h"
#include "os/sys.h"
#include <dirent.h>
#include <string.h>

#define READ KERNEL_LANDLOCK_READ_FILE
#define DEPTH_MAX 64

struct reading {
	struct entering *e;
	const struct ruleset *rules;
	char path[LIMIT_PATH];
};

static bool
can_be_read(const struct plan *plan, struct str path)
{
	enum plan_kind kind = plan_kind_at(plan, path);

	return kind != PLAN_HIDDEN && kind != PLAN_EMPTY;
}

/* True if some of what lies below may be read and some may not. */
static bool
differs_below(const struct plan *plan, struct str path)
{
	bool whole = can_be_read(plan, path);

	for (size_t i = 0; i < plan->mounts_n; i++) {
		struct str m = str_from_c(plan->mounts[i].path);

		if (m.n > path.n && path_is_within(path, m) &&
		    can_be_read(plan, m) != whole)
			return true;
	}
	return false;
}

/* The private /dev has only these; the host's has disks, terminals and memory. */
static bool
is_kept_for_later(struct str path)
{
	return str_is(path, "/dev");
}

static int give_reads(struct reading *r, size_t n, int depth);

static int
give_children(struct reading *r, size_t n, int depth)
{
	DIR *d = opendir(r->path);
	const struct dirent *entry;
	size_t at = n > 1 ? n : 0;
	int error = d ? 0 : -errno;

	while (d && !error && (entry = readdir(d))) {
		size_t length = strlen(entry->d_name);

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
		    entry->d_type == DT_LNK)
			continue;
		if (at + length + 2 > sizeof r->path) {
			error = -ENAMETOOLONG;
			break;
		}
		r->path[at] = '/';
		memcpy(r->path + at + 1, entry->d_name, length + 1);
		error = give_reads(r, at + 1 + length, depth + 1);
	}
	r->path[n] = '\0';
	if (d)
		(void)closedir(d);
	/* Grant nothing in a directory that cannot be listed. */
	return error == -EACCES ? 0 : error;
}

static int
give_reads(struct reading *r, size_t n, int depth)
{
	struct str path = str_of(r->path, n);
	int error;

	if (is_kept_for_later(path))
		return 0;
	if (depth > DEPTH_MAX)
		return -ELOOP;
	if (n == 1 || differs_below(r->e->plan, path))
		return give_children(r, n, depth);
	if (!can_be_read(r->e->plan, path))
		return 0;
	error = landlock_give(r->e, r->rules, r->path, READ);
	/* Gone, a symlink by now, or not ours to open: not granted. */
	return error == -ENOENT || error == -ELOOP || error == -EACCES ? 0 : error;
}

int
landlock_give_bare(struct entering *e, const struct ruleset *rules)
{
	static const char *const devices[] = { "/dev/null", "/dev/zero", "/dev/full",
		"/dev/random", "/dev/urandom", "/dev/tty" };
	const uint64_t device = READ | KERNEL_LANDLOCK_WRITE_FILE |
				KERNEL_LANDLOCK_TRUNCATE | KERNEL_LANDLOCK_IOCTL_DEV;
	struct reading r = { .e = e, .rules = rules, .path = "/" };
	int error = give_reads(&r, 1, 0);

	for (size_t i = 0; i < sizeof devices / sizeof *devices && !error; i++) {
		error = landlock_give(e, rules, devices[i], device);
		if (error == -ENOENT)
			error = 0;
	}
	e->path = NULL;
	return error;
}
