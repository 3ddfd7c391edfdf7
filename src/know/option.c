/* The consequences of an option: class, roles of operands, values. */
#include "know/scan.h"

/* Values in `--flag=...` that turn a flag off. */
static const char false_words[][6] = { "0", "f", "F", "false", "False", "FALSE", "n", "no",
	"none", "off" };

static bool
is_false(struct field value)
{
	if (value.kind != FIELD_STR)
		return true; /* the value could be false */
	for (size_t i = 0; i < sizeof false_words / sizeof *false_words; i++)
		if (str_is(value.text, false_words[i]))
			return true;
	return false;
}

/* True if `option` is the --no- form of `other`. */
static bool
takes_back(const struct know_option *option, const struct know_option *other)
{
	uint32_t at = option->names;

	for (struct str name; (name = know_next_word(&at)).n > 0;) {
		uint32_t at_other = other->names;

		if (!str_starts(name, STR("--no-")))
			continue;
		for (struct str of; (of = know_next_word(&at_other)).n > 0;)
			if (str_starts(of, STR("--")) &&
			    str_eq(str_skip(name, 5), str_skip(of, 2)))
				return true;
	}
	return false;
}

/*
 * --help and --version after an operand count only for some getopts, and the libc of the
 * program is unknown: `rm x --help` removes x under busybox. --dry-run is different:
 * programs that have it read all options first.
 */
static bool
is_help(const struct know_option *option)
{
	uint32_t at = option->names;

	for (struct str name; (name = know_next_word(&at)).n > 0;)
		if (str_is(name, "--help") || str_is(name, "--version"))
			return true;
	return false;
}

/* git reads all options before it does anything. */
static bool
looks_first(const struct scanner *s)
{
	return s->argv[0].kind == FIELD_STR && str_is(str_base(s->argv[0].text), "git");
}

/* `value` is attached to the option, or NULL. */
static void
note_only(struct scanner *s, const struct know_option *option, const struct field *value)
{
	const struct know_effect *effect = know_effect(option);

	if (s->only_option &&
	    (option == s->only_option || takes_back(option, s->only_option)))
		s->only = 0;
	if (!effect->only || (value && is_false(*value)) ||
	    (s->operands && is_help(option) && !looks_first(s)))
		return;
	if (effect->only > s->only)
		s->only = (enum know_class)effect->only;
	s->only_option = option;
	s->only_network = effect->flags & OPTION_NETWORK;
}

/* Apply all consequences of an option. */
static void
note(struct scanner *s, const struct know_option *option, const struct field *value)
{
	const struct know_effect *effect = know_effect(option);

	scan_raise(s, effect->class);
	if (effect->flags & OPTION_NETWORK) {
		s->out.network = true;
		scan_makes(s, CLASS_NETWORK);
	}
	if (effect->flags & OPTION_OFFLINE)
		s->offline = !value || !is_false(*value);
	if (effect->flags & OPTION_OPERANDS) {
		s->roles = &know_operands[effect->operands];
		s->role_count = effect->operand_count;
		for (size_t i = 0; i < s->role_count; i++)
			scan_makes(s, role_class((enum know_role)s->roles[i].role));
	}
	if (effect->flags & OPTION_ENDS)
		s->ended = true;
	if (effect->drops > s->drops)
		s->drops = effect->drops;
	if (effect->only || s->only_option)
		note_only(s, option, value);
}

/* Read the words after the option, from its i-th value on. */
static void
take_values(struct scanner *s, const struct know_option *option, size_t i)
{
	for (; i < know_effect(option)->value_count && s->at + 1 < s->n; i++) {
		const struct know_operand *spec =
		    &know_operands[know_effect(option)->values + i];
		const struct field *value = &s->argv[++s->at];
		enum know_role role = scan_role(s, spec, *value);

		if (value->kind == FIELD_MANY)
			scan_unsure(s);
		if (role_takes_rest(role) && role != ROLE_REMOTE_SHELL) {
			scan_rest(s, role);
			return;
		}
		scan_put(s, option, role, *value);
	}
}

/* make -j 4: true if the next word is a number. An unknown word might be. */
static bool
is_number_next(struct scanner *s)
{
	struct str text;

	if (s->at + 1 >= s->n)
		return false;
	text = s->argv[s->at + 1].text;
	for (size_t i = 0; i < text.n; i++)
		if (!byte_is_digit(text.p[i]))
			return false;
	if (s->argv[s->at + 1].kind != FIELD_STR)
		scan_unsure(s);
	return s->argv[s->at + 1].kind == FIELD_STR && text.n > 0;
}

void
option_bare(struct scanner *s, const struct know_option *option)
{
	const struct know_effect *effect = know_effect(option);

	note(s, option, NULL);
	scan_put_option(s, option);
	if (!(effect->flags & OPTION_OPTIONAL) ||
	    (effect->flags & OPTION_NUMBER && is_number_next(s)))
		take_values(s, option, 0);
}

void
option_attached(struct scanner *s, const struct know_option *option, struct field value)
{
	enum know_role role = ROLE_DATA;

	note(s, option, &value);
	if (know_effect(option)->value_count == 0) {
		scan_put_option(s, option);
		return;
	}
	role = scan_role(s, &know_operands[know_effect(option)->values], value);
	scan_put(s, option, role, value);
	if (!(know_effect(option)->flags & OPTION_OPTIONAL))
		take_values(s, option, 1);
}

/*
 * Read a value attached to a short option. Some libraries read `-o=f` as `f`, getopt reads
 * `=f`: report both.
 */
void
option_short_attached(
    struct scanner *s, const struct know_option *option, struct field value)
{
	if (value.text.n > 0 && value.text.p[0] == '=') {
		const struct know_operand *spec =
		    &know_operands[know_effect(option)->values];
		struct field bare = field_skip(value, 1);

		scan_put(s, option, scan_role(s, spec, bare), bare);
	}
	option_attached(s, option, value);
}
