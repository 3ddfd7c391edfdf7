#include "base/ignore/ignore.h"
#include "base/glob.h"
#include "base/limits.h"

/* More patterns in one file are an error. */
#define PATTERNS_MAX 1000000u
#define NONE UINT32_MAX

enum kind {
	KIND_NAME,   /* the base name is exactly this */
	KIND_SUFFIX, /* the base name ends in this */
	KIND_PATH,   /* the path is exactly this */
	KIND_NAME_GLOB,
	KIND_PATH_GLOB,
	KIND_NEVER,
};

struct ignore_pattern {
	struct str text;    /* as written */
	struct str literal; /* name, suffix or path; for a path glob, its literal prefix */
	struct glob glob;
	uint32_t line, next; /* next: the previous pattern of the same bucket, or NONE */
	uint8_t kind;
	bool negative, directory;
};

/* Globs are indexed by their first byte if that is literal, else by their last; the rest
 * share one bucket. */
enum { BY_FIRST, BY_LAST, BUCKET_ANY = 2 * 256, BUCKETS };

struct ignore_list {
	struct ignore_pattern *patterns;
	size_t n;
	bool fold, rooted; /* rooted: some path globs have a literal first component */
	unsigned kinds[2]; /* bit set of kinds that can match a file, and a directory */
	uint32_t *hash; /* for names, suffixes and paths: the latest pattern of a bucket */
	size_t mask;
	uint32_t names[BUCKETS], paths[BUCKETS]; /* buckets of globs */
	size_t *suffixes, suffix_n;              /* all suffix lengths that occur */
};

static bool
is_special(char c)
{
	return c == '*' || c == '?' || c == '[' || c == '\\';
}

static size_t
plain_length(struct str s)
{
	size_t n = 0;

	while (n < s.n && !is_special(s.p[n]))
		n++;
	return n;
}

static size_t
hash_of(enum kind kind, struct str s, bool fold)
{
	uint64_t h = 14695981039346656037u + kind;

	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		h = (h ^ (fold ? glob_lower(c) : c)) * 1099511628211u;
	}
	return (size_t)(h ^ h >> 29);
}

static bool
same(struct str a, struct str b, bool fold)
{
	if (a.n != b.n || !fold)
		return str_eq(a, b);
	for (size_t i = 0; i < a.n; i++)
		if (glob_lower((unsigned char)a.p[i]) != glob_lower((unsigned char)b.p[i]))
			return false;
	return true;
}

/* ---- read */

/* Remove trailing blanks, except one after a backslash. */
static struct str
trim(struct str s)
{
	size_t end = s.n;

	for (size_t i = 0, blank = s.n; i < s.n; i++) {
		if (s.p[i] == ' ') {
			blank = blank == s.n ? i : blank;
			end = blank;
			continue;
		}
		blank = end = s.n;
		if (s.p[i] == '\\' && ++i == s.n)
			break;
	}
	return str_cut(s, 0, end);
}

/* Return the line at *at without its end, and advance *at to the next line. */
static struct str
next_line(struct str text, size_t *at)
{
	struct str rest = str_skip(text, *at),
		   line = str_cut(rest, 0, str_find(rest, '\n'));

	*at += line.n + 1;
	if (line.n && line.p[line.n - 1] == '\r')
		line.n--;
	line.n = str_find(line, '\0');
	return line;
}

static bool
pattern_shape(struct arena *a, struct str body, bool fold, struct ignore_pattern *p)
{
	size_t plain = plain_length(body);

	if (body.n == 0) {
		p->kind = KIND_NEVER;
		return true;
	}
	p->literal = body;
	if (str_find(body, '/') == body.n) {
		if (plain == body.n)
			p->kind = KIND_NAME;
		else if (body.p[0] == '*' &&
			 plain_length(str_skip(body, 1)) == body.n - 1) {
			p->kind = KIND_SUFFIX;
			p->literal = str_skip(body, 1);
		} else {
			p->kind = KIND_NAME_GLOB;
			return glob_compile(a, body, fold ? GLOB_FOLD : 0, &p->glob);
		}
		return true;
	}
	if (body.p[0] == '/') {
		body = str_skip(body, 1);
		plain -= plain > 0;
	}
	p->literal = str_cut(body, 0, plain);
	p->kind = plain == body.n ? KIND_PATH : KIND_PATH_GLOB;
	return p->kind == KIND_PATH || glob_compile(a, str_skip(body, plain),
					   GLOB_PATH | (fold ? GLOB_FOLD : 0), &p->glob);
}

static bool
read_pattern(struct arena *a, struct str line, bool fold, struct ignore_pattern *p)
{
	struct str body = line;

	p->text = line;
	p->negative = body.n && body.p[0] == '!';
	body = str_skip(body, p->negative);
	p->directory = body.n && body.p[body.n - 1] == '/';
	body.n -= p->directory;
	if (!pattern_shape(a, body, fold, p))
		return false;
	if (p->glob.never)
		p->kind = KIND_NEVER;
	return true;
}

/* ---- index */

static uint32_t
glob_bucket(const struct ignore_list *l, const struct ignore_pattern *p)
{
	const struct glob *g = &p->glob;
	const struct glob_token *last = &g->tokens[g->n - 1];
	unsigned char c;

	if (p->kind == KIND_PATH_GLOB && p->literal.n) {
		c = (unsigned char)p->literal.p[0];
		return l->fold ? glob_lower(c) : c;
	}
	if (p->kind == KIND_NAME_GLOB && g->tokens[0].kind == GLOB_BYTE)
		return g->tokens[0].byte;
	return last->kind == GLOB_BYTE ? 256u + last->byte : BUCKET_ANY;
}

static bool
add_suffix_length(struct arena *a, struct ignore_list *l, size_t n)
{
	for (size_t i = 0; i < l->suffix_n; i++)
		if (l->suffixes[i] == n)
			return true;
	/* Double the array; the old copies stay in the arena, but lengths are few. */
	if ((l->suffix_n & (l->suffix_n - 1)) == 0) {
		size_t *more =
		    arena_array(a, l->suffix_n ? l->suffix_n * 2 : 1, sizeof *more);

		if (!more)
			return false;
		if (l->suffix_n)
			memcpy(more, l->suffixes, l->suffix_n * sizeof *more);
		l->suffixes = more;
	}
	l->suffixes[l->suffix_n++] = n;
	return true;
}

static bool
link_pattern(struct arena *a, struct ignore_list *l, uint32_t i)
{
	struct ignore_pattern *p = &l->patterns[i];
	uint32_t *head;
	size_t slash;

	switch ((enum kind)p->kind) {
	case KIND_NEVER:
		return true;
	case KIND_NAME_GLOB:
		head = &l->names[glob_bucket(l, p)];
		break;
	case KIND_PATH_GLOB:
		slash = str_find(p->literal, '/');
		head = &l->paths[glob_bucket(l, p)];
		if (slash < p->literal.n) { /* the first component is literal */
			l->rooted = true;
			head = &l->hash[hash_of(KIND_PATH_GLOB,
					    str_cut(p->literal, 0, slash), l->fold) &
					l->mask];
		}
		break;
	case KIND_SUFFIX:
		if (!add_suffix_length(a, l, p->literal.n))
			return false;
		head = &l->hash[hash_of(KIND_SUFFIX, p->literal, l->fold) & l->mask];
		break;
	default:
		head = &l->hash[hash_of((enum kind)p->kind, p->literal, l->fold) & l->mask];
		break;
	}
	p->next = *head;
	*head = i;
	l->kinds[0] |= p->directory ? 0 : 1U << p->kind;
	l->kinds[1] |= 1U << p->kind;
	return true;
}

static bool
make_index(struct arena *a, struct ignore_list *l)
{
	size_t size = 16;

	while (size < 2 * l->n)
		size *= 2;
	l->mask = size - 1;
	l->hash = arena_array(a, size, sizeof *l->hash);
	if (!l->hash)
		return false;
	memset(l->hash, 0xff, size * sizeof *l->hash);
	memset(l->names, 0xff, sizeof l->names);
	memset(l->paths, 0xff, sizeof l->paths);
	for (size_t i = 0; i < l->n; i++)
		if (!link_pattern(a, l, (uint32_t)i))
			return false;
	return true;
}

int
ignore_compile(struct arena *a, struct str text, unsigned flags,
    const struct ignore_list **ret, struct err *reterr)
{
	struct ignore_list *l = ARENA_NEW(a, struct ignore_list);
	static const struct str bom = STR_INIT("\xef\xbb\xbf");
	size_t lines = 1;
	uint32_t number = 0;

	if (str_starts(text, bom))
		text = str_skip(text, bom.n);
	for (size_t i = 0; i < text.n; i++)
		lines += text.p[i] == '\n';
	if (lines > PATTERNS_MAX)
		return err_at(reterr, CORDON_ELIMIT, 0, "more than 1000000 patterns");
	if (!l || !(l->patterns = arena_array(a, lines, sizeof *l->patterns)))
		return err_at(
		    reterr, CORDON_ENOMEM, 0, "patterns need more memory than their limit");
	l->fold = flags & IGNORE_CASE;
	for (size_t at = 0; at < text.n;) {
		size_t start = at;
		struct str line = next_line(text, &at);

		number++;
		if (line.n == 0 || line.p[0] == '#')
			continue;
		l->patterns[l->n].line = number;
		if (!read_pattern(a, trim(line), l->fold, &l->patterns[l->n++]))
			return err_at(reterr, CORDON_ENOMEM, start,
			    "patterns need more memory than their limit");
	}
	if (!make_index(a, l))
		return err_at(
		    reterr, CORDON_ENOMEM, 0, "patterns need more memory than their limit");
	*ret = l;
	return 0;
}

/* ---- match */

struct ignore_query {
	const struct ignore_list *l;
	struct str path, base;
	bool directory;
	uint32_t best; /* index of the winning pattern, or NONE */
};

static bool
path_glob_matches(const struct ignore_query *q, const struct ignore_pattern *p)
{
	struct str path = q->path;

	if (p->literal.n > path.n ||
	    !same(p->literal, str_cut(path, 0, p->literal.n), q->l->fold))
		return false;
	return glob_matches(&p->glob, str_skip(path, p->literal.n));
}

static bool
pattern_matches(const struct ignore_query *q, const struct ignore_pattern *p,
    enum kind kind, struct str key)
{
	if ((p->directory && !q->directory) || p->kind != kind)
		return false;
	if (kind == KIND_NAME_GLOB)
		return glob_matches(&p->glob, q->base);
	if (kind == KIND_PATH_GLOB)
		return path_glob_matches(q, p);
	return same(p->literal, key, q->l->fold);
}

/* A bucket lists its patterns from last to first, so the first match wins. */
static void
try_bucket(struct ignore_query *q, uint32_t i, enum kind kind, struct str key)
{
	for (; i != NONE && (q->best == NONE || i > q->best); i = q->l->patterns[i].next)
		if (pattern_matches(q, &q->l->patterns[i], kind, key)) {
			q->best = i;
			return;
		}
}

static void
try_hash(struct ignore_query *q, enum kind kind, struct str key)
{
	const struct ignore_list *l = q->l;

	try_bucket(q, l->hash[hash_of(kind, key, l->fold) & l->mask], kind, key);
}

static void
try_globs(struct ignore_query *q, const uint32_t *buckets, enum kind kind, struct str text)
{
	unsigned char first = (unsigned char)text.p[0],
		      last = (unsigned char)text.p[text.n - 1];

	if (q->l->fold) {
		first = glob_lower(first);
		last = glob_lower(last);
	}
	try_bucket(q, buckets[first], kind, text);
	try_bucket(q, buckets[256u + last], kind, text);
	try_bucket(q, buckets[BUCKET_ANY], kind, text);
}

static void
try_suffixes(struct ignore_query *q)
{
	const struct ignore_list *l = q->l;

	for (size_t i = 0; i < l->suffix_n; i++)
		if (l->suffixes[i] <= q->base.n)
			try_hash(
			    q, KIND_SUFFIX, str_skip(q->base, q->base.n - l->suffixes[i]));
}

long
ignore_last(const struct ignore_list *l, struct str path, bool directory)
{
	struct ignore_query q = { l, path, str_base(path), directory, NONE };
	unsigned kinds = l->kinds[directory];

	if (path.n == 0 || q.base.n == 0)
		return -1;
	if (kinds & 1U << KIND_NAME)
		try_hash(&q, KIND_NAME, q.base);
	if (kinds & 1U << KIND_PATH)
		try_hash(&q, KIND_PATH, path);
	if (kinds & 1U << KIND_PATH_GLOB) {
		if (l->rooted)
			try_hash(&q, KIND_PATH_GLOB, str_cut(path, 0, str_find(path, '/')));
		try_globs(&q, l->paths, KIND_PATH_GLOB, path);
	}
	if (kinds & 1U << KIND_SUFFIX)
		try_suffixes(&q);
	if (kinds & 1U << KIND_NAME_GLOB)
		try_globs(&q, l->names, KIND_NAME_GLOB, q.base);
	return q.best == NONE ? -1 : (long)q.best;
}

struct ignore_line
ignore_line(const struct ignore_list *l, long i)
{
	const struct ignore_pattern *p = &l->patterns[i];

	return (struct ignore_line){ p->text, p->line, p->negative };
}
