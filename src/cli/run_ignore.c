#define _GNU_SOURCE /* d_type, fdopendir */
#include "cli/run_ignore.h"
#include "base/ignore.h"
#include "base/limits.h"
#include "base/path.h"
#include "look/file.h"
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#define IGNORE_BYTES ((size_t)1 << 20)
#define NAMES_MAX 32
#define FILES_MAX ((size_t)1024)
#define DEPTH_MAX 128

struct finding_ignores {
	struct arena *a;
	struct str root;
	struct str names[NAMES_MAX];
	size_t names_n;
	struct ignore_text *files;
	size_t n;
	struct err *e;
	char rel[LIMIT_PATH]; /* the directory that is looked at */
	size_t rel_n;
};

/* .p == NULL: it is the name of none. */
static struct str
name_of(const struct finding_ignores *f, const char *name)
{
	for (size_t i = 0; i < f->names_n; i++)
		if (str_is(f->names[i], name))
			return f->names[i];
	return (struct str){ NULL, 0 };
}

/* 0 also when there is no such file. */
static int
take_file(struct finding_ignores *f, struct str name)
{
	static const struct file_read how = { .max = IGNORE_BYTES };
	struct str dir = str_of(f->rel, f->rel_n), path = f->root, text;
	bool missing;
	int err = 0;

	if (dir.n)
		err = path_join(f->a, f->root, dir, &path, f->e);
	if (!err)
		err = path_join(f->a, path, name, &path, f->e);
	if (err)
		return err;
	err = file_read(f->a, path, &how, &text, &missing, f->e);
	if (err)
		return missing ? 0 : err;
	if (f->n == FILES_MAX)
		return err_at(f->e, CORDON_ELIMIT, 0, "there are too many ignore files");
	dir = arena_copy(f->a, dir);
	if (!dir.p)
		return err_at(f->e, CORDON_ENOMEM, 0, "no memory for the ignore files");
	f->files[f->n++] = (struct ignore_text){ dir, name, text };
	return 0;
}

static int walk(struct finding_ignores *f, int at, const char *name, int depth);

static bool
is_directory(int fd, const struct dirent *e)
{
	struct stat st;

	if (e->d_type != DT_UNKNOWN)
		return e->d_type == DT_DIR;
	return fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

static int
visit(struct finding_ignores *f, int fd, const struct dirent *e, int depth)
{
	size_t before = f->rel_n, n = strlen(e->d_name);
	struct str name = name_of(f, e->d_name);
	int err;

	if (!is_directory(fd, e))
		/* Those of the root are known. */
		return depth && name.p ? take_file(f, name) : 0;
	if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
	    strcmp(e->d_name, ".git") == 0)
		return 0;
	if (f->rel_n + n + 2 > sizeof f->rel || depth == DEPTH_MAX)
		return err_at(f->e, CORDON_ELIMIT, 0, "the workspace is too deep");
	if (f->rel_n)
		f->rel[f->rel_n++] = '/';
	memcpy(f->rel + f->rel_n, e->d_name, n);
	f->rel_n += n;
	err = walk(f, fd, e->d_name, depth + 1);
	f->rel_n = before;
	return err;
}

static int
walk(struct finding_ignores *f, int at, const char *name, int depth)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), err = 0;
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;

	/* What cannot be listed, or has gone, hides nothing that could be read. */
	if (!d) {
		fd_close(&fd);
		return 0;
	}
	while (!err && (e = readdir(d)))
		err = visit(f, dirfd(d), e, depth);
	(void)closedir(d);
	return err;
}

/* Of one root: the mapping, or .p == NULL. */
static int
mapping_of(struct finding_ignores *f, struct str root, struct str patterns, struct str *ret)
{
	const char *top = str_to_path(f->a, root);
	struct buf b;
	int err = 0;

	*ret = (struct str){ NULL, 0 };
	f->root = root;
	f->n = f->rel_n = 0;
	for (size_t i = 0; !err && i < f->names_n; i++)
		err = take_file(f, f->names[i]);
	if (!err && f->n && top)
		err = walk(f, AT_FDCWD, top, 0);
	if (!err && patterns.n && f->n < FILES_MAX)
		f->files[f->n++] = (struct ignore_text){ STR(""), STR("rules"), patterns };
	if (err || f->n == 0)
		return err;
	buf_init(&b, f->a);
	ignore_put_json(&b, root, f->files, f->n);
	if (b.full || !top)
		return err_at(f->e, CORDON_ENOMEM, 0, "no memory for the ignore files");
	*ret = buf_str(&b);
	return 0;
}

int
run_add_ignores(struct arena *a, const struct policy *policy,
    const struct root_answer *roots, struct str patterns, struct sandbox_policy *p,
    struct err *reterr)
{
	struct finding_ignores *f = ARENA_NEW(a, struct finding_ignores);
	struct str mapping;
	int err = 0;

	if (!f || !(f->files = arena_array(a, FILES_MAX, sizeof *f->files)))
		return err_at(reterr, CORDON_ENOMEM, 0, "no memory for the ignore files");
	f->a = a;
	f->e = reterr;
	for (size_t i = 0; policy_entry(policy, LIST_IGNORE, i).p; i++) {
		if (i == NAMES_MAX)
			return err_at(
			    reterr, CORDON_ELIMIT, 0, "too many names of ignore files");
		f->names[f->names_n++] = policy_entry(policy, LIST_IGNORE, i);
	}
	for (size_t i = 0; !err && i < roots->n; i++) {
		err = mapping_of(f, roots->roots[i], patterns, &mapping);
		if (!err && mapping.p)
			err = sandbox_add_ignore(a, mapping, p, p, reterr);
	}
	return err;
}
