/*
 * Other names of protected files.
 *
 * A hard link that was there before the run leads to the same inode, under a name that
 * nothing protects.  So a file with several names is compared with the protected files at
 * the top of each writable path and in its git directory, which are looked up when the
 * first such file is met.  The run itself can make no such link: linking from a protected
 * file is refused by whatever way it is reached.
 */
#define _GNU_SOURCE
#include "broker/supervisor.h"
#include "confine/guard.h"
#include <dirent.h>

/* With more than this every file with several names counts as protected. */
#define ALIASES_MAX 4096
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

/* Adds the protected files in the directory `fd`, which it takes; `path` is its path, and
 * has room for names. */
static void
add_below(struct supervisor *s, int fd, char *path, size_t n, unsigned depth)
{
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;

	if (!d)
		fd_close(&fd);
	while (d && !s->aliases->full && (e = readdir(d))) {
		size_t length = strlen(e->d_name);
		struct guard_hit h;
		struct stat st;

		if (e->d_name[0] == '.' &&
		    (length == 1 || (length == 2 && e->d_name[1] == '.')))
			continue;
		if (n + length + 2 > LIMIT_PATH) {
			s->aliases->full = true;
			break;
		}
		path[n] = '/';
		memcpy(path + n + 1, e->d_name, length + 1);
		h = guard_look(s->plan, str_of(path, n + 1 + length));
		if (!h.why && !(h.inside_git && strcmp(e->d_name, "info") == 0) &&
		    !name_begins(str_of(path, n + 1 + length), NAME_PROTECT))
			continue;
		if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		add(s->aliases, &st);
		if (S_ISDIR(st.st_mode) && depth < DEPTH_MOST)
			add_below(s,
			    openat(dirfd(d), e->d_name,
				O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
			    path, n + 1 + length, depth + 1);
	}
	if (d)
		(void)closedir(d);
}

static void
find(struct supervisor *s)
{
	char path[LIMIT_PATH];

	for (size_t i = 0; i < s->plan->writable_n; i++) {
		struct str root = s->plan->writable[i];

		if (root.n + 1 >= sizeof path) {
			s->aliases->full = true;
			return;
		}
		memcpy(path, root.p, root.n);
		path[root.n] = '\0';
		add_below(s,
		    sys_openat2(s->root, path, O_RDONLY | O_DIRECTORY, 0,
			KERNEL_RESOLVE_IN_ROOT | KERNEL_RESOLVE_NO_SYMLINKS),
		    path, root.n, 0);
	}
}

bool
alias_is_protected(struct supervisor *s, const struct place_in *p)
{
	if (!p->exists || !S_ISREG(p->st.st_mode) || p->st.st_nlink < 2)
		return false;
	if (!s->aliases) {
		s->aliases = arena_zalloc(s->a, sizeof *s->aliases);
		if (!s->aliases || !(s->aliases->v = arena_array(
					 s->a, ALIASES_MAX, sizeof *s->aliases->v)))
			return true;
		find(s);
	}
	for (size_t i = 0; i < s->aliases->n; i++)
		if (s->aliases->v[i].dev == p->st.st_dev &&
		    s->aliases->v[i].ino == p->st.st_ino)
			return true;
	return s->aliases->full;
}
