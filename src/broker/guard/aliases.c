/*
 * Hard links to protected files.
 *
 * A hard link from before the run leads to the same inode under a name that is not
 * protected.  So a file with several names is compared with the protected files at the top
 * of each writable path and in its git directory; these are looked up when the first such
 * file is met.  The run itself cannot make such a link: linking from a protected file is
 * refused.
 */
#define _GNU_SOURCE
#include "broker/guard/guard.h"
#include <dirent.h>

#define DEPTH_MOST 3

static void
add(struct aliases *v, const struct stat *st)
{
	if (!S_ISREG(st->st_mode) || st->st_nlink < 2)
		return;
	if (v->n == ALIASES_MAX)
		v->full = true;
	else
		v->v[v->n++] = (struct inode_id){ .dev = st->st_dev, .ino = st->st_ino };
}

/* Add the protected files in the directory `fd`, and close it; `path` is its path, with
 * space for names after it. */
static void
add_below(struct broker *br, int fd, char *path, size_t n, unsigned depth)
{
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;

	if (!d)
		fd_close(&fd);
	while (d && !br->aliases->full && (e = readdir(d))) {
		size_t length = strlen(e->d_name);
		struct guard_hit h;
		struct stat st;

		if (e->d_name[0] == '.' &&
		    (length == 1 || (length == 2 && e->d_name[1] == '.')))
			continue;
		if (n + length + 2 > LIMIT_PATH) {
			br->aliases->full = true;
			break;
		}
		path[n] = '/';
		memcpy(path + n + 1, e->d_name, length + 1);
		h = guard_look(br->plan, str_of(path, n + 1 + length));
		if (!h.why && !(h.inside_git && strcmp(e->d_name, "info") == 0) &&
		    !name_begins(str_of(path, n + 1 + length), NAME_PROTECT))
			continue;
		if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		add(br->aliases, &st);
		if (S_ISDIR(st.st_mode) && depth < DEPTH_MOST)
			add_below(br,
			    openat(dirfd(d), e->d_name,
				O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
			    path, n + 1 + length, depth + 1);
	}
	if (d)
		(void)closedir(d);
}

static void
find(struct broker *br)
{
	char path[LIMIT_PATH];

	for (size_t i = 0; i < br->plan->writable_n; i++) {
		struct str root = br->plan->writable[i];

		if (root.n + 1 >= sizeof path) {
			br->aliases->full = true;
			return;
		}
		memcpy(path, root.p, root.n);
		path[root.n] = '\0';
		add_below(br,
		    sys_openat2(br->root, path, O_RDONLY | O_DIRECTORY, 0,
			KERNEL_RESOLVE_IN_ROOT | KERNEL_RESOLVE_NO_SYMLINKS),
		    path, root.n, 0);
	}
}

bool
alias_is_protected(struct broker *br, const struct target *p)
{
	if (!p->exists || !S_ISREG(p->st.st_mode) || p->st.st_nlink < 2)
		return false;
	if (!br->aliases) {
		br->aliases = arena_zalloc(br->a, sizeof *br->aliases);
		if (!br->aliases || !(br->aliases->v = arena_array(
					  br->a, ALIASES_MAX, sizeof *br->aliases->v)))
			return true;
		find(br);
	}
	for (size_t i = 0; i < br->aliases->n; i++)
		if (br->aliases->v[i].dev == p->st.st_dev &&
		    br->aliases->v[i].ino == p->st.st_ino)
			return true;
	return br->aliases->full;
}
