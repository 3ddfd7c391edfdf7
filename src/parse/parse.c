#include "parse/parse.h"
#include "parse/parser.h"

static int
check_bytes(struct parser *p, struct str text)
{
	static const struct {
		char byte;
		const char *why;
	} bad[] = {
		{ '\0', "NUL byte" },
		{ '\x01', "byte 0x01, which bash uses internally for quoting" },
		{ '\x7f', "byte 0x7f, which bash uses internally for quoting" },
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		size_t at = str_find(text, bad[i].byte);

		if (at < text.n)
			return refuse(p, at, bad[i].why);
	}
	p->has_cr = str_find(text, '\r') < text.n;
	return 0;
}

/* Copy the text and append the NUL bytes that the lexer relies on. */
static int
copy_text(struct parser *p, struct str text)
{
	p->s = arena_alloc(p->a, text.n + 2);
	if (!p->s)
		return no_memory(p);
	if (text.n)
		memcpy(p->s, text.p, text.n);
	p->s[text.n] = p->s[text.n + 1] = '\0';
	p->end = (uint32_t)text.n;
	return 0;
}

static int
parse_all(struct parser *p, struct list **ret)
{
	struct list *list;
	int r;

	if ((r = list_read(p, &list)) < 0)
		return r;
	if (p->s[p->pos] != '\0')
		return invalid(p, p->pos, "unexpected token");
	if (p->npending)
		return invalid(p, p->last_heredoc, "this here-document has no body");
	*ret = list;
	return 0;
}

int
parse(struct arena *a, struct str text, const struct parse_opts *opts, struct list **ret,
    struct err *reterr)
{
	struct parser p;
	int r;

	/* Clear all but the array of pending here-documents, which is empty. */
	memset(&p, 0, offsetof(struct parser, pending));
	p.a = a;
	p.err = reterr;
	p.res_pos = NO_POS;
	if (opts) {
		p.sh = opts->dialect == DIALECT_SH;
		p.depth = opts->depth;
		p.argv = opts->argv;
	}
	if (text.n > (p.argv ? LIMIT_ARGV : LIMIT_COMMAND))
		return fail(&p, CORDON_ELIMIT, 0, "the command is too long");
	if ((r = check_bytes(&p, text)) < 0)
		return r;
	if ((r = copy_text(&p, text)) < 0)
		return r;
	return parse_all(&p, ret);
}
