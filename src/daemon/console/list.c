#define _GNU_SOURCE /* fdopendir */
#include "daemon/console/server.h"
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

void
list_put(struct server *s, const struct list_of *what, struct buf *out)
{
	int fd = openat(what->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct str suffix = str_from_c(what->suffix);
	bool more = false;
	size_t n = 0;

	json_put_key(out, what->key);
	buf_putc(out, '[');
	for (const struct dirent *e; dir && !more && (e = readdir(dir));) {
		struct str name = str_from_c(e->d_name);

		if (!str_ends(name, suffix))
			continue;
		more = n == what->most;
		if (!more)
			n += what->put(s, out,
			    arena_copy(&s->arena, str_cut(name, 0, name.n - suffix.n)));
	}
	if (dir)
		(void)closedir(dir);
	buf_putc(out, ']');
	json_put_member_bool(out, "more", more);
}
