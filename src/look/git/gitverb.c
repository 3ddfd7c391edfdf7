#include "look/git/gitverb.h"

/* Options whose value is the next word.  Each list ends with an empty name. */
static const char global_values[] = "-C\0-c\0--git-dir\0--work-tree\0--namespace\0"
				    "--super-prefix\0--config-env\0--exec-path\0";
static const char pick_values[] = "-m\0--mainline\0-X\0--strategy-option\0--strategy\0"
				  "--cleanup\0";

static const struct {
	char name[12];
	enum git_verb verb;
	const char *values;
} verbs[] = {
	{ "checkout", VERB_TARGET, "-b\0-B\0--orphan\0--conflict\0--pathspec-from-file\0" },
	{ "switch", VERB_TARGET,
	    "-c\0-C\0--create\0--force-create\0--orphan\0--conflict\0" },
	{ "restore", VERB_TARGET, "--conflict\0--pathspec-from-file\0" },
	{ "reset", VERB_TARGET, "--pathspec-from-file\0" },
	{ "read-tree", VERB_TARGET, "" },
	{ "merge", VERB_MERGE,
	    "-m\0-F\0--file\0-s\0--strategy\0-X\0--strategy-option\0--into-name\0"
	    "--cleanup\0" },
	{ "rebase", VERB_REBASE,
	    "-x\0--exec\0-s\0--strategy\0-X\0--strategy-option\0-C\0--whitespace\0" },
	{ "cherry-pick", VERB_PICK, pick_values },
	{ "revert", VERB_REVERT, pick_values },
	{ "stash", VERB_STASH, "-m\0--message\0" },
};
#define VERBS (sizeof verbs / sizeof *verbs)

static void
add_rev(struct git_words *w, struct str rev)
{
	if (rev.n && w->revs_n < GIT_REVS)
		w->revs[w->revs_n++] = rev;
}

/* --name=VALUE */
static bool
has_value(struct str word, const char *name, struct str *ret)
{
	size_t n = strlen(name);

	if (!str_starts(word, str_from_c(name)) || word.n <= n || word.p[n] != '=')
		return false;
	*ret = str_skip(word, n + 1);
	return true;
}

/* Find the verb, and the index of the word after it; VERBS: another verb. */
static size_t
find_verb(const struct str *v, size_t n, size_t *ret_at)
{
	struct str name = n ? str_base(v[0]) : STR("");
	size_t at = 0;

	if (str_starts(name, STR("git-")))
		name = str_skip(name, 4);
	else {
		for (at = 1; at < n && str_starts(v[at], STR("-")); at++)
			at += str_among(v[at], global_values);
		name = at < n ? v[at] : STR("");
	}
	*ret_at = at + 1;
	for (size_t i = 0; i < VERBS; i++)
		if (str_is(name, verbs[i].name))
			return i;
	return VERBS;
}

static void
take_option(struct git_words *w, struct str word)
{
	struct str value;

	w->force |= str_among(word, "-f\0--force\0--hard\0--merge\0--keep\0-u\0"
				    "--discard-changes\0--reset\0");
	w->resumes |= str_among(word, "--continue\0--skip\0--abort\0--quit\0--edit-todo\0");
	/* `git read-tree --prefix` adds a tree elsewhere: its names replace nothing. */
	w->elsewhere |= has_value(word, "--prefix", &value);
	if (has_value(word, "--onto", &value))
		w->onto = value;
	if (has_value(word, "--source", &value))
		add_rev(w, value);
}

/* Options that name a revision in the next word. */
static bool
take_named(struct git_words *w, struct str verb, struct str word, struct str value)
{
	if (str_is(verb, "rebase") && str_is(word, "--onto")) {
		w->onto = value;
		return true;
	}
	if (str_is(verb, "restore") && str_among(word, "-s\0--source\0")) {
		add_rev(w, value);
		return true;
	}
	return false;
}

static void
take_operands(struct git_words *w, const struct str *v, size_t n, size_t at, size_t verb)
{
	struct str name = str_from_c(verbs[verb].name);

	for (; at < n; at++) {
		struct str next = at + 1 < n ? v[at + 1] : STR("");

		if (str_is(v[at], "--")) {
			w->paths = at + 1 < n;
			w->specs = v + at + 1;
			w->specs_n = n - at - 1;
			return;
		}
		if (v[at].n > 1 && v[at].p[0] == '-') {
			take_option(w, v[at]);
			at += take_named(w, name, v[at], next) ||
			      str_among(v[at], verbs[verb].values);
			continue;
		}
		if (str_is(name, "restore")) {
			w->paths = true;
			w->specs = v + at;
			w->specs_n = n - at;
			return;
		}
		add_rev(w, v[at]);
	}
}

void
git_words(const struct str *v, size_t n, struct git_words *ret)
{
	size_t at, verb = find_verb(v, n, &at);

	*ret = (struct git_words){ 0 };
	if (verb == VERBS)
		return;
	ret->verb = verbs[verb].verb;
	take_operands(ret, v, n, at, verb);
	if (str_is(str_from_c(verbs[verb].name), "restore"))
		ret->force = true;
	/* Without these options the files do not change. */
	if ((str_among(str_from_c(verbs[verb].name), "reset\0read-tree\0") &&
		!ret->force) ||
	    ret->elsewhere)
		ret->verb = VERB_OTHER;
	if (ret->verb == VERB_STASH) {
		bool brings =
		    ret->revs_n && str_among(ret->revs[0], "pop\0apply\0branch\0");

		if (brings && ret->revs_n > 1)
			ret->revs[0] = ret->revs[ret->revs_n - 1];
		else
			ret->revs[0] = STR("refs/stash");
		ret->revs_n = brings;
		ret->verb = brings ? VERB_STASH : VERB_TARGET;
		ret->force = true;
	}
}
