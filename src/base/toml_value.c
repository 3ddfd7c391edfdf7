#include "base/limits.h"
#include "base/toml.h"
#include "base/utf8.h"

/* ---- strings */

static int
read_code(struct toml *t, size_t digits, struct buf *b)
{
	uint32_t c = 0;
	char out[4];

	for (size_t i = 0; i < digits; i++, t->at++) {
		char d = toml_peek(t);

		if (byte_hex(d) < 0)
			return toml_fail(t, "expected hexadecimal digits");
		c = c << 4 | (uint32_t)byte_hex(d);
	}
	if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return toml_fail(t, "invalid character number");
	buf_put(b, str_of(out, utf8_give(c, out)));
	return 0;
}

static int
read_escape(struct toml *t, bool many, struct buf *b)
{
	static const char from[] = "btnfr\"\\", to[] = "\b\t\n\f\r\"\\";
	char c;
	const char *hit;

	t->at++;
	c = toml_peek(t);
	hit = c ? strchr(from, c) : NULL;
	if (many && (c == '\n' || c == '\r' || c == ' ' || c == '\t')) {
		while (toml_peek(t) == ' ' || toml_peek(t) == '\t')
			t->at++;
		if (toml_peek(t) != '\n' && toml_peek(t) != '\r')
			return toml_fail(t, "a lone backslash");
		while (toml_peek(t) && strchr(" \t\r\n", toml_peek(t)))
			t->at++;
		return 0;
	}
	t->at++;
	if (c == 'u' || c == 'U')
		return read_code(t, c == 'u' ? 4 : 8, b);
	if (!hit)
		return toml_fail(t, "invalid escape in a string");
	buf_putc(b, to[hit - from]);
	return 0;
}

static int
read_plain(struct toml *t, bool many, struct buf *b)
{
	unsigned char c = (unsigned char)toml_peek(t);
	uint32_t unused;
	size_t n;

	if (t->at >= t->text.n)
		return toml_fail(t, "string is never closed");
	if ((c < 0x20 && c != '\t' && !(many && (c == '\n' || c == '\r'))) || c == 0x7f)
		return toml_fail(t, "control byte in a string");
	n = utf8_take(t->text, t->at, &unused);
	if (n == 0)
		return toml_fail(t, "invalid UTF-8");
	buf_put(b, str_cut(t->text, t->at, t->at + n));
	t->at += n;
	return 0;
}

int
toml_string(struct toml *t, bool key, struct str *ret)
{
	char q = toml_peek(t);
	char three[4] = { q, q, q, 0 }, one[2] = { q, 0 };
	bool many = !key && toml_take(t, three);
	const char *close = many ? three : one;
	struct buf b;
	int err = 0;

	buf_init(&b, t->a);
	if (!many)
		t->at++;
	else if (!toml_take(t, "\n"))
		(void)toml_take(t, "\r\n");
	while (!err && !toml_take(t, close))
		err = q == '"' && toml_peek(t) == '\\' ? read_escape(t, many, &b)
						       : read_plain(t, many, &b);
	/* One or two quotes may come before the closing three. */
	for (int i = 0; many && !err && i < 2 && toml_take(t, one); i++)
		buf_putc(&b, q);
	if (!err && b.full)
		return err_at(t->e, CORDON_ENOMEM, t->at, "TOML needs more memory");
	*ret = buf_str(&b);
	return err;
}

/* ---- the rest */

/* Bytes of a number, date, true or false. */
static bool
is_word(char c)
{
	return byte_is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
	       (c && strchr("+-_.:", c));
}

static int
read_word(struct toml *t, struct json *v)
{
	size_t from = t->at, digits;
	struct str word;

	while (is_word(toml_peek(t)))
		t->at++;
	word = str_cut(t->text, from, t->at);
	/* A date may be followed by a blank and a time. */
	if (word.n == 10 && word.p[4] == '-' && toml_peek(t) == ' ' &&
	    t->at + 1 < t->text.n && byte_is_digit(t->text.p[t->at + 1])) {
		t->at++;
		while (is_word(toml_peek(t)))
			t->at++;
		word = str_cut(t->text, from, t->at);
	}
	if (word.n == 0)
		return toml_fail(t, "expected a value");
	digits = word.p[0] == '+' || word.p[0] == '-' ? 1 : 0;
	v->text = word;
	if (str_is(word, "true") || str_is(word, "false")) {
		v->kind = JSON_BOOL;
		v->truth = word.n == 4;
	} else if (str_find(word, ':') < word.n || (word.n >= 10 && word.p[4] == '-')) {
		v->kind = JSON_STRING;
	} else if (digits >= word.n || (!byte_is_digit(word.p[digits]) &&
					   !str_is(str_skip(word, digits), "inf") &&
					   !str_is(str_skip(word, digits), "nan"))) {
		t->at = from;
		return toml_fail(t, "expected quotes around a string");
	}
	return 0;
}

static int
read_array(struct toml *t, int depth, struct json *v)
{
	int err = toml_space(t, true);

	while (!err && !toml_take(t, "]")) {
		struct json *item = NULL;

		err = toml_value(t, depth + 1, &item);
		if (!err) {
			toml_add(v, item);
			err = toml_space(t, true);
		}
		if (!err && !toml_take(t, ",") && toml_peek(t) != ']')
			err = toml_fail(t, "expected ',' or ']'");
		if (!err)
			err = toml_space(t, true);
	}
	return err;
}

static int
read_inline(struct toml *t, int depth, struct json *v)
{
	int err = toml_space(t, false);

	if (!err && toml_take(t, "}"))
		return 0;
	while (!err) {
		err = toml_pair(t, v, depth + 1);
		if (!err)
			err = toml_space(t, false);
		if (!err && toml_take(t, "}"))
			return 0;
		if (!err && !toml_take(t, ","))
			err = toml_fail(t, "expected ',' or '}'");
		if (!err)
			err = toml_space(t, false);
	}
	return err;
}

int
toml_value(struct toml *t, int depth, struct json **ret)
{
	size_t from = t->at;
	char c = toml_peek(t);
	struct json *v;
	int err;

	if (depth > LIMIT_JSON_DEPTH)
		return err_at(t->e, CORDON_ELIMIT, t->at, "values nested too deeply");
	if (c == '"' || c == '\'') {
		v = toml_new(t, JSON_STRING);
		err = v ? toml_string(t, false, &v->text) : CORDON_ENOMEM;
	} else if (c == '[' || c == '{') {
		t->at++;
		v = toml_new(t, c == '[' ? JSON_ARRAY : JSON_OBJECT);
		err = !v         ? CORDON_ENOMEM
		      : c == '[' ? read_array(t, depth, v)
				 : read_inline(t, depth, v);
	} else {
		v = toml_new(t, JSON_NUMBER);
		err = v ? read_word(t, v) : CORDON_ENOMEM;
	}
	if (err)
		return err;
	v->at = (uint32_t)from;
	v->end = (uint32_t)t->at;
	*ret = v;
	return 0;
}
