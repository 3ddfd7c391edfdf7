/*
 * Check changes of git's configuration against a list of harmless keys, which make git run
 * nothing, open no other file and connect to no other host.  All other keys must not
 * change.
 */
#include "base/buf.h"
#include "look/git/gitkeys.h"

#define ENTRIES_MAX 4096

/* In lower case; `+` means a subsection, a final `*` any name. */
static const char harmless[] =
    "user.*\0author.*\0committer.*\0"
    "advice.*\0color.*\0color.+.*\0column.*\0i18n.*\0versionsort.*\0showbranch.*\0"
    "status.*\0stash.*\0index.*\0feature.*\0notes.*\0notes.+.*\0pack.*\0grep.*\0log.*\0"
    "blame.*\0maintenance.*\0maintenance.+.*\0commitgraph.*\0"
    "branch.+.remote\0branch.+.merge\0branch.+.rebase\0branch.+.description\0"
    "branch.+.pushremote\0branch.+.vscode-merge-base\0branch.+.gh-merge-base\0"
    "branch.+.github-pr-owner-number\0branch.autosetupmerge\0branch.autosetuprebase\0"
    "branch.sort\0"
    "remote.+.fetch\0remote.+.tagopt\0remote.+.prune\0remote.+.prunetags\0"
    "remote.+.skipdefaultupdate\0remote.+.skipfetchall\0remote.+.gh-resolved\0"
    "remote.pushdefault\0"
    "submodule.+.active\0submodule.+.branch\0submodule.+.ignore\0submodule.+.shallow\0"
    "submodule.+.fetchrecursesubmodules\0submodule.active\0submodule.recurse\0"
    "submodule.fetchjobs\0submodule.propagatebranches\0"
    "core.bare\0core.repositoryformatversion\0core.filemode\0core.logallrefupdates\0"
    "core.ignorecase\0core.precomposeunicode\0core.symlinks\0core.autocrlf\0core.eol\0"
    "core.safecrlf\0core.sparsecheckout\0core.sparsecheckoutcone\0core.quotepath\0"
    "core.abbrev\0core.compression\0core.loosecompression\0core.bigfilethreshold\0"
    "core.packedgitlimit\0core.packedgitwindowsize\0core.deltabasecachelimit\0"
    "core.preloadindex\0core.untrackedcache\0core.checkstat\0core.trustctime\0"
    "core.whitespace\0core.commentchar\0core.commitgraph\0core.multipackindex\0"
    "core.splitindex\0core.fsync\0core.fsyncmethod\0core.fsyncobjectfiles\0"
    "core.createobject\0core.warnambiguousrefs\0core.longpaths\0core.fscache\0"
    "core.usereplacerefs\0core.maxtreedepth\0"
    "extensions.worktreeconfig\0extensions.objectformat\0extensions.preciousobjects\0"
    "extensions.refstorage\0extensions.relativeworktrees\0"
    "init.defaultbranch\0init.defaultobjectformat\0"
    "commit.cleanup\0commit.gpgsign\0commit.status\0commit.verbose\0"
    "tag.gpgsign\0tag.sort\0tag.forcesignannotated\0"
    "merge.conflictstyle\0merge.ff\0merge.log\0merge.renames\0merge.renamelimit\0"
    "merge.stat\0merge.verbosity\0merge.autostash\0merge.renormalize\0"
    "merge.branchdesc\0merge.defaulttoupstream\0merge.directoryrenames\0"
    "merge.suppressdest\0"
    "pull.rebase\0pull.ff\0"
    "push.default\0push.autosetupremote\0push.followtags\0push.gpgsign\0"
    "push.recursesubmodules\0push.useforceifincludes\0push.negotiate\0"
    "fetch.prune\0fetch.prunetags\0fetch.fsckobjects\0fetch.parallel\0"
    "fetch.writecommitgraph\0fetch.showforcedupdates\0fetch.output\0"
    "fetch.unpacklimit\0fetch.recursesubmodules\0fetch.negotiationalgorithm\0"
    "rebase.autosquash\0rebase.autostash\0rebase.stat\0rebase.updaterefs\0"
    "rebase.missingcommitscheck\0rebase.abbreviatecommands\0rebase.forkpoint\0"
    "rebase.reschedulefailedexec\0rebase.rebasemerges\0rebase.backend\0"
    "rerere.enabled\0rerere.autoupdate\0"
    "diff.algorithm\0diff.autorefreshindex\0diff.colormoved\0diff.colormovedws\0"
    "diff.context\0diff.dirstat\0diff.ignoresubmodules\0diff.indentheuristic\0"
    "diff.interhunkcontext\0diff.mnemonicprefix\0diff.noprefix\0diff.relative\0"
    "diff.renamelimit\0diff.renames\0diff.statgraphwidth\0diff.submodule\0"
    "diff.suppressblankempty\0diff.wordregex\0diff.wserrorhighlight\0"
    "diff.+.xfuncname\0diff.+.funcname\0diff.+.wordregex\0diff.+.binary\0"
    "diff.+.algorithm\0diff.+.cachetextconv\0"
    "format.pretty\0format.signoff\0format.thread\0format.numbered\0"
    "format.subjectprefix\0format.coverletter\0format.useautobase\0"
    "gc.auto\0gc.autodetach\0gc.autopacklimit\0gc.aggressivedepth\0"
    "gc.aggressivewindow\0gc.bigpackthreshold\0gc.cruftpacks\0gc.logexpiry\0"
    "gc.packrefs\0gc.pruneexpire\0gc.worktreepruneexpire\0gc.reflogexpire\0"
    "gc.reflogexpireunreachable\0gc.rerereresolved\0gc.rerereunresolved\0"
    "gc.writecommitgraph\0repack.writebitmaps\0repack.usedeltabaseoffset\0"
    "repack.updateserverinfo\0"
    "checkout.defaultremote\0checkout.guess\0checkout.workers\0"
    "checkout.thresholdforparallelism\0clean.requireforce\0worktree.guessremote\0"
    "apply.whitespace\0apply.ignorewhitespace\0am.keepcr\0am.threeway\0"
    "interactive.singlekey\0transfer.fsckobjects\0transfer.unpacklimit\0"
    "receive.denycurrentbranch\0receive.denydeletes\0receive.denynonfastforwards\0"
    "receive.fsckobjects\0receive.unpacklimit\0receive.autogc\0"
    "uploadpack.allowfilter\0uploadpack.allowanysha1inwant\0"
    "uploadpack.allowtipsha1inwant\0uploadpack.allowreachablesha1inwant\0"
    "lfs.repositoryformatversion\0lfs.+.access\0lfs.+.locksverify\0";

/* Harmless with some values only. */
enum checked { NOT, ADDRESS, SUBMODULE_ADDRESS, UPDATE, WORKTREE };

static const struct {
	char key[24];
	enum checked checked;
} by_value[] = {
	{ "remote.+.url", ADDRESS },
	{ "submodule.+.url", SUBMODULE_ADDRESS },
	{ "submodule.+.update", UPDATE },
	{ "core.worktree", WORKTREE },
};

struct texts {
	struct gitconf_entry *v;
	size_t n;
	bool full;
};

struct change {
	struct arena *a;
	struct texts old, new;
	gitkeys_worktree *is_worktree;
	void *context;
	bool fresh;
};

/* The key as "remote.+.url"; empty: longer than any known key. */
static struct str
kind_of(const struct gitconf_entry *e, char *buf, size_t size)
{
	struct str dot = e->sub.p ? STR(".+.") : STR(".");
	size_t n = e->section.n + dot.n + e->name.n;

	if (n > size || e->section.n == 0)
		return STR("");
	memcpy(buf, e->section.p, e->section.n);
	memcpy(buf + e->section.n, dot.p, dot.n);
	memcpy(buf + e->section.n + dot.n, e->name.p, e->name.n);
	return str_of(buf, n);
}

static bool
is_harmless(struct str kind)
{
	struct str section = str_cut(kind, 0, str_rfind(kind, '.') + 1);

	for (const char *at = harmless; *at; at += strlen(at) + 1) {
		struct str row = str_from_c(at);

		if (row.n < section.n || memcmp(row.p, section.p, section.n) != 0)
			continue;
		if (str_eq(row, kind) ||
		    (row.n == section.n + 1 && row.p[section.n] == '*'))
			return kind.n > 0;
	}
	return false;
}

static enum checked
is_checked(struct str kind)
{
	for (size_t i = 0; i < sizeof by_value / sizeof *by_value; i++)
		if (str_is(kind, by_value[i].key))
			return by_value[i].checked;
	return NOT;
}

/* No subsection differs from an empty one. */
static bool
same_sub(const struct gitconf_entry *x, const struct gitconf_entry *y)
{
	return x->sub.p ? y->sub.p && str_eq(x->sub, y->sub) : !y->sub.p;
}

static bool
same_section(const struct gitconf_entry *x, const struct gitconf_entry *y)
{
	return str_eq(x->section, y->section) && same_sub(x, y);
}

static bool
same_value(const struct gitconf_entry *x, const struct gitconf_entry *y)
{
	return str_eq(x->section, y->section) && str_eq(x->name, y->name) &&
	       x->has_value == y->has_value && str_eq(x->value, y->value);
}

static bool
same_entry(const struct gitconf_entry *x, const struct gitconf_entry *y)
{
	return same_value(x, y) && same_sub(x, y);
}

/* ---- addresses */

bool
gitkey_host(struct str address, struct str *ret)
{
	size_t colon = str_find(address, ':'), at;
	struct str scheme = str_cut(address, 0, colon), text = str_skip(address, colon + 1);

	*ret = STR("");
	if (address.n == 0 || address.p[0] == '-')
		return false;
	if (str_find(address, '/') <= colon || str_is(scheme, "file"))
		return true;
	if (str_starts(text, STR("//"))) {
		if (!str_among(scheme, "https\0http\0ssh\0git\0git+ssh\0ssh+git\0"))
			return false;
		text = str_skip(text, 2);
		text = str_cut(text, 0, str_find(text, '/'));
	} else if (str_starts(text, STR(":"))) {
		return false; /* NAME::REST: git runs git-remote-NAME */
	} else
		text = scheme; /* HOST:PATH */
	at = str_rfind(text, '@');
	*ret = at < text.n ? str_skip(text, at + 1) : text;
	return ret->n > 0 && ret->p[0] != '-';
}

/* True if a URL of the old configuration has this host, or the URL names no host. */
static bool
is_known_host(const struct change *c, const struct gitconf_entry *e)
{
	struct str host, other;
	bool had = false, any = false;

	if (!gitkey_host(e->value, &host))
		return false;
	for (size_t i = 0; i < c->old.n; i++) {
		const struct gitconf_entry *o = &c->old.v[i];

		if (!str_is(o->section, "remote") || !str_is(o->name, "url") ||
		    !gitkey_host(o->value, &other))
			continue;
		if (host.n && str_eq(host, other))
			return true;
		had |= other.n > 0 && same_section(o, e);
		any = true;
	}
	/* A remote with a host must not become a local directory. */
	return (host.n == 0 && !had) || (c->fresh && !any);
}

/* ---- differences */

static bool
keep(void *context, const struct gitconf_entry *e)
{
	struct texts *t = context;

	if (t->n == ENTRIES_MAX) {
		t->full = true;
		return false;
	}
	t->v[t->n++] = *e;
	return true;
}

static bool
read_text(struct arena *a, struct str text, struct texts *ret)
{
	*ret = (struct texts){ .v = arena_array(
				   a, ENTRIES_MAX, sizeof(struct gitconf_entry)) };
	return ret->v && gitconf_read(a, text, keep, ret, NULL) == 0 && !ret->full;
}

static bool
has_section(const struct texts *t, const struct gitconf_entry *e)
{
	for (size_t i = 0; i < t->n; i++)
		if (same_section(&t->v[i], e))
			return true;
	return false;
}

static bool
has_entry(const struct texts *t, const struct gitconf_entry *e)
{
	for (size_t i = 0; i < t->n; i++)
		if (same_entry(&t->v[i], e))
			return true;
	return false;
}

/* git removes and renames these sections as a whole. */
static bool
has_moved(
    const struct gitconf_entry *e, const struct texts *here, const struct texts *there)
{
	if (!e->sub.p || !str_among(e->section, "remote\0branch\0submodule\0") ||
	    has_section(there, e))
		return false;
	for (size_t i = 0; i < there->n; i++)
		if (same_value(&there->v[i], e) && !has_section(here, &there->v[i]))
			return true;
	return false;
}

static bool
has_gone(const struct gitconf_entry *e, const struct texts *there)
{
	return e->sub.p && str_among(e->section, "remote\0branch\0submodule\0") &&
	       !has_section(there, e);
}

static bool
is_good_value(const struct change *c, const struct gitconf_entry *e, enum checked checked)
{
	struct str host;

	if (has_entry(&c->old, e))
		return true;
	switch (checked) {
	case ADDRESS:
		return is_known_host(c, e);
	case SUBMODULE_ADDRESS:
		return gitkey_host(e->value, &host);
	case UPDATE:
		return str_among(e->value, "none\0checkout\0rebase\0merge\0");
	case WORKTREE:
		return c->is_worktree && c->is_worktree(c->context, e->value);
	case NOT:
		break;
	}
	return false;
}

/* True if the entry may change: the key or the value is harmless. */
static bool
may_differ(const struct change *c, const struct gitconf_entry *e, bool new)
{
	char buf[64];
	struct str kind = kind_of(e, buf, sizeof buf);
	struct gitkey key = gitkey_find(e);
	enum checked checked = is_checked(kind);

	if (checked != NOT)
		return !new || is_good_value(c, e, checked) ||
		       has_moved(e, &c->new, &c->old);
	if (is_harmless(kind) ||
	    (key.found && (key.when & GITKEY_VALUE) && gitkey_is_bool(e)))
		return true;
	return new ? has_moved(e, &c->new, &c->old) : has_gone(e, &c->new);
}

static const struct gitconf_entry *
next(const struct change *c, const struct texts *t, size_t *i, bool new)
{
	while (*i < t->n && may_differ(c, &t->v[*i], new))
		++*i;
	return *i < t->n ? &t->v[(*i)++] : NULL;
}

static bool
refuse(const struct change *c, const struct gitconf_entry *e, struct gitkeys_refusal *ret)
{
	char buf[64];
	enum checked checked = is_checked(kind_of(e, buf, sizeof buf));

	ret->key = gitkey_name(c->a, e);
	ret->why = checked == ADDRESS || checked == SUBMODULE_ADDRESS ? GITKEYS_HOST
		   : gitkey_find(e).found                             ? GITKEYS_RUNS
								      : GITKEYS_UNKNOWN;
	return false;
}

bool
gitkeys_allow(struct arena *a, struct str before, struct str after, bool fresh,
    gitkeys_worktree *is_worktree, void *context, struct gitkeys_refusal *ret)
{
	struct change c = {
		.a = a, .is_worktree = is_worktree, .context = context, .fresh = fresh
	};
	size_t i = 0, k = 0;

	*ret = (struct gitkeys_refusal){ GITKEYS_UNREADABLE, STR("") };
	if (!read_text(a, before, &c.old) || !read_text(a, after, &c.new))
		return false;
	for (;;) {
		const struct gitconf_entry *x = next(&c, &c.old, &i, false),
					   *y = next(&c, &c.new, &k, true);

		if (!x && !y)
			return true;
		if (!x || !y || !same_entry(x, y))
			return refuse(&c, y ? y : x, ret);
	}
}
