/* Rules about reading → paths that a sandbox hides. */
#define _GNU_SOURCE /* O_PATH */
#include "base/hash.h"
#include "base/limits.h"
#include "confine/plan/plan.h"
#include "launch/files/path_rules.h"
#include "os/entries.h"
#include "os/file.h"
#include <errno.h>
#include <fcntl.h>

#define HIDDEN_MAX ((size_t)1024)
/* Limit on the entries of the home that are remembered. */
#define ENTRIES_MAX 20000
#define HOME_BITS 4096
#define STAR '\1'
#define ANY '\2'
#define DEEP '\3'

struct masking {
	struct arena *a;
	const struct path_rules *p;
	struct str *v;
	size_t n;
	struct buf *lines; /* patterns for the workspace; NULL: search for paths */
	bool failed;
	bool gives;    /* a rule allows reading some path */
	bool sure;     /* no allow can override: skip decide_path() */
	size_t home_n; /* length of the home in `path`; 0: not below the home */
	bool home_read, home_known;
	uint64_t home_names[HOME_BITS / 64]; /* Bloom filter of names */
	char path[LIMIT_PATH];               /* not zeroed */
};

/* ---- match one path component */

static bool
part_matches(struct str pattern, struct str name)
{
	size_t i = 0, k = 0, star = SIZE_MAX, mark = 0;

	while (k < name.n) {
		if (i < pattern.n && pattern.p[i] == STAR) {
			star = i++;
			mark = k;
		} else if (i < pattern.n &&
			   (pattern.p[i] == ANY || pattern.p[i] == name.p[k])) {
			i++;
			k++;
		} else if (star != SIZE_MAX) {
			i = star + 1;
			k = ++mark;
		} else {
			return false;
		}
	}
	while (i < pattern.n && pattern.p[i] == STAR)
		i++;
	return i == pattern.n;
}

static bool
is_glob(struct str part)
{
	return str_find(part, STAR) < part.n || str_find(part, ANY) < part.n ||
	       str_find(part, DEEP) < part.n;
}

/* ---- searching for existing paths */

/* True for a file of another user that we cannot read: nothing to hide. */
static bool
is_closed(const char *path, const struct stat *st)
{
	return st->st_uid != geteuid() && !S_ISLNK(st->st_mode) &&
	       faccessat(AT_FDCWD, path, S_ISDIR(st->st_mode) ? X_OK : R_OK, AT_EACCESS) &&
	       errno == EACCES;
}

/* Hide an existing path, unless a stronger rule allows it. */
static void
found(struct masking *m, size_t n)
{
	struct str path = str_of(m->path, n), real;
	struct rule r;
	struct stat st;

	m->path[n] = '\0';
	if (lstat(m->path, &st) || is_closed(m->path, &st))
		return;
	real = plan_real(m->a, path);
	if (!real.p)
		return;
	if (!m->sure &&
	    (!decide_path(m->p->in, FILE_READ, path, &r) || r.verdict == VERDICT_ALLOW ||
		(r.verdict == VERDICT_ASK && m->p->asks)))
		return;
	for (size_t i = 0; i < m->n; i++)
		if (str_eq(m->v[i], real))
			return;
	if (m->n == HIDDEN_MAX)
		m->failed = true;
	else
		m->v[m->n++] = real;
}

static unsigned
bit_of(struct str name)
{
	uint32_t h = hash32(HASH32_START, name);

	return (h ^ h >> 16) % HOME_BITS;
}

static void
read_home(struct masking *m)
{
	cleanup_fd int fd = -1;
	struct entries e;
	struct str name;
	unsigned char type;
	size_t seen = 0;

	m->home_read = true;
	m->path[m->home_n] = '\0';
	fd = openat(AT_FDCWD, m->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	entries_init(&e, fd);
	while (fd >= 0 && seen <= ENTRIES_MAX && entries_next(&e, &name, &type)) {
		unsigned bit = bit_of(name);

		m->home_names[bit / 64] |= UINT64_C(1) << bit % 64;
		seen++;
	}
	/* A partial listing cannot prove that a name is absent. */
	m->home_known = fd >= 0 && seen <= ENTRIES_MAX && !e.error;
}

/* Many rules name files below the home that few homes have: read the home once.  Preserves
 * the byte after the home in `m->path`. */
static bool
is_absent(struct masking *m, struct str name)
{
	unsigned bit = bit_of(name);

	if (!m->home_read) {
		char first = m->path[m->home_n];

		read_home(m);
		m->path[m->home_n] = first;
	}
	return m->home_known && !(m->home_names[bit / 64] >> bit % 64 & 1);
}

static void expand(struct masking *m, size_t n, struct str rest, int depth);

static bool
append(struct masking *m, size_t *n, struct str part)
{
	if (*n + part.n + 2 > sizeof m->path) {
		m->failed = true; /* the file may be reachable by a shorter path */
		return false;
	}
	m->path[(*n)++] = '/';
	memcpy(m->path + *n, part.p, part.n);
	*n += part.n;
	return true;
}

/* True for errors that also keep every process inside from reading it. */
static bool
is_out_of_reach(int error)
{
	return error == ENOENT || error == ENOTDIR || error == EACCES || error == ELOOP;
}

static void
expand_glob(struct masking *m, size_t n, struct str part, struct str rest, int depth)
{
	cleanup_fd int fd = -1;
	struct entries e;
	struct str name;
	unsigned char type;

	m->path[n] = '\0';
	fd = open(n ? m->path : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		m->failed |= !is_out_of_reach(errno);
		return;
	}
	/* Read to the end, whatever the number of entries. */
	entries_init(&e, fd);
	while (!m->failed && entries_next(&e, &name, &type)) {
		size_t at = n;

		if (part_matches(part, name) && append(m, &at, name))
			expand(m, at, rest, depth + 1);
	}
	m->failed |= e.error != 0;
}

/* Expand `rest`, which is empty or begins with a slash. */
static void
expand(struct masking *m, size_t n, struct str rest, int depth)
{
	while (rest.n && !m->failed && depth < 32) {
		struct str part;

		rest = str_skip(rest, 1);
		part = str_cut(rest, 0, str_find(rest, '/'));
		rest = str_skip(rest, part.n);
		/* `**`: hide the directory itself. */
		if (part.n == 1 && part.p[0] == DEEP)
			break;
		if (is_glob(part)) {
			expand_glob(m, n, part, rest, depth);
			return;
		}
		if (part.n && !append(m, &n, part))
			return;
		if (part.n && m->home_n && n == m->home_n + 1 + part.n &&
		    is_absent(m, part))
			return;
	}
	if (n)
		found(m, n);
}

/* True for directories that the sandbox replaces. */
static bool
is_own(struct str code)
{
	static const char own[][10] = { "/proc/", "/dev/", "/sys/", "/run/", "/var/run/",
		"/tmp/", "/var/tmp/" };

	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (str_starts(code, str_from_c(own[i])))
			return true;
	return false;
}

static void
look_for(struct masking *m, struct str code, enum pattern_from from)
{
	struct str home = m->p->in->base.home;

	/* Patterns for any directory and for the workspace become ignore patterns
	 * instead. */
	if (from == FROM_PROJECT || (code.n > 1 && code.p[1] == DEEP))
		return;
	m->home_n = from == FROM_HOME ? home.n : 0;
	if (from == FROM_ROOT) {
		if (!is_own(code))
			expand(m, 0, code, 0);
	} else if (home.n && home.n < sizeof m->path / 2) {
		memcpy(m->path, home.p, home.n);
		expand(m, home.n, code, 0);
	}
}

/* ---- patterns for the workspace */

static void
put_line(struct masking *m, struct str code, enum pattern_from from, const struct rule *r)
{
	struct buf *b = m->lines;

	if (r->layer == LAYER_BUILTIN ||
	    !(from == FROM_PROJECT || (code.n > 1 && code.p[1] == DEEP)))
		return;
	if (r->verdict == VERDICT_ALLOW)
		buf_putc(b, '!');
	for (size_t i = 0; i < code.n; i++) {
		char c = code.p[i];

		if (c == DEEP)
			buf_puts(b, "**");
		else if (c == STAR || c == ANY)
			buf_putc(b, c == STAR ? '*' : '?');
		else {
			if (strchr("\\*?[! #", c))
				buf_putc(b, '\\');
			buf_putc(b, c);
		}
	}
	buf_putc(b, '\n');
}

/* ---- interface */

static void
see_allow(void *context, size_t number)
{
	struct masking *m = context;
	struct rule r;

	policy_rule(m->p->in->policy, number, &r);
	m->gives |= r.verdict == VERDICT_ALLOW;
}

static void
see_rule(void *context, size_t number)
{
	struct masking *m = context;
	const struct policy *policy = m->p->in->policy;
	struct rule r;

	policy_rule(policy, number, &r);
	m->sure = !m->gives && !r.until && !r.when && !r.in.n && !r.on.n;
	if ((r.verdict == VERDICT_ALLOW && !m->lines) ||
	    (r.verdict == VERDICT_ASK && m->p->asks))
		return;
	for (size_t i = 0; i < r.objects.n && !m->failed; i++) {
		const struct pattern *x = patterns_at(policy, r.objects, i);
		struct str code;

		for (size_t k = 0; (code = pattern_alternative(policy, x, k, NULL)).p; k++)
			if (m->lines)
				put_line(m, code, pattern_from(policy, x, k), &r);
			else
				look_for(m, code, pattern_from(policy, x, k));
	}
}

static struct masking *
begin(struct arena *a, const struct path_rules *p)
{
	struct masking *m = arena_alloc(a, sizeof *m);

	if (!m)
		return NULL;
	memset(m, 0, offsetof(struct masking, path));
	m->a = a;
	m->p = p;
	return m;
}

int
path_rules_hidden(struct arena *a, const struct path_rules *p, struct str **ret,
    size_t *ret_n, struct err *reterr)
{
	struct masking *m = begin(a, p);

	if (!m || !(m->v = arena_alloc(a, HIDDEN_MAX * sizeof *m->v)))
		return err_at(reterr, CORDON_ENOMEM, 0, "no memory for the hidden paths");
	policy_effects(p->in->policy, RULE_READ, see_allow, m);
	policy_effects(p->in->policy, RULE_READ, see_rule, m);
	if (m->failed)
		return err_at(reterr, CORDON_ELIMIT, 0,
		    "rules hide more files than can be found and hidden (limit 1024)");
	*ret = m->v;
	*ret_n = m->n;
	return 0;
}

int
path_rules_patterns(
    struct arena *a, const struct path_rules *p, struct str *ret, struct err *reterr)
{
	struct masking *m = begin(a, p);
	struct buf lines;

	if (!m)
		return err_at(reterr, CORDON_ENOMEM, 0, "no memory for the hidden paths");
	buf_init(&lines, a);
	m->lines = &lines;
	policy_effects(p->in->policy, RULE_READ, see_rule, m);
	if (lines.full)
		return err_at(reterr, CORDON_ENOMEM, 0, "no memory for the hidden paths");
	*ret = buf_str(&lines);
	return 0;
}
