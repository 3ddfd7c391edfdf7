#include "parse/parser.h"

/* Skip a comment up to its newline; joined lines do not extend it. */
static int
comment_skip(struct parser *p)
{
	const char *from = p->s + p->pos, *nl = memchr(from, '\n', p->end - p->pos);
	uint32_t to = nl ? (uint32_t)(nl - p->s) : p->end;

	if (p->has_cr && memchr(from, '\r', to - p->pos))
		return refuse(p, p->pos, "carriage return outside quotes");
	p->pos = to;
	return (unsigned char)p->s[to];
}

int
skip_blanks(struct parser *p)
{
	char c;

	while (char_is(c = cur(p), CH_BLANK))
		p->pos++;
	if (c == '#')
		return comment_skip(p);
	return (unsigned char)c;
}

int
skip_newlines(struct parser *p)
{
	int c, r;

	while ((c = skip_blanks(p)) == '\n') {
		if (p->no_newline)
			return refuse(p, p->pos,
			    "a here-document would begin inside this substitution");
		p->pos++;
		if (p->npending > p->pending_base && (r = heredoc_bodies(p)) < 0)
			return r;
	}
	return c;
}

/* run_read() for a run with joined lines. */
static int
run_joined(struct parser *p, unsigned stop, struct str *ret)
{
	uint32_t i = p->pos;
	size_t n = 0;
	char *copy;

	for (;; n++, i++) {
		while (p->s[i] == '\\' && p->s[i + 1] == '\n')
			i += 2;
		if (char_is(p->s[i], stop))
			break;
	}
	copy = arena_alloc(p->a, n);
	if (!copy)
		return no_memory(p);
	*ret = str_of(copy, n);
	for (i = p->pos; n > 0; i++, n--) {
		while (p->s[i] == '\\' && p->s[i + 1] == '\n')
			i += 2;
		*copy++ = p->s[i];
	}
	p->pos = i;
	cur(p);
	return 0;
}

int
run_read(struct parser *p, unsigned stop, struct str *ret)
{
	uint32_t start = p->pos, i = start;

	while (!char_is(p->s[i], stop))
		i++;
	if (p->s[i] == '\\' && p->s[i + 1] == '\n')
		return run_joined(p, stop, ret);
	*ret = str_of(p->s + start, i - start);
	p->pos = i;
	return 0;
}

#define RESERVED_MAX 8

static const struct {
	char text[RESERVED_MAX + 1];
	uint8_t which; /* enum reserved */
} reserved_words[] = {
	{ "!", RES_BANG },
	{ "[[", RES_COND },
	{ "]]", RES_COND_END },
	{ "case", RES_CASE },
	{ "coproc", RES_COPROC },
	{ "do", RES_DO },
	{ "done", RES_DONE },
	{ "elif", RES_ELIF },
	{ "else", RES_ELSE },
	{ "esac", RES_ESAC },
	{ "fi", RES_FI },
	{ "for", RES_FOR },
	{ "function", RES_FUNCTION },
	{ "if", RES_IF },
	{ "in", RES_IN },
	{ "select", RES_SELECT },
	{ "then", RES_THEN },
	{ "time", RES_TIME },
	{ "until", RES_UNTIL },
	{ "while", RES_WHILE },
	{ "{", RES_OPEN },
	{ "}", RES_CLOSE },
};

enum reserved
reserved_find(struct str word)
{
	for (size_t i = 0; word.n > 0 && i < sizeof reserved_words / sizeof *reserved_words;
	     i++)
		if (reserved_words[i].text[0] == word.p[0] &&
		    str_is(word, reserved_words[i].text))
			return (enum reserved)reserved_words[i].which;
	return RES_NONE;
}

/* Look up the word at `pos`, if it is short and unquoted. */
static enum reserved
reserved_look(const struct parser *p, uint32_t *ret_end)
{
	char word[RESERVED_MAX];
	uint32_t i = p->pos;
	size_t n = 0;

	for (;; i++) {
		while (p->s[i] == '\\' && p->s[i + 1] == '\n')
			i += 2;
		if (char_is(p->s[i], CH_SPECIAL))
			break;
		if (n == RESERVED_MAX)
			return RES_NONE;
		word[n++] = p->s[i];
	}
	if (!char_is(p->s[i], CH_BREAK) || at_process(p, i))
		return RES_NONE;
	*ret_end = i;
	return reserved_find(str_of(word, n));
}

enum reserved
reserved_at(struct parser *p, uint32_t *ret_end)
{
	*ret_end = p->pos;
	if (!char_is(p->s[p->pos], CH_KEYWORD))
		return RES_NONE;
	if (p->pos != p->res_pos) {
		p->res_which = (int)reserved_look(p, &p->res_end);
		p->res_pos = p->pos;
	}
	*ret_end = p->res_end;
	return (enum reserved)p->res_which;
}

int
reserved_take(struct parser *p, enum reserved which, const char *why)
{
	uint32_t end;
	int c = skip_newlines(p);

	if (c < 0)
		return c;
	if (reserved_at(p, &end) != which)
		return invalid(p, p->pos, why);
	p->pos = end;
	return 0;
}

int
dialect_only_bash(struct parser *p, size_t at, const char *why)
{
	return p->sh ? refuse(p, at, why) : 0;
}

struct window
window_open(struct parser *p, uint32_t at)
{
	struct window w = { at, p->end, p->s[at] };

	p->s[at] = '\0';
	p->end = at;
	p->res_pos = NO_POS;
	return w;
}

void
window_close(struct parser *p, struct window w)
{
	p->s[w.at] = w.byte;
	p->end = w.end;
	p->res_pos = NO_POS;
}
