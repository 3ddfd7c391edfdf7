/*
 * Does bash see the same braces as we do?
 *
 * bash expands braces before anything else, on the raw text of a word, and tracks quotes in
 * a simple way: a " inside `..` or ${..} inside "..." ends the quote. So in "`echo
 * "{a,b}"`" it finds a brace expansion inside a quoted part. Scan the text as bash does,
 * count the braces that it considers active, and compare with ours; if they differ, nothing
 * in the word is certain.
 */
#include "analyse/word/word.h"

/* Parts that bash skips as a whole: $( ), <( ), $(( )), and $'..', which was replaced
 * before. */
static bool
skips(const struct part *p, struct str text)
{
	switch (p->kind) {
	case PART_COMMAND:
		return p->sub->how == SUB_DOLLAR;
	case PART_PROCESS:
	case PART_ARITH:
		return true;
	case PART_TEXT:
	case PART_OPAQUE:
		return p->quoted && p->at.start + 1 < text.n && p->at.end <= text.n &&
		       text.p[p->at.start] == '$' && text.p[p->at.start + 1] == '\'';
	case PART_PARAM:
		return false;
	}
	return false;
}

struct brace_search {
	struct str text; /* the source of the frame */
	uint32_t at;
	uint32_t skip_to; /* 0: no such part begins here */
	size_t ours;
};

/* Find a part to skip that begins at l->at, and count the braces that are active for us. */
static void
look_at_parts(struct brace_search *l, const struct part *parts, bool count)
{
	for (const struct part *p = parts; p; p = p->next) {
		if (p->at.start == l->at && skips(p, l->text) && p->at.end > l->at)
			l->skip_to = p->at.end;
		if (count && p->kind == PART_TEXT && !p->quoted)
			for (size_t i = 0; i < p->text.n; i++)
				l->ours += p->text.p[i] == '{';
		if (p->kind != PART_PARAM)
			continue;
		if (p->param->arg)
			look_at_parts(l, p->param->arg->parts, count);
		if (p->param->arg2)
			look_at_parts(l, p->param->arg2->parts, count);
		if (p->param->subscript)
			look_at_parts(l, p->param->subscript->parts, count);
	}
}

/* The number of braces that bash considers active; SIZE_MAX if the search is too long. */
static size_t
seen_by_bash(struct brace_search *l, const struct word *word)
{
	char quote = 0;
	size_t seen = 0;
	int skipped = 0;

	for (uint32_t i = word->at.start; i < word->at.end; i++) {
		char c = l->text.p[i];
		char next = i + 1 < word->at.end ? l->text.p[i + 1] : '\0';

		l->at = i;
		l->skip_to = 0;
		if ((c == '$' || c == '<' || c == '>') && quote != '\'' && quote != '`') {
			if (++skipped > 64) /* each call walks the word: stay linear */
				return SIZE_MAX;
			look_at_parts(l, word->parts, false);
		}
		if (l->skip_to) {
			i = l->skip_to - 1;
			continue;
		}
		if (c == '\\' && quote != '\'') {
			i++;
			continue;
		}
		if (c == '$' && next == '{' && quote != '\'') {
			i++;
			continue;
		}
		if (quote) {
			if (c == quote)
				quote = 0;
			continue;
		}
		if (c == '"' || c == '\'' || c == '`')
			quote = c;
		else if (c == '{')
			seen++;
	}
	return seen;
}

bool
braces_agree(struct walk *w, const struct word *word)
{
	struct brace_search l = { .text = w->frame.text, .at = UINT32_MAX };
	struct str raw;

	if (word->at.end > l.text.n || word->at.start > word->at.end)
		return false;
	raw = str_cut(l.text, word->at.start, word->at.end);
	/* Only quotes inside quotes are ambiguous. */
	if (str_find(raw, '{') == raw.n || str_find(raw, '"') == raw.n)
		return true;
	look_at_parts(&l, word->parts, true);
	return seen_by_bash(&l, word) == l.ours;
}
