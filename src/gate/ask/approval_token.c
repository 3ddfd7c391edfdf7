#include "gate/ask/approval_token.h"
#include "base/hash.h"
#include <sys/random.h>
#include <unistd.h>

#define APPROVAL_MAX 512
#define APPROVAL_MAGIC "cordon grant 1\n"

static void
put_hex(char *to, const uint8_t *from, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		to[2 * i] = "0123456789abcdef"[from[i] >> 4];
		to[2 * i + 1] = "0123456789abcdef"[from[i] & 15];
	}
}

/* A fast hash suffices: the tag is only a file name, computed in every hook call.  The
 * terms are hashed with SHA-256 inside the file. */
static void
session_tag(struct str session, char tag[static APPROVAL_TAG])
{
	uint64_t sum = hash64(HASH64_START, session);
	uint8_t bytes[APPROVAL_TAG / 2];

	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)(sum >> 8 * i);
	put_hex(tag, bytes, sizeof bytes);
}

bool
approval_name(struct str session, char ret[static APPROVAL_ID])
{
	uint8_t number[(APPROVAL_ID - APPROVAL_TAG) / 2];

	if (!session.p || getrandom(number, sizeof number, GRND_NONBLOCK) != sizeof number)
		return false;
	session_tag(session, ret);
	put_hex(ret + APPROVAL_TAG, number, sizeof number);
	return true;
}

static bool
is_name(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (!strchr("0123456789abcdef", name.p[i]))
			return false;
	return name.n == APPROVAL_ID;
}

/* A file per conversation, so that voiding a token needs no search. */
static const char *
approval_path(struct arena *a, const struct process *cli, struct str home, struct str tag)
{
	const char *dir = own_dir(a, cli, home, DIR_STATE, STR("/grants/"));

	return dir ? STORE_NAME(a, str_from_c(dir), tag) : NULL;
}

/* Hash everything the token is bound to, as one line of hex. */
static void
put_terms(struct buf *b, struct str name, const struct approval_terms *t)
{
	char sum[SHA256_HEX];
	struct buf all;

	buf_init(&all, b->a);
	buf_put(&all, name);
	buf_put(&all, t->session);
	buf_putc(&all, '\0');
	buf_put(&all, t->cwd);
	buf_putc(&all, '\0');
	buf_put(&all, str_of((const char *)t->policy, SHA256_BYTES));
	buf_put(&all, t->width);
	buf_putc(&all, '\0');
	buf_put(&all, t->command);
	if (all.full)
		b->full = true;
	sha256_hex(buf_str(&all), sum);
	buf_put(b, str_of(sum, sizeof sum));
	buf_putc(b, '\n');
}

bool
approval_leave(struct arena *a, const struct process *cli, struct str home, struct str name,
    const struct approval_terms *terms)
{
	char tag[APPROVAL_TAG];
	const char *path;
	struct str text;
	struct buf b;

	if (!is_name(name) || !terms->session.p)
		return false;
	session_tag(terms->session, tag);
	path = approval_path(a, cli, home, str_of(tag, sizeof tag));
	if (!path || memcmp(tag, name.p, sizeof tag) != 0)
		return false;
	buf_init(&b, a);
	buf_puts(&b, APPROVAL_MAGIC);
	buf_putu(&b, (uint64_t)terms->now);
	buf_putc(&b, '\n');
	put_terms(&b, name, terms);
	text = buf_str(&b);
	return !b.full && store_write(path, text);
}

void
approval_void(
    struct arena *a, const struct process *cli, struct str home, struct str session)
{
	char tag[APPROVAL_TAG];
	const char *path;

	if (!session.p)
		return;
	session_tag(session, tag);
	path = approval_path(a, cli, home, str_of(tag, sizeof tag));
	if (path)
		(void)unlink(path);
}

static bool
read_time(struct str *text, int64_t *ret)
{
	struct str line = str_cut(*text, 0, str_find(*text, '\n'));
	uint64_t n;

	if (!str_number(line, INT64_MAX, &n))
		return false;
	*text = str_skip(*text, line.n + 1);
	*ret = (int64_t)n;
	return true;
}

static bool
fits(struct arena *a, struct str text, struct str name, const struct approval_terms *terms)
{
	struct str magic = STR(APPROVAL_MAGIC);
	int64_t left;
	struct buf b;

	if (!str_starts(text, magic))
		return false;
	text = str_skip(text, magic.n);
	if (!read_time(&text, &left) || left > terms->now + 5 ||
	    terms->now - left > APPROVAL_SECONDS)
		return false;
	buf_init(&b, a);
	put_terms(&b, name, terms);
	return !b.full && str_eq(buf_str(&b), text);
}

bool
approval_take(struct arena *a, const struct process *cli, struct str home, struct str name,
    const struct approval_terms *terms)
{
	const char *path;
	struct str text = { NULL, 0 };
	struct identity id;

	if (!is_name(name) || !terms->session.p)
		return false;
	path = approval_path(a, cli, home, str_cut(name, 0, APPROVAL_TAG));
	if (!path || store_read(a, path, STORE_OWN, APPROVAL_MAX, &text, &id) ||
	    !fits(a, text, name, terms))
		return false;
	/* unlink(2) succeeds for exactly one of several racing callers. */
	return unlink(path) == 0;
}
