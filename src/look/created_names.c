#include "look/created_names.h"
#include "base/path.h"
#include "look/resolve.h"
#include "look/root.h"
#include "os/file.h"

struct makers {
	struct arena *a;
	const struct effects *e;
	struct created_name *names;
	bool full;
};

unsigned
created_how(struct str program)
{
	static const struct {
		char name[8];
		uint8_t how;
	} programs[] = {
		{ "git", CREATES_NAMES | CREATES_CAREFUL },
		{ "patch", CREATES_NAMES | CREATES_CAREFUL },
		{ "rsync", CREATES_NAMES | CREATES_CAREFUL },
		{ "tar", CREATES_NAMES | CREATES_CAREFUL | CREATES_ARCHIVE },
		{ "gtar", CREATES_NAMES | CREATES_CAREFUL | CREATES_ARCHIVE },
		{ "bsdtar", CREATES_NAMES | CREATES_CAREFUL | CREATES_ARCHIVE },
		{ "unzip", CREATES_NAMES | CREATES_CAREFUL | CREATES_ARCHIVE },
		{ "7z", CREATES_NAMES | CREATES_CAREFUL | CREATES_ARCHIVE },
		{ "7za", CREATES_NAMES | CREATES_CAREFUL | CREATES_ARCHIVE },
		{ "7zz", CREATES_NAMES | CREATES_CAREFUL | CREATES_ARCHIVE },
		{ "7zr", CREATES_NAMES | CREATES_CAREFUL | CREATES_ARCHIVE },
		{ "cpio", CREATES_NAMES | CREATES_CAREFUL | CREATES_ARCHIVE },
		{ "bsdcpio", CREATES_NAMES | CREATES_CAREFUL | CREATES_ARCHIVE },
		{ "unar", CREATES_NAMES | CREATES_ARCHIVE },
		{ "unrar", CREATES_NAMES | CREATES_ARCHIVE },
		{ "pax", CREATES_NAMES | CREATES_ARCHIVE },
	};

	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		if (str_is(program, programs[i].name))
			return programs[i].how;
	return 0;
}

struct str
created_join(struct arena *a, struct str dir, struct str rest)
{
	struct str out = { NULL, 0 };

	while (rest.n && rest.p[0] == '/')
		rest = str_skip(rest, 1);
	while (rest.n && rest.p[rest.n - 1] == '/')
		rest.n--;
	if (rest.n == 0)
		return dir;
	(void)path_join(a, dir, rest, &out, NULL);
	return out;
}

const struct created_name *
created_find_name(const struct created *m, struct str path)
{
	for (const struct created_name *n = m->names; n; n = n->next) {
		bool itself = str_eq(n->path, path);

		if (n->from && n->from == m->except && itself)
			continue;
		if (n->below && m->careful)
			continue;
		if (itself ? !n->below : path_is_within(n->path, path))
			return n;
	}
	return NULL;
}

/* ---- commands that create links */

static bool
has_word(const struct command *c, const char *word)
{
	for (size_t i = 1; i < c->argc; i++)
		if (c->argv[i].kind == FIELD_STR && str_is(c->argv[i].text, word))
			return true;
	return false;
}

/* An unknown word could be any option. */
static bool
has_unknown_word(const struct command *c)
{
	for (size_t i = 1; i < c->argc; i++)
		if (c->argv[i].kind == FIELD_MANY ||
		    (c->argv[i].kind == FIELD_ONE &&
			(c->argv[i].text.n == 0 || c->argv[i].text.p[0] == '-')))
			return true;
	return false;
}

/* cp copies the targets of symlinks, unless an option makes it copy or create links. */
static bool
cp_makes_links(const struct command *c)
{
	static const char longs[][7] = { "--no-d", "--a", "--r", "--s", "--l", "--pr",
		"--pa" };

	for (size_t i = 1; i < c->argc; i++) {
		struct str t = c->argv[i].text;

		if (t.n < 2 || t.p[0] != '-')
			continue;
		for (size_t k = 0; k < sizeof longs / sizeof *longs; k++)
			if (str_starts(t, str_from_c(longs[k])))
				return true;
		for (size_t k = 1; k < t.n && t.p[1] != '-'; k++)
			if (strchr("PadrRsl", t.p[k]))
				return true;
	}
	return has_unknown_word(c);
}

static bool
is_maker(const struct command *c)
{
	static const char names[] = "ln\0mv\0link\0rename\0stow\0mount\0";

	return str_among(c->program, names) ||
	       (str_is(c->program, "cp") && cp_makes_links(c));
}

/* The index of git's subcommand, after its global options. */
static size_t
git_subcommand(const struct command *c)
{
	if (c->scan && c->scan->depth > 0)
		return c->scan->path[0];
	return c->argc;
}

/* `git checkout -b NAME` and `git switch -c NAME` change no file. */
static bool
only_names_branch(const struct command *c, size_t sub)
{
	return c->argc == sub + 3 && (has_word(c, "-b") || has_word(c, "-c"));
}

static bool
git_changes_tree(const struct command *c)
{
	static const char names[] =
	    "checkout\0switch\0pull\0merge\0rebase\0restore\0stash\0"
	    "cherry-pick\0revert\0am\0apply\0clone\0submodule\0worktree\0"
	    "read-tree\0checkout-index\0bisect\0sparse-checkout\0mv\0"
	    "subtree\0";
	size_t sub = git_subcommand(c);
	struct str name;

	if (sub >= c->argc || c->argv[sub].kind != FIELD_STR)
		return true;
	name = c->argv[sub].text;
	if (str_is(name, "reset"))
		return has_word(c, "--hard") || has_word(c, "--merge") ||
		       has_word(c, "--keep") || has_unknown_word(c);
	if (str_is(name, "checkout") || str_is(name, "switch"))
		return !only_names_branch(c, sub);
	return str_among(name, names);
}

/* True if it unpacks or checks out: it may create any name in a directory as a symlink. */
static bool
is_unpacker(const struct command *c)
{
	if (c->class == CLASS_READ || !(created_how(c->program) & CREATES_NAMES))
		return false;
	return !str_is(c->program, "git") || git_changes_tree(c);
}

/* ---- their names */

static void
add_name(struct makers *m, struct created_name n)
{
	struct created_name *copy = ARENA_NEW(m->a, struct created_name);

	if (!copy) {
		m->full = true;
		return;
	}
	*copy = n;
	copy->next = m->names;
	m->names = copy;
}

static void
add_below(struct makers *m, struct str dir)
{
	struct resolved r;

	if (!dir.p)
		return;
	if (look_resolve(m->a, dir, 0, NULL, &r, NULL))
		m->full = true;
	else if (r.real.p)
		add_name(m, (struct created_name){ .path = r.real, .below = true });
}

static bool
is_inside(struct span inner, struct span outer)
{
	return inner.start >= outer.start && inner.end <= outer.end;
}

static bool
is_from(const struct file_effect *f, const struct command *c)
{
	return is_inside(f->at, c->at) && str_eq(f->by, c->program);
}

static bool
is_made(const struct file_effect *f)
{
	return f->op == FILE_WRITE || f->op == FILE_CREATE || f->op == FILE_APPEND;
}

/* cp without -s and -l, and mv: the result is of the same kind as the source. */
static bool
copies_names(const struct command *c)
{
	if (str_is(c->program, "mv"))
		return true;
	if (!str_is(c->program, "cp") || has_unknown_word(c))
		return false;
	for (size_t i = 1; i < c->argc; i++) {
		struct str t = c->argv[i].text;

		if (t.n < 2 || t.p[0] != '-')
			continue;
		if (str_starts(t, STR("--s")) || str_starts(t, STR("--l")) ||
		    str_starts(t, STR("--p")) ||
		    (t.p[1] != '-' && (str_find(t, 's') < t.n || str_find(t, 'l') < t.n)))
			return false;
	}
	return true;
}

/* Add the names of the command's operands in `dir`; all names if they are unknown. */
static void
add_children(struct makers *m, const struct command *c, const struct file_effect *dest,
    struct str dir)
{
	size_t known = 0;

	for (const struct file_effect *f = m->e->files; f; f = f->next) {
		struct str base = str_base(f->path), to;

		if (!is_from(f, c) || is_made(f))
			continue;
		if (!f->known || base.n == 0 || str_is(base, "..")) {
			known = 0;
			break;
		}
		to = created_join(m->a, dir, base);
		add_name(
		    m, (struct created_name){ .path = to,
			   .source = copies_names(c) ? f->path : (struct str){ NULL, 0 },
			   .from = dest });
		known++;
	}
	if (known == 0)
		add_name(
		    m, (struct created_name){ .path = dir, .below = true, .from = dest });
}

/* The source that `dest` becomes a copy of, if there is only one. */
static struct str
only_source(const struct makers *m, const struct command *c)
{
	struct str source = { NULL, 0 };

	if (!copies_names(c))
		return source;
	for (const struct file_effect *f = m->e->files; f; f = f->next) {
		if (!is_from(f, c) || is_made(f))
			continue;
		if (!f->known || source.p)
			return (struct str){ NULL, 0 };
		source = f->path;
	}
	return source;
}

static void
add_dest(struct makers *m, const struct command *c, const struct file_effect *f)
{
	struct resolved r;

	if (look_resolve(m->a, f->path, 0, NULL, &r, NULL)) {
		m->full = true;
		return;
	}
	if (r.real.p && r.directory)
		add_children(m, c, f, r.real);
	/* Even if it is no directory yet, another part of the text may make it one. */
	add_name(m, (struct created_name){ .path = r.real.p ? r.real : f->path,
			.source = only_source(m, c),
			.from = f });
}

/* `git clone URL` creates a directory named after the URL's last component. */
static void
add_clone(struct makers *m, const struct command *c)
{
	struct field last = c->argv[c->argc - 1];
	struct str name = last.text;

	while (name.n && name.p[name.n - 1] == '/')
		name.n--;
	name = str_base(name);
	if (str_ends(name, STR(".git")))
		name.n -= 4;
	for (size_t i = 0; c->cwd && i < c->cwd->n; i++)
		add_below(m, last.kind == FIELD_STR
				 ? created_join(m->a, c->cwd->at[i].path, name)
				 : c->cwd->at[i].path);
}

static void
add_unpacked(struct makers *m, const struct command *c)
{
	bool moved = false;

	for (const struct chdir_effect *d = m->e->chdirs; d; d = d->next)
		if (d->known && is_inside(d->at, c->at)) {
			moved = true;
			add_below(m, d->path);
		}
	/* Inside `bash -c` all positions are equal: another command may have moved the
	 * file. */
	if (moved && !c->via)
		return;
	if (str_is(c->program, "git") && has_word(c, "clone")) {
		add_clone(m, c);
		return;
	}
	for (size_t i = 0; c->cwd && i < c->cwd->n; i++) {
		struct git_dirs dirs;
		const char *why;
		struct resolved r;

		add_below(m, c->cwd->at[i].path);
		if (!str_is(c->program, "git") ||
		    look_resolve(m->a, c->cwd->at[i].path, 0, NULL, &r, NULL) || !r.real.p)
			continue;
		if (git_find(m->a, r.real, &dirs, &why))
			add_below(m, dirs.worktree);
	}
}

int
created_find(struct arena *a, const struct effects *e, const struct created_name **ret,
    struct err *reterr)
{
	struct makers m = { .a = a, .e = e };

	for (const struct command *c = e->commands; c; c = c->next) {
		bool maker = is_maker(c), unpacker = is_unpacker(c);

		if (c->remote || !c->program.p || (!maker && !unpacker))
			continue;
		for (const struct file_effect *f = e->files; f; f = f->next) {
			if (!f->known || !is_made(f) || !is_from(f, c))
				continue;
			if (maker)
				add_dest(&m, c, f);
			else
				add_below(&m, f->path);
		}
		if (unpacker)
			add_unpacked(&m, c);
	}
	if (m.full)
		return err_at(
		    reterr, CORDON_ENOMEM, 0, "a path needs more memory than allowed");
	*ret = m.names;
	return 0;
}
