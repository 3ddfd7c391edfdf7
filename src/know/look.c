#include "know/look.h"
#include "base/glob.h"

/* The next outer node whose options also hold here, or NULL. */
static const struct know_node *
next_outer(const struct know_node *node)
{
	const struct know_node *outer = &know_nodes[node->outer];

	return outer == node ? NULL : outer;
}

static const struct know_option *
long_option(const struct know_node *node, size_t i)
{
	return &know_options[know_longs[node->longs + i].option];
}

static struct str
long_name(const struct know_node *node, size_t i)
{
	uint32_t at = long_option(node, i)->names + know_longs[node->longs + i].skip;

	return know_next_word(&at);
}

/* The name of a stem without its final *. */
static struct str
stem_name(const struct know_node *node, size_t i)
{
	struct str name = long_name(node, i);

	return str_cut(name, 0, name.n - 1);
}

const struct know_option *
look_short(const struct know_node *node, char c)
{
	for (; node; node = next_outer(node)) {
		const struct know_short *row = &know_shorts[node->shorts];
		size_t from = 0, to = node->short_count;

		while (from < to) {
			size_t mid = (from + to) / 2;

			if (row[mid].c < (unsigned char)c)
				from = mid + 1;
			else
				to = mid;
		}
		if (from < node->short_count && row[from].c == (unsigned char)c)
			return &know_options[row[from].option];
	}
	return NULL;
}

/* The index of the first exact name that is not less than `name`. */
static size_t
lower_bound(const struct know_node *node, struct str name)
{
	size_t from = 0, to = node->long_count;

	while (from < to) {
		size_t mid = (from + to) / 2;

		if (str_cmp(long_name(node, mid), name) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

const struct know_option *
look_exact(const struct know_node *node, struct str name)
{
	for (; node; node = next_outer(node)) {
		size_t at = lower_bound(node, name);

		if (at < node->long_count && str_eq(long_name(node, at), name))
			return long_option(node, at);
	}
	return NULL;
}

/* The only option with a name that begins with `name`, in this node or an outer one; NULL
 * if there are several. */
static const struct know_option *
look_abbreviation(const struct know_node *node, struct str name)
{
	const struct know_option *found = NULL;

	for (; node; node = next_outer(node)) {
		size_t at = lower_bound(node, name);

		for (; at < node->long_count && str_starts(long_name(node, at), name);
		     at++) {
			if (found && found != long_option(node, at))
				return NULL;
			found = long_option(node, at);
		}
	}
	return found;
}

const struct know_option *
look_number(const struct know_node *node)
{
	return node->flags & NODE_NUMERIC ? look_exact(node, STR("-NUM")) : NULL;
}

const struct know_option *
look_long(const struct know_node *node, struct str name)
{
	const struct know_option *exact = look_exact(node, name);

	return exact || name.n < 3 ? exact : look_abbreviation(node, name);
}

const struct know_option *
look_stem(const struct know_node *node, struct str word, size_t *stem)
{
	for (; node; node = next_outer(node)) {
		size_t end = (size_t)node->long_count + node->stem_count;

		for (size_t i = node->long_count; i < end; i++)
			if (str_starts(word, stem_name(node, i))) {
				*stem = stem_name(node, i).n;
				return long_option(node, i);
			}
	}
	return NULL;
}

bool
look_begins(const struct know_node *node, struct str start)
{
	for (; node; node = next_outer(node)) {
		size_t end = (size_t)node->long_count + node->stem_count;
		size_t at = lower_bound(node, start);

		if (at < node->long_count && str_starts(long_name(node, at), start))
			return true;
		for (size_t i = node->long_count; i < end; i++)
			if (str_starts(stem_name(node, i), start))
				return true;
	}
	return false;
}

static struct str
sub_name(const struct know_node *node, size_t i)
{
	const struct know_sub *row = &know_subs[node->subs + i];

	return know_text(row->text, row->n);
}

static size_t
sub_lower_bound(const struct know_node *node, struct str name)
{
	size_t from = 0, to = node->sub_count;

	while (from < to) {
		size_t mid = (from + to) / 2;

		if (str_cmp(sub_name(node, mid), name) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

const struct know_node *
look_sub(const struct know_node *node, struct str name)
{
	size_t at = sub_lower_bound(node, name);
	size_t end = (size_t)node->sub_count + node->sub_stem_count;

	if (at < node->sub_count && str_eq(sub_name(node, at), name))
		return &know_nodes[know_subs[node->subs + at].node];
	for (size_t i = node->sub_count; i < end; i++)
		if (str_starts(name, sub_name(node, i)))
			return &know_nodes[know_subs[node->subs + i].node];
	return NULL;
}

bool
look_sub_begins(const struct know_node *node, struct str start)
{
	size_t at = sub_lower_bound(node, start);
	size_t end = (size_t)node->sub_count + node->sub_stem_count;

	if (at < node->sub_count && str_starts(sub_name(node, at), start))
		return true;
	for (size_t i = node->sub_count; i < end; i++)
		if (str_starts(start, sub_name(node, i)) ||
		    str_starts(sub_name(node, i), start))
			return true;
	return false;
}

/* An `i:` before a glob means: ignore case. */
static bool
without_case(struct str *glob)
{
	if (!str_starts(*glob, STR("i:")))
		return false;
	*glob = str_skip(*glob, 2);
	return true;
}

bool
know_glob(struct str glob, struct str word)
{
	struct glob_wild wild = { '*', '?', 0 };

	if (without_case(&glob))
		wild.flags = GLOB_FOLD;
	return glob_match(&wild, glob, word);
}

bool
know_glob_begins(struct str glob, struct str start)
{
	bool any = without_case(&glob);
	struct str head = str_cut(glob, 0, str_find(glob, '*'));

	head = str_cut(head, 0, str_find(head, '?'));
	if (any) /* an exact answer would gain nothing */
		return true;
	/* The unknown rest may supply whatever a * still needs. */
	return str_starts(head, start) || (head.n < glob.n && str_starts(start, head));
}
