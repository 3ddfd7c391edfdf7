#define _GNU_SOURCE /* DT_DIR */
#include "base/limits.h"
#include "look/lookup.h"
#include "os/dir_cache.h"
#include "os/entries.h"
#include "os/file.h"
#include <dirent.h>
#include <fcntl.h>

#define DEPTH_MAX 32

struct tree_visit {
	struct arena *a;
	size_t left;
	tree_visitor *each;
	void *context;
	char path[LIMIT_PATH];
	size_t n;
};

static bool
is_directory(int fd, const char *name, unsigned char type)
{
	struct stat st;

	if (type != DT_UNKNOWN)
		return type == DT_DIR;
	/* If fstatat(2) fails, treat it as a directory; listing it fails as well. */
	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW))
		return !file_is_missing();
	return S_ISDIR(st.st_mode);
}

static enum tree_end walk_dir(struct tree_visit *w, int at, const char *name, int depth);

static enum tree_end
walk_entry(struct tree_visit *w, int fd, struct str name, bool directory, int depth)
{
	size_t before = w->n;
	enum tree_end end = TREE_DONE;

	if (w->left-- == 0 || w->n + name.n + 2 > sizeof w->path)
		return TREE_TOO_MUCH;
	w->path[w->n++] = '/';
	memcpy(w->path + w->n, name.p, name.n);
	w->n += name.n;
	switch (w->each(w->context, str_of(w->path, w->n), directory)) {
	case TREE_GO:
		if (directory)
			end = walk_dir(w, fd, name.p, depth + 1);
		break;
	case TREE_SKIP:
		break;
	case TREE_STOP:
		end = TREE_STOPPED;
		break;
	}
	w->n = before;
	return end;
}

/* Return "too much" for a directory that cannot be listed: its contents are unknown. */
static enum tree_end
walk_dir(struct tree_visit *w, int at, const char *name, int depth)
{
	cleanup_fd int fd = -1;
	struct entries e;
	struct str entry;
	unsigned char type;
	enum tree_end end = TREE_DONE;

	if (depth > DEPTH_MAX)
		return TREE_TOO_MUCH;
	fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return TREE_TOO_MUCH;
	entries_init(&e, fd);
	while (end == TREE_DONE && entries_next(&e, &entry, &type))
		end = walk_entry(w, fd, entry, is_directory(fd, entry.p, type), depth);
	return e.error ? TREE_TOO_MUCH : end;
}

enum tree_end
tree_walk(struct arena *a, struct str dir, size_t max, tree_visitor *each, void *context)
{
	struct tree_visit w = { .a = a, .left = max, .each = each, .context = context };
	const char *c = str_to_path(a, dir);

	if (!c)
		return TREE_TOO_MUCH;
	w.n = dir.n > 1 ? dir.n : 0;
	memcpy(w.path, dir.p, w.n);
	return walk_dir(&w, AT_FDCWD, dir_cache_relative(c, dir.n), 0);
}
