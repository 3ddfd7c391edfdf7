/*
 * The kernel's own lists of names, kept as they come: of each directory the blocks that
 * getdents64 wrote, and the directories in it in the order of their names there.
 *
 * Directories wait on one stack for whoever has nothing to do.  A small tree is done before
 * a second thread would have started, so that the others come when many wait.
 */
#define _GNU_SOURCE /* d_type, sched_getaffinity */
#include "look/listing.h"
#include "look/file.h"
#include "look/listing_parts.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>

#define THREADS_MAX 8
#define MANY 16 /* waiting directories that are worth a thread */

/* ---- all of them */

/* The next one, or NULL: there will be none.  With the lock. */
static struct dir *
next_dir(struct listing *l)
{
	struct dir *d;

	while (!l->failed && !l->waiting && l->open_n) {
		l->idle++;
		(void)pthread_cond_wait(&l->changed, &l->lock);
		l->idle--;
	}
	if (l->failed || !l->waiting)
		return NULL;
	d = l->waiting;
	l->waiting = d->waits;
	l->waiting_n--;
	return d;
}

/* `d` is done; with the lock. */
static void
put_dirs(struct listing *l, const struct dir *d, size_t n)
{
	for (struct dir *in = d->first; in; in = in->next) {
		in->waits = l->waiting;
		l->waiting = in;
	}
	l->waiting_n += n;
	l->open_n += n;
	l->open_n--;
	if (l->idle && (n || !l->open_n || l->failed))
		(void)pthread_cond_broadcast(&l->changed);
}

static void *
list_all(void *context)
{
	struct lister *t = context;
	struct listing *l = t->l;
	struct dir *d;

	(void)pthread_mutex_lock(&l->lock);
	while ((d = next_dir(l))) {
		size_t n;

		(void)pthread_mutex_unlock(&l->lock);
		n = listing_dir(t, d);
		(void)pthread_mutex_lock(&l->lock);
		put_dirs(l, d, n);
	}
	if (l->idle)
		(void)pthread_cond_broadcast(&l->changed);
	(void)pthread_mutex_unlock(&l->lock);
	return NULL;
}

static size_t
processors(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;

	return n > THREADS_MAX ? THREADS_MAX : (size_t)n;
}

/* Alone until many wait. */
static void
list_alone(struct lister *t)
{
	struct listing *l = t->l;

	while (l->waiting && l->waiting_n < MANY && !l->failed) {
		struct dir *d = next_dir(l);

		put_dirs(l, d, listing_dir(t, d));
	}
}

/* Whoever does not come leaves more to the others. */
static void
list_together(struct lister *all)
{
	size_t n = processors(), came = 1;
	pthread_t threads[THREADS_MAX];

	for (; came < n; came++) {
		all[came].l = all->l;
		if (pthread_create(&threads[came], NULL, list_all, &all[came]))
			break;
	}
	(void)list_all(all);
	while (--came > 0)
		(void)pthread_join(threads[came], NULL);
}

/* ---- from outside */

static struct listing *
begin(struct lister *t, struct str root)
{
	struct chunk *c = listing_chunk(LISTING_CHUNK);
	struct listing *l;
	char *name;

	if (!c)
		return NULL;
	l = (struct listing *)(void *)((char *)c + c->used);
	*l = (struct listing){ .lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
		.chunks = c,
		.bytes = c->size,
		.fd = -1 };
	c->used += (sizeof *l + 15) & ~(size_t)15;
	t->l = l;
	t->chunk = c;
	name = listing_take(t, root.n + 1);
	l->top = listing_take(t, sizeof *l->top);
	if (!name || !l->top)
		return listing_free(l), NULL;
	memcpy(name, root.p, root.n);
	l->root = str_of(name, root.n);
	l->top->name = name;
	l->waiting = l->top;
	l->waiting_n = l->open_n = 1;
	return l;
}

static void
list_tree(struct lister *all)
{
	struct listing *l = all->l;

	l->fd = open(l->top->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (l->fd < 0 && errno != EACCES)
		l->failed = "a directory cannot be listed";
	if (l->fd < 0)
		return;
	list_alone(all);
	if (l->waiting && !l->failed)
		list_together(all);
}

struct listing *
listing_make(struct str root, const char **ret_why)
{
	const size_t n = THREADS_MAX * sizeof(struct lister);
	struct lister *all =
	    mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct listing *l;

	*ret_why = "there is no memory to look through it";
	if (all == MAP_FAILED)
		return NULL;
	l = begin(all, root);
	if (l) {
		list_tree(all);
		*ret_why = l->failed;
		if (l->failed)
			listing_free(l);
	}
	(void)munmap(all, n);
	return *ret_why ? NULL : l;
}

void
listing_free(struct listing *l)
{
	struct chunk *c = l ? l->chunks : NULL;

	if (l)
		fd_close(&l->fd);
	/* The listing lies in one of them itself. */
	while (c) {
		struct chunk *next = c->next;

		(void)munmap(c, c->size);
		c = next;
	}
}

struct str
listing_root(const struct listing *l)
{
	return l->root;
}

/* ---- showing */

struct walk {
	listing_visitor *each;
	void *context;
	bool too_long;
	char path[LIMIT_PATH];
};

static void walk_dir(struct walk *w, const struct dir *d, size_t at);

static void
walk_entry(struct walk *w, const struct entry *e, const struct dir *in, size_t at)
{
	size_t n = strlen(e->name);

	if (at + n + 2 > sizeof w->path) {
		w->too_long = true;
		return;
	}
	memcpy(w->path + at, e->name, n + 1);
	if (!w->each(w->context, str_of(w->path, at + n), at, in != NULL) || !in)
		return;
	w->path[at + n] = '/';
	walk_dir(w, in, at + n + 1);
}

static void
walk_dir(struct walk *w, const struct dir *d, size_t at)
{
	const struct dir *in = d->first;

	for (const struct block *b = d->blocks; b; b = b->next)
		for (size_t k = 0; k < b->n; k += entry_at(b, k)->size) {
			const struct entry *e = entry_at(b, k);
			bool directory = e->type == DT_DIR;

			if (is_dots(e->name) || is_git(e->name))
				continue;
			walk_entry(w, e, directory ? in : NULL, at);
			in = directory ? in->next : in;
		}
}

bool
listing_walk(const struct listing *l, listing_visitor *each, void *context)
{
	struct walk w = { .each = each, .context = context };

	walk_dir(&w, l->top, 0);
	return !w.too_long;
}
