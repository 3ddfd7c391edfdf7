#include "gate/rules/load.h"
#include "base/show.h"
#include "decide/decide.h"
#include "policy/builtin.h"
#include <sys/mman.h>
#include <unistd.h>

#define SCRATCH_BYTES ((size_t)256 << 10)
/* The handle of an opened image is a few pointers. */
#define HANDLE_BYTES ((size_t)512)
/* Source text, draft and image of the largest accepted policy. */
#define IMAGE_BYTES ((size_t)256 << 20)
/* Part of the cache key, so that an image of another build is never used. */
#define IMAGE_MAGIC "cordon-images-3 " CORDON_VERSION

/* Static buffers: avoid mmap and keep page faults low on the hook path. */
static struct {
	_Alignas(16) char handles[2][HANDLE_BYTES];
	char scratch[SCRATCH_BYTES];
} own;

bool
loader_init(struct loader *l, const struct process *cli)
{
	*l = (struct loader){ .cli = cli };
	arena_init(&l->scratch, own.scratch, sizeof own.scratch);
	arena_init(&l->handles[0], own.handles[0], sizeof own.handles[0]);
	arena_init(&l->handles[1], own.handles[1], sizeof own.handles[1]);
	return true;
}

/* Return the arena that is not in use, emptied; NULL if out of memory. */
static struct arena *
next_image(struct loader *l)
{
	struct arena *a = &l->images[l->current ^ 1];

	if (!a->mem && !arena_map(a, IMAGE_BYTES))
		return NULL;
	arena_reset(a);
	return a;
}

int
load_complain(const struct loader *l, int status)
{
	struct str text = buf_str(&l->message);

	(void)write_all(STDERR_FILENO, STR("cordon: "));
	(void)write_all(STDERR_FILENO, text);
	(void)write_all(STDERR_FILENO, STR("\n"));
	return status;
}

/* ---- the key of an image */

static void
put_number(struct buf *b, uint64_t number)
{
	buf_putc(b, ' ');
	buf_putu(b, number);
}

static void
put_identity(struct buf *b, const struct identity *id)
{
	put_number(b, id->there);
	put_number(b, id->dev);
	put_number(b, id->ino);
	put_number(b, id->size);
	put_number(b, (uint64_t)id->mtime);
	put_number(b, (uint64_t)id->mtime_ns);
	put_number(b, (uint64_t)id->ctime);
	put_number(b, (uint64_t)id->ctime_ns);
	put_number(b, id->mode);
	put_number(b, id->uid);
}

/* Hash everything the image depends on. */
static void
make_key(struct arena *a, const struct layers *l, char key[static SHA256_HEX])
{
	struct buf b;

	buf_init(&b, a);
	buf_puts(&b, IMAGE_MAGIC);
	if (l->builtin)
		put_number(&b, policy_builtin_sum());
	for (size_t i = 0; i < l->n; i++) {
		put_number(&b, (uint64_t)l->files[i].layer);
		buf_putc(&b, ' ');
		buf_puts(&b, l->files[i].path);
		buf_putc(&b, '\0');
		put_identity(&b, &l->files[i].id);
	}
	put_identity(&b, &l->trust);
	put_number(&b, l->q->untrusted);
	/* A session that ends changes the policy although no file changes. */
	put_number(&b, l->session_ended);
	buf_putc(&b, ' ');
	buf_put(&b, l->q->root.p ? l->q->root : STR(""));
	buf_putc(&b, '\0');
	buf_put(&b, l->q->home.p ? l->q->home : STR(""));
	sha256_hex(buf_str(&b), key);
}

/* ---- errors */

void
load_put_error(struct buf *b, struct str file, const struct policy_error *e)
{
	show_put(b, file, 0);
	buf_putc(b, ':');
	buf_putu(b, e->line);
	buf_putc(b, ':');
	buf_putu(b, e->column);
	buf_puts(b, ": ");
	buf_put(b, e->why);
	if (!e->line)
		return;
	buf_puts(b, "\n    ");
	show_put(b, e->line_text, 0);
	buf_puts(b, "\n    ");
	for (size_t i = 1; i < e->column && i < 400; i++)
		buf_putc(b, ' ');
	buf_putc(b, '^');
}

/* ---- making an image */

struct testing {
	struct loader *l;
	bool failed;
};

static void
on_test(void *context, const struct test_failure *f, bool passed)
{
	struct testing *t = context;
	struct buf *b = &t->l->message;

	if (passed || !f->looser || t->failed)
		return;
	t->failed = true;
	show_put(b, f->test.file, 0);
	buf_putc(b, ':');
	buf_putu(b, f->test.line);
	buf_puts(b, ":1: this test fails: the policy says ");
	buf_puts(b, verdict_name(f->found));
	buf_puts(b, ", which is looser than ");
	buf_puts(b, verdict_name(f->test.expected));
	buf_puts(b, "\n    ");
	show_put(b, f->test.command, 0);
	buf_puts(b, "\nhint: `cordon explain` shows which rule decides");
}

static bool
has_tests(const struct policy *p, enum layer layer)
{
	struct policy_test t;

	for (size_t i = 0; policy_test(p, i, &t); i++)
		if (t.layer == layer)
			return true;
	return false;
}

/* Compile the sources that apply to each layer's tests on their own, and run the tests. */
static int
run_tests(struct loader *l, struct arena *a, const struct layers_request *q,
    const struct policy *whole)
{
	struct testing t = { l, false };

	for (enum layer layer = LAYER_PROJECT; layer < LAYERS && !t.failed; layer++) {
		struct policy_source part[LAYER_FILES + 1];
		struct policy_error e;
		const struct policy *p = NULL;
		struct buf image;
		size_t n = 0;

		if (!has_tests(whole, layer))
			continue;
		for (size_t i = 0; i < l->sources_n; i++)
			if (tests_use(layer, l->sources[i].layer))
				part[n++] = l->sources[i];
		buf_init(&image, a);
		if (policy_compile(a, part, n, &image, &e) || image.full ||
		    policy_open(a, buf_str(&image), &p))
			return EXIT_INTERNAL;
		tests_run(a, p, layer, q, on_test, &t);
	}
	return t.failed ? EXIT_POLICY : 0;
}

static int
compile(struct loader *l, struct arena *a, const struct layers_request *q, struct str *ret,
    const struct policy **ret_policy)
{
	struct policy_error e = { 0 };
	struct buf image;
	size_t kept;
	int err;

	buf_init(&image, a);
	err = policy_compile(a, l->sources, l->sources_n, &image, &e);
	if (err == CORDON_ENOMEM || image.full) {
		buf_puts(&l->message, "the policy is too large");
		return EXIT_POLICY;
	}
	if (err) {
		load_put_error(&l->message, l->sources[e.source].file, &e);
		return EXIT_POLICY;
	}
	*ret = buf_str(&image);
	if (policy_open(a, *ret, ret_policy)) {
		buf_puts(&l->message, "the compiled policy is corrupt");
		return EXIT_INTERNAL;
	}
	kept = a->used;
	err = l->no_tests ? 0 : run_tests(l, a, q, *ret_policy);
	arena_back(a, kept);
	if (err == EXIT_INTERNAL)
		buf_puts(&l->message, "cannot run the policy's tests");
	return err;
}

/* ---- loading */

static void
take(struct loader *l, const struct policy *p, struct str mapped)
{
	if (l->mapped.p)
		(void)munmap((void *)l->mapped.p, l->mapped.n);
	l->mapped = mapped;
	l->policy = p;
	l->current ^= 1;
	l->loaded = true;
	l->shipped = false;
}

static const char *
image_path(struct loader *l, const struct layers *where, const char *key)
{
	if (!where->cache)
		return NULL;
	return STORE_NAME(&l->scratch, str_from_c(where->cache), STR("/"),
	    str_of(key, SHA256_HEX), STR(".image"));
}

/* Without any rules file, use the image compiled at build time. */
static bool
use_shipped(struct loader *l, const struct layers *where)
{
	struct arena *a = &l->handles[l->current ^ 1];
	struct str all = policy_builtin_image();
	size_t n = all.n - SHA256_BYTES;
	const struct policy *p = NULL;

	if (where->n || !where->builtin || l->no_cache)
		return false;
	if (l->loaded && l->shipped)
		return true;
	arena_reset(a);
	if (policy_open_shipped(a, str_cut(all, 0, n), &p))
		return false;
	take(l, p, (struct str){ NULL, 0 });
	memcpy(l->digest, all.p + n, SHA256_BYTES);
	l->key[0] = '\0';
	l->shipped = true;
	return true;
}

static bool
use_kept(struct loader *l, const struct layers *where, const char *key)
{
	const char *path = image_path(l, where, key);
	struct arena *a = &l->handles[l->current ^ 1];
	const struct policy *p = NULL;
	struct str file;
	size_t n;

	if (!path || !store_map(path, where->admin, &file))
		return false;
	arena_reset(a);
	n = file.n > SHA256_BYTES ? file.n - SHA256_BYTES : 0;
	if (policy_open_kept(a, str_cut(file, 0, n), &p)) {
		(void)munmap((void *)file.p, file.n);
		return false;
	}
	take(l, p, file);
	memcpy(l->digest, file.p + n, SHA256_BYTES);
	return true;
}

/* Cache the image and its digest for the next call: a hook has no time to compile. */
static void
keep_image(struct loader *l, struct arena *a, const char *path, struct str image)
{
	struct buf b;

	buf_init(&b, a);
	buf_put(&b, image);
	buf_put(&b, str_of((const char *)l->digest, sizeof l->digest));
	/* On failure the next call compiles again: slower, not wrong. */
	if (!b.full)
		(void)store_write(path, buf_str(&b));
}

static int
make_anew(struct loader *l, struct layers *where)
{
	struct arena *a = next_image(l);
	const struct policy *p = NULL;
	struct str image = { NULL, 0 };
	char key[SHA256_HEX];
	const char *path;
	bool fresh;
	int err;

	if (!a) {
		buf_puts(&l->message, "no memory for the policy");
		return EXIT_INTERNAL;
	}
	err = layers_read(a, where, l->sources, &l->sources_n, &fresh, &l->message);
	if (!err)
		err = compile(l, a, where->q, &image, &p);
	if (err)
		return err;
	/* Use the identities of the descriptors that were read. */
	make_key(&l->scratch, where, key);
	path = image_path(l, where, key);
	sha256_of(image, l->digest);
	if (path && !fresh && !l->no_tests)
		keep_image(l, a, path, image);
	take(l, p, (struct str){ NULL, 0 });
	memcpy(l->key, key, sizeof key);
	if (fresh)
		l->key[0] = '\0';
	return 0;
}

int
load_policy(struct loader *l, const struct layers_request *q, const struct policy **ret)
{
	struct layers where;
	char key[SHA256_HEX];
	int err;

	arena_reset(&l->scratch);
	buf_init(&l->message, &l->scratch);
	err = layers_find(&l->scratch, l->cli, q, &where, &l->message);
	if (err)
		return err;
	if (use_shipped(l, &where)) {
		*ret = l->policy;
		return 0;
	}
	make_key(&l->scratch, &where, key);
	if (l->loaded && !l->no_cache && memcmp(key, l->key, sizeof key) == 0) {
		*ret = l->policy;
		return 0;
	}
	if (!l->no_cache && use_kept(l, &where, key))
		memcpy(l->key, key, sizeof key);
	else
		err = make_anew(l, &where);
	if (!err)
		*ret = l->policy;
	return err;
}
