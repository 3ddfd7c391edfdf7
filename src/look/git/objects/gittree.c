#include "look/git/gitrepo.h"

#define DEPTH 64
#define MODE_TYPE 0170000U
#define MODE_DIR 0040000U

struct git_tree_entry {
	struct git_file file; /* mode 0: the end */
	struct str name;
};

static bool
is_dir(const struct git_file *f)
{
	return (f->mode & MODE_TYPE) == MODE_DIR;
}

/* Read the next entry of a tree; false: corrupt. */
static bool
take_entry(struct str *text, struct git_tree_entry *ret)
{
	size_t blank = str_find(*text, ' '), nul;

	*ret = (struct git_tree_entry){ 0 };
	if (text->n == 0)
		return true;
	nul = str_find(*text, '\0');
	if (blank > 6 || nul <= blank + 1 || text->n - nul < 1 + SHA1_BYTES)
		return false;
	for (size_t i = 0; i < blank; i++) {
		if (text->p[i] < '0' || text->p[i] > '7')
			return false;
		ret->file.mode = ret->file.mode << 3 | (unsigned)(text->p[i] - '0');
	}
	ret->name = str_cut(*text, blank + 1, nul);
	memcpy(ret->file.oid.v, text->p + nul + 1, SHA1_BYTES);
	*text = str_skip(*text, nul + 1 + SHA1_BYTES);
	return ret->file.mode != 0;
}

static bool
read_tree(struct git_repo *r, const struct git_oid *oid, struct str *ret)
{
	enum git_type type;

	return git_read(&r->store, oid, &type, ret) && type == OBJ_TREE;
}

static bool
find_entry(struct str text, struct str name, struct git_tree_entry *ret)
{
	do {
		if (!take_entry(&text, ret))
			return false;
	} while (ret->file.mode && !str_eq(ret->name, name));
	return true;
}

bool
git_lookup(
    struct git_repo *r, const struct git_oid *tree, struct str path, struct git_file *ret)
{
	size_t mark = r->store.a->used;
	struct git_tree_entry e = { .file = { MODE_DIR, *tree } };
	struct str text;
	bool ok = true;

	while (ok && path.n && is_dir(&e.file)) {
		struct str part = str_cut(path, 0, str_find(path, '/'));

		path = str_skip(path, part.n + 1);
		ok = read_tree(r, &e.file.oid, &text) && find_entry(text, part, &e);
		arena_back(r->store.a, mark);
	}
	/* A directory of that name is no file; a file on the path is no directory. */
	*ret = path.n || is_dir(&e.file) ? (struct git_file){ 0 } : e.file;
	return ok;
}

/* ---- differences */

struct differing {
	struct git_repo *r;
	git_diff_visitor *each;
	void *context;
	char path[LIMIT_PATH];
	size_t n;
};

static bool diff_trees(
    struct differing *d, const struct git_file *x, const struct git_file *y, int depth);

/* Compare in git's order: a directory sorts as if its name ended in a slash. */
static int
compare(const struct git_tree_entry *x, const struct git_tree_entry *y)
{
	size_t n = x->name.n < y->name.n ? x->name.n : y->name.n;
	int order = memcmp(x->name.p, y->name.p, n);
	int a, b;

	if (order)
		return order;
	a = x->name.n > n ? (unsigned char)x->name.p[n] : is_dir(&x->file) ? '/' : 0;
	b = y->name.n > n ? (unsigned char)y->name.p[n] : is_dir(&y->file) ? '/' : 0;
	return a - b;
}

static bool
see(struct differing *d, struct str name, const struct git_file *x,
    const struct git_file *y, int depth)
{
	size_t before = d->n;
	bool ok;

	if (git_file_eq(x, y))
		return true;
	if (d->n + name.n + 2 > sizeof d->path)
		return false;
	if (d->n)
		d->path[d->n++] = '/';
	memcpy(d->path + d->n, name.p, name.n);
	d->n += name.n;
	ok = is_dir(x) || is_dir(y) ? diff_trees(d, x, y, depth + 1)
				    : d->each(d->context, str_of(d->path, d->n), x, y);
	d->n = before;
	return ok;
}

static bool
diff_texts(struct differing *d, struct str x, struct str y, int depth)
{
	static const struct git_file none = { 0 };
	struct git_tree_entry a, b;

	if (!take_entry(&x, &a) || !take_entry(&y, &b))
		return false;
	while (a.file.mode || b.file.mode) {
		int order = !a.file.mode ? 1 : !b.file.mode ? -1 : compare(&a, &b);
		struct str name = order <= 0 ? a.name : b.name;

		if (!see(d, name, order <= 0 ? &a.file : &none,
			order >= 0 ? &b.file : &none, depth))
			return false;
		if ((order <= 0 && !take_entry(&x, &a)) ||
		    (order >= 0 && !take_entry(&y, &b)))
			return false;
	}
	return true;
}

static bool
diff_trees(
    struct differing *d, const struct git_file *x, const struct git_file *y, int depth)
{
	size_t mark = d->r->store.a->used;
	struct str a = STR(""), b = STR("");
	bool ok = depth < DEPTH && (!is_dir(x) || read_tree(d->r, &x->oid, &a)) &&
		  (!is_dir(y) || read_tree(d->r, &y->oid, &b)) &&
		  diff_texts(d, a, b, depth);

	arena_back(d->r->store.a, mark);
	return ok;
}

bool
git_diff(struct git_repo *r, const struct git_oid *from, const struct git_oid *to,
    git_diff_visitor *each, void *context)
{
	struct differing d = { .r = r, .each = each, .context = context };
	struct git_file x = { MODE_DIR, *from }, y = { MODE_DIR, *to };

	return git_file_eq(&x, &y) || diff_trees(&d, &x, &y, 0);
}

bool
git_files(
    struct git_repo *r, const struct git_oid *tree, git_diff_visitor *each, void *context)
{
	static const struct git_file none = { 0 };
	struct differing d = { .r = r, .each = each, .context = context };

	return diff_trees(&d, &none, &(struct git_file){ MODE_DIR, *tree }, 0);
}
