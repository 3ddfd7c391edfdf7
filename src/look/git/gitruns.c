/* Find out whether the repository's own configuration makes git run code. */
#include "base/path.h"
#include "look/git/gitkeys.h"
#include "look/lookup.h"
#include "os/file.h"

#define CONFIG_MAX ((size_t)1 << 20)
#define CONFIGS_MAX 16
#define HOOKS_MAX 256
#define REWRITES_MAX 16

struct runs {
	struct lookup *g;
	const struct git_dirs *dirs;
	struct str sub; /* the subcommand; .p == NULL: unknown */
	bool reads, network;
	const char *why;
	struct str remote, url; /* the remote, and its configured URL */
	bool by_default;        /* not named: the configuration may choose another */
	bool elsewhere;         /* git may use other URLs as well */
	struct str rewrites[REWRITES_MAX]; /* prefixes of URLs that are rewritten */
	size_t rewrites_n;
	bool own;         /* the user's or the system's file, not the repository's */
	struct str hooks; /* core.hooksPath; .p == NULL: not set */
	struct str dir;   /* the directory of the current file, for its includes */
	int files;
};

static bool
key_counts(const struct runs *r, unsigned when, const struct gitconf_entry *e)
{
	if ((when & GITKEY_WRITES) && r->reads)
		return false;
	if ((when & GITKEY_NETWORK) && !r->network)
		return false;
	/* Keys that only lead to code are checked separately. */
	return !(when & GITKEY_LEADS) && (!(when & GITKEY_VALUE) || !gitkey_is_bool(e));
}

static void read_config(struct runs *r, struct str path, bool rare);

static void
include(struct runs *r, const struct gitconf_entry *e)
{
	struct str path = e->value, dir = r->dir;
	struct resolved to = { 0 };
	const struct path_grant *in;

	if (str_starts(path, STR("~/")) && lookup_home(r->g).p)
		path = created_join(r->g->a, lookup_home(r->g), str_skip(path, 2));
	else if (!str_starts(path, STR("/")))
		path = created_join(r->g->a, dir, path);
	/* Resolve it: ../own in .git/config is a file of the workspace as well. */
	if (!path.p || look_resolve(r->g->a, path, 0, NULL, &to, NULL) || !to.real.p) {
		r->why = "git's configuration includes a file that cannot be resolved";
		return;
	}
	in = r->own ? NULL : lookup_grant(r->g, to.real);
	if (in && in->kind != PATH_GRANT_READABLE) {
		r->why = "git's configuration includes a file of the workspace";
		return;
	}
	read_config(r, path, false);
	r->dir = dir;
}

/* True if core.worktree names the worktree that we know. */
static bool
is_worktree(struct runs *r, struct str value)
{
	struct str path = value;
	struct resolved to;

	if (!str_starts(value, STR("/")))
		path = created_join(r->g->a, r->dirs->gitdir, value);
	return path.p && r->dirs->worktree.p &&
	       !look_resolve(r->g->a, path, 0, NULL, &to, NULL) && to.real.p &&
	       str_eq(to.real, r->dirs->worktree);
}

/* True if git's default remote may differ from the one that we assume. */
static bool
is_other_default(const struct runs *r, const struct gitconf_entry *e)
{
	if (str_is(e->section, "fetch"))
		return r->by_default && str_is(e->name, "all");
	if (str_is(e->section, "branch")
		? !str_among(e->name, "remote\0pushremote\0")
		: !str_is(e->section, "remote") || !str_is(e->name, "pushdefault"))
		return false;
	return r->by_default && !str_eq(e->value, r->remote);
}

/* [url "there"] insteadOf = here: URLs that begin with `here` are rewritten. */
static void
see_rewrite(struct runs *r, const struct gitconf_entry *e)
{
	if (!str_is(e->name, "insteadof") &&
	    !(str_is(e->name, "pushinsteadof") && (!r->sub.p || str_is(r->sub, "push"))))
		return;
	if (r->rewrites_n == REWRITES_MAX)
		r->elsewhere = true;
	else
		r->rewrites[r->rewrites_n++] = e->value;
}

static bool
is_rewritten(const struct runs *r, struct str address)
{
	for (size_t i = 0; i < r->rewrites_n; i++)
		if (str_starts(address, r->rewrites[i]))
			return true;
	return false;
}

/* The first URL is for fetching, all are for pushing; pushurl replaces them. */
static void
see_remote(struct runs *r, const struct gitconf_entry *e)
{
	if (str_is(e->section, "remote") && r->remote.n && e->sub.p &&
	    str_eq(e->sub, r->remote)) {
		r->elsewhere |= str_among(e->name, "vcs\0proxy\0") ||
				(str_is(e->name, "pushurl") && str_is(r->sub, "push"));
		if (str_is(e->name, "url")) {
			r->elsewhere |= r->url.p != NULL;
			r->url = e->value;
		}
	}
	if (str_is(e->section, "url"))
		see_rewrite(r, e);
	r->elsewhere |= str_is(e->section, "remotes") ||
			(str_is(e->section, "http") && str_is(e->name, "proxy")) ||
			is_other_default(r, e);
}

static bool
see_key(void *context, const struct gitconf_entry *e)
{
	struct runs *r = context;
	struct gitkey key;

	if (str_is(e->section, "include") || str_is(e->section, "includeif")) {
		if (str_is(e->name, "path"))
			include(r, e);
		return !r->why;
	}
	if (r->own) { /* the user's own programs are trusted */
		see_remote(r, e);
		return true;
	}
	if (str_is(e->section, "core") && !e->sub.p && str_is(e->name, "hookspath"))
		r->hooks = e->value;
	if (str_is(e->section, "core") && !e->sub.p && str_is(e->name, "worktree") &&
	    !is_worktree(r, e->value))
		r->why = "this repository's files are in another directory";
	if (r->network)
		see_remote(r, e);
	if (str_is(e->section, "alias") &&
	    (!r->sub.p || str_eq(r->sub, e->sub.p ? e->sub : e->name)))
		r->why = "this repository makes it an alias";
	key = gitkey_find(e);
	if (key.found && key_counts(r, key.when, e))
		r->why = "this repository's configuration names a program to run";
	return !r->why;
}

/* Read a configuration file once for all commands.  False: it cannot be read; .p == NULL:
 * it does not exist. */
static bool
read_text(struct runs *r, struct str path, bool rare, struct str *ret)
{
	struct file_read how = { .max = CONFIG_MAX, .rare = rare };
	struct git_text *t = r->g->texts;
	struct str text = { NULL, 0 };
	bool missing;

	while (t && !str_eq(t->path, path))
		t = t->next;
	if (!t) {
		if (file_read(r->g->a, path, &how, &text, &missing, NULL) && !missing)
			return false;
		t = ARENA_NEW(r->g->a, struct git_text);
		if (!t)
			return false;
		*t = (struct git_text){ path, text, r->g->texts };
		r->g->texts = t;
	}
	*ret = t->text;
	return true;
}

static void
read_config(struct runs *r, struct str path, bool rare)
{
	struct str text;

	if (r->why)
		return;
	if (++r->files > CONFIGS_MAX) {
		r->why = "git's configuration includes too many files";
		return;
	}
	if (!path.p || !read_text(r, path, rare, &text)) {
		r->why = "this repository's configuration cannot be read";
		return;
	}
	if (!text.p)
		return;
	r->dir = path_parent(path);
	if (gitconf_read(r->g->a, text, see_key, r, NULL) && !r->why)
		r->why = "this repository's configuration cannot be read";
}

/* Only URLs are read from these files; an unreadable one may contain anything. */
static void
read_own(struct runs *r, struct str dir, const char *name)
{
	const char *why = r->why;

	if (!dir.p || dir.n == 0)
		return;
	r->own = true;
	r->why = NULL;
	read_config(r, created_join(r->g->a, dir, str_from_c(name)), true);
	r->elsewhere |= r->why != NULL;
	r->own = false;
	r->why = why;
}

static void
read_owns(struct runs *r)
{
	struct str home = lookup_home(r->g), config = r->g->o->config;

	if (!r->network)
		return;
	r->elsewhere |= r->g->o->git_elsewhere;
	read_own(r, STR("/etc"), "gitconfig");
	read_own(r, STR("/usr/local/etc"), "gitconfig");
	read_own(
	    r, config.n ? config : home, config.n ? "git/config" : ".config/git/config");
	read_own(r, home, ".gitconfig");
	r->files = 0;
}

/* ---- hooks */

struct hook_search {
	struct lookup *g;
	struct git_hooks *to;
};

static enum tree_step
see_hook(void *context, struct str path, bool directory)
{
	struct hook_search *s = context;
	struct str name = str_base(path);
	struct stat st;

	if (directory)
		return TREE_SKIP;
	if (str_ends(name, STR(".sample")))
		return TREE_GO;
	if (!file_stat(s->g->a, path, true, &st))
		return file_is_missing() ? TREE_GO : TREE_STOP;
	if (!(st.st_mode & 0111))
		return TREE_GO;
	s->to->any = true;
	s->to->index |= str_is(name, "post-index-change");
	return TREE_GO;
}

/* The hooks of a directory, cached; NULL: no memory. */
static const struct git_hooks *
find_hooks(struct lookup *g, struct str dir)
{
	struct git_hooks *h = g->hooks;
	struct hook_search search = { .g = g };
	struct stat st;

	while (h && !str_eq(h->dir, dir))
		h = h->next;
	if (h)
		return h;
	h = ARENA_NEW(g->a, struct git_hooks);
	if (!h)
		return NULL;
	*h = (struct git_hooks){ .dir = dir, .next = g->hooks };
	g->hooks = search.to = h;
	if (file_stat(g->a, dir, true, &st)
		? tree_walk(g->a, dir, HOOKS_MAX, see_hook, &search) != TREE_DONE
		: !file_is_missing())
		h->any = h->index = true; /* unreadable: assume hooks */
	return h;
}

static void
look_at_hooks(struct runs *r)
{
	struct str dir = created_join(r->g->a, r->dirs->commondir, STR("hooks"));
	const struct git_hooks *h;

	if (r->hooks.p && r->hooks.n) {
		dir = r->hooks;
		if (str_starts(dir, STR("~/")) && lookup_home(r->g).p)
			dir = created_join(r->g->a, lookup_home(r->g), str_skip(dir, 2));
		else if (!str_starts(dir, STR("/")))
			dir = created_join(r->g->a,
			    r->dirs->worktree.p ? r->dirs->worktree : r->dirs->gitdir, dir);
	}
	h = dir.p ? find_hooks(r->g, dir) : NULL;
	/* Reading commands refresh the index, and run only that hook. */
	if (!h || (r->reads ? h->index : h->any))
		r->why = "this repository has hooks that git runs";
}

/* ---- the command */

static bool
is_network(struct str sub)
{
	static const char names[][13] = { "fetch", "pull", "push", "clone", "ls-remote",
		"submodule", "remote", "archive", "send-email", "request-pull", "svn",
		"p4" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (str_is(sub, names[i]))
			return true;
	return !sub.p;
}

/* The directory where git starts looking: the cwd, then each -C. */
static struct str
git_directory(struct lookup *g, const struct command *c, const char **why)
{
	struct str dir = { NULL, 0 };

	if (c->cwd && !c->cwd->unknown && c->cwd->n == 1)
		dir = c->cwd->at[0].path;
	for (size_t i = 1; i < c->argc; i++) {
		struct str t = c->argv[i].text;

		if (c->argv[i].kind != FIELD_STR || str_starts(t, STR("--git-dir")) ||
		    str_starts(t, STR("--work-tree")))
			break;
		if (t.n == 0 || t.p[0] != '-')
			return dir;
		if (!str_is(t, "-C")) {
			i += str_is(t, "-c") || str_is(t, "--config-env") ||
			     str_is(t, "--namespace");
			continue;
		}
		if (++i == c->argc || c->argv[i].kind != FIELD_STR)
			break;
		t = c->argv[i].text;
		dir = str_starts(t, STR("/")) ? t
		      : dir.p                 ? created_join(g->a, dir, t)
					      : dir;
	}
	*why = "the repository that git uses is not known";
	return dir;
}

/* Options that make git use several remotes, or one that they name. */
static bool
names_others(const struct command *c)
{
	static const char names[] = "--all\0--multiple\0--repo\0--recurse-submodules\0"
				    "-c\0--config-env\0";
	const struct know_scan *s = c->scan;

	for (size_t i = 0; i < s->count; i++) {
		struct str name;

		for (size_t k = 0; s->items[i].option &&
				   (name = know_option_name(s->items[i].option, k)).n > 0;
		     k++)
			if (str_among(name, names))
				return true;
	}
	return s->unsure < c->argc || s->unknown_option < c->argc;
}

/* The remote: the first operand of `git fetch`, if it is a plain name. */
static void
find_remote(struct runs *r, const struct command *c)
{
	if (!c->scan || !str_among(r->sub, "fetch\0pull\0push\0ls-remote\0") ||
	    names_others(c))
		return;
	for (size_t i = 0; i < c->scan->count; i++) {
		const struct know_item *item = &c->scan->items[i];

		if (item->option || item->option_only)
			continue;
		if (item->value.kind == FIELD_STR)
			r->remote = item->value.text;
		return;
	}
	r->remote = STR("origin");
	r->by_default = true;
}

/* True if git rewrites a URL of the command. */
static bool
names_rewritten(const struct runs *r, const struct command *c)
{
	for (size_t i = 1; i < c->argc; i++) {
		struct str word = c->argv[i].text;

		if (is_rewritten(r, word) ||
		    is_rewritten(r, str_skip(word, str_find(word, '=') + 1)))
			return true;
	}
	return false;
}

static const char *
look_at_repository(struct runs *r, const struct command *c)
{
	struct lookup *g = r->g;
	const struct repository *repo;
	struct resolved real;
	struct str dir = git_directory(g, c, &r->why);

	if (r->why || !dir.p)
		return "the repository that git uses is not known";
	if (look_resolve(g->a, dir, 0, NULL, &real, NULL) || !real.real.p)
		return "git's repository cannot be resolved";
	repo = lookup_repository(g, real.real);
	if (!repo || repo->why)
		return repo ? repo->why : "git's repository cannot be resolved";
	if (!repo->found)
		return NULL;
	r->dirs = &repo->dirs;
	read_config(r, created_join(g->a, repo->dirs.commondir, STR("config")), false);
	read_config(r, created_join(g->a, repo->dirs.gitdir, STR("config.worktree")), true);
	return r->why;
}

const char *
lookup_git_runs(struct lookup *g, const struct command *c, struct git_goes *ret)
{
	struct runs r = { .g = g, .reads = c->class == CLASS_READ };
	const char *why;

	if (c->scan && c->scan->depth > 0)
		r.sub = c->argv[c->scan->path[0]].text;
	else if (c->scan && c->scan->unlisted < c->argc)
		r.sub = c->argv[c->scan->unlisted].text;
	if (c->scan && c->scan->depth == 0 && c->scan->unlisted >= c->argc &&
	    c->scan->unsure >= c->argc && c->class == CLASS_READ)
		return NULL; /* `git` and `git -v` open no repository */
	r.network = is_network(r.sub);
	find_remote(&r, c);
	read_owns(&r);
	why = look_at_repository(&r, c);
	if (r.network)
		ret->elsewhere = r.elsewhere || why || names_rewritten(&r, c);
	if (r.url.p && !r.elsewhere && !why && !is_rewritten(&r, r.url))
		ret->url = r.url;
	if (!why && r.dirs) {
		look_at_hooks(&r);
		why = r.why;
	}
	return why;
}
