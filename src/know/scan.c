#include "know/scan.h"
#include "base/err.h"

/* After the arena is full, items go to a spare one until the scan ends. */
static struct know_item *
new_item(struct scanner *s)
{
	struct know_item *more;

	if (s->full)
		return &s->spare;
	if (s->out.count < s->cap)
		return &s->out.items[s->out.count++];

	more = arena_alloc(s->a, 2 * s->cap * sizeof *more);
	if (!more) {
		s->full = true;
		return &s->spare;
	}
	memcpy(more, s->out.items, s->out.count * sizeof *more);
	s->out.items = more;
	s->cap *= 2;
	return &s->out.items[s->out.count++];
}

void
scan_put(struct scanner *s, const struct know_option *option, enum know_role role,
    struct field value)
{
	*new_item(s) = (struct know_item){ .option = option,
		.class = (uint8_t)s->makes,
		.role = role,
		.value = value,
		.index = s->at };
	s->makes = 0;
}

void
scan_put_option(struct scanner *s, const struct know_option *option)
{
	*new_item(s) = (struct know_item){ .option = option,
		.option_only = true,
		.class = (uint8_t)s->makes,
		.value = s->argv[s->at],
		.index = s->at };
	s->makes = 0;
}

void
scan_unsure(struct scanner *s)
{
	if (s->out.unsure == s->n)
		s->out.unsure = s->at;
}

void
scan_unknown(struct scanner *s, size_t index)
{
	if (index < s->out.unknown_option)
		s->out.unknown_option = index;
}

void
scan_rest(struct scanner *s, enum know_role role)
{
	s->out.rest = s->at;
	s->out.rest_role = role;
	s->at = s->n - 1;
}

/* Continue with the grammar of a program or subcommand. */
static void
enter(struct scanner *s, const struct know_node *node)
{
	s->out.node = node;
	s->base = (enum know_class)node->class;
	s->roles = &know_operands[node->operands];
	s->role_count = node->operand_count;
	s->drops = s->place = 0;
	s->want_sub = node->flags & NODE_SUBS;
	s->ended = s->operands = false;
}

static void
take_sub(struct scanner *s, const struct know_node *sub)
{
	if (!s->out.path)
		s->out.path = arena_alloc(s->a, KNOW_DEPTH * sizeof *s->out.path);
	if (s->out.path)
		s->out.path[s->out.depth++] = s->at;
	else
		s->full = true;
	enter(s, sub);
}

/* Without a known subcommand, nothing after it can be judged. */
static void
lose(struct scanner *s, unsigned class)
{
	s->lost = true;
	s->base = (enum know_class) class;
	scan_put(s, NULL, ROLE_DATA, s->argv[s->at]);
}

/* Read a subcommand. Return false if the word is an operand. */
static bool
subcommand(struct scanner *s)
{
	const struct know_node *node = s->out.node;
	struct field f = s->argv[s->at];
	bool optional = node->flags & NODE_SUB_OPTIONAL;
	const struct know_node *sub = f.kind == FIELD_STR ? look_sub(node, f.text) : NULL;

	s->want_sub = false;
	if (sub) {
		take_sub(s, sub);
		return true;
	}
	if (f.kind == FIELD_MANY || (f.kind == FIELD_ONE && !optional) ||
	    (f.kind == FIELD_ONE && look_sub_begins(node, f.text)))
		scan_unsure(s);
	if (optional)
		return false;
	s->out.unlisted = s->at;
	lose(s, f.kind == FIELD_STR ? node->unlisted : CLASS_UNKNOWN);
	return true;
}

/* Is the word NAME=VALUE? One that is unknown before the = may be either. */
static bool
is_assignment(struct scanner *s, struct field f)
{
	size_t equals = str_find(f.text, '=');

	if (f.kind == FIELD_ONE && equals == f.text.n)
		scan_unsure(s);
	return equals > 0 && equals < f.text.n;
}

/* Does a nested command begin here, which takes all other words? */
static bool
begins_rest(struct scanner *s, struct field f)
{
	size_t last = s->role_count - 1;

	if (s->role_count <= s->drops ||
	    !role_takes_rest((enum know_role)s->roles[last].role))
		return false;
	for (; s->place + s->drops < last; s->place++) {
		const struct know_operand *spec = &s->roles[s->place + s->drops];

		if (f.kind == FIELD_MANY) {
			/* MANY may contain the start of the command, or nothing. */
			scan_unsure(s);
			return true;
		}
		if (spec->role != ROLE_ASSIGN || spec->mark == MARK_ONE) {
			s->place++;
			return false;
		}
		if (is_assignment(s, f)) {
			s->place += spec->mark == MARK_OPTIONAL;
			return false;
		}
	}
	return true;
}

static void
operand(struct scanner *s)
{
	struct field f = s->argv[s->at];

	s->operands = true;
	if (s->out.node->style == STYLE_POSIX)
		s->ended = true;
	if (begins_rest(s, f))
		scan_rest(s, scan_role(s, &s->roles[s->role_count - 1], f));
	else
		scan_put(s, NULL, ROLE_DATA, f);
}

static void
word(struct scanner *s)
{
	s->makes = 0;
	if (s->lost)
		scan_put(s, NULL, ROLE_DATA, s->argv[s->at]);
	else if (!scan_option(s) && !(s->want_sub && subcommand(s)))
		operand(s);
}

/* Unknown is not harmless, but a known worse class stays. */
static enum know_class with_unknown(enum know_class class)
{
	return class <= CLASS_WRITE ? CLASS_UNKNOWN : class;
}

static enum know_class
stronger(enum know_class a, enum know_class b)
{
	if (a == CLASS_UNKNOWN)
		return with_unknown(b);
	return a > b ? a : b;
}

/* Code in the arguments runs despite a --version or --help next to it. */
static bool
is_given_code(const struct scanner *s)
{
	if (s->out.rest < s->n)
		return true;
	for (size_t i = 0; i < s->out.count; i++) {
		const struct know_item *item = &s->out.items[i];

		if (item->option && (know_effect(item->option)->class == CLASS_EXEC ||
					know_effect(item->option)->class == CLASS_ADMIN))
			return true;
		if (item->option_only)
			continue;
		if (item->role == ROLE_CODE || item->role == ROLE_EXEC_FILE ||
		    item->role == ROLE_SHELL || item->role == ROLE_KEY_SHELL)
			return true;
	}
	return false;
}

/* An `only` option counts if no word is left that could revoke it. */
static bool
is_dry(const struct scanner *s)
{
	if (s->only && is_given_code(s))
		return false;
	return s->only && s->out.unsure == s->n && s->out.unknown_option == s->n &&
	       s->out.unlisted == s->n;
}

/* A program that starts others, without a command: the table does not describe this. */
static bool
lacks_command(const struct scanner *s)
{
	const struct know_operand *last =
	    s->role_count ? &s->roles[s->role_count - 1] : NULL;

	return last && last->mark == MARK_ONE && !s->lost && !s->out.dry &&
	       s->out.rest == s->n && role_takes_rest((enum know_role)last->role);
}

static void
judge(struct scanner *s)
{
	struct know_scan *out = &s->out;

	if ((out->node->flags & NODE_NETWORK && !s->offline) || s->base == CLASS_NETWORK)
		out->network = true;
	out->finds = out->node->flags & NODE_FINDS;
	out->class = stronger(s->base, s->raised);
	out->dry = is_dry(s);
	if (out->dry) {
		out->class = s->only;
		if (s->only <= CLASS_WRITE)
			out->network = s->only_network;
	}
	if (out->network && out->class != CLASS_UNKNOWN && out->class < CLASS_NETWORK)
		out->class = CLASS_NETWORK;
	if (out->class == CLASS_NETWORK)
		out->network = true;
	if (lacks_command(s))
		out->class = with_unknown(out->class);
	if (out->unknown_option < s->n)
		out->class = with_unknown(out->class);
	out->worst = out->class;
	if (out->unsure < s->n && out->class != CLASS_UNKNOWN)
		out->worst = stronger((enum know_class)out->node->worst, out->class);
}

int
know_scan(struct arena *a, const struct know_node *program, const struct field *argv,
    size_t n, struct know_scan *ret)
{
	struct scanner s = { .a = a, .argv = argv, .n = n, .at = 1, .cap = n + 2 };

	s.out.rest = s.out.unknown_option = s.out.unlisted = s.out.unsure = n;
	s.out.items = arena_alloc(a, s.cap * sizeof *s.out.items);
	if (!s.out.items)
		return CORDON_ENOMEM;
	enter(&s, program);
	for (; s.at < n && !s.full; s.at++)
		word(&s);
	if (s.full)
		return CORDON_ENOMEM;
	if (!s.lost)
		scan_give_roles(&s);
	judge(&s);
	*ret = s.out;
	return 0;
}
