#include "look/names.h"
#include "look/alias.h"
#include "names_table.h"

/* In a directory of git's; the last list is of paths. */
static const char git_files[] = "commondir\0gitdir\0hooks\0";
static const char git_configs[] = "config\0config.worktree\0";
static const char git_locks[] = "config.lock\0config.worktree.lock\0";
static const char git_paths[] = "info/attributes\0info/grafts\0objects/info/alternates\0";

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
	char room[ALIAS_ROOM];
	struct str plain = alias_plain(s, room);

	for (; *list; list += strlen(list) + 1)
		if (is_same(plain, list) || alias_is_short(s, list))
			return true;
	return false;
}

static bool
is_among(struct str s, const char *list)
{
	for (const char *at = list; *at; at += strlen(at) + 1)
		if (is_same(s, at))
			return true;
	return alias_could_be(s) && is_other_spelling(s, list);
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

/* Rows whose first name could be `name`: a range, and those from NAMES_PLAIN on. */
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

static struct str
first_part(struct str path)
{
	return str_cut(path, 0, str_find(path, '/'));
}

/* In one directory, without those below it. */
static enum git_name
name_here(struct str path)
{
	struct str part = first_part(path);

	if (is_among(part, git_files) || is_among(path, git_paths))
		return GIT_CODE;
	if (is_among(part, git_configs))
		return part.n == path.n ? GIT_CONFIG : GIT_CODE;
	if (is_among(part, git_locks))
		return part.n == path.n ? GIT_LOCK : GIT_CODE;
	/* Whoever makes another name of this kind prepares to move it there. */
	return part.n > 7 && name_is(str_cut(part, 0, 7), "config.") ? GIT_CODE : GIT_FREE;
}

enum git_name
git_name(struct str path, size_t *ret_dir)
{
	struct str part = first_part(path), rest = path;
	enum git_name found = name_here(path);
	bool deeper = name_is(part, "modules") || name_is(part, "worktrees");

	if (ret_dir)
		*ret_dir = 0;
	/* Directories of submodules may lie some names deeper. */
	while (found == GIT_FREE && deeper && part.n < rest.n) {
		rest = str_skip(rest, part.n + 1);
		part = first_part(rest);
		if (part.n == 0)
			break;
		found = name_here(rest);
		if (ret_dir)
			*ret_dir = path.n - rest.n - 1;
	}
	return found;
}
