#include "launch/read_hint.h"
#include "base/quote.h"
#include "base/show.h"

/* Limit on the files that the hint names. */
#define FILES_MAX ((size_t)4)

struct hint {
	struct arena *a;
	const struct judge_answer *answer;
	struct str files[FILES_MAX];
	size_t n;
};

static bool
is_asked(const struct decide_input *in, struct str path, struct rule *r)
{
	return decide_path(in, FILE_READ, path, r) && r->verdict == VERDICT_ASK;
}

static void
find_files(struct hint *h, const struct run_result *result)
{
	struct rule r;

	for (size_t i = 0; i < result->violations_n && h->n < FILES_MAX; i++) {
		const struct violation *v = &result->violations[i];
		size_t k = 0;

		while (k < h->n && !str_eq(h->files[k], v->path))
			k++;
		if (v->op == RUN_READ && k == h->n && is_asked(&h->answer->in, v->path, &r))
			h->files[h->n++] = v->path;
	}
}

/* Return the one command that a rule would have to name; NULL if there are several or it
 * has no name. */
static const struct command *
find_command(const struct decision *d)
{
	const struct judged *found = NULL;

	for (const struct judged *j = d->judged; j; j = j->next) {
		if (!j->command)
			continue;
		if (found && !found->covered && !j->covered)
			return NULL;
		if (!found || !j->covered)
			found = j;
	}
	return found && found->command->program.p && !found->command->function &&
		       !found->command->value
		   ? found->command
		   : NULL;
}

static void
put_word(struct buf *b, struct str word, bool always)
{
	buf_putc(b, ' ');
	if (always)
		(void)quote_put_always(b, QUOTE_RULE, word, NULL);
	else
		(void)quote_put(b, QUOTE_RULE, word, NULL);
}

static bool
put_rule(struct hint *h, const struct command *c, struct buf *b)
{
	buf_puts(b, "allow");
	put_word(b, c->program, policy_is_effect(c->program));
	for (size_t i = 0; c->scan && i < c->scan->depth; i++)
		put_word(b, c->argv[c->scan->path[i]].text, false);
	buf_puts(b, " readable");
	for (size_t i = 0; i < h->n; i++) {
		buf_putc(b, ' ');
		decide_put_path(b, &h->answer->in, h->files[i]);
	}
	buf_putc(b, '\n');
	return !b->full;
}

/* Compile the layers with the line inserted after the user's rules. */
static bool
compile(struct hint *h, const struct loader *l, struct str line, const struct policy **ret)
{
	struct policy_source sources[LAYER_FILES + 2];
	struct policy_error e;
	struct buf image;
	size_t at = l->sources_n;

	memcpy(sources, l->sources, l->sources_n * sizeof *sources);
	while (at > 0 && sources[at - 1].layer > LAYER_USER)
		at--;
	memmove(sources + at + 1, sources + at, (l->sources_n - at) * sizeof *sources);
	sources[at] = (struct policy_source){
		.layer = LAYER_USER, .file = STR("hint"), .text = line
	};
	buf_init(&image, h->a);
	return policy_compile(h->a, sources, l->sources_n + 1, &image, &e) == 0 &&
	       !image.full && policy_open(h->a, buf_str(&image), ret) == 0;
}

/* True if the command may run with the line and read all the files. */
static bool
helps(struct hint *h, const struct process *cli, const struct judge_request *q,
    struct str line)
{
	struct loader l;
	struct judge_answer again;
	struct decision d;
	struct rule r;

	if (!loader_init(&l, cli))
		return false;
	l.no_cache = l.no_tests = true;
	if (gate_judge(h->a, &l, q, &again) || !compile(h, &l, line, &again.in.policy))
		return false;
	decide(h->a, &again.in, &d);
	for (size_t i = 0; i < h->n; i++)
		if (!is_asked(&again.in, h->files[i], &r) ||
		    !decide_readable(&again.in, &d, false, &r, h->files[i]))
			return false;
	return d.verdict >= VERDICT_CONFINE;
}

void
launch_hint_put(struct arena *a, const struct process *cli, const struct judge_request *q,
    const struct judge_answer *answer, const struct run_result *result, struct buf *out)
{
	struct hint h = { .a = a, .answer = answer };
	const struct command *c = find_command(&answer->decision);
	struct buf line;

	find_files(&h, result);
	buf_init(&line, a);
	if (!c || h.n == 0 || !put_rule(&h, c, &line) || !helps(&h, cli, q, buf_str(&line)))
		return;
	buf_puts(out, "cordon: hint: to let this command read it, add to your rules: ");
	show_put(out, str_cut(buf_str(&line), 0, line.n - 1), 0);
	buf_putc(out, '\n');
}
