#include "know/scan.h"

/* Rank by harm, and the class that each role implies at least. */
static const struct {
	uint8_t harm, class;
} traits[] = {
	[ROLE_DATA] = { 0, 0 },
	[ROLE_LIST] = { 1, 0 },
	[ROLE_READ] = { 2, 0 },
	[ROLE_READ_NAMES] = { 2, 0 },
	[ROLE_LINK_TARGET] = { 3, 0 },
	[ROLE_CHDIR] = { 4, 0 },
	[ROLE_HOST] = { 5, 0 },
	[ROLE_URL] = { 6, 0 },
	[ROLE_REMOTE_READ] = { 7, 0 },
	[ROLE_ASSIGN] = { 8, 0 },
	[ROLE_CREATE] = { 9, CLASS_WRITE },
	[ROLE_APPEND] = { 10, CLASS_WRITE },
	[ROLE_EDIT] = { 11, CLASS_WRITE },
	[ROLE_WRITE] = { 12, CLASS_WRITE },
	[ROLE_REMOTE_WRITE] = { 13, CLASS_WRITE },
	[ROLE_TRUNCATE] = { 14, CLASS_WRITE },
	[ROLE_MOVE] = { 15, CLASS_WRITE },
	[ROLE_DELETE] = { 16, CLASS_WRITE },
	[ROLE_DELETE_TREE] = { 17, CLASS_WRITE },
	[ROLE_CODE] = { 18, 0 },
	[ROLE_EXEC_FILE] = { 19, 0 },
	[ROLE_REMOTE_CMD] = { 20, 0 },
	[ROLE_REMOTE_SHELL] = { 21, 0 },
	[ROLE_CMD] = { 22, 0 },
	[ROLE_SHELL_WORDS] = { 23, 0 },
	[ROLE_KEY_SHELL] = { 24, 0 },
	[ROLE_SHELL] = { 25, 0 },
};

bool
role_takes_rest(enum know_role role)
{
	return role == ROLE_CMD || role == ROLE_SHELL_WORDS || role == ROLE_REMOTE_SHELL ||
	       role == ROLE_REMOTE_CMD;
}

static enum know_role
worse(enum know_role a, enum know_role b)
{
	return traits[a].harm >= traits[b].harm ? a : b;
}

bool
know_role_writes(enum know_role role)
{
	return traits[role].class == CLASS_WRITE;
}

unsigned
role_class(enum know_role role)
{
	return traits[role].class;
}

void
scan_makes(struct scanner *s, unsigned class)
{
	if (class > s->makes)
		s->makes = (enum know_class) class;
}

void
scan_raise(struct scanner *s, unsigned class)
{
	if (class == CLASS_NETWORK)
		s->out.network = true;
	if (class > s->raised)
		s->raised = (enum know_class) class;
	scan_makes(s, class);
}

static bool
is_local(struct str path)
{
	return str_starts(path, STR("/")) || str_starts(path, STR("./")) ||
	       str_starts(path, STR("../")) || str_starts(path, STR("~")) ||
	       str_starts(path, STR("file:"));
}

/* All words that match a pattern begin like it, up to its first special byte. */
static struct field
by_pattern(struct field value)
{
	size_t n = 0;

	if (value.kind != FIELD_MANY || !value.among.p)
		return value;
	while (n < value.among.n && !strchr(FIELD_SIGNS, value.among.p[n]))
		n++;
	return field_made(FIELD_ONE, str_cut(value.among, 0, n), value.at);
}

/* Could the word name something on another host? */
static bool
is_remote(enum know_role role, struct field value)
{
	struct str text;

	value = by_pattern(value);
	text = value.text;
	if (role == ROLE_HOST)
		return true;
	if (value.kind == FIELD_MANY)
		return true;
	if (is_local(text))
		return false;
	if (value.kind == FIELD_ONE)
		return role == ROLE_URL || str_find(text, '/') == text.n ||
		       str_find(text, ':') < str_find(text, '/');
	if (role == ROLE_URL)
		return text.n > 0 && !str_is(text, ".") && !str_is(text, "..");
	return str_find(text, ':') < str_find(text, '/') && text.p[0] != ':';
}

static bool
is_address(enum know_role role)
{
	return role == ROLE_URL || role == ROLE_HOST || role == ROLE_REMOTE_READ ||
	       role == ROLE_REMOTE_WRITE;
}

static bool
case_matches(const struct know_case *c, struct field value)
{
	uint32_t at = c->globs;
	/* *.png matches no name with a slash. */
	bool flat = value.kind != FIELD_STR && value.among.p &&
		    str_find(value.among, '/') == value.among.n;

	value = by_pattern(value);
	for (struct str glob; (glob = know_next_word(&at)).n > 0;) {
		if (flat && str_find(glob, '/') < glob.n)
			continue;
		if (value.kind == FIELD_STR
			? know_glob(glob, value.text)
			: value.kind == FIELD_MANY || know_glob_begins(glob, value.text))
			return true;
	}
	return false;
}

/* Apply the cases; an unknown word gets the worst role of those that could match. */
static enum know_role
role_by_cases(struct scanner *s, const struct know_operand *spec, struct field value)
{
	enum know_role role = (enum know_role)spec->role;

	for (size_t i = 0; i < spec->case_count; i++) {
		const struct know_case *c = &know_cases[spec->cases + i];
		unsigned to = c->role == KNOW_NO_ROLE ? spec->role : c->role;

		if (!case_matches(c, value))
			continue;
		scan_raise(s, c->class);
		if (c->network)
			s->out.network = true;
		if (value.kind == FIELD_STR) {
			if (c->only > s->only)
				s->only = (enum know_class)c->only;
			return (enum know_role)to;
		}
		role = worse(role, (enum know_role)to);
	}
	return role;
}

/* Writing to these files changes nothing. */
static bool
is_sink(enum know_role role, struct field value)
{
	return (role == ROLE_WRITE || role == ROLE_APPEND) && value.kind == FIELD_STR &&
	       str_among(value.text, "/dev/null\0/dev/stdout\0/dev/stderr\0/dev/tty\0");
}

static void
imply(struct scanner *s, enum know_role role, struct field value)
{
	if (!is_sink(role, value))
		scan_raise(s, traits[role].class);
	if (is_address(role) && is_remote(role, value))
		scan_raise(s, CLASS_NETWORK);
}

enum know_role
scan_role(struct scanner *s, const struct know_operand *spec, struct field value)
{
	enum know_role role = role_by_cases(s, spec, value);

	imply(s, role, value);
	return role;
}

/* Assign the worst of the roles [from, to). */
static void
give_worst(struct scanner *s, struct know_item *item, const struct know_operand *roles,
    size_t from, size_t to)
{
	enum know_role role = ROLE_DATA;

	for (size_t i = from; i < to; i++)
		role = worse(role, role_by_cases(s, &roles[i], item->value));
	imply(s, role, item->value);
	item->role = role;
}

/* The operand roles of a group, without dropped ones and without one that takes the
 * rest. */
struct operand_shape {
	const struct know_operand *roles;
	size_t count;
	size_t many;     /* index of the role with "...", or count */
	size_t required; /* number of roles without a mark */
	size_t known;    /* number of operands that are one word each */
	size_t unknown;  /* number of MANYs, also among values: with any, operands cannot be
			    counted */
};

static bool
is_operand(const struct know_item *item)
{
	return !item->option && !item->option_only;
}

static struct operand_shape
shape_of(const struct scanner *s)
{
	size_t drops = s->drops < s->role_count ? s->drops : s->role_count;
	struct operand_shape h = { .roles = s->roles + drops,
		.count = s->role_count - drops };

	if (h.count > 0 && role_takes_rest((enum know_role)h.roles[h.count - 1].role))
		h.count--;
	h.many = h.count;
	for (size_t i = 0; i < h.count; i++) {
		h.required += h.roles[i].mark == MARK_ONE;
		if (h.roles[i].mark == MARK_MANY)
			h.many = i;
	}
	for (size_t i = s->group; i < s->out.count; i++) {
		const struct know_item *item = &s->out.items[i];

		if (item->value.kind == FIELD_MANY)
			h.unknown++;
		else
			h.known += is_operand(item);
	}
	return h;
}

/* More operands than roles: the table does not describe this use. */
static void
give_excess(struct scanner *s, struct know_item *item, const struct operand_shape *h)
{
	give_worst(s, item, h->roles, 0, h->count);
	if (s->out.unsure == s->n)
		scan_unknown(s, item->index);
}

/* The number of operands is known: each has one role. */
static void
give_exact(struct scanner *s, const struct operand_shape *h)
{
	bool short_of = h->known < h->required;
	size_t spare = short_of ? 0 : h->known - h->required;
	size_t left = h->known, place = 0;
	size_t back = h->many < h->count ? h->count - h->many - 1 : 0;

	for (size_t i = s->group; i < s->out.count; i++) {
		struct know_item *item = &s->out.items[i];

		if (!is_operand(item))
			continue;
		while (
		    place < h->count && h->roles[place].mark == MARK_OPTIONAL && spare == 0)
			place++;
		if (place == h->many && place < h->count && left <= back && !short_of)
			place++;
		left--;
		s->makes = 0;
		if (place == h->count) {
			give_excess(s, item, h);
		} else if (place == h->many && short_of) {
			give_worst(s, item, h->roles, place, h->count);
		} else {
			item->role = scan_role(s, &h->roles[place], item->value);
			spare -= h->roles[place].mark == MARK_OPTIONAL;
			place += place != h->many;
		}
		item->class = (uint8_t)s->makes;
	}
}

/* True if no role up to `place` is optional or repeated. */
static bool
is_fixed(const struct operand_shape *h, size_t place)
{
	if (place >= h->many)
		return false;
	for (size_t i = 0; i <= place; i++)
		if (h->roles[i].mark != MARK_ONE)
			return false;
	return true;
}

/* Assign the worst role that an operand could have, given the number of operands before and
 * after it. */
static void
give_places(struct scanner *s, struct know_item *item, const struct operand_shape *h,
    size_t before, size_t after)
{
	size_t last = h->count - (h->count > 0);
	size_t front = h->many < h->count ? h->many : last;
	size_t back = h->many < h->count ? last - h->many : last;
	size_t from = before < front ? before : front;
	size_t to = h->count - (after < back ? after : back);

	if (from < to)
		give_worst(s, item, h->roles, from, to);
	else
		give_worst(s, item, h->roles, 0, h->count);
}

/* With a MANY: an operand that cannot be counted from either end gets the worst role. */
static void
give_loose(struct scanner *s, const struct operand_shape *h)
{
	size_t before = 0, unknown = 0; /* known words and MANYs before this one */
	size_t eaten = 0;               /* known words that may be values: `-o $none f` */

	for (size_t i = s->group; i < s->out.count; i++) {
		struct know_item *item = &s->out.items[i];
		bool many = item->value.kind == FIELD_MANY;
		size_t after = h->known - before - !many;
		size_t place = h->count;

		unknown += many;
		eaten += many && item->option;
		if (!is_operand(item))
			continue;
		s->makes = 0;
		if (unknown == 0 && is_fixed(h, before))
			place = before;
		else if (!many && unknown == h->unknown && h->many + after + 1 < h->count)
			place = h->count - 1 - after;
		if (place < h->count)
			item->role = scan_role(s, &h->roles[place], item->value);
		else
			give_places(
			    s, item, h, before - (before < eaten ? before : eaten), after);
		item->class = (uint8_t)s->makes;
		before += !many;
	}
}

void
scan_give_roles(struct scanner *s)
{
	struct operand_shape h = shape_of(s);

	if (h.unknown == 0)
		give_exact(s, &h);
	else
		give_loose(s, &h);
}
