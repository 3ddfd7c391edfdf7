#include "parse/parser.h"

static int
param_part(
    struct parser *p, unsigned cx, uint32_t start, struct param *param, struct parts *out)
{
	struct part *part;
	int r = part_add(p, out, PART_PARAM, cx & CX_QUOTED, start, &part);

	if (r < 0)
		return r;
	part->param = param;
	return 0;
}

/* $x $1 $@: `pos` is at the first byte of the name. */
static int
param_short(struct parser *p, unsigned cx, uint32_t start, struct parts *out)
{
	struct param *param = arena_alloc(p->a, sizeof *param);
	int r;

	if (!param)
		return no_memory(p);
	*param = (struct param){ .op = PARAM_PLAIN };
	if (char_starts_name(p->s[p->pos])) {
		if ((r = run_read(p, CH_NONAME, &param->name)) < 0)
			return r;
	} else {
		param->name = str_of(p->s + p->pos, 1);
		p->pos++;
	}
	return param_part(p, cx, start, param, out);
}

static int
param_braced(struct parser *p, unsigned cx, uint32_t start, struct parts *out)
{
	struct param *param;
	int r;

	if ((r = nest(p)) < 0)
		return r;
	p->pos++;
	if ((r = param_read(p, cx, &param)) < 0)
		return r;
	unnest(p);
	return param_part(p, cx, start, param, out);
}

/* $( and $((: `pos` is at the parenthesis. */
static int
dollar_paren(struct parser *p, unsigned cx, uint32_t start, struct parts *out)
{
	uint32_t second = pos_after(p, p->pos);

	if (p->s[second] == '(') {
		p->pos = second + 1;
		return arith_sub_read(p, cx, start, out);
	}
	p->pos = second;
	return command_sub_read(p, cx, start, 0, out);
}

/* $'..' and $"..": `pos` is at the quote. */
static int
dollar_quote(struct parser *p, unsigned cx, uint32_t start, struct parts *out)
{
	int r;

	/* In "..." and in a here-document, $' and $" are literal. */
	if ((cx & CX_DOUBLE) && !(cx & CX_PAIRED))
		return part_slice(p, out, cx & CX_QUOTED, start, start + 1);
	if (!(cx & CX_ANSI))
		return refuse(p, start, "$' or $\" where versions of bash differ");
	if ((r = dialect_only_bash(p, start, "sh and bash differ: $' and $\"")) < 0)
		return r;
	if (p->s[p->pos] == '\'')
		return quote_ansi(p, start, out);
	return quote_double(p, cx, out);
}

/* Read an expansion, or a literal dollar. */
int
dollar_read(struct parser *p, unsigned cx, struct parts *out)
{
	uint32_t start = p->pos;
	char c;

	p->pos = pos_after(p, start);
	c = p->s[p->pos];
	if (!char_is(c, CH_NONAME))
		return param_short(p, cx, start, out);
	switch (c) {
	case '@':
	case '*':
	case '#':
	case '?':
	case '-':
	case '$':
	case '!':
		return param_short(p, cx, start, out);
	case '{':
		return param_braced(p, cx, start, out);
	case '(':
		return dollar_paren(p, cx, start, out);
	case '[':
		p->pos++;
		return arith_old_read(p, cx, start, out);
	case '\'':
	case '"':
		return dollar_quote(p, cx, start, out);
	default:
		return part_slice(p, out, cx & CX_QUOTED, start, start + 1);
	}
}
