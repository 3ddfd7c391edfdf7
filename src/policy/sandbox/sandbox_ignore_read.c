/* Read an ignore mapping in any of its forms into sorted rows. */
#include "policy/sandbox/sandbox_ignore.h"

static int
refuse(struct rows *r, const struct json *v, const char *why)
{
	return err_at(r->reterr, CORDON_EINVAL, v->at, why);
}

int
rows_no_memory(const struct rows *r)
{
	return err_at(r->reterr, CORDON_ENOMEM, 0, "out of memory");
}

/* ---- JSON → sources */

static struct source *
add_source(struct rows *r, struct str root, size_t files)
{
	struct source *s = ARENA_NEW(r->a, struct source);

	if (!s)
		return NULL;
	*s = (struct source){ .root = root, .next = r->sources };
	s->files = arena_array(r->a, files, sizeof *s->files);
	if (!s->files)
		return NULL;
	r->sources = s;
	return s;
}

static int
take_string(struct rows *r, const struct json *v, const char *key, struct str *ret)
{
	const struct json *m = json_get(v, str_from_c(key));

	if (!m || m->kind != JSON_STRING)
		return refuse(r, v, "an ignore mapping lacks a string");
	*ret = m->text;
	return 0;
}

static int
read_file(struct rows *r, const struct json *v, struct ignore_text *ret)
{
	int err;

	if (v->kind != JSON_OBJECT || v->count != 3)
		return refuse(
		    r, v, "a file of an ignore mapping has dir, name and patterns");
	if ((err = take_string(r, v, "dir", &ret->dir)) ||
	    (err = take_string(r, v, "name", &ret->name)) ||
	    (err = take_string(r, v, "patterns", &ret->text)))
		return err;
	return 0;
}

static int
read_version_1(struct rows *r, const struct json *v)
{
	const struct json *version = json_get(v, STR("version"));
	const struct json *files = json_get(v, STR("files"));
	struct source *s;
	struct str root;
	int64_t number = 0;
	int err = 0;

	if (v->kind != JSON_OBJECT || v->count != 3 || !version ||
	    json_int(version, &number) || number != 1 || !files ||
	    files->kind != JSON_ARRAY)
		return refuse(r, v, "an ignore mapping has version 1, root and files");
	if ((err = take_string(r, v, "root", &root)))
		return err;
	if (!str_starts(root, STR("/")))
		return refuse(r, v, "the root of an ignore mapping must be absolute");
	s = add_source(r, root, files->count);
	if (!s)
		return rows_no_memory(r);
	for (const struct json *f = files->first; f && !err; f = f->next)
		err = read_file(r, f, &s->files[s->n++]);
	return err;
}

static int
read_patterns(struct rows *r, struct str root, const struct json *list)
{
	struct source *s = add_source(r, root, 1);
	struct buf b;

	if (!s)
		return rows_no_memory(r);
	buf_init(&b, r->a);
	for (const struct json *p = list->first; p; p = p->next) {
		if (p->kind != JSON_STRING)
			return refuse(r, p, "an ignore pattern must be a string");
		buf_put(&b, p->text);
		buf_putc(&b, '\n');
	}
	s->files[s->n++] = (struct ignore_text){ STR(""), STR(""), buf_str(&b) };
	return b.full ? rows_no_memory(r) : 0;
}

static int
read_folder(struct rows *r, const struct json *v)
{
	int err = 0;

	if (!str_starts(v->key, STR("/")))
		return refuse(r, v, "a folder of an ignore mapping must be absolute");
	if (v->kind != JSON_ARRAY)
		return refuse(
		    r, v, "an ignore mapping gives each folder a list of patterns");
	if (!v->first || v->first->kind != JSON_ARRAY)
		return read_patterns(r, v->key, v);
	for (const struct json *list = v->first; list && !err; list = list->next)
		err = list->kind == JSON_ARRAY
			  ? read_patterns(r, v->key, list)
			  : refuse(r, list, "patterns and lists of patterns do not mix");
	return err;
}

static int
read_mapping(struct rows *r, struct str text)
{
	static const struct json_opts how = { .surrogate_bytes = true };
	const struct json *v = NULL;
	int err;

	if (!text.p)
		return 0;
	err = json_read(r->a, text, &how, &v, r->reterr);
	if (err)
		return err;
	if (v->kind == JSON_OBJECT && json_get(v, STR("version")))
		return read_version_1(r, v);
	if (v->kind == JSON_ARRAY)
		for (const struct json *m = v->first; m && !err; m = m->next)
			err = read_version_1(r, m);
	else if (v->kind == JSON_OBJECT)
		for (const struct json *m = v->first; m && !err; m = m->next)
			err = read_folder(r, m);
	else
		err = refuse(r, v, "an ignore mapping must be an object");
	return err;
}

/* ---- sources → rows */

/* The next line with a pattern; false at the end. */
static bool
next_line(struct str *rest, struct str *ret)
{
	while (rest->n) {
		size_t end = str_find(*rest, '\n');

		*ret = str_cut(*rest, 0, end);
		*rest = str_skip(*rest, end + 1);
		if (ret->n && ret->p[0] != '#')
			return true;
	}
	return false;
}

/* Count the lines; *ret_ordered: one of them is a negation. */
static size_t
count_lines(const struct source *s, bool *ret_ordered)
{
	size_t n = 0;

	*ret_ordered = false;
	for (size_t i = 0; i < s->n; i++) {
		struct str rest = s->files[i].text, line;

		for (; next_line(&rest, &line); n++)
			*ret_ordered = *ret_ordered || line.p[0] == '!';
	}
	return n;
}

static int
put_rows(struct rows *r, const struct source *s)
{
	bool ordered;
	size_t lines = count_lines(s, &ordered);
	struct ignore_text *one;

	if (lines == 0)
		return 0;
	if (ordered) {
		r->v[r->n++] = (struct ignore_row){ s->root, true, s->files, s->n };
		return 0;
	}
	one = arena_array(r->a, lines, sizeof *one);
	if (!one)
		return rows_no_memory(r);
	for (size_t i = 0; i < s->n; i++) {
		struct str rest = s->files[i].text, line;

		for (; next_line(&rest, &line); one++) {
			*one =
			    (struct ignore_text){ s->files[i].dir, s->files[i].name, line };
			r->v[r->n++] = (struct ignore_row){ s->root, false, one, 1 };
		}
	}
	return 0;
}

/* ---- one order for all rows */

static int
file_cmp(const struct ignore_text *x, const struct ignore_text *y)
{
	int c = str_cmp(x->dir, y->dir);

	if (!c)
		c = str_cmp(x->name, y->name);
	return c ? c : str_cmp(x->text, y->text);
}

int
row_cmp(const struct ignore_row *x, const struct ignore_row *y)
{
	int c = str_cmp(x->root, y->root);

	if (!c)
		c = (int)x->ordered - (int)y->ordered;
	for (size_t i = 0; i < x->n && i < y->n && !c; i++)
		c = file_cmp(&x->files[i], &y->files[i]);
	return c ? c : (x->n > y->n) - (x->n < y->n);
}

static void
merge(struct ignore_row *out, const struct ignore_row *x, size_t xn,
    const struct ignore_row *y, size_t yn)
{
	while (xn || yn) {
		if (yn == 0 || (xn && row_cmp(x, y) <= 0)) {
			*out++ = *x++;
			xn--;
		} else {
			*out++ = *y++;
			yn--;
		}
	}
}

/* Sort the rows and remove duplicates; `spare` has the same size. */
static void
sort_rows(struct rows *rows, struct ignore_row *spare)
{
	struct ignore_row *v = rows->v, *to = spare;
	size_t kept = 0;

	for (size_t width = 1; width < rows->n; width *= 2) {
		struct ignore_row *other = v;

		for (size_t i = 0; i < rows->n; i += 2 * width) {
			size_t middle = i + width < rows->n ? i + width : rows->n;
			size_t end = i + 2 * width < rows->n ? i + 2 * width : rows->n;

			merge(to + i, v + i, middle - i, v + middle, end - middle);
		}
		v = to;
		to = other;
	}
	for (size_t i = 0; i < rows->n; i++)
		if (kept == 0 || row_cmp(&v[kept - 1], &v[i]) != 0)
			v[kept++] = v[i];
	rows->v = v;
	rows->n = kept;
}

int
rows_read(struct arena *a, struct str x, struct str y, struct rows *ret, struct err *reterr)
{
	struct rows r = { .a = a, .reterr = reterr };
	struct ignore_row *spare;
	size_t lines = 0;
	bool ordered;
	int err;

	if ((err = read_mapping(&r, x)) || (err = read_mapping(&r, y)))
		return err;
	for (const struct source *s = r.sources; s; s = s->next)
		lines += count_lines(s, &ordered);
	if (lines > SANDBOX_IGNORE_MAX)
		return err_at(reterr, CORDON_ELIMIT, 0, "too many ignore patterns");
	r.v = arena_array(a, lines, sizeof *r.v);
	spare = arena_array(a, lines, sizeof *spare);
	if (!r.v || !spare)
		return rows_no_memory(&r);
	for (const struct source *s = r.sources; s && !err; s = s->next)
		err = put_rows(&r, s);
	if (err)
		return err;
	sort_rows(&r, spare);
	*ret = r;
	return 0;
}
