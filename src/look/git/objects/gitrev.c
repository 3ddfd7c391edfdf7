/* Resolve revisions in the common forms of gitrevisions(7). */
#define _GNU_SOURCE
#include "look/git/gitconf.h"
#include "look/git/gitrepo.h"
#include "os/file.h"
#include <fcntl.h>

#define TEXT_MAX ((size_t)8 << 20)
#define SYMBOLIC_MAX 5
#define HEX ((size_t)2 * SHA1_BYTES)

struct str
git_text(struct git_repo *r, bool common, const char *name)
{
	cleanup_fd int fd = openat(common ? r->commondir : r->gitdir, name,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	ssize_t n;
	char *text;

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) ||
	    (size_t)st.st_size > TEXT_MAX ||
	    !(text = arena_alloc(r->store.a, (size_t)st.st_size + 1)))
		return STR("");
	n = pread(fd, text, (size_t)st.st_size, 0);
	return str_of(text, n > 0 ? (size_t)n : 0);
}

static struct str
first_line(struct str text)
{
	return str_cut(text, 0, str_find(text, '\n'));
}

/* ---- references */

struct joined {
	char v[LIMIT_PATH];
};

/* Build a reference's path; false: too long, or it leaves the directory. */
static bool
join(struct joined *ret, const char *first, struct str second, const char *third)
{
	size_t a = strlen(first), b = strlen(third);

	if (a + second.n + b + 1 > sizeof ret->v || second.n == 0 ||
	    memchr(second.p, 0, second.n) || memmem(second.p, second.n, "..", 2) ||
	    second.p[0] == '/')
		return false;
	memcpy(ret->v, first, a);
	memcpy(ret->v + a, second.p, second.n);
	memcpy(ret->v + a + second.n, third, b + 1);
	return true;
}

static bool
find_packed(struct git_repo *r, struct str name, struct git_oid *ret)
{
	struct str text = git_text(r, true, "packed-refs");

	while (text.n) {
		struct str line = first_line(text);

		if (line.n == HEX + 1 + name.n && line.p[HEX] == ' ' &&
		    str_eq(str_skip(line, HEX + 1), name))
			return git_oid_read(str_cut(line, 0, HEX), ret);
		text = str_skip(text, line.n + 1);
	}
	return false;
}

/* Read a reference by its full name; symbolic ones are followed, *full is the last. */
static bool
find_full(struct git_repo *r, struct joined *full, struct git_oid *ret)
{
	for (int i = 0; i < SYMBOLIC_MAX; i++) {
		struct str name = str_from_c(full->v), text;
		bool common = str_starts(name, STR("refs/")) &&
			      !str_starts(name, STR("refs/bisect/")) &&
			      !str_starts(name, STR("refs/worktree/"));

		text = first_line(git_text(r, common, full->v));
		if (str_starts(text, STR("ref: "))) {
			if (!join(full, "", str_skip(text, 5), ""))
				return false;
			continue;
		}
		/* FETCH_HEAD has text after the hash. */
		if (text.n >= HEX && git_oid_read(str_cut(text, 0, HEX), ret))
			return true;
		return common && find_packed(r, name, ret);
	}
	return false;
}

static bool
find_ref(struct git_repo *r, struct str name, struct joined *full, struct git_oid *ret)
{
	static const char places[][2][24] = { { "", "" }, { "refs/", "" },
		{ "refs/tags/", "" }, { "refs/heads/", "" }, { "refs/remotes/", "" },
		{ "refs/remotes/", "/HEAD" }, { "refs/remotes/origin/", "" } };

	if (str_is(name, "@"))
		name = STR("HEAD");
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		/* Directly in the git directory, only names like HEAD. */
		if (i == 0 && !str_starts(name, STR("refs/")) &&
		    !(str_ends(name, STR("HEAD")) && str_find(name, '/') == name.n))
			continue;
		if (join(full, places[i][0], name, places[i][1]) && find_full(r, full, ret))
			return true;
	}
	return false;
}

/* ---- reflogs */

/* The line with `n` lines after it. */
static struct str
line_from_end(struct str text, uint64_t n)
{
	while (text.n) {
		struct str rest = str_cut(text, 0, text.n - 1);
		size_t at = str_rfind(rest, '\n');
		struct str line = at < rest.n ? str_skip(rest, at + 1) : rest;

		if (n-- == 0)
			return line;
		text = at < rest.n ? str_cut(text, 0, at + 1) : STR("");
	}
	return STR("");
}

static bool
find_logged(struct git_repo *r, const struct joined *ref, uint64_t n, struct git_oid *ret)
{
	struct joined path;
	struct str name = str_from_c(ref->v), line;

	if (!join(&path, "logs/", name, ""))
		return false;
	line = line_from_end(git_text(r, str_starts(name, STR("refs/")), path.v), n);
	return line.n > 2 * HEX && git_oid_read(str_cut(line, HEX + 1, 2 * HEX + 1), ret);
}

/* The branch that was left `n` checkouts ago. */
static struct str
find_previous(struct git_repo *r, uint64_t n)
{
	static const char mark[] = "\tcheckout: moving from ";
	struct str text = git_text(r, false, "logs/HEAD"), line;

	for (uint64_t i = 0; (line = line_from_end(text, i)).n; i++) {
		const char *hit = memmem(line.p, line.n, mark, sizeof mark - 1);
		struct str from;

		if (!hit || --n)
			continue;
		from = str_skip(line, (size_t)(hit - line.p) + sizeof mark - 1);
		return str_cut(from, 0, str_find(from, ' '));
	}
	return STR("");
}

struct upstream {
	struct str branch, remote, merge;
};

static bool
see_config(void *context, const struct gitconf_entry *e)
{
	struct upstream *u = context;

	if (str_is(e->section, "branch") && e->sub.p && str_eq(e->sub, u->branch)) {
		if (str_is(e->name, "remote"))
			u->remote = e->value;
		if (str_is(e->name, "merge"))
			u->merge = e->value;
	}
	return true;
}

static bool
find_upstream(struct git_repo *r, struct str branch, struct git_oid *ret)
{
	struct str head = first_line(git_text(r, false, "HEAD"));
	struct upstream u = { .branch = branch };
	struct joined full;
	char buf[512];

	if (!branch.n || str_is(branch, "HEAD") || str_is(branch, "@"))
		u.branch = str_starts(head, STR("ref: refs/heads/"))
			       ? str_skip(head, sizeof "ref: refs/heads/" - 1)
			       : STR("");
	if (!u.branch.n ||
	    gitconf_read(r->store.a, git_text(r, true, "config"), see_config, &u, NULL) ||
	    !str_starts(u.merge, STR("refs/heads/")))
		return false;
	if (str_is(u.remote, "."))
		return join(&full, "", u.merge, "") && find_full(r, &full, ret);
	if (!u.remote.n || u.remote.n + 2 > sizeof buf - 16)
		return false;
	memcpy(buf, "refs/remotes/", 13);
	memcpy(buf + 13, u.remote.p, u.remote.n);
	memcpy(buf + 13 + u.remote.n, "/", 2);
	return join(&full, buf, str_skip(u.merge, sizeof "refs/heads/" - 1), "") &&
	       find_full(r, &full, ret);
}

/* ---- full syntax */

/* Read a number of at most four digits; `none` if there is none. */
static uint64_t
take_number(struct str *s, uint64_t none)
{
	struct str four = str_cut(*s, 0, s->n < 4 ? s->n : 4);
	size_t n = four.n;

	(void)str_take_number(&four, UINT64_MAX, &none);
	*s = str_skip(*s, n - four.n);
	return none;
}

/* The length of the reference's name. */
static size_t
base_length(struct str name)
{
	size_t i = 0;

	while (i < name.n && name.p[i] != '^' && name.p[i] != '~' &&
	       !(name.p[i] == '@' && i + 1 < name.n && name.p[i + 1] == '{'))
		i++;
	return i;
}

/* The text in @{…} after the name; *rest follows it. */
static bool
find_at(struct git_repo *r, struct str base, struct str *rest, struct git_oid *ret)
{
	size_t end = str_find(*rest, '}');
	struct str in = str_cut(*rest, 2, end < rest->n ? end : 2);
	struct joined full;

	*rest = str_skip(*rest, end + 1);
	if (str_is(in, "u") || str_is(in, "upstream"))
		return find_upstream(r, base, ret);
	if (in.n > 1 && in.p[0] == '-' && !base.n) {
		struct str n = str_skip(in, 1);
		uint64_t back = take_number(&n, 0);

		base = back && !n.n ? find_previous(r, back) : STR("");
		return base.n && (find_ref(r, base, &full, ret) ||
				     git_abbreviated(&r->store, base, ret));
	}
	if (!in.n || !byte_is_digit(in.p[0]))
		return false;
	if (!find_ref(r, base.n ? base : STR("HEAD"), &full, ret))
		return false;
	return find_logged(r, &full, take_number(&in, 0), ret) && !in.n;
}

static bool
find_base(struct git_repo *r, struct str base, struct str *rest, struct git_oid *ret)
{
	struct joined full;

	if (str_starts(*rest, STR("@{")))
		return find_at(r, base, rest, ret);
	return base.n && (find_ref(r, base, &full, ret) || git_oid_read(base, ret) ||
			     git_abbreviated(&r->store, base, ret));
}

/* ~2, ^2, ^{commit} */
static bool
step_back(struct git_repo *r, struct str *rest, struct git_commit *c)
{
	bool far = rest->p[0] == '~';
	uint64_t n;

	*rest = str_skip(*rest, 1);
	if (!far && str_starts(*rest, STR("{"))) {
		*rest = str_skip(*rest, str_find(*rest, '}') + 1);
		return true;
	}
	n = take_number(rest, 1);
	if (!far)
		return n == 0 ||
		       (n <= c->parents_n && git_commit_read(r, &c->parents[n - 1], c));
	while (n-- > 0)
		if (!c->parents_n || !git_commit_read(r, &c->parents[0], c))
			return false;
	return true;
}

bool
git_rev(struct git_repo *r, struct str name, struct git_commit *ret)
{
	size_t mark = r->store.a->used, n;
	struct str rest;
	struct git_oid oid;
	bool ok;

	if (str_is(name, "-"))
		name = STR("@{-1}");
	n = base_length(name);
	rest = str_skip(name, n);
	ok = name.n && find_base(r, str_cut(name, 0, n), &rest, &oid) &&
	     git_commit_read(r, &oid, ret);
	while (ok && rest.n)
		ok = (rest.p[0] == '~' || rest.p[0] == '^') && step_back(r, &rest, ret);
	arena_back(r->store.a, mark);
	return ok;
}
