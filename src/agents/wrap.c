#define _GNU_SOURCE /* memmem */
#include "agents/wrap.h"
#include "base/quote.h"

#define RUN STR(" run")
#define GRANT STR(" --grant ")
#define COMMAND STR(" -c ")

static const char names[WRAP_FLAGS][16] = {
	[WRAP_FOR] = " --for ",
	[WRAP_PROJECT] = " --project ",
	[WRAP_ROOT] = " --root ",
	[WRAP_POLICY] = " --policy ",
	[WRAP_SESSION] = " --session ",
	[WRAP_MODE] = " --mode ",
	[WRAP_HOME] = " --home ",
	[WRAP_UNTRUSTED] = " --untrusted",
};

void
wrap_add(struct wrap *w, enum wrap_flag flag, struct str value)
{
	if (w->n == WRAP_OPTIONS) {
		w->full = true;
		return;
	}
	w->options[w->n].flag = flag;
	w->options[w->n++].value = value;
}

static bool
put_word(struct buf *b, struct str word)
{
	return quote_put(b, QUOTE_BASH, word, NULL) == 0;
}

bool
wrap_put(struct buf *b, const struct wrap *w)
{
	bool ok = put_word(b, w->program) && !w->full;

	buf_put(b, RUN);
	for (size_t i = 0; i < w->n; i++) {
		enum wrap_flag flag = w->options[i].flag;

		buf_puts(b, names[flag]);
		if (flag != WRAP_UNTRUSTED)
			ok = put_word(b, w->options[i].value) && ok;
	}
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

/* Read one word as put_word writes it. wrap_read compares the result, so other forms
 * need no check here. */
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
take_option(struct arena *a, struct str *s, struct wrap *w)
{
	for (int flag = 0; flag < WRAP_FLAGS; flag++) {
		struct str value = STR("");

		if (!skip(s, str_from_c(names[flag])))
			continue;
		if (flag != WRAP_UNTRUSTED && !take_word(a, s, &value))
			return false;
		wrap_add(w, (enum wrap_flag)flag, value);
		return true;
	}
	return false;
}

static bool
take_words(struct arena *a, struct str s, struct wrap *w)
{
	if (!take_word(a, &s, &w->program) || !skip(&s, RUN))
		return false;
	while (take_option(a, &s, w) && !w->full)
		continue;
	if (skip(&s, GRANT) && !take_word(a, &s, &w->grant))
		return false;
	return skip(&s, COMMAND) && take_word(a, &s, &w->command) && s.n == 0;
}

bool
wrap_read(struct arena *a, struct str text, struct wrap *ret)
{
	struct wrap w = { 0 };
	struct buf again;

	/* Fast path: most commands are not wrapped, so look for the mark only where it
	 * can be. */
	if (text.n == 0 || (text.p[0] != '/' && text.p[0] != '\'') ||
	    !memmem(text.p, text.n, " run -", 6) || !take_words(a, text, &w))
		return false;
	buf_init(&again, a);
	if (!wrap_put(&again, &w) || !str_eq(buf_str(&again), text))
		return false;
	*ret = w;
	return true;
}

bool
wrap_same(const struct wrap *a, const struct wrap *b)
{
	if (!str_eq(a->program, b->program) || a->n != b->n || a->full || b->full)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->options[i].flag != b->options[i].flag ||
		    !str_eq(a->options[i].value, b->options[i].value))
			return false;
	return true;
}

bool
wrap_shell(struct str shell)
{
	return str_among(
	    str_base(shell), "bash\0sh\0dash\0zsh\0ksh\0mksh\0ksh93\0ash\0busybox\0yash\0");
}
