#include "agents/setup/forms.h"
#include "base/toml.h"

#define BEGIN "# >>> cordon install: these lines belong together\n"
#define END "# <<< cordon install\n"

/* Find cordon's block; return false if there is none. */
static bool
find_block(struct str text, size_t *ret_from, size_t *ret_to)
{
	size_t at = 0, from = text.n;

	while (at < text.n) {
		struct str rest = str_skip(text, at);

		if (str_starts(rest, STR(BEGIN)))
			from = at;
		if (from < text.n && str_starts(rest, STR(END))) {
			*ret_from = from;
			*ret_to = at + sizeof END - 1;
			return true;
		}
		at += str_find(rest, '\n') + 1;
	}
	return false;
}

int
setup_toml_remove(struct arena *a, struct str text, struct str *ret, struct err *reterr)
{
	size_t from, to;
	struct buf b;

	*ret = text;
	if (!find_block(text, &from, &to))
		return 0;
	buf_init(&b, a);
	buf_put(&b, str_cut(text, 0, from));
	buf_put(&b, str_skip(text, to));
	if (b.full)
		return err_at(reterr, CORDON_ENOMEM, 0, "no memory");
	*ret = b.n ? buf_str(&b) : (struct str){ NULL, 0 };
	return 0;
}

/* A JSON string is a valid TOML string, except for bytes that are not UTF-8. */
static void
put_event(struct buf *b, enum agent agent, const char *event, const struct setup_params *p)
{
	struct buf line;

	buf_init(&line, b->a);
	setup_put_command(&line, agent, p);
	buf_puts(b, "[[hooks.");
	buf_puts(b, event);
	buf_puts(b, "]]\nmatcher = \"*\"\n[[hooks.");
	buf_puts(b, event);
	buf_puts(b, ".hooks]]\ntype = \"command\"\ncommand = ");
	json_put_str(b, buf_str(&line));
	buf_puts(b, "\ntimeout = ");
	buf_putu(b, p->timeout);
	buf_putc(b, '\n');
}

int
setup_toml_add(struct arena *a, enum agent agent, const struct setup_params *p,
    struct str text, struct str *ret, struct err *reterr)
{
	const struct json *root, *table;
	struct str rest = text.p ? text : STR(""), dir = p->program;
	size_t at = rest.n, to;
	struct setup_found old = { 0 };
	struct buf b;
	int err = 0;

	if (text.p)
		err = setup_toml_remove(a, text, &rest, reterr);
	if (!err && !rest.p)
		rest = STR("");
	/* Keep the block's position: tables after it may depend on it. */
	if (!text.p || !find_block(text, &at, &to))
		at = rest.n;
	if (!err)
		err = toml_read(a, rest, &root, reterr);
	if (err)
		return err;
	if (setup_toml_inspect(a, agent, rest, &old, reterr) == 0 && old.entries)
		return err_at(reterr, CORDON_EINVAL, 0,
		    "it calls cordon outside cordon's own lines; remove that by hand");
	table = json_get(root, STR("hooks"));
	if (table && !json_get(table, STR("managed_dir")))
		return err_at(reterr, CORDON_EINVAL, 0,
		    "its [hooks] has no managed_dir; add one and install again");
	buf_init(&b, a);
	buf_put(&b, str_cut(rest, 0, at));
	if (at && rest.p[at - 1] != '\n')
		buf_putc(&b, '\n');
	buf_puts(&b, BEGIN);
	if (!table) {
		dir.n -= str_base(dir).n + (dir.n > str_base(dir).n + 1 ? 1 : 0);
		buf_puts(&b, "[hooks]\nmanaged_dir = ");
		json_put_str(&b, dir);
		buf_putc(&b, '\n');
	}
	for (const char *event = agent_profile(agent)->events; *event;
	     event += strlen(event) + 1)
		put_event(&b, agent, event, p);
	buf_puts(&b, END);
	buf_put(&b, str_skip(rest, at));
	if (b.full)
		return err_at(reterr, CORDON_ENOMEM, 0, "no memory");
	/* The rest of the file may rule out our lines, for instance with an inline array
	 * of hooks. */
	err = toml_read(a, buf_str(&b), &root, reterr);
	if (!err)
		*ret = buf_str(&b);
	return err;
}

int
setup_toml_inspect(struct arena *a, enum agent agent, struct str text,
    struct setup_found *ret, struct err *reterr)
{
	const struct json *root, *all;
	int err = toml_read(a, text, &root, reterr);

	if (err)
		return err;
	all = json_get(root, STR("hooks"));
	for (const char *event = agent_profile(agent)->events; *event;
	     event += strlen(event) + 1) {
		const struct json *list = json_get(all, str_from_c(event));
		unsigned before = ret->entries;

		for (const struct json *m = list ? list->first : NULL; m; m = m->next) {
			const struct json *inner = json_get(m, STR("hooks"));

			for (const struct json *h = inner ? inner->first : NULL; h;
			     h = h->next)
				ret->entries += setup_is_ours(a, agent, h, ret);
		}
		ret->events += ret->entries > before;
	}
	return 0;
}
