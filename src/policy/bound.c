/* Does one pattern provably lie inside another?  In doubt, no. */
#include "policy/draft.h"

static bool
host_within(const struct alternative *x, const struct alternative *bound)
{
	struct str name = bound->code;

	if (bound->port && bound->port != x->port)
		return false;
	if (str_eq(x->code, name) || (bound->glob && name.n == 1))
		return true;
	/* *.b.c contains a.b.c and *.a.b.c */
	return bound->glob && str_ends(x->code, str_skip(name, 1));
}

/* Neither has globs, and both include everything below: compare prefixes up to a slash. */
static bool
path_within(const struct alternative *x, const struct alternative *bound)
{
	return x->anchor == bound->anchor && str_starts(x->code, bound->code) &&
	       (x->code.n == bound->code.n || x->code.p[bound->code.n] == '/');
}

bool
alternative_within(const struct alternative *x, const struct alternative *bound)
{
	bool path = x->tree && bound->tree;

	return path ? path_within(x, bound) : host_within(x, bound);
}

/* ---- printing as a rule */

static bool
is_plain(char c)
{
	return c & 0x80 || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
	       memchr("/._-+:%=^!", c, 10);
}

/* Print globs as written; with `quote`, escape literal bytes that look like one. */
static void
put_code(struct buf *b, struct str code, bool quote)
{
	for (size_t i = 0; i < code.n; i++) {
		char c = code.p[i];

		if (c == CODE_STAR || c == CODE_DEEP) {
			buf_puts(b, c == CODE_STAR ? "*" : "**");
		} else if (c == CODE_ANY) {
			buf_putc(b, '?');
		} else {
			buf_puts(b, quote && !is_plain(c) ? "\\" : "");
			buf_putc(b, c);
		}
	}
}

static void
put_host(struct buf *b, const struct alternative *x)
{
	bool six = str_find(x->code, ':') < x->code.n;

	buf_puts(b, six ? "[" : "");
	put_code(b, x->code, false);
	buf_puts(b, six ? "]" : "");
	if (x->port) {
		buf_putc(b, ':');
		buf_putu(b, x->port);
	}
}

void
alternative_put(
    struct buf *b, const struct alternative *x, enum pattern_kind kind, bool quote)
{
	static const char anchors[ANCHORS][9] = { "", "~", "@project" };

	if (kind == PATTERN_HOST) {
		put_host(b, x);
		return;
	}
	buf_puts(b, anchors[x->anchor]);
	if (kind == PATTERN_PATH && x->code.n == 0 && x->anchor == ANCHOR_NONE)
		buf_putc(b, '/');
	put_code(b, x->code, quote);
}
