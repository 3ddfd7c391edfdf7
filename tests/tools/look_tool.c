/*
 * look_tool: one JSON object a line on standard input, one answer a line.
 *
 *   {"command":"...","cwd":"/d","roots":["/d"],"home":"/h","path":"/usr/bin:/bin",
 *    "writable":[],"readable":[],"tmp":[],"ignore":[".cursorignore"]}
 *   {"tool":"read","file":"a/b","rewrite":true, ... the same}
 *   {"root":{"flags":[],"request":[],"variable":"/d","untrusted":false,"missing_ok":false},
 *    "cwd":"/d","home":"/h"}
 *
 * A command's answer has the facts of each effect; `contained` says that everything in it
 * is known and stays inside, and `code` that it runs code nobody has read.
 */
#include "analyse/analyse.h"
#include "base/json/json.h"
#include "base/limits.h"
#include "look/look.h"
#include "look/rewrite.h"
#include "look/root.h"
#include "look/tool.h"
#include <stdio.h>
#include <stdlib.h>

static const char *const wheres[] = { "unknown", "outside", "inside", "tmp", "device" };

static struct str
text_of(const struct json *v, const char *key)
{
	const struct json *m = json_get(v, str_from_c(key));

	return m && m->kind == JSON_STRING ? m->text : (struct str){ NULL, 0 };
}

static bool
truth_of(const struct json *v, const char *key, bool otherwise)
{
	const struct json *m = json_get(v, str_from_c(key));

	return m && m->kind == JSON_BOOL ? m->truth : otherwise;
}

static struct look_list
list_of(struct arena *a, const struct json *v, const char *key)
{
	const struct json *m = json_get(v, str_from_c(key));
	struct str *items = arena_array(a, m ? m->count + 1 : 1, sizeof *items);
	size_t n = 0;

	for (m = m ? m->first : NULL; m && items; m = m->next)
		items[n++] = m->text;
	return (struct look_list){ items, n };
}

static struct look_opts
opts_of(struct arena *a, const struct json *v)
{
	return (struct look_opts){ .roots = list_of(a, v, "roots"),
		.explicit_root = true,
		.cwd = text_of(v, "cwd"),
		.home = text_of(v, "home"),
		.writable = list_of(a, v, "writable"),
		.readable = list_of(a, v, "readable"),
		.tmp = list_of(a, v, "tmp"),
		.ignore = list_of(a, v, "ignore"),
		.ignore_case = truth_of(v, "ignore_case", false),
		.path = text_of(v, "path"),
		.lexical = truth_of(v, "lexical", false) };
}

static void
put_text(struct buf *b, const char *key, const char *text)
{
	json_put_key(b, key);
	json_put_str_or_null(b, str_from_c(text));
}

static void
put_flag(struct buf *b, const char *key, bool on)
{
	if (!on)
		return;
	json_put_key(b, key);
	json_put_bool(b, true);
}

static void
put_fact(struct buf *b, const struct place_fact *f)
{
	put_text(b, "where", wheres[f->where]);
	json_put_key(b, "real");
	json_put_str_or_null(b, f->real);
	if (f->why)
		put_text(b, "why", f->why);
	if (f->guarded)
		put_text(b, "guarded", f->guarded);
	put_flag(b, "ignored", f->ignored);
	put_flag(b, "ignored_below", f->ignored_below);
	put_flag(b, "dotfile", f->dotfile);
	put_flag(b, "exists", f->exists);
	put_flag(b, "directory", f->directory);
	put_flag(b, "unsaved", f->unsaved);
}

static bool
stays(const struct place_fact *f)
{
	return f->where == WHERE_INSIDE || f->where == WHERE_TMP ||
	       f->where == WHERE_DEVICE;
}

static bool
is_contained(const struct effects *e)
{
	if (e->unknowns)
		return false;
	for (const struct chdir_effect *d = e->chdirs; d; d = d->next)
		if (!stays(&d->fact))
			return false;
	for (const struct file_effect *f = e->files; f; f = f->next)
		if (f->op != FILE_READ && f->op != FILE_EXEC && !stays(&f->fact))
			return false;
	return true;
}

static bool
runs_code(const struct effects *e)
{
	for (const struct command *c = e->commands; c; c = c->next) {
		bool known = c->builtin || c->function || c->wrapper;

		if (!known && (c->class == CLASS_UNKNOWN || c->class == CLASS_EXEC ||
				  c->class == CLASS_ADMIN))
			return true;
		if (c->git_runs)
			return true;
	}
	for (const struct file_effect *f = e->files; f; f = f->next)
		if (f->op == FILE_EXEC)
			return true;
	return false;
}

static void
put_effects(struct buf *b, const struct effects *e)
{
	json_put_key(b, "chdir");
	buf_putc(b, '[');
	for (const struct chdir_effect *d = e->chdirs; d; d = d->next) {
		json_put_sep(b);
		buf_putc(b, '{');
		json_put_key(b, "path");
		json_put_str_or_null(b, d->known ? d->path : (struct str){ NULL, 0 });
		put_fact(b, &d->fact);
		buf_putc(b, '}');
	}
	buf_putc(b, ']');
	json_put_key(b, "files");
	buf_putc(b, '[');
	for (const struct file_effect *f = e->files; f; f = f->next) {
		json_put_sep(b);
		buf_putc(b, '{');
		put_text(b, "op", file_op_name(f->op));
		json_put_key(b, "path");
		json_put_str_or_null(b, f->known ? f->path : (struct str){ NULL, 0 });
		put_fact(b, &f->fact);
		buf_putc(b, '}');
	}
	buf_putc(b, ']');
}

static void
put_commands(struct buf *b, const struct effects *e)
{
	json_put_key(b, "commands");
	buf_putc(b, '[');
	for (const struct command *c = e->commands; c; c = c->next) {
		json_put_sep(b);
		buf_putc(b, '{');
		json_put_key(b, "program");
		json_put_str_or_null(b, c->program);
		put_text(b, "class", know_class_name(c->class));
		json_put_key(b, "found");
		json_put_str_or_null(b, c->found);
		put_flag(b, "found_writable", c->found_writable);
		if (c->git_runs)
			put_text(b, "git_runs", c->git_runs);
		buf_putc(b, '}');
	}
	buf_putc(b, ']');
}

static void
answer_command(struct arena *a, const struct json *v, struct buf *b)
{
	struct look_opts o = opts_of(a, v);
	struct analyse_opts how = { o.cwd, o.home };
	struct effects e = { 0 };
	struct err err = { 0 };
	struct str text = text_of(v, "command"), rewritten = { NULL, 0 };
	bool ok = analyse(a, text, &how, &e, &err) == 0 && look(a, &e, &o, &err) == 0;

	json_put_key(b, "ok");
	json_put_bool(b, ok);
	put_text(b, "error", ok ? NULL : err.why);
	json_put_key(b, "contained");
	json_put_bool(b, ok && is_contained(&e));
	json_put_key(b, "code");
	json_put_bool(b, !ok || runs_code(&e));
	put_text(b, "unknown", e.unknowns ? e.unknowns->why : NULL);
	if (!ok)
		return;
	put_effects(b, &e);
	put_commands(b, &e);
	if (o.roots.n && rewrite_command(a, o.roots.v[0], text, &rewritten, NULL) == 0) {
		json_put_key(b, "command");
		json_put_str(b, rewritten);
	}
}

static void
answer_tool(struct arena *a, const struct json *v, struct buf *b)
{
	static const char *const problems[] = { "fine", "empty", "variable", "outside",
		"unknown", "directory", "ignored" };
	struct look_opts o = opts_of(a, v);
	struct tool_fact t = { 0 };
	struct err err = { 0 };
	enum tool tool;

	if (!tool_by_name(text_of(v, "tool"), &tool) ||
	    tool_path(
		a, tool, text_of(v, "file"), truth_of(v, "rewrite", true), &o, &t, &err)) {
		put_text(b, "error", err.why ? err.why : "no such tool");
		return;
	}
	put_text(b, "problem", problems[t.problem]);
	put_text(b, "reason", t.why);
	put_text(b, "hint", t.hint);
	json_put_key(b, "path");
	json_put_str(b, t.path);
	put_flag(b, "rewritten", t.rewritten);
	put_fact(b, &t.fact);
}

static void
answer_root(struct arena *a, const struct json *v, const struct json *r, struct buf *b)
{
	struct root_request q = { .flags = list_of(a, r, "flags"),
		.request = list_of(a, r, "request"),
		.variable = text_of(r, "variable"),
		.cwd = text_of(v, "cwd"),
		.home = text_of(v, "home"),
		.untrusted = truth_of(r, "untrusted", false),
		.missing_ok = truth_of(r, "missing_ok", false) };
	struct root_answer to = { 0 };
	struct err err = { 0 };

	if (root_find(a, &q, &to, &err)) {
		put_text(b, "error", err.why);
		return;
	}
	json_put_key(b, "roots");
	buf_putc(b, '[');
	for (size_t i = 0; i < to.n; i++) {
		json_put_sep(b);
		json_put_str(b, to.roots[i]);
	}
	buf_putc(b, ']');
	put_flag(b, "explicit", to.explicit_root);
	put_text(b, "warning", to.warning);
	json_put_key(b, "gitdir");
	json_put_str_or_null(b, to.git ? to.dirs.gitdir : (struct str){ NULL, 0 });
	json_put_key(b, "commondir");
	json_put_str_or_null(b, to.git ? to.dirs.commondir : (struct str){ NULL, 0 });
}

static void
answer(struct arena *a, struct str line, struct buf *b)
{
	static const struct json_opts bytes = { .surrogate_bytes = true };
	const struct json *v, *root;
	struct err err = { 0 };

	buf_putc(b, '{');
	if (json_read(a, line, &bytes, &v, &err))
		put_text(b, "error", err.why);
	else if ((root = json_get(v, STR("root"))))
		answer_root(a, v, root, b);
	else if (json_get(v, STR("tool")))
		answer_tool(a, v, b);
	else
		answer_command(a, v, b);
	buf_puts(b, "}\n");
}

int
main(void)
{
	cleanup_arena struct arena *a = arena_new((size_t)16 << 20);
	char *line = NULL;
	size_t room = 0;

	for (ssize_t n; (n = getline(&line, &room, stdin)) > 0;) {
		struct buf b;

		arena_reset(a);
		buf_init(&b, a);
		answer(a, str_of(line, (size_t)n - (line[n - 1] == '\n')), &b);
		if (b.full)
			printf("{\"error\":\"memory\"}\n");
		else
			fwrite(b.p, 1, b.n, stdout);
		fflush(stdout);
	}
	free(line);
	return 0;
}
