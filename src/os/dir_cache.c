#include "os/dir_cache.h"
#include "base/path.h"

/* Global, because file_stat() and file_read() use it, and their many callers have no
 * context in common. Only judge() sets it, for the time of one call. */
static struct dir_cache *now;

void
dir_cache_begin(struct dir_cache *s, struct str here)
{
	s->here = here;
	s->n = s->used = 0;
	now = s;
	if (here.p)
		dir_cache_add(here);
}

void
dir_cache_end(void)
{
	now = NULL;
}

bool
dir_cache_is_on(void)
{
	return now != NULL;
}

/* The length of the common prefix, up to the end of a component. */
static size_t
common(struct str a, struct str b)
{
	size_t n = 0, end = 0;

	for (; n < a.n && n < b.n && a.p[n] == b.p[n]; n++)
		if (a.p[n] == '/')
			end = n;
	if ((n == a.n || a.p[n] == '/') && (n == b.n || b.p[n] == '/'))
		end = n;
	return end ? end : 1;
}

size_t
dir_cache_known(struct str path)
{
	size_t best = 1;

	for (size_t i = 0; now && i < now->n; i++) {
		size_t n = common(str_of(now->text + now->dir[i].at, now->dir[i].n), path);

		best = n > best ? n : best;
	}
	return best;
}

void
dir_cache_add(struct str dir)
{
	if (!now || now->n == DIR_CACHE_DIRS || dir.n > DIR_CACHE_BYTES - now->used ||
	    dir_cache_known(dir) == dir.n)
		return;
	memcpy(now->text + now->used, dir.p, dir.n);
	now->dir[now->n].at = (uint16_t)now->used;
	now->dir[now->n].asked = false;
	now->dir[now->n++].n = (uint16_t)dir.n;
	now->used += dir.n;
}

static bool
find(struct str dir, size_t *ret)
{
	for (size_t i = 0; now && i < now->n; i++)
		if (str_eq(str_of(now->text + now->dir[i].at, now->dir[i].n), dir)) {
			*ret = i;
			return true;
		}
	return false;
}

void
dir_cache_add_stat(struct str dir, const struct stat *st)
{
	size_t i;

	dir_cache_add(dir);
	if (!find(dir, &i))
		return;
	now->dir[i].asked = true;
	now->dir[i].mode = st->st_mode;
	now->dir[i].uid = st->st_uid;
	now->dir[i].gid = st->st_gid;
}

bool
dir_cache_stat(struct str dir, struct stat *ret)
{
	size_t i;

	if (!find(dir, &i) || !now->dir[i].asked)
		return false;
	*ret = (struct stat){ .st_mode = now->dir[i].mode,
		.st_uid = now->dir[i].uid,
		.st_gid = now->dir[i].gid };
	return true;
}

const char *
dir_cache_relative(const char *path, size_t n)
{
	struct str here = now ? now->here : (struct str){ NULL, 0 };

	if (!here.p || here.n <= 1 || n <= here.n + 1 || path[here.n] != '/' ||
	    path[here.n + 1] == '/' || memcmp(path, here.p, here.n) != 0)
		return path;
	return path + here.n + 1;
}
