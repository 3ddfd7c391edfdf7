/* Recognise options, in each style. */
#include "know/scan.h"

static struct field
field_cut(struct field f, size_t from, size_t to)
{
	f.text = str_cut(f.text, from, to);
	f.among = (struct str){ NULL, 0 };
	return f;
}

static bool
not_listed(struct scanner *s)
{
	scan_unknown(s, s->at);
	scan_put_option(s, NULL);
	return true;
}

/* The word may be an option but is unknown: the caller treats it as an operand. */
static bool
not_sure(struct scanner *s)
{
	scan_unsure(s);
	return false;
}

static size_t
skip_digits(struct str text, size_t at)
{
	while (at < text.n && byte_is_digit(text.p[at]))
		at++;
	return at;
}

/* zip -TT, -rTT: two-letter options take precedence over one-letter ones. */
static const struct know_option *
pair(const struct know_node *node, struct str word, size_t at)
{
	const char name[] = { '-', word.p[at], at + 1 < word.n ? word.p[at + 1] : '-' };

	return node->flags & NODE_PAIRS ? look_exact(node, str_of(name, 3)) : NULL;
}

static void
number(struct scanner *s, struct field digits)
{
	const struct know_option *option = look_number(s->out.node);

	if (option)
		option_attached(s, option, digits);
	else
		scan_put_option(s, NULL);
}

/* -abc, -ovalue, -5 */
static bool
cluster(struct scanner *s, struct field f)
{
	size_t i = 1;

	while (i < f.text.n) {
		const struct know_option *option = pair(s->out.node, f.text, i);
		size_t digits = skip_digits(f.text, i);

		if (option)
			i++;
		else
			option = look_short(s->out.node, f.text.p[i]);

		if (!option && digits > i && s->out.node->flags & NODE_NUMERIC) {
			number(s, field_cut(f, i, digits));
			i = digits;
			continue;
		}
		i++;
		if (!option)
			return not_listed(s);
		if (know_effect(option)->value_count > 0 && i < f.text.n) {
			option_short_attached(s, option, field_skip(f, i));
			return true;
		}
		if (know_effect(option)->value_count > 0 && f.kind == FIELD_ONE) {
			/* The unknown rest may be empty: then the next word is the
			 * value. */
			if (!(know_effect(option)->flags & OPTION_OPTIONAL) && !f.number)
				scan_unsure(s);
			option_attached(s, option, field_skip(f, i));
			return true;
		}
		option_bare(s, option);
	}
	return f.kind == FIELD_STR || not_sure(s);
}

/* --long, --long=value */
static bool
long_word(struct scanner *s, struct field f)
{
	size_t equals = str_find(f.text, '=');
	struct str name = str_cut(f.text, 0, equals);
	const struct know_option *option;

	if (f.kind == FIELD_ONE && equals == f.text.n)
		return look_begins(s->out.node, f.text) ? not_sure(s) : not_listed(s);
	option = look_long(s->out.node, name);
	if (!option)
		return not_listed(s);
	if (equals < f.text.n)
		option_attached(s, option, field_skip(f, equals + 1));
	else
		option_bare(s, option);
	return true;
}

/* `--` ends the options; the operands after it may have other roles. */
static bool
dashdash(struct scanner *s)
{
	const struct know_node *node = s->out.node;

	s->ended = true;
	if (node->dashdash == 0 || s->at + 1 == s->n)
		return true;
	scan_give_roles(s);
	node = &know_nodes[node->dashdash];
	s->base = (enum know_class)node->class;
	if (node->flags & NODE_NETWORK && !s->offline)
		s->out.network = true;
	s->roles = &know_operands[node->operands];
	s->role_count = node->operand_count;
	s->drops = s->place = 0;
	s->group = s->out.count;
	s->want_sub = false;
	return true;
}

/* Find `-name`, also spelt `--name`; NULL if it is not listed. */
static const struct know_option *
look_single(const struct know_node *node, struct str name)
{
	const struct know_option *option = look_exact(node, name);

	if (!option && str_starts(name, STR("--")))
		option = look_exact(node, str_skip(name, 1));
	return option;
}

/* -Dname=value, if the table has -D* */
static bool
stem_word(struct scanner *s, struct field f)
{
	size_t stem = 0;
	const struct know_option *option = look_stem(s->out.node, f.text, &stem);

	if (!option)
		return false;
	if (stem == f.text.n)
		option_bare(s, option);
	else
		option_attached(s, option, field_skip(f, stem + (f.text.p[stem] == '=')));
	return true;
}

/* -name, -name=value */
static bool
single_word(struct scanner *s, struct field f)
{
	const struct know_node *node = s->out.node;
	size_t equals = str_find(f.text, '=');
	const struct know_option *option = look_single(node, str_cut(f.text, 0, equals));
	bool cut_off = f.kind == FIELD_ONE && equals == f.text.n;

	if (option && !cut_off) {
		if (equals < f.text.n)
			option_attached(s, option, field_skip(f, equals + 1));
		else
			option_bare(s, option);
		return true;
	}
	if (cut_off && look_begins(node, f.text))
		return not_sure(s);
	if (stem_word(s, f))
		return true;
	if (node->flags & NODE_NUMERIC && skip_digits(f.text, 1) == f.text.n) {
		scan_put_option(s, NULL);
		return true;
	}
	return cut_off ? not_sure(s) : not_listed(s);
}

/* key=value; a word without = is a key without value, or an operand */
static bool
key_word(struct scanner *s, struct field f)
{
	size_t equals = str_find(f.text, '=');
	const struct know_option *option;

	if (f.kind == FIELD_ONE && equals == f.text.n)
		return not_sure(s);
	option = look_exact(s->out.node, str_cut(f.text, 0, equals));
	if (equals < f.text.n && !option)
		return not_listed(s);
	if (!option || (equals == f.text.n && know_effect(option)->value_count > 0))
		return false;
	if (equals < f.text.n)
		option_attached(s, option, field_skip(f, equals + 1));
	else
		option_bare(s, option);
	return true;
}

/* Read a word of at least two bytes that begins with a dash. */
static bool
dashed_word(struct scanner *s, struct field f)
{
	if (s->out.node->style >= STYLE_SINGLE)
		return single_word(s, f);
	return f.text.p[1] == '-' ? long_word(s, f) : cluster(s, f);
}

/* A lone dash: usually standard input, but an option in `su -`. */
static bool
lone_dash(struct scanner *s)
{
	const struct know_option *option = look_exact(s->out.node, STR("-"));

	if (!option)
		return false;
	option_bare(s, option);
	return true;
}

/* Could a number, which may be negative, be an option? */
static bool
may_be_digits(const struct know_node *node)
{
	bool found = node->flags & NODE_NUMERIC || node->style >= STYLE_SINGLE;

	for (char c = '0'; c <= '9' && !found; c++)
		found = look_short(node, c);
	return found;
}

/* True if it is unknown whether the word is an option. */
static bool
is_open(const struct know_node *node, struct field f)
{
	if (f.kind == FIELD_STR)
		return false;
	if (f.kind == FIELD_ONE && f.number && f.text.n == 0)
		return may_be_digits(node);
	return f.kind == FIELD_MANY || f.text.n == 0 || str_is(f.text, "-") ||
	       str_is(f.text, "--");
}

bool
scan_option(struct scanner *s)
{
	struct field f = s->argv[s->at];
	enum know_style style = (enum know_style)s->out.node->style;

	if (s->ended || style == STYLE_FREE)
		return false;
	if (is_open(s->out.node, f))
		return not_sure(s);
	if (f.text.n == 0)
		return false;
	/* `cargo +nightly test`: options that begin with + are listed as stems. */
	if (f.text.p[0] == '+' && stem_word(s, f))
		return true;
	if (f.text.p[0] != '-')
		return style == STYLE_KEYS && key_word(s, f);
	if (f.text.n == 1)
		return lone_dash(s);
	return str_is(f.text, "--") ? dashdash(s) : dashed_word(s, f);
}
