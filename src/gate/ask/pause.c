#include "gate/ask/pause.h"
#include "base/limits.h"
#include "gate/rules/layers.h"
#include "os/store.h"

#define PAUSE_HEAD "cordon pause 1\n"
/* Header, two numbers of 19 digits, and their keywords. */
#define PAUSE_BYTES 128

const char *
pause_path(struct arena *a, const struct process *cli, struct str home)
{
	return own_dir(a, cli, home, DIR_STATE, STR("/pause"));
}

void
pause_put(struct buf *b, const struct pause *p)
{
	buf_puts(b, PAUSE_HEAD "from ");
	buf_putu(b, (uint64_t)p->from);
	buf_puts(b, "\nuntil ");
	buf_putu(b, (uint64_t)p->until);
	buf_putc(b, '\n');
}

/* Parse `word`, a number and a newline. */
static bool
take_number(struct str *text, struct str word, int64_t *ret)
{
	struct str rest = str_skip(*text, word.n);
	uint64_t n;

	if (!str_starts(*text, word) || !str_take_number(&rest, 999999999999999, &n) ||
	    !str_starts(rest, STR("\n")))
		return false;
	*text = str_skip(rest, 1);
	*ret = (int64_t)n;
	return true;
}

/* Return false for anything that pause_put() does not write. */
static bool
pause_read(struct str text, struct pause *ret)
{
	struct pause p;

	if (!str_starts(text, STR(PAUSE_HEAD)))
		return false;
	text = str_skip(text, sizeof PAUSE_HEAD - 1);
	if (!take_number(&text, STR("from "), &p.from) ||
	    !take_number(&text, STR("until "), &p.until) || text.n)
		return false;
	if (p.until <= p.from || p.until - p.from > PAUSE_MAX)
		return false;
	*ret = p;
	return true;
}

bool
pause_active(const struct process *cli, struct str home, int64_t now, struct pause *ret)
{
	char mem[LIMIT_PATH + PAUSE_BYTES + 64];
	struct arena a;
	struct str text;
	const char *path;
	struct pause p;

	arena_init(&a, mem, sizeof mem);
	path = pause_path(&a, cli, home);
	if (!path || store_read(&a, path, STORE_OWN, PAUSE_BYTES, &text, NULL))
		return false;
	/* Setting the clock back does not prolong a pause. */
	if (!pause_read(text, &p) || now < p.from || now >= p.until)
		return false;
	if (ret)
		*ret = p;
	return true;
}

bool
pause_may(const struct policy_settings *s)
{
	return s->autorun && !(s->forbidden_modes & 1u << MODE_RUN_EVERYTHING);
}

static bool
is_floor(const struct judged *j)
{
	return j->hard || j->verdict == VERDICT_DENY || j->gate < GATE_PROTECT ||
	       j->gate == GATE_HOOK || (j->rule.set && j->rule.layer == LAYER_ADMIN);
}

bool
pause_lifts(const struct decision *d, const struct policy_settings *s)
{
	if (d->hard || (d->verdict != VERDICT_ASK && d->verdict != VERDICT_CONFINE))
		return false;
	if (!pause_may(s) || d->gate < GATE_PROTECT || d->gate == GATE_HOOK)
		return false;
	for (const struct judged *j = d->judged; j; j = j->next)
		if (j->verdict != VERDICT_ALLOW && is_floor(j))
			return false;
	return true;
}
