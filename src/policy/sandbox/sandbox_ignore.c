/*
 * The ignore mapping of a policy.  Three forms are read:
 *
 *	{"version":1,"root":"/ws","files":[{"dir":"","name":".cursorignore","patterns":"…"}]}
 *	[several of these]
 *	{"/ws":["*.key",".env"],"/lib":[["*.pem"],["a","!b"]]}	(folder → patterns, or
 *lists)
 *
 * A path is ignored if one of the mappings (of the last form: one of the lists) ignores
 * it.  The union is written in the first form, or in the second where it needs more.
 *
 * The order of patterns matters only for negations (`!keep`).  So a mapping with a negation
 * stays separate: joined with another, it would re-include what the other ignores.  All
 * other lines of a root form one sorted mapping.
 */
#include "policy/sandbox/sandbox_ignore.h"

static bool
same_file(const struct ignore_text *x, const struct ignore_text *y)
{
	return str_eq(x->dir, y->dir) && str_eq(x->name, y->name);
}

/* The end of the mapping that begins with row `from`: the lines of one root, or one row. */
static size_t
mapping_end(const struct rows *r, size_t from)
{
	size_t to = from + 1;

	while (!r->v[from].ordered && to < r->n && !r->v[to].ordered &&
	       str_eq(r->v[to].root, r->v[from].root))
		to++;
	return to;
}

/* Print the lines [from, to) of one root, as files. */
static bool
put_lines(const struct rows *r, size_t from, size_t to, struct buf *out)
{
	struct ignore_text *files = arena_array(r->a, to - from, sizeof *files);
	size_t n = 0;

	for (size_t i = from; files && i < to;) {
		const struct ignore_text *first = r->v[i].files;
		struct buf b;

		buf_init(&b, r->a);
		for (; i < to && same_file(first, r->v[i].files); i++) {
			buf_put(&b, r->v[i].files->text);
			buf_putc(&b, '\n');
		}
		if (b.full)
			return false;
		files[n++] = (struct ignore_text){ first->dir, first->name, buf_str(&b) };
	}
	if (files)
		ignore_put_json(out, r->v[from].root, files, n);
	return files != NULL;
}

/* Print one mapping; .p == NULL: out of memory. */
static struct str
mapping_text(const struct rows *r, size_t from, size_t to)
{
	struct buf b;
	bool ok = true;

	buf_init(&b, r->a);
	if (r->v[from].ordered)
		ignore_put_json(&b, r->v[from].root, r->v[from].files, r->v[from].n);
	else
		ok = put_lines(r, from, to, &b);
	return ok && !b.full ? buf_str(&b) : (struct str){ NULL, 0 };
}

static int
put_mappings(struct rows *r, struct str **ret, size_t *ret_n)
{
	struct str *v = arena_array(r->a, r->n, sizeof *v);
	size_t n = 0;

	if (!v)
		return rows_no_memory(r);
	for (size_t from = 0, to; from < r->n; from = to) {
		to = mapping_end(r, from);
		v[n] = mapping_text(r, from, to);
		if (!v[n++].p)
			return rows_no_memory(r);
	}
	*ret = v;
	*ret_n = n;
	return 0;
}

static int
read_union(struct arena *a, struct str x, struct str y, struct str **ret, size_t *ret_n,
    struct err *reterr)
{
	struct rows r;
	int err = rows_read(a, x, y, &r, reterr);

	return err ? err : put_mappings(&r, ret, ret_n);
}

int
sandbox_ignore_union(
    struct arena *a, struct str x, struct str y, struct str *ret, struct err *reterr)
{
	struct str *v = NULL;
	size_t n = 0;
	struct buf b;
	int err = x.p || y.p ? read_union(a, x, y, &v, &n, reterr) : 0;

	if (err)
		return err;
	if (n <= 1) {
		*ret = n ? v[0] : (struct str){ NULL, 0 };
		return 0;
	}
	buf_init(&b, a);
	for (size_t i = 0; i < n; i++) {
		buf_putc(&b, i ? ',' : '[');
		buf_put(&b, v[i]);
	}
	buf_putc(&b, ']');
	if (b.full)
		return err_at(reterr, CORDON_ENOMEM, 0, "out of memory");
	*ret = buf_str(&b);
	return 0;
}

int
sandbox_ignore_mappings(struct arena *a, struct str mapping, struct str **ret,
    size_t *ret_n, struct err *reterr)
{
	return read_union(a, mapping, (struct str){ NULL, 0 }, ret, ret_n, reterr);
}

bool
sandbox_ignore_within(struct arena *a, struct str part, struct str whole)
{
	struct rows p, w;
	size_t k = 0;

	if (!part.p)
		return true;
	if (rows_read(a, part, (struct str){ NULL, 0 }, &p, NULL) ||
	    rows_read(a, whole, (struct str){ NULL, 0 }, &w, NULL))
		return false;
	for (size_t i = 0; i < p.n; i++) {
		while (k < w.n && row_cmp(&w.v[k], &p.v[i]) < 0)
			k++;
		if (k == w.n || row_cmp(&w.v[k], &p.v[i]) != 0)
			return false;
	}
	return true;
}
