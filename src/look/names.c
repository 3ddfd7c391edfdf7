#include "look/names.h"
#include "look/alias.h"
#include "names_table.h"

static bool
is_same(struct str s, const char *name)
{
	for (size_t i = 0; i < s.n; i++)
		if (name[i] == '\0' || byte_lower(s.p[i]) != name[i])
			return false;
	return name[s.n] == '\0';
}

static bool
is_other_spelling(struct str s, const char *list)
{
	char buf[ALIAS_SIZE];
	struct str plain = alias_plain(s, buf);

	for (; *list; list += strlen(list) + 1)
		if (is_same(plain, list) || alias_is_short(s, list))
			return true;
	return false;
}

bool
name_is(struct str s, const char *name)
{
	char list[32];
	size_t n = strlen(name);

	if (is_same(s, name))
		return true;
	if (n + 2 > sizeof list || !alias_could_be(s))
		return false;
	memcpy(list, name, n + 1);
	list[n + 1] = '\0';
	return is_other_spelling(s, list);
}

static bool
ends_as(struct str s, const char *end)
{
	size_t n = strlen(end);

	return s.n > n && name_is(str_skip(s, s.n - n), end);
}

static bool
part_is(struct str name, const char *part)
{
	return part[0] == '*' ? ends_as(name, part + 1) : name_is(name, part);
}

static size_t
bucket_of(struct str name)
{
	uint32_t h = 0;

	for (size_t i = 0; i < name.n; i++)
		h = h * 31 + (unsigned char)byte_lower(name.p[i]);
	return (h ^ h >> 16) % NAMES_BUCKETS;
}

/* The rows whose first name may be `name`: a range, and those from NAMES_PLAIN on. */
static size_t
first_row(struct str name, size_t *ret_end)
{
	size_t b = bucket_of(name);

	if (alias_could_be(name)) {
		*ret_end = NAMES_PLAIN;
		return 0;
	}
	*ret_end = names_starts[b + 1];
	return names_starts[b];
}

/* The next candidate after `row`. */
static size_t
next_row(size_t row, size_t end)
{
	return row + 1 == end ? NAMES_PLAIN : row + 1;
}

/* Follow the pattern along `path`.  *ret_n is how much of `path` it takes; returns what is
 * left of the pattern, or NULL where a name differs. */
static const char *
follow(size_t row, struct str path, size_t *ret_n)
{
	const char *part = names_patterns + names_rows[row].pattern;
	size_t at = 0;

	for (; *part && at < path.n; part += strlen(part) + 1) {
		struct str rest = str_skip(path, at);
		struct str name = str_cut(rest, 0, str_find(rest, '/'));

		if (!part_is(name, part))
			return NULL;
		*ret_n = at + name.n;
		at += name.n + 1;
	}
	return part;
}

struct name_found
name_find(struct str path)
{
	struct name_found found = { .action = NAME_NONE };
	struct str name = str_cut(path, 0, str_find(path, '/'));
	size_t end, row = first_row(name, &end);

	for (row = row < end ? row : NAMES_PLAIN; row < NAMES_ROWS;
	     row = next_row(row, end)) {
		size_t n = 0;
		const char *left = follow(row, path, &n);

		if (!left || *left || (n < path.n && !names_rows[row].tree) ||
		    names_rows[row].action < found.action ||
		    (names_rows[row].action == found.action && n <= found.n))
			continue;
		found = (struct name_found){ (enum name_action)names_rows[row].action,
			(enum name_kind)names_rows[row].kind,
			names_whys + names_rows[row].why, n, names_rows[row].tree };
	}
	return found;
}

struct name_found
name_find_within(struct str path)
{
	struct name_found best = { .action = NAME_NONE };

	for (; path.n; path = str_skip(path, str_find(path, '/') + 1)) {
		struct name_found found = name_find(path);

		if (found.action > best.action)
			best = found;
	}
	return best;
}

enum name_kind
name_kind(struct str name)
{
	struct name_found found = name_find(name);

	return found.action >= NAME_PROTECT ? found.kind : NAME_FREE;
}

bool
name_below(
    struct str path, enum name_action least, size_t *at, char ret[static NAME_REST_SIZE])
{
	struct str name = str_cut(path, 0, str_find(path, '/'));
	size_t end, first = first_row(name, &end);

	for (size_t row = first + *at; row < end; row++) {
		size_t n = 0, used = 0;
		const char *left = follow(row, path, &n);

		if (!left || !*left || n < path.n || names_rows[row].action < least)
			continue;
		for (; *left; left += strlen(left) + 1) {
			memcpy(ret + used, left, strlen(left));
			used += strlen(left);
			ret[used++] = '/';
		}
		ret[used - 1] = '\0';
		*at = row + 1 - first;
		return true;
	}
	return false;
}

bool
name_begins(struct str path, enum name_action least)
{
	char rest[NAME_REST_SIZE];
	bool found = false;

	for (; path.n && !found; path = str_skip(path, str_find(path, '/') + 1)) {
		size_t at = 0;

		found = name_below(path, least, &at, rest);
	}
	return found;
}

bool
name_is_packages(struct str name)
{
	static const char names[] = "node_modules\0bower_components\0_deps\0.build\0"
				    ".terraform\0site-packages\0Pods\0";

	return str_among(name, names);
}
