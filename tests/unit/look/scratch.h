/* tests/unit/look/scratch.h: a throw-away tree for each test. */
#pragma once
#include "../cm.h"
#include "analyse/analyse.h"
#include "base/path.h"
#include "look/look.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct scratch {
	struct arena *a;
	char top[64]; /* holds w (the root), out, home */
	struct str w, out, home;
};

/* `top` and the rest, in the arena, with a NUL behind. */
static inline const char *
at(const struct scratch *s, const char *rest)
{
	size_t n = strlen(s->top), m = strlen(rest);
	char *c = arena_alloc(s->a, n + m + 2);

	assert_non_null(c);
	memcpy(c, s->top, n);
	c[n] = '/';
	memcpy(c + n + 1, rest, m + 1);
	return c;
}

static inline struct str
at_str(const struct scratch *s, const char *rest)
{
	return str_from_c(at(s, rest));
}

static inline void
put(const struct scratch *s, const char *rest, const char *text)
{
	int fd = open(at(s, rest), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

static inline void
folder(const struct scratch *s, const char *rest)
{
	assert_int_equal(mkdir(at(s, rest), 0755), 0);
}

static inline void
point(const struct scratch *s, const char *rest, const char *target)
{
	assert_int_equal(symlink(target, at(s, rest)), 0);
}

/* Links of all kinds, of which only `lin` stays inside. */
static inline void
links_around(const struct scratch *s)
{
	point(s, "w/lout", "../out");
	point(s, "w/lfile", "../out/v");
	point(s, "w/dang", "../out/new");
	point(s, "w/lin", "sub");
	point(s, "w/loop", "loop");
}

/* A shell command in the root; for git and what is clumsy in C. */
static inline int
sh(const struct scratch *s, const char *text)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (chdir(s->w.p) == 0)
			execl("/bin/sh", "sh", "-c", text, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline int
scratch_new(void **state)
{
	struct scratch *s = calloc(1, sizeof *s);
	char real[4096];

	s->a = arena_new((size_t)8 << 20);
	strcpy(s->top, "/tmp/cordon-look-XXXXXX");
	if (!mkdtemp(s->top) || !realpath(s->top, real) || strlen(real) >= sizeof s->top)
		return -1;
	strcpy(s->top, real);
	folder(s, "w");
	folder(s, "w/sub");
	folder(s, "out");
	folder(s, "home");
	put(s, "w/a", "a\n");
	put(s, "w/sub/f", "f\n");
	put(s, "out/v", "v\n");
	s->w = at_str(s, "w");
	s->out = at_str(s, "out");
	s->home = at_str(s, "home");
	*state = s;
	return 0;
}

static inline int
scratch_end(void **state)
{
	struct scratch *s = *state;

	(void)sh(s, "chmod -R u+rwx .. 2>/dev/null; rm -rf ../out ../home ../w");
	(void)rmdir(at(s, "w"));
	(void)rmdir(s->top);
	arena_free(s->a);
	free(s);
	return 0;
}

static const struct str no_tmp[] = { STR_INIT("/nonexistent-tmp") };

static inline struct look_opts
opts(const struct scratch *s)
{
	return (struct look_opts){ .roots = { &s->w, 1 },
		.explicit_root = true,
		.cwd = s->w,
		.home = s->home,
		.tmp = { no_tmp, 1 },
		.path = STR("/usr/bin:/bin") };
}

/* The text with the top for each @. */
static inline struct str
about(const struct scratch *s, const char *text)
{
	struct buf b;

	buf_init(&b, s->a);
	for (; *text; text++)
		if (*text == '@')
			buf_puts(&b, s->top);
		else
			buf_putc(&b, *text);
	return buf_str(&b);
}

/* Analysed and looked at; @ in the text stands for the top. */
static inline struct effects
effects_of(const struct scratch *s, const char *text, const struct look_opts *o)
{
	struct analyse_opts how = { s->w, s->home };
	struct effects e = { 0 };
	struct err err = { 0 };

	assert_int_equal(analyse(s->a, about(s, text), &how, &e, &err), 0);
	assert_int_equal(look(s->a, &e, o, &err), 0);
	assert_true(e.looked);
	return e;
}

static inline bool
stays(const struct place_fact *f)
{
	return f->where == WHERE_INSIDE || f->where == WHERE_TMP ||
	       f->where == WHERE_DEVICE;
}

/* Everything is known, and every directory and written file stays inside. */
static inline bool
contained(const struct effects *e)
{
	if (e->unknowns)
		return false;
	for (const struct chdir_effect *d = e->chdirs; d; d = d->next)
		if (!stays(&d->fact))
			return false;
	for (const struct file_effect *f = e->files; f; f = f->next)
		if (f->op != FILE_READ && f->op != FILE_EXEC && !stays(&f->fact))
			return false;
	return true;
}

static inline size_t
open_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	size_t n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}
