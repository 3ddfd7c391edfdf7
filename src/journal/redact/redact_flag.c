#include "journal/redact/redact_scan.h"

static struct str
word_at(const struct redact_scan *s, size_t at)
{
	size_t to = at;

	while (to < s->t.n && (is_name_byte(s->t.p[to]) || s->t.p[to] == '/'))
		to++;
	return str_cut(s->t, at, to);
}

/* The character after which the secret starts; 0: the whole value is secret. */
static char
sign_of(enum flag_form form)
{
	switch (form) {
	case FLAG_COLON:
	case FLAG_PASS:
		return ':';
	case FLAG_PERCENT:
		return '%';
	case FLAG_PAIR:
		return '=';
	case FLAG_VALUE:
	case FLAG_ATTACHED:
		break;
	}
	return '\0';
}

/* The secret part of `value` in this form. */
static struct cut
part_of(const struct redact_scan *s, struct cut value, enum flag_form form)
{
	struct str text = piece(s, value);
	char sign = sign_of(form);
	size_t at = str_find(text, sign);

	if (sign == '\0')
		return value;
	if (at == text.n || (form == FLAG_PASS && !str_starts(text, STR("pass:"))))
		return nothing;
	return (struct cut){ value.from + at + 1, value.to };
}

/* Skip the closing quote of a quoted option: "-u" "me:secret". */
static size_t
behind_quote(const struct redact_scan *s, size_t at, size_t from)
{
	char quote = at ? s->t.p[at - 1] : '\0';

	if ((quote == '"' || quote == '\'') && from + 1 < s->t.n && s->t.p[from] == quote &&
	    is_blank(s->t.p[from + 1]))
		return from + 1;
	return from;
}

/* The value of the option `word` under `rule`. */
static struct cut
flag_value(
    const struct redact_scan *s, const struct flag_rule *rule, size_t at, struct str word)
{
	bool attached = word.n > rule->flag.n;
	size_t from = attached ? at + rule->flag.n : behind_quote(s, at, at + rule->flag.n);
	struct cut c;

	/* A quote or `=` may follow the flag directly. */
	if (from < s->t.n && s->t.p[from] == '=')
		from++;
	else if (!attached && from < s->t.n && is_blank(s->t.p[from])) {
		if (rule->form == FLAG_ATTACHED)
			return nothing;
		from = secret_skip_blanks(s->t, from);
	}
	if (from >= s->t.n || (s->t.p[from] == '-' && !attached))
		return nothing;
	c = part_of(s, secret_value_at(s->t, from, false), rule->form);
	if (c.to <= c.from || (rule->program.n == 0 && !secret_looks_random(piece(s, c))))
		return nothing;
	return unless_harmless(s, c);
}

static struct cut
known_flag(const struct redact_scan *s, size_t at, struct str word)
{
	for (size_t i = 0; i < flag_rules_n; i++) {
		const struct flag_rule *rule = &flag_rules[i];
		bool is_short = rule->flag.n == 2;
		struct cut c;

		if (rule->program.n && !(s->programs >> i & 1))
			continue;
		if (!str_starts(word, word_str(&rule->flag)) ||
		    (!is_short && word.n > rule->flag.n))
			continue;
		c = flag_value(s, rule, at, word);
		if (c.to)
			return c;
	}
	return nothing;
}

static bool
takes_no_value(struct str option)
{
	for (size_t i = 0; i < harmless_prefixes_n; i++)
		if (str_starts(option, word_str(&harmless_prefixes[i])))
			return true;
	return false;
}

/* An option, or a word of `config set NAME VALUE`, that names a secret. */
static struct cut
named_option(const struct redact_scan *s, size_t at, struct str word, bool bare)
{
	struct str name = word;
	size_t from = behind_quote(s, at, at + word.n);
	struct cut c;

	while (name.n && name.p[0] == '-')
		name = str_skip(name, 1);
	if ((!bare && word.n - name.n == 1 && name.n < 4) || takes_no_value(name) ||
	    !secret_is_name(name) || from >= s->t.n || !is_blank(s->t.p[from]) ||
	    s->t.p[from] == '\n')
		return nothing;
	from = secret_skip_blanks(s->t, from);
	if (from >= s->t.n || s->t.p[from] == '-')
		return nothing;
	c = secret_value_at(s->t, from, false);
	/* docker build --secret id=x,src=y names a location, not the secret. */
	if (str_starts(piece(s, c), STR("id=")) || str_starts(piece(s, c), STR("type=")))
		return nothing;
	return unless_harmless(s, c);
}

static void
note_program(struct redact_scan *s, struct str word)
{
	struct str base = str_base(word);

	for (size_t i = *base.p & 0x80 ? 0 : program_first[(uint8_t)*base.p];
	     i > 0 && i <= flag_rules_n; i++) {
		struct str program = word_str(&flag_rules[i - 1].program);

		if (program.n == 0 || program.p[0] != *base.p)
			break;
		if (str_eq(program, base))
			s->programs |= (uint64_t)1 << (i - 1);
	}
	if (str_is(base, "config") || str_is(base, "configure"))
		s->programs |= (uint64_t)1 << 63;
}

struct cut
redact_word(struct redact_scan *s, size_t at)
{
	struct str word = word_at(s, at);
	struct cut c;

	if (word.n == 0 || str_base(word).n == 0)
		return nothing;
	if (word.p[0] != '-') {
		note_program(s, word);
		return s->programs >> 63 ? named_option(s, at, word, true) : nothing;
	}
	if (word.n < 2)
		return nothing;
	c = known_flag(s, at, word);
	return c.to ? c : named_option(s, at, word, false);
}
