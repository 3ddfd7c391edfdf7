#include "look/git/gitconf.h"
#include "base/buf.h"

struct conf_reader {
	struct arena *a;
	struct str text;
	size_t at;
	struct gitconf_entry e;
};

static bool
at_end(const struct conf_reader *r)
{
	return r->at >= r->text.n;
}

static char
peek(const struct conf_reader *r)
{
	return at_end(r) ? '\n' : r->text.p[r->at];
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool
is_name(char c)
{
	return is_letter(c) || (c >= '0' && c <= '9') || c == '-';
}

static void
skip_blanks(struct conf_reader *r)
{
	while (!at_end(r) && (peek(r) == ' ' || peek(r) == '\t' || peek(r) == '\r'))
		r->at++;
}

static void
skip_line(struct conf_reader *r)
{
	while (!at_end(r) && peek(r) != '\n')
		r->at++;
}

/* Letters, digits and dashes, in lower case. */
static struct str
read_name(struct conf_reader *r, bool dots)
{
	struct buf b;

	buf_init(&b, r->a);
	for (; !at_end(r) && (is_name(peek(r)) || (dots && peek(r) == '.')); r->at++)
		buf_putc(&b, is_letter(peek(r)) ? (char)(peek(r) | 32) : peek(r));
	return b.full ? (struct str){ NULL, 0 } : buf_str(&b);
}

static bool
read_subsection(struct conf_reader *r)
{
	struct buf b;

	buf_init(&b, r->a);
	for (r->at++; !at_end(r) && peek(r) != '"'; r->at++) {
		if (peek(r) == '\\')
			r->at++;
		if (at_end(r) || peek(r) == '\n')
			return false;
		buf_putc(&b, peek(r));
	}
	r->at++;
	r->e.sub = buf_str(&b);
	return !b.full;
}

/* [section], [section "sub"] or the old [section.sub]. */
static bool
read_section(struct conf_reader *r)
{
	size_t dot;

	r->at++;
	r->e = (struct gitconf_entry){ .section = read_name(r, true) };
	if (r->e.section.n == 0)
		return false;
	dot = str_find(r->e.section, '.');
	if (dot < r->e.section.n) {
		r->e.sub = str_skip(r->e.section, dot + 1);
		r->e.section.n = dot;
	}
	skip_blanks(r);
	if (peek(r) == '"' && !read_subsection(r))
		return false;
	skip_blanks(r);
	if (peek(r) != ']')
		return false;
	r->at++;
	return true;
}

/* The character that an escape means; 0: git accepts no such escape. */
static char
escaped(char c)
{
	switch (c) {
	case 't':
		return '\t';
	case 'n':
		return '\n';
	case 'b':
		return '\b';
	case '"':
	case '\\':
		return c;
	default:
		return 0;
	}
}

static bool
read_value(struct conf_reader *r)
{
	bool quoted = false;
	size_t keep = 0; /* trailing blanks are dropped */
	struct buf b;

	buf_init(&b, r->a);
	skip_blanks(r);
	for (; !at_end(r) && peek(r) != '\n'; r->at++) {
		char c = peek(r);

		if (!quoted && (c == '#' || c == ';'))
			break;
		if (c == '"') {
			quoted = !quoted;
			keep = b.n;
			continue;
		}
		if (c == '\\') {
			r->at++;
			if (peek(r) == '\r')
				r->at++;
			if (peek(r) == '\n') {
				if (at_end(r))
					return false;
				continue;
			}
			c = escaped(peek(r));
			if (!c)
				return false;
			buf_putc(&b, c);
			keep = b.n;
			continue;
		}
		buf_putc(&b, c);
		if (quoted || (c != ' ' && c != '\t' && c != '\r'))
			keep = b.n;
	}
	skip_line(r);
	b.n = keep < b.n ? keep : b.n;
	r->e.value = buf_str(&b);
	r->e.has_value = true;
	return !quoted && !b.full;
}

static bool
read_entry(struct conf_reader *r)
{
	r->e.name = read_name(r, false);
	r->e.value = STR("");
	r->e.has_value = false;
	if (r->e.name.n == 0 || r->e.section.n == 0)
		return false;
	skip_blanks(r);
	if (peek(r) == '\n') /* git accepts no comment here */
		return true;
	if (peek(r) != '=')
		return false;
	r->at++;
	return read_value(r);
}

int
gitconf_read(struct arena *a, struct str text, gitconf_visitor *each, void *context,
    struct err *reterr)
{
	static const struct str bom = STR_INIT("\xef\xbb\xbf");
	struct conf_reader r = { .a = a, .text = text };

	if (str_starts(text, bom))
		r.at = bom.n;
	while (!at_end(&r)) {
		char c = peek(&r);

		if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
			r.at++;
		} else if (c == '#' || c == ';') {
			skip_line(&r);
		} else if (c == '[') {
			if (!read_section(&r))
				return err_at(reterr, CORDON_EINVAL, r.at,
				    "a section of git's "
				    "configuration is bad");
		} else {
			if (!read_entry(&r))
				return err_at(reterr, CORDON_EINVAL, r.at,
				    "a line of git's configuration is bad");
			if (!each(context, &r.e))
				return 0;
		}
	}
	return 0;
}
