#include "base/json/json.h"
#include "base/limits.h"
#include "base/utf8.h"

/* Up to this many keys are compared pairwise; more are sorted. */
#define FEW_KEYS 8

struct json_reader {
	struct arena *a;
	struct str text;
	size_t at;
	struct json_opts opts;
	struct err *e;
};

static int
fail(struct json_reader *r, const char *why)
{
	return err_at(r->e, CORDON_EINVAL, r->at, why);
}

static int
no_memory(struct json_reader *r)
{
	return err_at(r->e, CORDON_ENOMEM, r->at, "JSON needs more memory than its limit");
}

/* The current byte, or NUL at the end; a NUL in the text is never valid. */
static char
peek(const struct json_reader *r)
{
	return r->at < r->text.n ? r->text.p[r->at] : '\0';
}

static bool
take(struct json_reader *r, char c)
{
	if (r->at >= r->text.n || r->text.p[r->at] != c)
		return false;
	r->at++;
	return true;
}

/* Skip to the end of the line. Some parsers end a line comment at CR, U+2028 or U+2029 too
 * and would read the rest as text: refuse these. */
static int
skip_line_comment(struct json_reader *r)
{
	while (r->at < r->text.n && r->text.p[r->at] != '\n') {
		uint32_t c = 0;
		size_t n = utf8_take(r->text, r->at, &c);

		if (n == 0 || c == 0)
			return fail(r, "comment with a NUL or invalid UTF-8");
		if (c == 0x2028 || c == 0x2029 ||
		    (c == '\r' && !str_starts(str_skip(r->text, r->at), STR("\r\n"))))
			return fail(
			    r, "comment with a line separator that some parsers end it at");
		r->at += n;
	}
	return 0;
}

static int
skip_block_comment(struct json_reader *r)
{
	while (r->at < r->text.n) {
		uint32_t c = 0;
		size_t n = utf8_take(r->text, r->at, &c);

		if (n == 0 || c == 0)
			return fail(r, "comment with a NUL or invalid UTF-8");
		r->at += n;
		if (c == '*' && take(r, '/'))
			return 0;
	}
	return fail(r, "comment is never closed");
}

static int
skip_comment(struct json_reader *r)
{
	r->at++;
	if (take(r, '/'))
		return skip_line_comment(r);
	if (take(r, '*'))
		return skip_block_comment(r);
	return fail(r, "expected a comment after '/'");
}

static int
skip_space(struct json_reader *r)
{
	for (;;) {
		char c = peek(r);
		int err;

		if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
			r->at++;
			continue;
		}
		if (c != '/' || !r->opts.comments)
			return 0;
		err = skip_comment(r);
		if (err)
			return err;
	}
}

static int
read_hex4(struct json_reader *r, uint32_t *ret)
{
	uint32_t unit = 0;

	for (size_t i = 0; i < 4; i++) {
		char c = peek(r);

		if (byte_hex(c) < 0)
			return fail(r, "\\u needs four hexadecimal digits");
		unit = unit << 4 | (uint32_t)byte_hex(c);
		r->at++;
	}
	*ret = unit;
	return 0;
}

/* Read the digits after \u: one character, or a byte given as a lone surrogate. *retn is
 * the number of bytes in `out`. */
static int
read_unicode(struct json_reader *r, size_t from, char out[static 4], size_t *retn)
{
	uint32_t unit, low;
	int err = read_hex4(r, &unit);

	if (err)
		return err;
	if (unit == 0)
		return err_at(r->e, CORDON_EINVAL, from, "NUL in a string");
	if (unit >= 0xd800 && unit < 0xdc00) {
		if (!str_starts(str_skip(r->text, r->at), STR("\\u")))
			return err_at(
			    r->e, CORDON_EINVAL, from, "surrogate without its pair");
		r->at += 2;
		err = read_hex4(r, &low);
		if (err)
			return err;
		if (low < 0xdc00 || low > 0xdfff)
			return err_at(
			    r->e, CORDON_EINVAL, from, "surrogate without its pair");
		unit = 0x10000 + ((unit & 0x3ff) << 10 | (low & 0x3ff));
	} else if (unit >= 0xdc00 && unit < 0xe000) {
		if (!r->opts.surrogate_bytes || unit < 0xdc80 || unit > 0xdcff)
			return err_at(
			    r->e, CORDON_EINVAL, from, "surrogate without its pair");
		out[0] = (char)(unit & 0xff);
		*retn = 1;
		return 0;
	}
	*retn = utf8_give(unit, out);
	return 0;
}

static int
read_escape(struct json_reader *r, char out[static 4], size_t *retn)
{
	static const char from[] = "btnfr\"\\/", to[] = "\b\t\n\f\r\"\\/";
	size_t at = r->at++;
	char c = peek(r);
	const char *hit = c ? strchr(from, c) : NULL;

	if (!hit && c != 'u')
		return fail(r, "invalid escape in a string");
	r->at++;
	if (c == 'u')
		return read_unicode(r, at, out, retn);
	out[0] = to[hit - from];
	*retn = 1;
	return 0;
}

/* A 64-bit word with every byte equal to `b`. */
#define BYTES(b) (UINT64_MAX / 255 * (uint64_t)(b))

/* Count leading bytes that are plain ASCII, eight at a time: most of a payload is. */
static size_t
plain_eights(struct str s)
{
	size_t n = 0;

	for (; s.n - n >= 8; n += 8) {
		uint64_t w, quote, escape;

		memcpy(&w, s.p + n, 8);
		quote = w ^ BYTES('"');
		escape = w ^ BYTES('\\');
		if ((w | ((w - BYTES(0x20)) & ~w) | ((quote - BYTES(1)) & ~quote) |
			((escape - BYTES(1)) & ~escape)) &
		    BYTES(0x80))
			break;
	}
	return n;
}

/* Skip characters that are not escaped. */
static int
skip_plain(struct json_reader *r)
{
	r->at += plain_eights(str_skip(r->text, r->at));
	while (r->at < r->text.n) {
		unsigned char c = (unsigned char)r->text.p[r->at];
		uint32_t unused;
		size_t n = 1;

		if (c == '"' || c == '\\')
			return 0;
		if (c < 0x20)
			return fail(r, c ? "control byte in a string" : "NUL in a string");
		if (c >= 0x80)
			n = utf8_take(r->text, r->at, &unused);
		if (n == 0)
			return fail(r, "invalid UTF-8");
		r->at += n;
	}
	return fail(r, "string is never closed");
}

/* Read the rest of a string with escapes; `from` is the start of its bytes. An escape is
 * never shorter than its value, so the source length bounds the result. */
static int
read_escaped(struct json_reader *r, size_t from, struct str *ret)
{
	struct str head = str_cut(r->text, from, r->at);
	size_t close = r->at, n = head.n;
	char *out;

	while (close < r->text.n && r->text.p[close] != '"')
		close += r->text.p[close] == '\\' ? 2 : 1;
	if (close >= r->text.n)
		return fail(r, "string is never closed");
	out = arena_alloc(r->a, close - from);
	if (!out)
		return no_memory(r);
	memcpy(out, head.p, n);
	while (!take(r, '"')) {
		size_t start = r->at, got = 0;
		char c[4];
		int err = peek(r) == '\\' ? read_escape(r, c, &got) : skip_plain(r);

		if (err)
			return err;
		/* Copy the value of the escape, or the source bytes. */
		memcpy(out + n, got ? c : r->text.p + start, got ? got : r->at - start);
		n += got ? got : r->at - start;
	}
	*ret = str_of(out, n);
	return 0;
}

/* Read a string after its opening quote. */
static int
read_string(struct json_reader *r, struct str *ret)
{
	size_t from = r->at;
	int err = skip_plain(r);

	if (err)
		return err;
	if (peek(r) == '\\')
		return read_escaped(r, from, ret);
	*ret = str_cut(r->text, from, r->at);
	r->at++;
	return 0;
}

static bool
skip_digits(struct json_reader *r)
{
	size_t from = r->at;

	while (byte_is_digit(peek(r)))
		r->at++;
	return r->at > from;
}

static int
read_number(struct json_reader *r, struct json *v)
{
	take(r, '-');
	if (take(r, '0')) {
		if (byte_is_digit(peek(r)))
			return fail(r, "number with a leading zero");
	} else if (!skip_digits(r)) {
		return fail(r, "number without digits");
	}
	if (take(r, '.') && !skip_digits(r))
		return fail(r, "number without digits after its point");
	if (take(r, 'e') || take(r, 'E')) {
		if (!take(r, '+'))
			take(r, '-');
		if (!skip_digits(r))
			return fail(r, "number without digits in its exponent");
	}
	v->kind = JSON_NUMBER;
	v->text = str_cut(r->text, v->at, r->at);
	return 0;
}

static int
read_word(struct json_reader *r, struct json *v)
{
	static const struct {
		struct str word;
		enum json_kind kind;
		bool truth;
	} words[] = {
		{ STR_INIT("null"), JSON_NULL, false },
		{ STR_INIT("true"), JSON_BOOL, true },
		{ STR_INIT("false"), JSON_BOOL, false },
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (str_starts(str_skip(r->text, r->at), words[i].word)) {
			r->at += words[i].word.n;
			v->kind = words[i].kind;
			v->truth = words[i].truth;
			return 0;
		}
	return fail(
	    r, r->at < r->text.n ? "expected a value" : "expected a value before the end");
}

static int
duplicate(struct json_reader *r, const struct json *second)
{
	return err_at(r->e, CORDON_EINVAL, second->key_at, "duplicate key");
}

/* One step of merge sort: merge two sorted runs of `from` into `to`. */
static void
merge(struct json *const *from, struct json **to, size_t left, size_t mid, size_t right)
{
	size_t i = left, j = mid;

	for (size_t k = left; k < right; k++) {
		bool first =
		    j >= right || (i < mid && str_cmp(from[i]->key, from[j]->key) <= 0);

		to[k] = first ? from[i++] : from[j++];
	}
}

/* Sort instead of hashing: no choice of keys makes sorting slow. */
static int
check_many_keys(struct json_reader *r, struct json *object)
{
	size_t n = object->count, used = r->a->used, k = 0;
	struct json **from = arena_array(r->a, n, sizeof(struct json *));
	struct json **to = arena_array(r->a, n, sizeof(struct json *));
	struct json *bad = NULL;

	if (!from || !to)
		return no_memory(r);
	for (struct json *m = object->first; m; m = m->next)
		from[k++] = m;
	for (size_t run = 1; run < n; run *= 2) {
		struct json **swap = from;

		for (size_t i = 0; i < n; i += 2 * run)
			merge(from, to, i, i + run < n ? i + run : n,
			    i + 2 * run < n ? i + 2 * run : n);
		from = to;
		to = swap;
	}
	for (size_t i = 1; i < n; i++)
		if (str_eq(from[i - 1]->key, from[i]->key) &&
		    (!bad || from[i]->key_at < bad->key_at))
			bad = from[i];
	arena_back(r->a, used); /* the two arrays are the newest allocations */
	return bad ? duplicate(r, bad) : 0;
}

static int
check_keys(struct json_reader *r, struct json *object)
{
	if (object->count > FEW_KEYS)
		return check_many_keys(r, object);
	for (struct json *m = object->first; m; m = m->next)
		for (struct json *before = object->first; before != m;
		     before = before->next)
			if (str_eq(before->key, m->key))
				return duplicate(r, m);
	return 0;
}

static int read_value(struct json_reader *r, int depth, struct json **ret);

static int
read_key(struct json_reader *r, struct str *ret)
{
	int err;

	if (!take(r, '"'))
		return fail(r, "expected a key in quotes");
	err = read_string(r, ret);
	if (!err)
		err = skip_space(r);
	if (err)
		return err;
	return take(r, ':') ? skip_space(r) : fail(r, "expected ':' after the key");
}

/* Read one member and the blanks after it. */
static int
read_member(struct json_reader *r, int depth, struct json *parent, struct json **last)
{
	struct str key = { NULL, 0 };
	struct json *member = NULL;
	size_t key_at = r->at;
	int err = parent->kind == JSON_OBJECT ? read_key(r, &key) : 0;

	if (!err)
		err = read_value(r, depth, &member);
	if (!member)
		return err;
	member->key = key;
	member->key_at = (uint32_t)key_at;
	parent->count++;
	if (*last)
		(*last)->next = member;
	else
		parent->first = member;
	*last = member;
	return skip_space(r);
}

/* Read the members of an object or array after its opening bracket. */
static int
read_members(struct json_reader *r, int depth, struct json *parent)
{
	char close = parent->kind == JSON_OBJECT ? '}' : ']';
	struct json *last = NULL;
	int err = skip_space(r);

	if (err)
		return err;
	if (take(r, close))
		return 0;
	for (;;) {
		err = read_member(r, depth, parent, &last);
		if (err)
			return err;
		if (take(r, close))
			return parent->kind == JSON_OBJECT ? check_keys(r, parent) : 0;
		if (!take(r, ','))
			return fail(r,
			    close == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
		err = skip_space(r);
		if (err)
			return err;
	}
}

static int
read_value(struct json_reader *r, int depth, struct json **ret)
{
	struct json *v = ARENA_NEW(r->a, struct json);
	char c = peek(r);
	int err;

	if (!v)
		return no_memory(r);
	v->at = (uint32_t)r->at; /* LIMIT_JSON fits into 32 bits */
	if (c == '{' || c == '[') {
		if (depth >= LIMIT_JSON_DEPTH)
			return err_at(
			    r->e, CORDON_ELIMIT, r->at, "values nested too deeply");
		r->at++;
		v->kind = c == '{' ? JSON_OBJECT : JSON_ARRAY;
		err = read_members(r, depth + 1, v);
	} else if (c == '"') {
		r->at++;
		v->kind = JSON_STRING;
		err = read_string(r, &v->text);
	} else if (c == '-' || (byte_is_digit(c))) {
		err = read_number(r, v);
	} else {
		err = read_word(r, v);
	}
	if (err)
		return err;
	v->end = (uint32_t)r->at;
	*ret = v;
	return 0;
}

int
json_read(struct arena *a, struct str text, const struct json_opts *opts,
    const struct json **ret, struct err *reterr)
{
	struct json_reader r = { .a = a, .text = text, .e = reterr };
	struct json *v = NULL;
	int err;

	if (opts)
		r.opts = *opts;
	if (text.n > LIMIT_JSON)
		return err_at(reterr, CORDON_ELIMIT, LIMIT_JSON, "JSON is too long");
	err = skip_space(&r);
	if (!err)
		err = read_value(&r, 0, &v);
	if (!err)
		err = skip_space(&r);
	if (err)
		return err;
	if (r.at < text.n)
		return fail(&r, "text after the end of the document");
	*ret = v;
	return 0;
}
