#include "base/json/json.h"
#include "base/utf8.h"

static const char hex[] = "0123456789abcdef";

static void
put_escape(struct buf *b, uint32_t unit)
{
	char out[6] = { '\\', 'u' };

	for (size_t i = 0; i < 4; i++)
		out[2 + i] = hex[unit >> (12 - 4 * i) & 15];
	buf_put(b, str_of(out, sizeof out));
}

static void
put_control(struct buf *b, char c)
{
	static const char from[] = "\b\t\n\f\r\"\\", to[] = "btnfr\"\\";
	const char *hit = c ? strchr(from, c) : NULL;
	char two[2] = { '\\', hit ? to[hit - from] : 0 };

	if (hit)
		buf_put(b, str_of(two, 2));
	else
		put_escape(b, (unsigned char)c);
}

static bool
is_plain(char c)
{
	return (unsigned char)c >= 0x20 && (unsigned char)c < 0x80 && c != '"' && c != '\\';
}

void
json_put_str(struct buf *b, struct str s)
{
	size_t i = 0;

	buf_putc(b, '"');
	while (i < s.n) {
		size_t from = i, n;
		uint32_t c;

		while (i < s.n && is_plain(s.p[i]))
			i++;
		buf_put(b, str_cut(s, from, i));
		if (i == s.n)
			break;
		n = utf8_take(s, i, &c);
		if (n == 0)
			put_escape(b, 0xdc00u + (unsigned char)s.p[i]);
		else if (n == 1)
			put_control(b, s.p[i]);
		else
			buf_put(b, str_cut(s, i, i + n));
		i += n ? n : 1;
	}
	buf_putc(b, '"');
}

void
json_put_str_or_null(struct buf *b, struct str s)
{
	if (s.p)
		json_put_str(b, s);
	else
		buf_puts(b, "null");
}

void
json_put_int(struct buf *b, int64_t number)
{
	if (number < 0)
		buf_putc(b, '-');
	/* Negate as unsigned: -INT64_MIN is not an int64_t. */
	buf_putu(b, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

void
json_put_bool(struct buf *b, bool truth)
{
	buf_puts(b, truth ? "true" : "false");
}

void
json_put_sep(struct buf *b)
{
	char last = b->n ? b->p[b->n - 1] : '[';

	if (last != '[' && last != '{' && last != ':' && last != ',' && last != '\n')
		buf_putc(b, ',');
}

void
json_put_key(struct buf *b, const char *key)
{
	json_put_sep(b);
	json_put_str(b, str_from_c(key));
	buf_putc(b, ':');
}

void
json_put_member(struct buf *b, const char *key, struct str text)
{
	json_put_key(b, key);
	json_put_str(b, text);
}

void
json_put_member_u(struct buf *b, const char *key, uint64_t number)
{
	json_put_key(b, key);
	buf_putu(b, number);
}

void
json_put_member_int(struct buf *b, const char *key, int64_t number)
{
	json_put_key(b, key);
	json_put_int(b, number);
}

void
json_put_member_bool(struct buf *b, const char *key, bool truth)
{
	json_put_key(b, key);
	json_put_bool(b, truth);
}

void
json_put_member_or_null(struct buf *b, const char *key, struct str text)
{
	json_put_key(b, key);
	json_put_str_or_null(b, text);
}

void
json_put_range(struct buf *b, uint64_t start, uint64_t end)
{
	json_put_key(b, "range");
	buf_putc(b, '[');
	buf_putu(b, start);
	buf_putc(b, ',');
	buf_putu(b, end);
	buf_putc(b, ']');
}

bool
json_put_scalar(struct buf *b, const struct json *v)
{
	switch (v->kind) {
	case JSON_STRING:
		json_put_str(b, v->text);
		return true;
	case JSON_NUMBER:
		buf_put(b, v->text);
		return true;
	case JSON_BOOL:
		json_put_bool(b, v->truth);
		return true;
	case JSON_NULL:
		buf_puts(b, "null");
		return true;
	case JSON_ARRAY:
	case JSON_OBJECT:
		break;
	}
	return false;
}
