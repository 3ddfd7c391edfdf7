/*
 * Known texts that are run later under another name: the output of <( ), a file that the
 * same text wrote, a value that is expanded again. Their effects are reported in addition
 * to the usual ones, since something else could change them in between.
 */
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"
#include "base/buf.h"

void
run_expansions(struct walk *w, struct str text, struct span at, struct state s)
{
	struct buf b;
	struct flow ignored;
	bool code = str_find(text, '`') < text.n;

	for (size_t i = 0; i + 1 < text.n; i++)
		code |= text.p[i] == '$' && text.p[i + 1] == '(';
	if (!code)
		return;
	buf_init(&b, w->a);
	buf_puts(&b, "_=\"");
	buf_put(&b, text);
	buf_puts(&b, "\"");
	if (b.full)
		return;
	/* Keep home and directory, which the text may use. */
	s.args = NULL;
	w->level++;
	(void)walk_source(
	    w, buf_str(&b), w->frame.dialect, at, STR("expansion"), s, &ignored);
	w->level--;
}

void
note_fed(struct walk *w, struct span at, struct str text)
{
	w->fed_at = at;
	w->fed = text;
}

/* Find the redirection of standard output to a file; copy the others to *rest. */
static const struct redir *
output_redir(struct walk *w, const struct redir *r, struct redir **rest)
{
	const struct redir *found = NULL;
	struct redir **end = rest;

	*rest = NULL;
	for (; r; r = r->next) {
		struct redir *copy;

		if ((r->op == REDIR_OUT || r->op == REDIR_CLOBBER) && !r->var.p &&
		    (r->fd == -1 || r->fd == 1) && !found) {
			found = r;
			continue;
		}
		copy = walk_alloc(w, sizeof *copy);
		if (!copy)
			return NULL;
		*copy = *r;
		copy->next = NULL;
		*end = copy;
		end = &copy->next;
	}
	return found;
}

static void
add_written(struct walk *w, struct field path, const struct dirs *cwd, struct str text)
{
	struct written *new;

	if (path.kind != FIELD_STR || !text.p || cwd->unknown || cwd->n != 1)
		return;
	new = walk_alloc(w, sizeof *new);
	if (!new)
		return;
	*new = (struct written){ dir_file(w->a, &cwd->at[0], path.text), text, w->written };
	if (new->path.p)
		w->written = new;
}

void
note_written(struct walk *w, const struct node *node, struct state *s)
{
	const struct redir *to;
	struct node copy = *node;
	struct redir *rest;

	to = node->redirs ? output_redir(w, node->redirs, &rest) : NULL;
	if (!to || !to->target || !is_plain(to->target))
		return;
	copy.redirs = rest;
	add_written(w, eval_single(w, to->target, s, false), s->cwd,
	    known_output_node(w, &copy, s));
}

void
note_copied(struct walk *w, const struct fields *words, struct str text, struct state *s)
{
	for (size_t i = 1; i < words->n; i++)
		add_written(w, words->v[i], s->cwd, text);
}

/* N for /dev/fd/N, 0 for /dev/stdin, -1 for other files. */
static int
descriptor(struct str path)
{
	static const struct str dir = STR_INIT("/dev/fd/");
	uint64_t n;

	if (str_is(path, "/dev/stdin") || str_is(path, "/proc/self/fd/0"))
		return 0;
	if (str_starts(path, dir) && str_number(str_skip(path, dir.n), 255, &n))
		return (int)n;
	return -1;
}

static struct str
descriptor_text(struct walk *w, const struct invocation *c, int fd, struct state *s)
{
	struct field f = { .kind = FIELD_MANY };

	if (fd == 0)
		f = stdin_text(w, c, s);
	for (const struct redir *r = c->redirs; r && fd > 0; r = r->next) {
		if (r->fd != fd)
			continue;
		f.kind = FIELD_MANY;
		if (r->op == REDIR_HEREDOC && is_plain(r->body))
			f = eval_single(w, r->body, s, false);
		if (r->op == REDIR_HERESTRING && is_plain(r->target))
			f = eval_single(w, r->target, s, false);
	}
	return f.kind == FIELD_STR ? f.text : (struct str){ NULL, 0 };
}

struct str
known_file(struct walk *w, const struct invocation *c, struct field path, struct state *s)
{
	struct str nothing = { NULL, 0 }, full;
	int fd;

	if (path.kind == FIELD_ONE && path.number && str_is(path.text, "/dev/fd/") &&
	    w->fed.p && path.at.start == w->fed_at.start && path.at.end == w->fed_at.end)
		return w->fed;
	if (path.kind != FIELD_STR)
		return nothing;
	fd = descriptor(path.text);
	if (fd >= 0)
		return descriptor_text(w, c, fd, s);
	if (s->cwd->unknown || s->cwd->n != 1)
		return nothing;
	full = dir_file(w->a, &s->cwd->at[0], path.text);
	for (const struct written *x = w->written; x && full.p; x = x->next)
		if (str_eq(x->path, full))
			return x->text;
	return nothing;
}
