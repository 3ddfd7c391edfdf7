#include "policy/image/image.h"

/* The second word of `set @name host...`. */
static bool
is_named(struct str line, struct str name)
{
	size_t at = 3;

	while (at < line.n && (line.p[at] == ' ' || line.p[at] == '\t'))
		at++;
	line = str_skip(line, at);
	return str_starts(line, name) &&
	       (line.n == name.n || line.p[name.n] == ' ' || line.p[name.n] == '\t');
}

static bool
counts(const struct policy *p, const struct image_line *x, struct str name)
{
	return x->kind == LINE_SET && !x->origin.untrusted &&
	       is_named(image_str(p, x->text), name);
}

/* Print the `set` lines of the highest layer that has any as a rules file of their own. */
static bool
put_lines(struct buf *out, const struct policy *p, struct str name)
{
	size_t n = image_count(p, SECTION_LINES);
	uint8_t layer = 0;
	bool any = false;

	for (size_t i = 0; i < n; i++)
		if (counts(p, &p->lines[i], name)) {
			any = true;
			if (p->lines[i].origin.layer > layer)
				layer = p->lines[i].origin.layer;
		}
	for (size_t i = 0; i < n; i++)
		if (counts(p, &p->lines[i], name) && p->lines[i].origin.layer == layer) {
			buf_put(out, image_str(p, p->lines[i].text));
			buf_putc(out, '\n');
		}
	buf_puts(out, "network off except ");
	buf_put(out, name);
	buf_putc(out, '\n');
	return any;
}

/* The image stores the lines as written; compile them to read the hosts. */
int
policy_set(
    struct arena *a, const struct policy *p, struct str name, const struct policy **ret)
{
	struct policy_source source = { .layer = LAYER_USER };
	struct policy_error e;
	struct buf text, image;

	buf_init(&text, a);
	buf_init(&image, a);
	if (!put_lines(&text, p, name))
		return CORDON_EINVAL;
	source.file = STR("set");
	source.text = buf_str(&text);
	if (text.full || policy_compile(a, &source, 1, &image, &e) || image.full)
		return CORDON_ENOMEM;
	return policy_open(a, buf_str(&image), ret);
}
