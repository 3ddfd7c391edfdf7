#include "gate/ask/session_tools.h"
#include "analyse/analyse.h"
#include "base/json/json.h"

const char *
session_rule(struct arena *a, struct str text, enum approve_level level, struct buf *out)
{
	struct effects e = { 0 };
	const struct command *c;
	struct err why = { 0 };

	if (analyse(a, text, &(struct analyse_opts){ 0 }, &e, &why))
		return why.why;
	c = e.commands;
	if (!c || c->next || c->via || c->assigns || e.env)
		return "a rule needs one plain command, not";
	return approve_rule(out, c, level);
}

void
session_put_tool(struct buf *out, struct str tool, struct str command)
{
	json_put_str(out, tool);
	buf_putc(out, '\t');
	json_put_str(out, command);
	buf_putc(out, '\n');
}

/* True if the command gives this rule at some level. */
static bool
gives(struct arena *a, struct str quoted, struct str rule)
{
	const struct json *command = NULL;
	struct buf b;

	if (json_read(a, quoted, NULL, &command, NULL) || command->kind != JSON_STRING)
		return false;
	for (int level = 0; level < APPROVE_LEVELS; level++) {
		buf_init(&b, a);
		if (!session_rule(a, command->text, (enum approve_level)level, &b) &&
		    !b.full && str_eq(buf_str(&b), rule))
			return true;
	}
	return false;
}

bool
session_find_tool(struct arena *a, struct str text, struct str tool, struct str rule,
    size_t *ret_from, size_t *ret_to)
{
	bool found = false;
	struct buf head;

	buf_init(&head, a);
	json_put_str(&head, tool);
	buf_putc(&head, '\t');
	for (size_t at = 0, end; at < text.n; at = end + 1) {
		size_t used = a->used;
		struct str line;

		end = at + str_find(str_skip(text, at), '\n');
		line = str_cut(text, at, end);
		if (str_starts(line, buf_str(&head)) &&
		    gives(a, str_skip(line, head.n), rule)) {
			*ret_from = at;
			*ret_to = end < text.n ? end + 1 : end;
			found = true;
		}
		arena_back(a, used);
	}
	return found;
}
