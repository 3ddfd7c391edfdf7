/* git: configuration on the command line may name programs, and so may a URL. */
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"
#include "base/glob.h"

/* Keys whose value is run; * matches any text, with or without dots. */
static const char running_keys[] =
    "alias.*\0core.pager\0core.editor\0core.sshcommand\0core.fsmonitor\0"
    "core.hookspath\0core.gitproxy\0core.askpass\0core.alternaterefscommand\0"
    "diff.external\0diff.*.command\0diff.*.textconv\0merge.*.driver\0filter.*\0"
    "gpg.program\0gpg.*.program\0gpg.ssh.defaultkeycommand\0sequence.editor\0pager.*\0"
    "credential.helper\0credential.*.helper\0difftool.*\0mergetool.*\0browser.*\0"
    "man.*\0remote.*.uploadpack\0remote.*.receivepack\0remote.*.vcs\0remote.*.proxy\0"
    "uploadpack.packobjectshook\0protocol.*\0init.templatedir\0submodule.*.update\0"
    "trailer.*\0interactive.difffilter\0sendemail.*\0tar.*\0web.browser\0include.path\0"
    "includeif.*\0url.*\0instaweb.*\0guitool.*\0hook.*\0maintenance.*\0"
    "add.interactive.usebuiltin\0";

/* Section and variable names are compared case-insensitively. */
static bool
key_matches(const char *pattern, struct str key)
{
	static const struct glob_wild wild = { '*', '\0', GLOB_FOLD };

	return glob_match(&wild, str_from_c(pattern), key);
}

static bool
runs_code(struct str key)
{
	for (const char *k = running_keys; *k; k += strlen(k) + 1)
		if (key_matches(k, key))
			return true;
	return false;
}

static bool
is_same_name(struct str a, struct str b)
{
	if (a.n != b.n)
		return false;
	for (size_t i = 0; i < a.n; i++)
		if (byte_lower(a.p[i]) != byte_lower(b.p[i]))
			return false;
	return true;
}

/*
 * git -c alias.p='push -f' p: run the alias with the other words. The alias itself is
 * removed from them, so that two aliases cannot expand each other forever.
 */
static void
use_alias(struct walk *w, struct invocation *c, const struct know_item *item,
    struct field value, struct state s)
{
	const struct know_scan *scan = c->self ? c->self->scan : NULL;
	size_t equals = str_find(item->value.text, '='),
	       at = scan ? scan->unlisted : c->argc;
	struct fields words = { NULL, 0, 0 };
	struct invocation inner = *c;

	add_unknown(w, value.at, "a git alias runs another command");
	if (at >= c->argc || item->index == 0 || item->index >= at ||
	    !is_same_name(str_cut(item->value.text, 6, equals), c->argv[at].text))
		return;
	for (size_t i = 0; i < at; i++)
		if (i != item->index && i + 1 != item->index)
			fields_add(w, &words, c->argv[i]);
	if (!fields_split(w, &words, value, "'\"\\"))
		return;
	for (size_t i = at + 1; i < c->argc; i++)
		fields_add(w, &words, c->argv[i]);
	inner.argv = words.v;
	inner.argc = words.n;
	inner.redirs = NULL;
	if (!w->failed)
		run_inner(w, &inner, 0, STR("git -c"), s);
}

/* -c key=value, for this call. */
static void
use_config(
    struct walk *w, struct invocation *c, const struct know_item *item, struct state s)
{
	struct field f = item->value;
	size_t equals = str_find(f.text, '=');
	struct str key = str_cut(f.text, 0, equals);
	struct field value = f;

	if (f.kind != FIELD_STR && equals == f.text.n) {
		raise_class(c, CLASS_EXEC);
		add_unknown(w, f.at, "an unknown git setting could run a command");
		return;
	}
	if (!runs_code(key))
		return;
	raise_class(c, CLASS_EXEC);
	value.text = str_skip(f.text, equals + 1);
	if (key_matches("alias.*", key)) {
		if (value.kind == FIELD_STR && !str_starts(value.text, STR("!"))) {
			use_alias(w, c, item, value, s);
			return;
		}
		value.text = str_skip(value.text, 1);
	}
	run_shell_text(w, value, STR("git -c"), s);
}

/* git config key value: the value is not run now, but by git later. */
static void
use_config_command(struct walk *w, struct invocation *c, const struct know_scan *scan)
{
	for (size_t i = 0; i < scan->count; i++) {
		const struct know_item *item = &scan->items[i];

		if (item->option || item->option_only)
			continue;
		if (item->value.kind != FIELD_STR || runs_code(item->value.text)) {
			if (scan->class > CLASS_READ)
				raise_class(c, CLASS_EXEC);
		}
		return;
	}
	(void)w;
}

void
run_git(struct walk *w, struct invocation *c, const struct know_scan *scan, struct state s)
{
	static const struct str ext = STR_INIT("ext::");

	for (size_t i = 0; i < scan->count && !w->failed; i++) {
		const struct know_item *item = &scan->items[i];
		struct field f = item->value;

		if (item->option_only)
			continue;
		if (item_is(item, "-c") &&
		    (scan->depth == 0 || item->index < scan->path[0]))
			use_config(w, c, item, s);
		if (item_is(item, "--config-env")) {
			raise_class(c, CLASS_EXEC);
			add_unknown(w, f.at, "an unknown git setting could run a command");
		}
		if (str_starts(f.text, ext)) {
			raise_class(c, CLASS_EXEC);
			f.text = str_skip(f.text, ext.n);
			/* `% ` is a blank inside a word, and there are other escapes. */
			if (str_find(f.text, '%') < f.text.n)
				f.kind = FIELD_ONE;
			run_shell_text(w, f, STR("git"), s);
		}
	}
	/* git has no -Cdir or -ckey=value: treat them as unknown. */
	for (size_t i = 1; i < c->argc && c->argv[i].text.n && c->argv[i].text.p[0] == '-';
	     i++)
		if (c->argv[i].text.n > 2 && (str_starts(c->argv[i].text, STR("-C")) ||
						 str_starts(c->argv[i].text, STR("-c"))))
			raise_class(c, CLASS_EXEC);
	if (scan->depth > 0 && field_is(c->argv[scan->path[0]], "config"))
		use_config_command(w, c, scan);
	/* A subcommand that git does not have is an alias or a program git-NAME. */
	if (scan->unlisted < c->argc)
		add_unknown(w, c->argv[scan->unlisted].at, "unknown subcommand of git");
}
