/* List the journal's files. */
#define _GNU_SOURCE
#include "journal/files.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

/* Limit for the number of files. */
#define LIST_MAX 512

static DIR *
open_list(struct journal *j)
{
	int fd = openat(j->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d && fd >= 0)
		(void)close(fd);
	return d;
}

int
files_range(struct journal *j, uint64_t *ret_least, uint64_t *ret_most, struct err *reterr)
{
	DIR *d = open_list(j);
	uint64_t n;

	*ret_least = *ret_most = 0;
	if (!d)
		return files_error(reterr, errno, "cannot list the journal's directory");
	for (struct dirent *e; (e = readdir(d));) {
		if (!files_take_number(str_from_c(e->d_name), &n))
			continue;
		if (*ret_least == 0 || n < *ret_least)
			*ret_least = n;
		if (n > *ret_most)
			*ret_most = n;
	}
	(void)closedir(d);
	return 0;
}

static bool
is_before(const struct journal_name *x, const struct journal_name *y)
{
	if (x->bad != y->bad)
		return x->bad;
	/* The current file has no number and comes last. */
	return x->number - 1 < y->number - 1 ||
	       (x->number == y->number && str_cmp(x->name, y->name) < 0);
}

static void
sort(struct journal_name *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct journal_name one = v[i];
		size_t k = i;

		for (; k > 0 && is_before(&one, &v[k - 1]); k--)
			v[k] = v[k - 1];
		v[k] = one;
	}
}

static bool
is_ours(struct str name, struct journal_name *ret)
{
	*ret = (struct journal_name){ .name = name, .fd = -1 };
	if (files_take_number(name, &ret->number) || str_is(name, JOURNAL_NAME))
		return true;
	ret->bad = str_starts(name, STR(JOURNAL_BAD));
	return ret->bad;
}

void
journal_list_done(struct journal_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		fd_close(&l->v[i].fd);
	*l = (struct journal_list){ 0 };
}

/* Collect names and descriptors, under the directory's lock if there is one. */
static int
list_locked(DIR *d, int dir, struct arena *a, struct journal_list *l, struct err *reterr)
{
	struct journal_name one;
	size_t room = 0;

	for (struct dirent *e; (e = readdir(d));)
		room += is_ours(str_from_c(e->d_name), &one);
	l->v = room <= LIST_MAX ? arena_array(a, room, sizeof *l->v) : NULL;
	if (!l->v)
		return err_at(
		    reterr, CORDON_ELIMIT, room, "the journal has too many files");
	rewinddir(d);
	for (struct dirent *e; l->n < room && (e = readdir(d));) {
		if (!is_ours(str_from_c(e->d_name), &one))
			continue;
		one.name = arena_copy(a, one.name);
		if (!one.name.p)
			return err_at(reterr, CORDON_ENOMEM, 0, "no memory for a list");
		one.fd = openat(dir, e->d_name,
		    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
		if (one.fd < 0)
			return files_error(
			    reterr, errno, "cannot open a file of the journal");
		l->v[l->n++] = one;
	}
	sort(l->v, l->n);
	return 0;
}

int
journal_list(
    struct journal *j, struct arena *a, struct journal_list *ret, struct err *reterr)
{
	cleanup_fd int lock = -1;
	struct journal_list l = { 0 };
	DIR *d = open_list(j);
	int err = 0, error;

	if (!d)
		return files_error(reterr, errno, "cannot list the journal's directory");
	/* The lock keeps files from being renamed between listing and opening. */
	lock = openat(j->dir, JOURNAL_LOCK, O_RDONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
	if (lock >= 0)
		err = files_lock(lock, LOCK_SH, j->opts.wait_ms, reterr);
	if (!err)
		err = list_locked(d, j->dir, a, &l, reterr);
	error = errno;
	(void)closedir(d);
	if (err)
		journal_list_done(&l);
	else
		*ret = l;
	errno = error;
	return err;
}

int
journal_read(struct journal *j, const struct journal_name *name, struct journal_file *ret,
    struct err *reterr)
{
	return journal_read_part(j, name, 0, UINT64_MAX, ret, reterr);
}

int
journal_read_part(struct journal *j, const struct journal_name *name, uint64_t from,
    uint64_t most, struct journal_file *ret, struct err *reterr)
{
	struct files_part part = { from, most };
	int err = files_read(name->fd, true, j->opts.wait_ms, part, ret, reterr);

	if (!err)
		ret->name = name->name;
	return err;
}
