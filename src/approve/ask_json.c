/* Write a question for the console and read its answer.  All texts of the question are
 * escaped here; the page shows them as they are. */
#include "approve/spool.h"
#include "base/show.h"
#include "decide/show.h"

static void
put_shown(struct buf *out, const char *key, struct str text)
{
	struct buf b;

	json_put_key(out, key);
	if (!text.p) {
		buf_puts(out, "null");
		return;
	}
	buf_init(&b, out->a);
	show_put(&b, text, SHOW_NEWLINES);
	if (b.full)
		out->full = true;
	json_put_str(out, buf_str(&b));
}

/* Print text that is already escaped. */
static void
put_made(struct buf *out, const char *key, const struct buf *b)
{
	if (b->full)
		out->full = true;
	json_put_member(out, key, buf_str(b));
}

static void
put_piece(
    struct buf *out, struct str text, const struct decision *d, const struct judged *j)
{
	json_put_sep(out);
	buf_putc(out, '{');
	put_shown(out, "text", text);
	json_put_member_or_null(out, "verdict",
	    j ? str_from_c(verdict_name(j->verdict)) : (struct str){ NULL, 0 });
	json_put_member_u(out, "part", j ? draw_number(d, j) : 0);
	buf_putc(out, '}');
}

/* Print the command in pieces, each with the part that it belongs to. */
static void
put_pieces(struct buf *out, struct str text, const struct decision *d)
{
	json_put_key(out, "command");
	buf_putc(out, '[');
	for (size_t at = 0, end; at < text.n; at = end) {
		const struct judged *j = draw_part_at(d, at);

		for (end = at + 1; end < text.n && draw_part_at(d, end) == j; end++)
			;
		put_piece(out, str_cut(text, at, end), d, j);
	}
	buf_putc(out, ']');
}

static void
put_rules(struct buf *out, const char *key, const struct approve_rules *r)
{
	json_put_key(out, key);
	buf_putc(out, '{');
	put_shown(out, "lines", r->lines);
	put_shown(out, "why", r->lines.p ? (struct str){ NULL, 0 } : r->why);
	buf_putc(out, '}');
}

static void
put_offers(struct buf *out, const struct approve_question *q)
{
	enum approve_level here;

	put_rules(out, "forSession", &q->for_session);
	json_put_key(out, "rules");
	buf_putc(out, '{');
	for (unsigned p = 0; p < APPROVE_PLACES; p++) {
		json_put_key(out, approve_place_name((enum approve_place)p));
		buf_putc(out, '{');
		for (unsigned i = 0; i < APPROVE_LEVELS; i++)
			put_rules(out, approve_level_name((enum approve_level)i),
			    &q->rules[p][i]);
		put_shown(out, "file", q->files[p]);
		buf_putc(out, '}');
	}
	buf_putc(out, '}');
	json_put_member_bool(out, "canNetwork", q->can_network);
	json_put_member_bool(out, "canPath", q->can_path);
	json_put_member_bool(out, "wantsNetwork", q->wants_network);
	put_shown(out, "hosts", q->hosts.p ? q->hosts : STR(""));
	json_put_member_or_null(out, "here",
	    approve_here(q, &here) ? str_from_c(approve_level_name(here))
				   : (struct str){ NULL, 0 });
}

static void
put_texts(struct buf *out, const struct approve_question *q)
{
	struct buf b;

	put_shown(out, "reason", q->decision->reason);
	put_shown(out, "lost", q->lost.p ? q->lost : STR(""));
	buf_init(&b, out->a);
	decision_show_sandbox(&b, &q->decision->sandbox);
	put_made(out, "sandbox", &b);
	buf_init(&b, out->a);
	if (q->in->effects)
		decision_show_effects(&b, q->in->effects);
	put_made(out, "effects", &b);
	buf_init(&b, out->a);
	decision_show_parts(&b, q->in->text, q->decision, false);
	put_made(out, "parts", &b);
}

void
approve_put_json(struct buf *out, const struct approve_question *q, struct str id,
    const struct approve_times *t)
{
	char bind[APPROVE_BIND];

	approve_bind(q, bind);
	buf_putc(out, '{');
	json_put_member(out, "id", id);
	json_put_member(out, "bind", str_of(bind, sizeof bind));
	json_put_member_int(out, "asked", t->asked);
	json_put_member_int(out, "ends", t->ends);
	put_shown(out, "cwd", q->cwd);
	put_shown(out, "asker", q->asker);
	put_shown(out, "session", q->session);
	put_pieces(out, q->in->text, q->decision);
	put_texts(out, q);
	put_offers(out, q);
	buf_putc(out, '}');
}

/* ---- the answer */

static bool
find_name(struct str name, const char *(*name_of)(unsigned), unsigned n, unsigned *ret)
{
	for (unsigned i = 0; i < n; i++)
		if (str_is(name, name_of(i))) {
			*ret = i;
			return true;
		}
	return false;
}

static const char *
choice_at(unsigned i)
{
	return approve_choice_name((enum approve_choice)i);
}

static const char *
level_at(unsigned i)
{
	return approve_level_name((enum approve_level)i);
}

static const char *
place_at(unsigned i)
{
	return approve_place_name((enum approve_place)i);
}

static struct str
string_of(const struct json *v)
{
	return v && v->kind == JSON_STRING ? v->text : (struct str){ NULL, 0 };
}

/* Accept only choices that the question offered. */
static const char *
check(const struct approve_question *q, const struct approve_answer *answer)
{
	if (answer->choice == APPROVE_SESSION && !q->for_session.lines.p)
		return "the session was not offered";
	if (answer->choice == APPROVE_ALLOWLIST &&
	    !q->rules[answer->place][answer->level].lines.p)
		return "that rule was not offered";
	if (answer->network && !q->can_network)
		return "the network was not offered";
	if (answer->path.p &&
	    (!q->can_path || answer->path.n == 0 || answer->path.p[0] != '/'))
		return "that path was not offered";
	return NULL;
}

const char *
approve_read_answer(struct arena *a, struct str text, const struct approve_question *q,
    struct approve_answer *ret)
{
	static const char known[] = "bind\0choice\0level\0place\0network\0path\0message\0";
	const struct json *v, *network;
	struct approve_answer answer = { 0 };
	char bind[APPROVE_BIND];
	unsigned choice, level = 0, place = 0;
	const char *wrong;

	approve_bind(q, bind);
	if (json_read(a, text, NULL, &v, NULL) || v->kind != JSON_OBJECT)
		return "the answer is not a JSON object";
	for (const struct json *m = v->first; m; m = m->next)
		if (!str_among(m->key, known))
			return "the answer has an unknown key";
	if (!str_eq(string_of(json_get(v, STR("bind"))), str_of(bind, sizeof bind)))
		return "the answer is for another command, directory or policy";
	if (!find_name(
		string_of(json_get(v, STR("choice"))), choice_at, APPROVE_CHOICES, &choice))
		return "the answer has no choice";
	answer.choice = (enum approve_choice)choice;
	if (answer.choice == APPROVE_ALLOWLIST &&
	    (!find_name(
		 string_of(json_get(v, STR("level"))), level_at, APPROVE_LEVELS, &level) ||
		!find_name(string_of(json_get(v, STR("place"))), place_at, APPROVE_PLACES,
		    &place)))
		return "the answer does not name a rule";
	answer.level = (enum approve_level)level;
	answer.place = (enum approve_place)place;
	network = json_get(v, STR("network"));
	answer.network = network && network->kind == JSON_BOOL && network->truth;
	answer.path = string_of(json_get(v, STR("path")));
	answer.message = string_of(json_get(v, STR("message")));
	wrong = check(q, &answer);
	if (!wrong)
		*ret = answer;
	return wrong;
}
