/* Several threads list a tree: completely, in one order, without following symlinks. */
#include "look/listing/listing.h"
#include "scratch.h"

struct seen {
	struct arena *a;
	struct buf names;
	size_t n, directories;
	bool flat;        /* go nowhere */
	struct str cover; /* this directory */
};

static enum listing_step
see(void *context, struct str path, size_t name, bool directory)
{
	struct seen *s = context;

	assert_int_equal(path.p[path.n], 0);
	assert_true(name == 0 || path.p[name - 1] == '/');
	assert_int_equal(str_find(str_skip(path, name), '/'), path.n - name);
	s->n++;
	s->directories += directory;
	buf_put(&s->names, path);
	buf_puts(&s->names, directory ? "/\n" : "\n");
	if (str_eq(path, s->cover))
		return LISTING_COVER;
	return s->flat ? LISTING_SKIP : LISTING_GO;
}

static struct seen
look_through(const struct scratch *s, const char *root)
{
	struct seen seen = { .a = s->a };
	const char *why;
	struct listing *l = listing_make(at_str(s, root), &why);

	assert_non_null(l);
	assert_null(why);
	assert_str(listing_root(l), at_str(s, root));
	buf_init(&seen.names, s->a);
	assert_true(listing_walk(l, see, &seen));
	listing_free(l);
	return seen;
}

static bool
names(const struct seen *s, const char *line)
{
	struct str all = buf_str(&s->names), want = str_from_c(line);

	for (size_t i = 0; i + want.n < all.n; i++)
		if ((i == 0 || all.p[i - 1] == '\n') && all.p[i + want.n] == '\n' &&
		    str_starts(str_skip(all, i), want))
			return true;
	return false;
}

/* Enough directories for every thread, and enough names for several blocks. */
static void
all_of_a_large_tree_in_one_order(void **state)
{
	const struct scratch *s = *state;
	struct seen first, again;

	assert_int_equal(
	    sh(s, "mkdir big && cd big && for d in $(seq 60); do mkdir -p $d/x; "
		  "touch $d/x/f; done && mkdir wide && cd wide && "
		  "seq -f a-name-that-takes-its-room-%05.0f 4000 | xargs touch"),
	    0);
	first = look_through(s, "w/big");
	assert_int_equal(first.n, 60 * 3 + 1 + 4000);
	assert_int_equal(first.directories, 60 * 2 + 1);
	assert_true(names(&first, "17/x/f"));
	assert_true(names(&first, "wide/a-name-that-takes-its-room-04000"));
	for (int i = 0; i < 8; i++) {
		again = look_through(s, "w/big");
		assert_str(buf_str(&again.names), buf_str(&first.names));
	}
}

static void
through_no_link_and_not_into_git(void **state)
{
	const struct scratch *s = *state;
	struct seen seen;

	point(s, "w/away", "../out");
	point(s, "w/round", ".");
	assert_int_equal(
	    sh(s, "mkdir -p .git/objects sub/.git && touch .git/x sub/.git/y"), 0);
	seen = look_through(s, "w");
	assert_true(names(&seen, "away"));
	assert_true(names(&seen, "round"));
	assert_true(names(&seen, "sub/"));
	assert_true(names(&seen, "sub/f"));
	assert_true(names(&seen, "a"));
	assert_int_equal(seen.n, 5);
}

static void
not_where_the_visitor_does_not_go(void **state)
{
	const struct scratch *s = *state;
	struct seen seen = { .a = s->a, .flat = true };
	const char *why;
	struct listing *l = listing_make(s->w, &why);

	assert_non_null(l);
	buf_init(&seen.names, s->a);
	assert_true(listing_walk(l, see, &seen));
	assert_int_equal(seen.n, 2);
	/* Find files of one name in any directory. */
	seen = (struct seen){ .a = s->a };
	buf_init(&seen.names, s->a);
	assert_true(listing_find(l, &(struct str){ "f", 1 }, 1, see, &seen));
	assert_str(buf_str(&seen.names), STR("sub/\nsub/f\n"));
	listing_free(l);
	listing_free(NULL);
}

static void
refused_when_it_cannot_be_told(void **state)
{
	const struct scratch *s = *state;
	const char *why = NULL;

	assert_null(listing_make(at_str(s, "w/none"), &why));
	assert_non_null(why);
	assert_null(listing_make(at_str(s, "w/a"), &why));
	assert_non_null(why);
	point(s, "w/link", "sub");
	assert_null(listing_make(at_str(s, "w/link"), &why));
	assert_non_null(why);
}

/* Directories that we may not list are skipped: the command may not list them either. */
static void
closed_directories_show_nothing(void **state)
{
	const struct scratch *s = *state;
	struct seen seen;

	if (geteuid() == 0)
		skip();
	assert_int_equal(sh(s, "mkdir shut && touch shut/x && chmod 0 shut"), 0);
	seen = look_through(s, "w");
	assert_true(names(&seen, "shut/"));
	assert_false(names(&seen, "shut/x"));
	assert_true(names(&seen, "sub/f"));
}

static void
see_link(void *context, const struct listing_link *link)
{
	struct seen *s = context;

	assert_int_equal(link->path.p[link->path.n], 0);
	assert_true(link->names > 1 && link->ino);
	buf_put(&s->names, link->path);
	buf_putc(&s->names, '\n');
}

static void
files_with_several_names(void **state)
{
	const struct scratch *s = *state;
	struct seen seen = { .a = s->a, .cover = STR("shut") };
	const char *why;
	struct listing *l;

	assert_int_equal(
	    sh(s, "mkdir -p shut/in open && echo > shut/in/a && ln shut/in/a open/b && "
		  "ln a open/c && ln -s a open/d && ln -P open/d open/e"),
	    0);
	l = listing_make(s->w, &why);
	assert_non_null(l);
	for (int i = 0; i < 2; i++) {
		buf_init(&seen.names, s->a);
		assert_true(listing_walk(l, see, &seen));
		assert_false(names(&seen, "shut/in/"));
		buf_init(&seen.names, s->a);
		assert_true(listing_links(l, true, see_link, &seen, &why));
		assert_str(buf_str(&seen.names), STR("shut/in/a\n"));
		buf_init(&seen.names, s->a);
		assert_true(listing_links(l, false, see_link, &seen, &why));
		assert_int_equal(buf_str(&seen.names).n, strlen("a\nopen/b\nopen/c\n"));
		assert_true(
		    names(&seen, "a") && names(&seen, "open/b") && names(&seen, "open/c"));
	}
	/* A new walk forgets the covered directories of the last one. */
	seen.cover = STR("sub");
	assert_true(listing_walk(l, see, &seen));
	buf_init(&seen.names, s->a);
	assert_true(listing_links(l, true, see_link, &seen, &why));
	assert_int_equal(buf_str(&seen.names).n, 0);
	assert_true(listing_links(l, false, see_link, &seen, &why));
	assert_true(names(&seen, "shut/in/a"));
	listing_free(l);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, scratch_new, scratch_end)
	const struct CMUnitTest tests[] = {
		T(all_of_a_large_tree_in_one_order),
		T(through_no_link_and_not_into_git),
		T(not_where_the_visitor_does_not_go),
		T(files_with_several_names),
		T(refused_when_it_cannot_be_told),
		T(closed_directories_show_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
