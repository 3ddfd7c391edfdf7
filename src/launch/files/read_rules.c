/* Rules about reading, asked when the sandbox is about to open a file. */
#define _GNU_SOURCE /* DT_DIR */
#include "base/limits.h"
#include "base/path.h"
#include "launch/files/path_rules.h"
#include "os/entries.h"
#include "os/file.h"
#include <dirent.h>
#include <fcntl.h>

/* More names at the top of a root are not looked at: files to be judged are supposed. */
#define TOP_MOST 4096
#define IGNORE_MOST ((size_t)64 << 10)

static void
see_read(void *context, size_t number)
{
	struct path_rules *p = context;
	struct rule r;

	policy_rule(p->in->policy, number, &r);
	p->reads |= r.verdict != VERDICT_ALLOW && r.layer > LAYER_BUILTIN;
}

/* ---- does the workspace have files that built-in rules protect? */

/* A root, and the literal ends of all patterns that may match in it: a name without such
 * an end needs no judgement. */
struct top {
	struct path_rules *p;
	struct arena *a;
	struct str root;
	struct str *tails; /* NULL: the first pass counts them */
	size_t tails_n;
	bool any; /* a pattern ends with a wildcard: judge every name */
};

/* Return the literal end of a pattern; wildcards are the bytes 1 to 3. */
static struct str
tail_of(struct str code)
{
	size_t n = code.n;

	while (n > 0 && code.p[n - 1] != '/' && (unsigned char)code.p[n - 1] > 3)
		n--;
	return str_skip(code, n);
}

static void
see_tails(void *context, size_t number)
{
	struct top *t = context;
	const struct policy *policy = t->p->in->policy;
	struct patterns list = policy_objects(policy, number);
	struct str code;

	for (size_t i = 0; i < list.n; i++) {
		const struct pattern *x = patterns_at(policy, list, i);

		for (size_t k = 0; (code = pattern_alternative(policy, x, k, NULL)).p;
		     k++) {
			struct str tail = tail_of(code);

			t->any |= tail.n == 0 || code.p[0] != '/';
			if (t->tails)
				t->tails[t->tails_n] = tail;
			t->tails_n++;
		}
	}
}

static bool
find_tails(struct top *t)
{
	struct path_place place = path_place(t->root, &t->p->in->base);

	/* Visit the rules for every path below the root. */
	place.names = place.lasts = UINT64_MAX;
	policy_files(t->p->in->policy, RULE_READ, place, see_tails, t);
	t->tails = arena_array(t->a, t->tails_n + 1, sizeof *t->tails);
	t->tails_n = 0;
	if (t->tails)
		policy_files(t->p->in->policy, RULE_READ, place, see_tails, t);
	return t->tails != NULL;
}

/* True if a rule forbids or asks about reading `path`. */
static bool
is_closed(const struct path_rules *p, struct str path)
{
	struct rule r;

	return decide_path(p->in, FILE_READ, path, &r) && r.verdict != VERDICT_ALLOW;
}

static bool
has_tail(const struct top *t, struct str name)
{
	for (size_t i = 0; i < t->tails_n && !t->any; i++)
		if (name.n >= t->tails[i].n &&
		    name.p[name.n - 1] == t->tails[i].p[t->tails[i].n - 1] &&
		    str_ends(name, t->tails[i]))
			return true;
	return t->any;
}

/* Like is_closed(), for `name` in the root. */
static bool
is_named(const struct top *t, struct str name)
{
	char path[LIMIT_PATH];

	if (!has_tail(t, name))
		return false;
	if (t->root.n + name.n + 1 > sizeof path)
		return true;
	memcpy(path, t->root.p, t->root.n);
	path[t->root.n] = '/';
	memcpy(path + t->root.n + 1, name.p, name.n);
	return is_closed(t->p, str_of(path, t->root.n + 1 + name.n));
}

/* Try the line of .gitignore as a name, with `text` for each star. */
static bool
is_line(const struct top *t, struct str line, struct str text)
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
	return n && is_named(t, str_of(name, n));
}

/* A project that ignores such files in git has them, or will have them. */
static bool
ignores_some(const struct top *t)
{
	static const struct file_read how = { .max = IGNORE_MOST };
	struct str path, text;
	bool missing = false;

	if (path_join(t->a, t->root, STR(".gitignore"), &path, NULL) ||
	    file_read(t->a, path, &how, &text, &missing, NULL))
		return !missing;
	while (text.n) {
		struct str line = str_cut(text, 0, str_find(text, '\n'));

		text = str_skip(text, line.n + 1);
		while (line.n && (line.p[line.n - 1] == '/' || line.p[line.n - 1] == '\r' ||
				     line.p[line.n - 1] == ' '))
			line.n--;
		line = str_base(line);
		if (line.n && line.p[0] != '#' &&
		    (is_line(t, line, STR("")) || is_line(t, line, STR("x")) ||
			is_line(t, line, STR("local"))))
			return true;
	}
	return false;
}

static bool
top_has_some(const struct top *t)
{
	const char *c = str_to_path(t->a, t->root);
	cleanup_fd int fd = c ? open(c, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	struct entries e;
	struct str name, path;
	unsigned char type;
	bool found = fd < 0;

	entries_init(&e, fd);
	for (size_t n = 0; !found && entries_next(&e, &name, &type); n++) {
		/* The built-in rules lead through no directory without a dot. */
		found = n == TOP_MOST || is_named(t, name) ||
			(type == DT_DIR && name.p[0] == '.' &&
			    (path_join(t->a, t->root, name, &path, NULL) ||
				path_rules_way(t->p, path)));
	}
	return found || e.error;
}

static bool
root_has_some(struct path_rules *p, struct arena *a, struct str root)
{
	struct top t = { .p = p, .a = a, .root = root };

	return !find_tails(&t) || is_closed(p, root) || ignores_some(&t) ||
	       top_has_some(&t);
}

void
path_rules_init_reads(struct path_rules *p, struct arena *a)
{
	for (const struct judged *j = p->decision->judged; j; j = j->next)
		p->asks |= j->grant.readable.n > 0;
	policy_effects(p->in->policy, RULE_READ, see_read, p);
	for (size_t i = 0; i < p->roots->n && !p->reads; i++)
		p->reads = root_has_some(p, a, p->roots->roots[i]);
}

/* True if a person was asked about this file or a directory above it. */
static bool
was_agreed(const struct path_rules *p, struct str path)
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
path_rules_read(struct path_rules *p, struct str path, struct str *ret_why)
{
	struct rule r;

	if (!decide_path(p->in, FILE_READ, path, &r) || r.verdict == VERDICT_ALLOW ||
	    (r.verdict == VERDICT_ASK &&
		(was_agreed(p, path) ||
		    decide_readable(p->in, p->decision, p->agreed, &r, path))))
		return RUN_PATH_SILENT;
	path_rules_why(p, &r, ret_why);
	return RUN_PATH_REFUSED;
}

struct way {
	const struct path_rules *p;
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
path_rules_way(struct path_rules *p, struct str directory)
{
	struct way w = { p, directory, false };

	policy_effects(w.p->in->policy, RULE_READ, see_way, &w);
	return w.found;
}
