#define _GNU_SOURCE /* memmem */
#include "hosts/wrap.h"
#include "base/quote.h"

#define RUN STR(" run")
#define FOR STR(" --for ")
#define PROJECT STR(" --project ")
#define UNTRUSTED STR(" --untrusted")
#define GRANT STR(" --grant ")
#define COMMAND STR(" -c ")

static bool
put_word(struct buf *b, struct str word)
{
	return quote_put(b, QUOTE_BASH, word, NULL) == 0;
}

bool
wrap_put(struct buf *b, const struct wrap *w)
{
	bool ok = put_word(b, w->program);

	buf_put(b, RUN);
	if (w->session.p) {
		buf_put(b, FOR);
		ok = put_word(b, w->session) && ok;
	}
	for (size_t i = 0; i < w->projects_n; i++) {
		buf_put(b, PROJECT);
		ok = put_word(b, w->projects[i]) && ok;
	}
	if (w->untrusted)
		buf_put(b, UNTRUSTED);
	if (w->grant.p) {
		buf_put(b, GRANT);
		ok = put_word(b, w->grant) && ok;
	}
	buf_put(b, COMMAND);
	return quote_put_always(b, QUOTE_BASH, w->command, NULL) == 0 && ok && !b->full;
}

/* ---- reading */

static bool
skip(struct str *s, struct str mark)
{
	if (!str_starts(*s, mark))
		return false;
	*s = str_skip(*s, mark.n);
	return true;
}

/* One word as put_word writes it, up to a blank or the end; what is not of that form is
 * found by comparing in wrap_read. */
static bool
take_word(struct arena *a, struct str *s, struct str *ret)
{
	bool quoted = false;
	struct buf b;
	size_t i = 0;

	buf_init(&b, a);
	for (; i < s->n && (quoted || s->p[i] != ' '); i++) {
		if (s->p[i] == '\'')
			quoted = !quoted;
		else if (!quoted && s->p[i] == '\\' && i + 1 < s->n)
			buf_putc(&b, s->p[++i]);
		else
			buf_putc(&b, s->p[i]);
	}
	*s = str_skip(*s, i);
	*ret = buf_str(&b);
	return !quoted && !b.full && i > 0;
}

static bool
take_words(struct arena *a, struct str s, struct wrap *w)
{
	if (!take_word(a, &s, &w->program) || !skip(&s, RUN))
		return false;
	if (skip(&s, FOR) && !take_word(a, &s, &w->session))
		return false;
	while (w->projects_n < WRAP_PROJECTS && skip(&s, PROJECT))
		if (!take_word(a, &s, &w->projects[w->projects_n++]))
			return false;
	w->untrusted = skip(&s, UNTRUSTED);
	if (skip(&s, GRANT) && !take_word(a, &s, &w->grant))
		return false;
	return skip(&s, COMMAND) && take_word(a, &s, &w->command) && s.n == 0;
}

bool
wrap_read(struct arena *a, struct str text, struct wrap *ret)
{
	struct wrap w = { 0 };
	struct buf again;

	/* Nearly every command is none; the mark is looked for where it could stand. */
	if (text.n == 0 || (text.p[0] != '/' && text.p[0] != '\'') ||
	    !memmem(text.p, text.n, " run -", 6) || !take_words(a, text, &w))
		return false;
	buf_init(&again, a);
	if (!wrap_put(&again, &w) || !str_eq(buf_str(&again), text))
		return false;
	*ret = w;
	return true;
}

static bool
same(struct str a, struct str b)
{
	return !a.p == !b.p && str_eq(a, b);
}

bool
wrap_same(const struct wrap *a, const struct wrap *b)
{
	if (!same(a->program, b->program) || !same(a->session, b->session) ||
	    a->projects_n != b->projects_n || a->untrusted != b->untrusted)
		return false;
	for (size_t i = 0; i < a->projects_n; i++)
		if (!same(a->projects[i], b->projects[i]))
			return false;
	return true;
}

bool
wrap_shell(struct str shell)
{
	return str_among(
	    str_base(shell), "bash\0sh\0dash\0zsh\0ksh\0mksh\0ksh93\0ash\0busybox\0yash\0");
}
