/* tar: the mode determines the meaning of its words. */
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"

/* Letters with the next word as value, in the old form without a dash: tar cfC a b. */
#define TAR_VALUES "bfgCFHIKLNTVX"

static bool
is_bundle(struct field f)
{
	if (f.kind != FIELD_STR || f.text.n == 0 || f.text.p[0] == '-')
		return false;
	for (size_t i = 0; i < f.text.n; i++)
		if (!((f.text.p[i] >= 'a' && f.text.p[i] <= 'z') ||
			(f.text.p[i] >= 'A' && f.text.p[i] <= 'Z')))
			return false;
	return true;
}

/* tar xzf a b → tar -x -z -f a b */
static void
unbundle(struct walk *w, const struct invocation *c, struct fields *ret)
{
	size_t next = 2;
	struct str letters = c->argv[1].text;

	fields_add(w, ret, c->argv[0]);
	for (size_t i = 0; i < letters.n; i++) {
		char *text = walk_alloc(w, 2);

		if (!text)
			return;
		text[0] = '-';
		text[1] = letters.p[i];
		fields_add(w, ret, field_made(FIELD_STR, str_of(text, 2), c->argv[1].at));
		if (strchr(TAR_VALUES, letters.p[i]) && next < c->argc)
			fields_add(w, ret, c->argv[next++]);
	}
	for (; next < c->argc; next++)
		fields_add(w, ret, c->argv[next]);
}

static bool
has(const struct know_scan *scan, const char *name)
{
	for (size_t i = 0; i < scan->count; i++)
		if (item_is(&scan->items[i], name))
			return true;
	return false;
}

/* A mode that writes the archive reads the operands; otherwise these are names in it. */
static void
set_roles(struct know_scan *scan, bool writes)
{
	for (size_t i = 0; i < scan->count; i++) {
		struct know_item *item = &scan->items[i];

		if (item->option_only)
			continue;
		if (item_is(item, "-f"))
			item->role = writes ? ROLE_WRITE : ROLE_READ;
		else if (!item->option)
			item->role = writes ? ROLE_READ : ROLE_DATA;
	}
}

/* tar writes to the current directory, or to each directory of -C. */
static void
unpacked(struct walk *w, const struct invocation *c, const struct know_scan *scan,
    const struct state *s)
{
	struct field here = field_made(FIELD_STR, STR("."), c->at);
	bool elsewhere = false;

	for (size_t i = 0; i < scan->count; i++)
		if (!scan->items[i].option_only && item_is(&scan->items[i], "-C")) {
			add_file(
			    w, FILE_WRITE, true, scan->items[i].value, s->cwd, STR("tar"));
			elsewhere = true;
		}
	if (!elsewhere)
		add_file(w, FILE_WRITE, true, here, s->cwd, STR("tar"));
}

/* Scan the words of the old form, tar xzf a b. */
static bool
scan_bundle(struct walk *w, const struct invocation *c, struct know_scan *ret)
{
	struct fields words = { NULL, 0, 0 };

	unbundle(w, c, &words);
	if (w->failed)
		return false;
	if (know_scan(w->a, know_program(STR("tar")), words.v, words.n, ret)) {
		walk_fail(w, CORDON_ENOMEM, c->at,
		    "the command needs more memory than its limit");
		return false;
	}
	/* Indices in `ret` count in `words`: map them to argv. */
	ret->unsure = ret->unsure < words.n ? 1 : c->argc;
	ret->unknown_option = ret->unknown_option < words.n ? 1 : c->argc;
	ret->rest = c->argc;
	return true;
}

/* True if every word is known, and the mode only reads the archive. */
static bool
only_lists(const struct invocation *c, const struct know_scan *scan)
{
	return scan->class == CLASS_WRITE && scan->unsure >= c->argc &&
	       scan->unknown_option >= c->argc &&
	       (has(scan, "-t") || has(scan, "-d") || has(scan, "--test-label"));
}

const struct know_scan *
run_tar(struct walk *w, struct invocation *c, const struct know_scan *scan, struct state *s)
{
	struct know_scan *mine = walk_alloc(w, sizeof *mine);
	bool writes, unpacks;

	if (!mine || !c->self)
		return scan;
	*mine = *scan;
	if (c->argc > 1 && is_bundle(c->argv[1]) && !scan_bundle(w, c, mine))
		return scan;
	writes = has(mine, "-c") || has(mine, "-r") || has(mine, "-u") || has(mine, "-A") ||
		 has(mine, "--delete");
	unpacks = has(mine, "-x");
	set_roles(mine, writes);
	if (unpacks && !has(mine, "-O"))
		unpacked(w, c, mine, s);
	c->self->scan = mine;
	c->self->class = mine->class;
	if (!writes && !unpacks && only_lists(c, mine))
		c->self->class = CLASS_READ;
	return mine;
}
