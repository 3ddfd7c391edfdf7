#include "base/json/json_edit.h"

static char
at(struct str text, size_t i)
{
	return i < text.n ? text.p[i] : '\0';
}

bool
json_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

size_t
json_start_of(const struct json *parent, const struct json *child)
{
	return parent->kind == JSON_OBJECT ? child->key_at : child->at;
}

size_t
json_comment_end(struct str text, size_t i)
{
	if (at(text, i + 1) == '/') {
		while (i < text.n && text.p[i] != '\n')
			i++;
		return at(text, i - 1) == '\r' ? i - 1 : i;
	}
	i += 2;
	while (i + 1 < text.n && !(text.p[i] == '*' && text.p[i + 1] == '/'))
		i++;
	return i + 2;
}

/* The next byte that is neither blank nor comment. *ret_line, if given, tells whether the
 * last skipped comment was a line comment. */
static size_t
next_token(struct str text, size_t i, bool *ret_line)
{
	if (ret_line)
		*ret_line = false;
	while (i < text.n) {
		if (json_is_space(text.p[i])) {
			i++;
		} else if (text.p[i] == '/') {
			if (ret_line)
				*ret_line = at(text, i + 1) == '/';
			i = json_comment_end(text, i);
		} else {
			break;
		}
	}
	return i;
}

/* The range to remove, a value with the blanks before it, and one comma. */
struct hole {
	size_t from, to, comma; /* comma == SIZE_MAX: none */
};

static void
put_without(struct buf *b, struct str text, const struct hole *h)
{
	if (h->comma < h->from) {
		buf_put(b, str_cut(text, 0, h->comma));
		buf_put(b, str_cut(text, h->comma + 1, h->from));
		buf_put(b, str_skip(text, h->to));
		return;
	}
	buf_put(b, str_cut(text, 0, h->from));
	if (h->comma == SIZE_MAX) {
		buf_put(b, str_skip(text, h->to));
		return;
	}
	buf_put(b, str_cut(text, h->to, h->comma));
	buf_put(b, str_skip(text, h->comma + 1));
}

static struct hole
find_hole(struct str text, const struct json *parent, const struct json *child)
{
	struct hole h = { .to = child->end, .comma = SIZE_MAX };
	size_t start = json_start_of(parent, child), search = parent->at + 1u;
	const struct json *before = NULL;
	bool line = false;

	for (const struct json *m = parent->first; m && m != child; m = m->next)
		before = m;
	if (before)
		search = next_token(text, before->end, NULL) + 1;
	if (child->next)
		h.comma = next_token(text, child->end, NULL);
	else if (before)
		h.comma = search - 1;
	(void)next_token(text, search, &line);
	h.from = start;
	while (h.from > search && json_is_space(text.p[h.from - 1]))
		h.from--;
	/* The text after the hole must not become part of a line comment. */
	if (line && at(text, h.to) != '\n' && at(text, h.to) != '\r')
		while (h.from < start && text.p[h.from++] != '\n') {
		}
	/* The parent is empty now: remove the remaining blanks to leave `{}`. */
	while (!before && !child->next && h.from == search && json_is_space(at(text, h.to)))
		h.to++;
	return h;
}

int
json_edit_remove(struct json_edit *e, const struct json *parent, const struct json *child,
    struct err *reterr)
{
	struct hole h = find_hole(e->text, parent, child);
	struct buf b;

	buf_init(&b, e->a);
	put_without(&b, e->text, &h);
	return json_edit_accept(e, &b, reterr);
}
