#include "approve/spool.h"
#include "daemon/console/server.h"
#include <fcntl.h>
#include <unistd.h>

/* Number of questions to show; more must wait. */
#define ASKS_SHOWN 50

/* Remove a question whose asker was killed. */
static void
forget(int dir, struct str id)
{
	char name[SPOOL_ID + 8];

	if (spool_name(name, sizeof name, id, ".ask"))
		(void)unlinkat(dir, name, 0);
	if (spool_name(name, sizeof name, id, ".answer"))
		(void)unlinkat(dir, name, 0);
}

static bool
put_ask(struct server *s, struct buf *out, struct str id)
{
	char name[SPOOL_ID + 8], answer[SPOOL_ID + 8];
	const struct json *v;
	struct str text;

	if (!spool_name(name, sizeof name, id, ".ask") ||
	    !spool_name(answer, sizeof answer, id, ".answer"))
		return false;
	if (!spool_is_held(s->asks, name)) {
		forget(s->asks, id);
		return false;
	}
	if (faccessat(s->asks, answer, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return false; /* answered; its asker is about to take it */
	if (!spool_read(&s->arena, s->asks, name, SPOOL_ASK_MAX, &text) ||
	    json_read(&s->arena, text, NULL, &v, NULL) || v->kind != JSON_OBJECT)
		return false;
	json_put_sep(out);
	shown_put(out, v);
	return true;
}

void
asks_list(struct conn *c)
{
	struct server *s = c->s;
	struct list_of asks = { s->asks, "asks", ".ask", ASKS_SHOWN, put_ask };
	struct buf b;

	buf_init(&b, &s->arena);
	buf_putc(&b, '{');
	list_put(s, &asks, &b);
	json_put_member_bool(&b, "alarm", s->alarm);
	buf_putc(&b, '}');
	conn_json(c, &b);
}

/* ---- answers */

/* Copy all members but the id; the asker checks them. */
static struct str
answer_of(struct arena *a, const struct json *v)
{
	static const char known[] = "bind\0choice\0level\0place\0network\0path\0message\0";
	struct buf b;

	buf_init(&b, a);
	buf_putc(&b, '{');
	for (const struct json *m = v->first; m; m = m->next) {
		if (!str_among(m->key, known))
			continue;
		json_put_sep(&b);
		json_put_str(&b, m->key);
		buf_putc(&b, ':');
		if (m->kind == JSON_STRING)
			json_put_str(&b, m->text);
		else if (m->kind == JSON_BOOL)
			json_put_bool(&b, m->truth);
		else
			buf_puts(&b, "null");
	}
	buf_putc(&b, '}');
	return b.full || b.n > SPOOL_ANSWER_MAX ? (struct str){ NULL, 0 } : buf_str(&b);
}

void
asks_answer(struct conn *c, const struct json *v)
{
	const struct json *id = json_get(v, STR("id"));
	struct server *s = c->s;
	char ask[SPOOL_ID + 8], answer[SPOOL_ID + 8];
	struct str text = answer_of(&s->arena, v);

	if (!text.p || !id || id->kind != JSON_STRING ||
	    !spool_name(ask, sizeof ask, id->text, ".ask") ||
	    !spool_name(answer, sizeof answer, id->text, ".answer")) {
		conn_refuse(c, 400, "not a valid answer");
		return;
	}
	if (!spool_is_held(s->asks, ask) ||
	    faccessat(s->asks, answer, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
		conn_refuse(c, 409, "this question is no longer open");
		return;
	}
	if (!spool_write(s->asks, answer, text)) {
		conn_refuse(c, 503, "cannot write the answer");
		return;
	}
	conn_answer(c, 200, "application/json", STR("{\"ok\":true}"));
}
