/* Read lines printed by policy_print(): their comments name their origin. */
#include "policy/print/printed.h"
#include "policy/read.h"

static bool
take_prefix(struct str *s, const char *prefix)
{
	struct str p = str_from_c(prefix);

	if (!str_starts(*s, p))
		return false;
	*s = str_skip(*s, p.n);
	return true;
}

static bool
take_line(struct str *s, uint32_t *ret)
{
	size_t colon = str_rfind(*s, ':');
	uint64_t n;

	if (s->n - colon > 9 || !str_number(str_skip(*s, colon + 1), UINT32_MAX, &n))
		return false;
	s->n = colon;
	*ret = (uint32_t)n;
	return true;
}

/* `user FILE:12`; leaves *o alone when it is something else. */
static int
take_origin(struct draft *d, struct str s, struct draft_origin *o)
{
	struct draft_origin found = { 0 };
	int layer = 0;

	take_prefix(&s, " ");
	for (; layer < LAYERS; layer++)
		if (take_prefix(&s, layer_name((enum layer)layer)))
			break;
	if (layer == LAYERS)
		return 0;
	found.layer = (enum layer)layer;
	found.untrusted = layer == LAYER_PROJECT && take_prefix(&s, PRINTED_UNTRUSTED);
	if (!take_prefix(&s, " ") || !take_line(&s, &found.line))
		return 0;
	*o = found;
	return draft_file(d, s, &o->file);
}

/* `- WHY: TEXT # ORIGIN` */
static int
take_inert(struct rule_reader *r, struct str s)
{
	enum inert_why why = 0;
	size_t hash;

	while (why < INERTS && !take_prefix(&s, inert_text(why)))
		why++;
	hash = str_rfind(s, '#');
	if (why == INERTS || !take_prefix(&s, ": ") || hash == s.n + 2 || hash < 3)
		return 0;
	hash -= 2;
	if (take_origin(r->d, str_skip(s, hash + 1), &r->origin))
		return CORDON_ENOMEM;
	s.n = hash - 1;
	return draft_list_inert(r->d, s, why, &r->origin);
}

int
printed_origin(struct rule_reader *r, bool *ret_skip)
{
	struct str comment = r->x.comment;

	*ret_skip = false;
	if (!comment.p)
		return 0;
	if (r->x.n == 0 && take_prefix(&comment, "- ")) {
		*ret_skip = true;
		return take_inert(r, comment);
	}
	if (str_is(comment, PRINTED_DEFAULT)) {
		*ret_skip = true;
		return 0;
	}
	return take_origin(r->d, comment, &r->origin);
}
