/* Rules about reading, asked when the sandbox is about to open a file. */
#define _GNU_SOURCE /* d_type */
#include "base/limits.h"
#include "base/path.h"
#include "launch/files/run_paths.h"
#include "os/file.h"
#include <dirent.h>

/* More names at the top of a root are not looked at: files to be judged are supposed. */
#define TOP_MOST 4096
#define IGNORE_MOST ((size_t)64 << 10)

static void
see_read(void *context, size_t number)
{
	struct run_paths *p = context;
	struct rule r;

	policy_rule(p->in->policy, number, &r);
	p->reads |= r.verdict != VERDICT_ALLOW && r.layer > LAYER_BUILTIN;
}

/* ---- does the workspace have files that built-in rules protect? */

/* Some rule forbids or asks about reading `name` in the directory `root`. */
static bool
is_named(const struct run_paths *p, struct str root, struct str name)
{
	char path[LIMIT_PATH];
	struct rule r;

	if (root.n + name.n + 1 > sizeof path)
		return true;
	memcpy(path, root.p, root.n);
	path[root.n] = '/';
	memcpy(path + root.n + 1, name.p, name.n);
	return decide_path(p->in, FILE_READ, str_of(path, root.n + 1 + name.n), &r) &&
	       r.verdict != VERDICT_ALLOW;
}

/* Try the line of .gitignore as a name, with `text` for each star. */
static bool
is_line(const struct run_paths *p, struct str root, struct str line, struct str text)
{
	char name[256];
	size_t n = 0;

	for (size_t i = 0; i < line.n; i++) {
		struct str part = line.p[i] == '*' ? text : str_cut(line, i, i + 1);

		if (n + part.n > sizeof name)
			return true;
		memcpy(name + n, part.p, part.n);
		n += part.n;
	}
	return n && is_named(p, root, str_of(name, n));
}

/* A project that ignores such files in git has them, or will have them. */
static bool
ignores_some(const struct run_paths *p, struct arena *a, struct str root)
{
	static const struct file_read how = { .max = IGNORE_MOST };
	struct str path, text;
	bool missing = false;

	if (path_join(a, root, STR(".gitignore"), &path, NULL) ||
	    file_read(a, path, &how, &text, &missing, NULL))
		return !missing;
	while (text.n) {
		struct str line = str_cut(text, 0, str_find(text, '\n'));

		text = str_skip(text, line.n + 1);
		while (line.n && (line.p[line.n - 1] == '/' || line.p[line.n - 1] == '\r' ||
				     line.p[line.n - 1] == ' '))
			line.n--;
		line = str_base(line);
		if (line.n && line.p[0] != '#' &&
		    (is_line(p, root, line, STR("")) || is_line(p, root, line, STR("x")) ||
			is_line(p, root, line, STR("local"))))
			return true;
	}
	return false;
}

static bool
top_has_some(struct run_paths *p, struct arena *a, struct str root)
{
	const char *c = str_to_path(a, root);
	DIR *d = c ? opendir(c) : NULL;
	const struct dirent *e;
	bool found = !d;

	for (size_t n = 0; d && !found && (e = readdir(d)); n++) {
		struct str name = str_from_c(e->d_name);
		struct str path;

		/* Built-in rules name no directory without a leading dot. */
		if (str_is(name, ".") || str_is(name, "..") ||
		    (e->d_type == DT_DIR && name.p[0] != '.'))
			continue;
		found = n == TOP_MOST || is_named(p, root, name) ||
			(e->d_type == DT_DIR && (path_join(a, root, name, &path, NULL) ||
						    run_paths_way(p, path)));
	}
	if (d)
		(void)closedir(d);
	return found;
}

void
run_reads_init(struct run_paths *p)
{
	char memory[2 * LIMIT_PATH + IGNORE_MOST];
	struct arena a;

	for (const struct judged *j = p->decision->judged; j; j = j->next)
		p->asks |= j->grant.readable.n > 0;
	policy_effects(p->in->policy, RULE_READ, see_read, p);
	for (size_t i = 0; i < p->roots->n && !p->reads; i++) {
		arena_init(&a, memory, sizeof memory);
		p->reads = ignores_some(p, &a, p->roots->roots[i]) ||
			   (arena_reset(&a), top_has_some(p, &a, p->roots->roots[i]));
	}
}

/* True if a person was asked about this file or a directory above it. */
static bool
was_agreed(const struct run_paths *p, struct str path)
{
	const struct file_effect *f =
	    p->agreed && p->in->effects ? p->in->effects->files : NULL;

	for (; f; f = f->next) {
		const struct judged *j;

		if (f->op != FILE_READ || !f->known || !f->fact.real.p ||
		    !(str_eq(f->fact.real, path) ||
			(f->tree && path_is_within(f->fact.real, path))))
			continue;
		j = decide_owner(p->decision->judged, f->at, f->by);
		if (j && j->verdict == VERDICT_ASK)
			return true;
	}
	return false;
}

enum run_path_answer
run_paths_read(struct run_paths *p, struct str path, struct str *ret_why)
{
	struct rule r;

	if (!decide_path(p->in, FILE_READ, path, &r) || r.verdict == VERDICT_ALLOW ||
	    (r.verdict == VERDICT_ASK &&
		(was_agreed(p, path) ||
		    decide_readable(p->in, p->decision, p->agreed, &r, path))))
		return RUN_PATH_SILENT;
	run_paths_why(p, &r, ret_why);
	return RUN_PATH_REFUSED;
}

struct way {
	const struct run_paths *p;
	struct str path;
	bool found;
};

static void
see_way(void *context, size_t number)
{
	struct way *w = context;
	const struct policy *policy = w->p->in->policy;
	struct rule r;

	policy_rule(policy, number, &r);
	for (size_t i = 0; i < r.objects.n && !w->found && r.verdict != VERDICT_ALLOW; i++)
		w->found = pattern_way(
		    policy, patterns_at(policy, r.objects, i), w->path, &w->p->in->base);
}

bool
run_paths_way(void *paths, struct str directory)
{
	struct way w = { paths, directory, false };

	policy_effects(w.p->in->policy, RULE_READ, see_way, &w);
	return w.found;
}
