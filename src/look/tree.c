#define _GNU_SOURCE /* d_type, fdopendir */
#include "base/limits.h"
#include "look/file.h"
#include "look/ground.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>

#define DEPTH_MAX 32

struct walk {
	struct arena *a;
	size_t left;
	tree_visitor *each;
	void *context;
	char path[LIMIT_PATH];
	size_t n;
};

static void
dir_close(DIR **d)
{
	if (*d)
		(void)closedir(*d);
}
#define cleanup_dir __attribute__((cleanup(dir_close)))

static bool
is_directory(int fd, const struct dirent *e)
{
	struct stat st;

	if (e->d_type != DT_UNKNOWN)
		return e->d_type == DT_DIR;
	return fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

static enum tree_end walk_dir(struct walk *w, int at, const char *name, int depth);

static enum tree_end
walk_entry(struct walk *w, int fd, const struct dirent *e, int depth)
{
	size_t n = strlen(e->d_name), before = w->n;
	bool directory = is_directory(fd, e);
	enum tree_end end = TREE_DONE;

	if (w->left-- == 0 || w->n + n + 2 > sizeof w->path)
		return TREE_TOO_MUCH;
	w->path[w->n++] = '/';
	memcpy(w->path + w->n, e->d_name, n);
	w->n += n;
	switch (w->each(w->context, str_of(w->path, w->n), directory)) {
	case TREE_GO:
		if (directory)
			end = walk_dir(w, fd, e->d_name, depth + 1);
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

/* What cannot be opened or listed is "too much": nobody knows what is in it. */
static enum tree_end
walk_dir(struct walk *w, int at, const char *name, int depth)
{
	cleanup_fd int fd = -1;
	cleanup_dir DIR *d = NULL;
	const struct dirent *e;

	if (depth > DEPTH_MAX)
		return TREE_TOO_MUCH;
	fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || !(d = fdopendir(fd)))
		return TREE_TOO_MUCH;
	fd = -1; /* it is the stream's now */
	for (errno = 0; (e = readdir(d)); errno = 0) {
		enum tree_end end;

		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		end = walk_entry(w, dirfd(d), e, depth);
		if (end != TREE_DONE)
			return end;
	}
	return errno ? TREE_TOO_MUCH : TREE_DONE;
}

enum tree_end
tree_walk(struct arena *a, struct str dir, size_t max, tree_visitor *each, void *context)
{
	struct walk w = { .a = a, .left = max, .each = each, .context = context };
	const char *c = str_to_path(a, dir);

	if (!c)
		return TREE_TOO_MUCH;
	w.n = dir.n > 1 ? dir.n : 0;
	memcpy(w.path, dir.p, w.n);
	return walk_dir(&w, AT_FDCWD, c, 0);
}
