#define _GNU_SOURCE /* d_type, syscall */
#include "base/limits.h"
#include "look/ground.h"
#include "os/file.h"
#include "os/seen.h"
#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>

#define DEPTH_MAX 32

struct tree_visit {
	struct arena *a;
	size_t left;
	tree_visitor *each;
	void *context;
	char path[LIMIT_PATH];
	size_t n;
};

/* struct linux_dirent64: opendir(3) would call malloc(3). */
struct raw_entry {
	uint64_t inode, next;
	unsigned short size;
	unsigned char type;
	char name[];
};

#define LIST_BYTES 2048

static bool
is_directory(int fd, const struct raw_entry *e)
{
	struct stat st;

	if (e->type != DT_UNKNOWN)
		return e->type == DT_DIR;
	/* If fstatat(2) fails, treat it as a directory; listing it fails as well. */
	if (fstatat(fd, e->name, &st, AT_SYMLINK_NOFOLLOW))
		return !file_is_missing();
	return S_ISDIR(st.st_mode);
}

static enum tree_end walk_dir(struct tree_visit *w, int at, const char *name, int depth);

static enum tree_end
walk_entry(struct tree_visit *w, int fd, const struct raw_entry *e, int depth)
{
	size_t n = strlen(e->name), before = w->n;
	bool directory = is_directory(fd, e);
	enum tree_end end = TREE_DONE;

	if (w->left-- == 0 || w->n + n + 2 > sizeof w->path)
		return TREE_TOO_MUCH;
	w->path[w->n++] = '/';
	memcpy(w->path + w->n, e->name, n);
	w->n += n;
	switch (w->each(w->context, str_of(w->path, w->n), directory)) {
	case TREE_GO:
		if (directory)
			end = walk_dir(w, fd, e->name, depth + 1);
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

static enum tree_end
walk_list(struct tree_visit *w, int fd, const char *list, size_t n, int depth)
{
	enum tree_end end = TREE_DONE;

	for (size_t at = 0; at < n && end == TREE_DONE;) {
		const struct raw_entry *e =
		    (const struct raw_entry *)(const void *)(list + at);

		at += e->size;
		if (strcmp(e->name, ".") != 0 && strcmp(e->name, "..") != 0)
			end = walk_entry(w, fd, e, depth);
	}
	return end;
}

/* Return "too much" for a directory that cannot be listed: its contents are unknown. */
static enum tree_end
walk_dir(struct tree_visit *w, int at, const char *name, int depth)
{
	_Alignas(struct raw_entry) char list[LIST_BYTES];
	cleanup_fd int fd = -1;
	enum tree_end end = TREE_DONE;
	long n;

	if (depth > DEPTH_MAX)
		return TREE_TOO_MUCH;
	fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return TREE_TOO_MUCH;
	while ((n = syscall(SYS_getdents64, fd, list, sizeof list)) > 0) {
		end = walk_list(w, fd, list, (size_t)n, depth);
		if (end != TREE_DONE)
			return end;
	}
	return n < 0 ? TREE_TOO_MUCH : TREE_DONE;
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
	return walk_dir(&w, AT_FDCWD, seen_near(c, dir.n), 0);
}
