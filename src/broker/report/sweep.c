/*
 * After the run: name the settings and hooks that make git run code in repositories which
 * the run created.  Nothing in them was refused.
 */
#define _GNU_SOURCE
#include "broker/git/git.h"
#include "broker/report/report.h"
#include "look/git/gitkeys.h"
#include <dirent.h>

#define CONFIG_MAX ((size_t)1 << 20)
#define ROOM ((size_t)8 << 20)

struct sweep {
	struct broker *br;
	struct str config; /* path of the configuration */
};

static bool
see_key(void *context, const struct gitconf_entry *e)
{
	struct sweep *w = context;
	struct gitkey key = gitkey_find(e);
	struct buf b;

	if (!key.found || ((key.when & GITKEY_VALUE) && gitkey_is_bool(e)))
		return true;
	buf_init(&b, w->br->a);
	buf_puts(&b, "git runs code because of its key ");
	buf_put(&b, gitkey_name(w->br->a, e));
	dropped_add_each(w->br, w->config,
	    broker_keep_why(w->br, buf_str(&b), "git runs code because of it"));
	return true;
}

static void
sweep_config(struct broker *br, int dir, struct str path)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	cleanup_fd int fd =
	    openat(dir, "config", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct sweep w = { br, path };
	struct stat st;
	char *text;
	ssize_t n;

	if (!a || fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return;
	text = (size_t)st.st_size <= CONFIG_MAX ? arena_alloc(a, (size_t)st.st_size + 1)
						: NULL;
	n = text ? read(fd, text, (size_t)st.st_size) : -1;
	if (n < 0 || gitconf_read(a, str_of(text, (size_t)n), see_key, &w, NULL))
		dropped_add_each(br, path, "it is a git configuration that cannot be read");
}

/* True if the run created the repository, or parts that made it one again.  In all others
 * the names that run code were guarded. */
static bool
is_made(const struct broker *br, int repo)
{
	cleanup_fd int objects = openat(repo, "objects", O_PATH | O_NOFOLLOW | O_CLOEXEC),
		       refs = openat(repo, "refs", O_PATH | O_NOFOLLOW | O_CLOEXEC);

	return created_has(br, repo) || (objects >= 0 && created_has(br, objects)) ||
	       (refs >= 0 && created_has(br, refs));
}

/* git itself creates the samples. */
static void
sweep_hooks(struct broker *br, int dir, struct str repo)
{
	int fd = openat(dir, "hooks", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;

	while (d && (e = readdir(d))) {
		struct buf b;

		if (e->d_name[0] == '.' || str_ends(str_from_c(e->d_name), STR(".sample")))
			continue;
		buf_init(&b, br->a);
		buf_put(&b, repo);
		buf_puts(&b, "/hooks/");
		buf_puts(&b, e->d_name);
		dropped_add_each(br, buf_str(&b), "git runs it as a hook");
	}
	if (d)
		(void)closedir(d);
}

void
dropped_sweep_repositories(struct broker *br)
{
	todo_end(br);
	/* In an overlay the user sees them before applying them. */
	for (size_t i = 0; i < br->repos_n && !br->plan->review; i++) {
		struct str repo = br->repos[i];
		const char *name = str_to_path(br->a, repo);
		cleanup_fd int dir =
		    name ? sys_openat2(AT_FDCWD, name, O_RDONLY | O_DIRECTORY, 0,
			       KERNEL_RESOLVE_NO_SYMLINKS)
			 : -1;
		struct buf b;

		if (dir < 0 || !is_made(br, dir))
			continue;
		buf_init(&b, br->a);
		buf_put(&b, repo);
		buf_puts(&b, "/config");
		sweep_config(br, dir, buf_str(&b));
		sweep_hooks(br, dir, repo);
	}
}
