#include "daemon/bundle/bundle.h"

#define SERIAL_DIGITS 15

static const struct str comment_mark = STR_INIT("cordon bundle serial:");
static const struct str state_mark = STR_INIT("cordon bundle 1\nserial ");
static const struct str digest_mark = STR_INIT("\nsha256 ");

bool
bundle_read_serial(struct str text, uint64_t *ret)
{
	if (text.n == 0 || text.n > SERIAL_DIGITS || text.p[0] == '0')
		return false;
	return str_number(text, UINT64_MAX, ret);
}

void
bundle_put_comment(struct buf *b, uint64_t serial)
{
	buf_put(b, comment_mark);
	buf_putu(b, serial);
}

bool
bundle_serial(struct str comment, uint64_t *ret)
{
	struct str rest;

	if (!str_starts(comment, comment_mark))
		return false;
	rest = str_skip(comment, comment_mark.n);
	rest.n = str_find(rest, ' ');
	/* minisign appends its own text after a tab. */
	rest.n = str_find(rest, '\t');
	return bundle_read_serial(rest, ret);
}

void
bundle_put_state(struct buf *b, const struct bundle_state *s)
{
	buf_put(b, state_mark);
	buf_putu(b, s->serial);
	buf_put(b, digest_mark);
	buf_put(b, str_of(s->digest, sizeof s->digest));
	buf_putc(b, '\n');
}

bool
bundle_read_state(struct str text, struct bundle_state *ret)
{
	struct bundle_state s = { 0 };
	size_t n;

	if (!str_starts(text, state_mark))
		return false;
	text = str_skip(text, state_mark.n);
	n = str_find(text, '\n');
	if (!bundle_read_serial(str_cut(text, 0, n), &s.serial))
		return false;
	text = str_skip(text, n);
	if (!str_starts(text, digest_mark))
		return false;
	text = str_skip(text, digest_mark.n);
	if (text.n != sizeof s.digest + 1 || text.p[text.n - 1] != '\n')
		return false;
	memcpy(s.digest, text.p, sizeof s.digest);
	*ret = s;
	return true;
}

const char *
bundle_refusal(const struct bundle_state *last, const struct bundle_state *next)
{
	if (next->serial > last->serial)
		return NULL;
	if (next->serial < last->serial)
		return "a newer bundle is already installed";
	if (memcmp(next->digest, last->digest, sizeof last->digest) == 0)
		return NULL;
	return "another bundle with this serial is already installed";
}
