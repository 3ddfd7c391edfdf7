#define _GNU_SOURCE /* O_PATH */
#include "launch/exec/exec_becomes.h"
#include "base/limits.h"
#include "os/fd.h"
#include "os/sys.h"

/* ---- the dynamic loader */

/* The loader of musl is libc.so; older ones of glibc are ld-VERSION.so. */
static bool
is_loader(struct str file)
{
	struct str base = str_base(file);

	return str_is(base, "libc.so") || str_is(base, "ld.so") ||
	       str_starts(base, STR("ld-")) || str_starts(base, STR("ld64.so"));
}

static bool
takes_value(struct str option)
{
	static const struct str all[] = { STR_INIT("--argv0"), STR_INIT("--library-path"),
		STR_INIT("--preload"), STR_INIT("--audit"), STR_INIT("--inhibit-rpath"),
		STR_INIT("--glibc-hwcaps-prepend"), STR_INIT("--glibc-hwcaps-mask") };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (str_eq(option, all[i]))
			return true;
	return false;
}

/* Resolve a name to a file in the task's root directory, following symlinks there. */
static struct str
find_program(struct arena *a, const struct exec_request *q, struct str name)
{
	char path[LIMIT_PATH], proc[64];
	cleanup_fd int root = -1, fd = -1;
	struct str found = { NULL, 0 };
	size_t n = 0;

	if (str_find(name, '/') == name.n || q->cwd.n + name.n + 2 > sizeof path)
		return name;
	if (name.p[0] != '/') {
		memcpy(path, q->cwd.p, q->cwd.n);
		path[q->cwd.n] = '/';
		n = q->cwd.n + 1;
	}
	memcpy(path + n, name.p, name.n);
	path[n + name.n] = '\0';
	root = open(proc_path(proc, sizeof proc, q->pid, "root"), O_PATH | O_CLOEXEC);
	fd = sys_openat2(root, path, O_PATH, 0, KERNEL_RESOLVE_IN_ROOT);
	if (fd >= 0)
		found = fd_path(a, fd);
	return found.p ? found : name;
}

static bool
loads(struct arena *a, const struct exec_request *q, struct exec_request *ret)
{
	struct str called = { NULL, 0 }, *argv;
	size_t at = 1;

	for (; at < q->argc && str_starts(q->argv[at], STR("--")); at++) {
		struct str option = q->argv[at];

		if (str_starts(option, STR("--argv0=")))
			called = str_skip(option, sizeof "--argv0=" - 1);
		if (!takes_value(option))
			continue;
		if (++at < q->argc && str_is(option, "--argv0"))
			called = q->argv[at];
	}
	if (at >= q->argc || !(argv = arena_array(a, q->argc - at, sizeof *argv)))
		return false;
	memcpy(argv, q->argv + at, (q->argc - at) * sizeof *argv);
	*ret = *q;
	ret->file = find_program(a, q, argv[0]);
	if (called.p)
		argv[0] = called;
	ret->argv = argv;
	ret->argc = q->argc - at;
	return true;
}

/* ---- git */

/* The commands of every git. */
static const char commands[] =
    "add am annotate apply archive bisect blame branch bundle cat-file check-attr "
    "check-ignore check-mailmap check-ref-format checkout checkout-index cherry "
    "cherry-pick "
    "clean clone column commit commit-graph commit-tree config count-objects credential "
    "credential-cache credential-store daemon describe "
    "diff diff-files diff-index diff-tree difftool fast-export fast-import fetch "
    "fetch-pack filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck "
    "gc get-tar-commit-id grep hash-object help http-backend http-fetch "
    "http-push imap-send index-pack init init-db instaweb interpret-trailers log ls-files "
    "ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file "
    "merge-index "
    "merge-octopus merge-one-file merge-ours merge-recursive merge-resolve merge-subtree "
    "merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects "
    "pack-redundant pack-refs patch-id pickaxe prune prune-packed pull push quiltimport "
    "range-diff read-tree rebase receive-pack reflog remote remote-ext remote-fd "
    "remote-ftp remote-ftps remote-http remote-https repack replace request-pull rerere "
    "reset restore rev-list rev-parse revert rm send-pack shell shortlog show "
    "show-branch show-index show-ref sparse-checkout stage stash status stripspace "
    "submodule "
    "subtree switch symbolic-ref tag unpack-file unpack-objects update-index update-ref "
    "update-server-info upload-archive upload-pack var verify-commit verify-pack "
    "verify-tag "
    "version web--browse whatchanged worktree write-tree ";

#define NAME_MAX_GIT 32
/* The threshold of git's autocorrection: a smaller distance is similar enough. */
#define SIMILAR 7

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Edit distance with the weights of git: swap 0, substitute 2, insert 1, delete 3. */
static unsigned
distance(struct str x, struct str y)
{
	unsigned rows[3][NAME_MAX_GIT + 1];
	unsigned *before = rows[0], *last = rows[1], *row = rows[2];

	for (unsigned j = 0; j <= y.n; j++)
		last[j] = j;
	for (unsigned i = 0; i < x.n; i++) {
		unsigned *t = before;

		row[0] = (i + 1) * 3;
		for (unsigned j = 0; j < y.n; j++) {
			row[j + 1] = last[j] + (x.p[i] == y.p[j] ? 0 : 2);
			if (i && j && x.p[i - 1] == y.p[j] && x.p[i] == y.p[j - 1])
				row[j + 1] = least(row[j + 1], before[j - 1]);
			row[j + 1] = least(row[j + 1], last[j + 1] + 3);
			row[j + 1] = least(row[j + 1], row[j] + 1);
		}
		before = last;
		last = row;
		row = t;
	}
	return last[y.n] + 1;
}

static struct str
next_command(struct str *all)
{
	struct str one = str_cut(*all, 0, str_find(*all, ' '));

	*all = str_skip(*all, one.n + 1);
	return one;
}

static bool
is_command(struct str name)
{
	struct str all = str_of(commands, sizeof commands - 1);

	while (all.n)
		if (str_eq(next_command(&all), name))
			return true;
	return false;
}

/* Return the command that git runs for an unknown name; .p == NULL: none. */
static struct str
corrected(struct str name)
{
	struct str all = str_of(commands, sizeof commands - 1), best = { NULL, 0 };
	unsigned least_far = SIMILAR - 1;

	while (all.n && name.n <= NAME_MAX_GIT) {
		struct str one = next_command(&all);
		unsigned far = distance(name, one);

		if (far > least_far)
			continue;
		/* With two equally near commands git runs none. */
		best = far < least_far ? one : (struct str){ NULL, 0 };
		least_far = far;
	}
	return best;
}

/* Return the index of the subcommand; argc if there is none. */
static size_t
subcommand(const struct exec_request *q)
{
	static const struct str with_value[] = { STR_INIT("-C"), STR_INIT("-c"),
		STR_INIT("--git-dir"), STR_INIT("--work-tree"), STR_INIT("--namespace"),
		STR_INIT("--super-prefix"), STR_INIT("--config-env"),
		STR_INIT("--attr-source") };
	size_t at = 1;

	for (; at < q->argc && str_starts(q->argv[at], STR("-")); at++)
		for (size_t i = 0; i < sizeof with_value / sizeof *with_value; i++)
			if (str_eq(q->argv[at], with_value[i])) {
				at++;
				break;
			}
	return at < q->argc ? at : q->argc;
}

/* Return NAME of git-NAME, from the file or from argv[0]. */
static struct str
dashed(const struct exec_request *q)
{
	struct str names[] = { str_base(q->file),
		str_base(q->argc ? q->argv[0] : STR("")) };

	for (size_t i = 0; i < 2; i++)
		if (str_starts(names[i], STR("git-")) && is_command(str_skip(names[i], 4)))
			return str_skip(names[i], 4);
	return (struct str){ NULL, 0 };
}

static struct str
stands_for(struct str name)
{
	if (str_is(name, "send-pack") || str_is(name, "http-push"))
		return STR("push");
	return is_command(name) ? (struct str){ NULL, 0 } : corrected(name);
}

/* Copy the request with another subcommand, `more` words longer. */
static bool
rename_to(struct arena *a, const struct exec_request *q, size_t at, size_t more,
    struct str name, struct exec_request *ret)
{
	size_t n = q->argc + more;
	struct str *argv = arena_array(a, n + 1, sizeof *argv);

	if (!argv)
		return false;
	for (size_t i = 1; i < q->argc; i++)
		argv[i + more] = q->argv[i];
	argv[0] = STR("git");
	argv[at] = name;
	*ret = *q;
	ret->file = STR("git");
	ret->argv = argv;
	ret->argc = n;
	return true;
}

bool
exec_becomes(struct arena *a, const struct exec_request *q, struct exec_request *ret)
{
	struct str name = dashed(q);
	size_t at;

	if (q->argc == 0)
		return false;
	if (is_loader(q->file))
		return loads(a, q, ret);
	if (name.p)
		return rename_to(a, q, 1, 1, name, ret);
	if (!str_is(str_base(q->file), "git") && !str_is(str_base(q->argv[0]), "git"))
		return false;
	at = subcommand(q);
	name = at < q->argc ? stands_for(q->argv[at]) : (struct str){ NULL, 0 };
	return name.p && rename_to(a, q, at, 0, name, ret);
}
