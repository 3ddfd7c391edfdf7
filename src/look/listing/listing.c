/*
 * List a tree.  A directory keeps the blocks that getdents64(2) wrote, and a list of its
 * subdirectories in the same order.
 *
 * Directories wait on one stack for idle threads.  Further threads start only when many
 * directories wait: a small tree is done before a second thread would have started.
 */
#define _GNU_SOURCE /* d_type, sched_getaffinity */
#include "look/listing/listing.h"
#include "look/listing/listing_parts.h"
#include "os/file.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>

#define THREADS_MAX 8
#define MANY 16 /* waiting directories that justify a thread */

/* ---- the threads */

bool
listing_is_covered(const struct listing *l, const struct listing_node *d)
{
	return d->covered && d->covered == l->walks;
}

void
listing_wait(struct listing *l, struct listing_node *d)
{
	d->waits = l->waiting;
	l->waiting = d;
	l->waiting_n++;
	l->open_n++;
}

/* The next directory, or NULL: no more.  Call with the lock held. */
static struct listing_node *
next_dir(struct listing *l)
{
	struct listing_node *d;

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

/* Finish a directory.  Call with the lock held. */
static void
put_dirs(struct listing *l, const struct listing_node *d)
{
	for (struct listing_node *in = d->first; in; in = in->next)
		if (!listing_is_covered(l, in))
			listing_wait(l, in);
	l->open_n--;
	if (l->idle && (d->first || !l->open_n || l->failed))
		(void)pthread_cond_broadcast(&l->changed);
}

static void *
list_all(void *context)
{
	struct lister *t = context;
	struct listing *l = t->l;
	struct listing_node *d;

	(void)pthread_mutex_lock(&l->lock);
	while ((d = next_dir(l))) {
		(void)pthread_mutex_unlock(&l->lock);
		l->job(t, d);
		(void)pthread_mutex_lock(&l->lock);
		put_dirs(l, d);
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

/* Work alone until many directories wait. */
static void
list_alone(struct lister *t)
{
	struct listing *l = t->l;

	while (l->waiting && l->waiting_n < MANY && !l->failed) {
		struct listing_node *d = next_dir(l);

		l->job(t, d);
		put_dirs(l, d);
	}
}

/* A thread that cannot start leaves its work to the others. */
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

bool
listing_crew(struct listing *l, struct chunk *chunk)
{
	const size_t n = THREADS_MAX * sizeof(struct lister);
	struct lister *all =
	    mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (all == MAP_FAILED) {
		l->failed = "not enough memory to list it";
		return false;
	}
	*all = (struct lister){ .l = l, .chunk = chunk };
	list_alone(all);
	if (l->waiting && !l->failed)
		list_together(all);
	(void)munmap(all, n);
	return !l->failed;
}

/* ---- public functions */

static struct listing *
begin(struct str root)
{
	struct chunk *c = listing_chunk(LISTING_CHUNK);
	struct lister t = { .chunk = c };
	struct listing *l;
	char *name;

	if (!c)
		return NULL;
	l = t.l = (struct listing *)(void *)((char *)c + c->used);
	*l = (struct listing){ .lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
		.job = listing_dir,
		.chunks = c,
		.bytes = c->size,
		.fd = -1 };
	c->used += (sizeof *l + 15) & ~(size_t)15;
	name = listing_take(&t, root.n + 1);
	l->top = listing_take(&t, sizeof *l->top);
	if (!name || !l->top)
		return listing_free(l), NULL;
	memcpy(name, root.p, root.n);
	l->root = str_of(name, root.n);
	l->top->name = name;
	return l;
}

struct listing *
listing_make(struct str root, const char **ret_why)
{
	struct listing *l = begin(root);

	*ret_why = "not enough memory to list it";
	if (!l)
		return NULL;
	l->fd = open(l->top->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (l->fd < 0 && errno != EACCES)
		l->failed = "a directory cannot be listed";
	listing_wait(l, l->top);
	if (l->fd >= 0)
		(void)listing_crew(l, l->chunks);
	*ret_why = l->failed;
	if (!*ret_why)
		return l;
	listing_free(l);
	return NULL;
}

void
listing_free(struct listing *l)
{
	struct chunk *c = l ? l->chunks : NULL;

	if (l)
		fd_close(&l->fd);
	/* The listing itself lies in one of the chunks. */
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
