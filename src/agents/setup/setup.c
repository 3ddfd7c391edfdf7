#include "agents/setup/forms.h"
#include "base/quote.h"

/* ---- the command line */

void
setup_put_deadline(struct buf *b, const struct setup_params *p)
{
	buf_putu(b, p->timeout * 1000u - SETUP_MARGIN);
}

void
setup_put_command(struct buf *b, enum agent agent, const struct setup_params *p)
{
	(void)quote_put(b, QUOTE_BASH, p->program, NULL);
	buf_puts(b, " hook ");
	buf_puts(b, agent_name(agent));
	buf_puts(b, " --deadline ");
	setup_put_deadline(b, p);
	if (p->shell.p) {
		buf_puts(b, " --shell ");
		(void)quote_put(b, QUOTE_BASH, p->shell, NULL);
	}
}

void
setup_put_arguments(
    struct buf *b, enum agent agent, const struct setup_params *p, const char *separator)
{
	buf_puts(b, "\"hook\"");
	buf_puts(b, separator);
	json_put_str(b, str_from_c(agent_name(agent)));
	buf_puts(b, separator);
	buf_puts(b, "\"--deadline\"");
	buf_puts(b, separator);
	buf_putc(b, '"');
	setup_put_deadline(b, p);
	buf_putc(b, '"');
	if (p->shell.p) {
		buf_puts(b, separator);
		buf_puts(b, "\"--shell\"");
		buf_puts(b, separator);
		json_put_str(b, p->shell);
	}
}

/* Read one word that quote_put wrote; return false for any other form. */
static bool
take_word(struct arena *a, struct str *line, struct str *ret)
{
	struct buf b;
	size_t i = 0;

	buf_init(&b, a);
	while (i < line->n && line->p[i] != ' ') {
		if (line->p[i] == '\'' || line->p[i] == '"') {
			char q = line->p[i++];

			while (i < line->n && line->p[i] != q)
				buf_putc(&b, line->p[i++]);
			if (i++ >= line->n)
				return false;
		} else if (line->p[i] == '\\' && i + 1 < line->n) {
			buf_putc(&b, line->p[i + 1]);
			i += 2;
		} else {
			buf_putc(&b, line->p[i++]);
		}
	}
	if (b.full || b.n == 0)
		return false;
	while (i < line->n && line->p[i] == ' ')
		i++;
	*line = str_skip(*line, i);
	*ret = buf_str(&b);
	return true;
}

bool
setup_line_is_ours(
    struct arena *a, enum agent agent, struct str line, struct setup_found *ret)
{
	struct setup_found f = { 0 };
	struct str word;

	if (!take_word(a, &line, &f.program) || !str_is(str_base(f.program), "cordon"))
		return false;
	while (f.arguments_n < 16 && take_word(a, &line, &word))
		f.arguments[f.arguments_n++] = word;
	if (f.arguments_n < 2 || !str_is(f.arguments[0], "hook") ||
	    !str_is(f.arguments[1], agent_name(agent)))
		return false;
	if (ret && !ret->program.p) {
		ret->program = f.program;
		memcpy(ret->arguments, f.arguments, sizeof f.arguments);
		ret->arguments_n = f.arguments_n;
	}
	return true;
}

/* ---- files that belong to cordon */

static void
put_origin(struct buf *b, const char *comment, enum agent agent)
{
	buf_puts(b, comment);
	buf_puts(b, " Written by `cordon install ");
	buf_puts(b, agent_name(agent));
	buf_puts(b, "`; `cordon uninstall ");
	buf_puts(b, agent_name(agent));
	buf_puts(b, "` removes it.\n");
}

static void
put_script(struct buf *b, enum agent agent, const struct setup_params *p)
{
	buf_puts(b, "#!/bin/sh\n");
	put_origin(b, "#", agent);
	buf_puts(b, "exec ");
	setup_put_command(b, agent, p);
	buf_putc(b, '\n');
}

/* The adapter; its first lines say what it calls. */
static void
put_adapter(struct buf *b, enum agent agent, const struct setup_params *p)
{
	struct buf line;

	put_origin(b, "//", agent);
	buf_puts(b, "// calls: ");
	buf_init(&line, b->a);
	setup_put_command(&line, agent, p);
	buf_put(b, buf_str(&line));
	buf_puts(b, "\nconst CALL = [");
	json_put_str(b, p->program);
	buf_puts(b, ", ");
	setup_put_arguments(b, agent, p, ", ");
	buf_puts(b, "];\n");
	buf_put(b, p->adapter);
}

static bool
whole_is_ours(struct arena *a, enum agent agent, struct str text, struct setup_found *ret)
{
	while (text.n) {
		size_t end = str_find(text, '\n');
		struct str line = str_cut(text, 0, end);

		if (str_starts(line, STR("exec ")) &&
		    setup_line_is_ours(a, agent, str_skip(line, 5), ret))
			return true;
		if (str_starts(line, STR("// calls: ")) &&
		    setup_line_is_ours(a, agent, str_skip(line, 10), ret))
			return true;
		text = str_skip(text, end + 1);
	}
	return false;
}

static int
whole_add(struct arena *a, enum agent agent, enum agent_form form,
    const struct setup_params *p, struct str text, struct str *ret, struct err *reterr)
{
	struct buf b;

	if (text.p && !whole_is_ours(a, agent, text, NULL))
		return err_at(reterr, CORDON_EINVAL, 0,
		    "there is already a file with this name that cordon did not write");
	buf_init(&b, a);
	if (form == FORM_SCRIPT)
		put_script(&b, agent, p);
	else
		put_adapter(&b, agent, p);
	if (b.full)
		return err_at(reterr, CORDON_ENOMEM, 0, "no memory");
	*ret = buf_str(&b);
	return 0;
}

/* ---- by form */

static enum agent_form
form_of(enum agent agent, enum agent_scope scope)
{
	return (enum agent_form)agent_profile(agent)->files[scope].form;
}

int
setup_add(struct arena *a, enum agent agent, enum agent_scope scope,
    const struct setup_params *p, struct str text, struct str *ret, struct err *reterr)
{
	enum agent_form form = form_of(agent, scope);

	switch (form) {
	case FORM_NONE:
		break;
	case FORM_JSON:
		return setup_json_add(a, agent, p, text, ret, reterr);
	case FORM_TOML:
		return setup_toml_add(a, agent, p, text, ret, reterr);
	case FORM_WHOLE:
	case FORM_SCRIPT:
		return whole_add(a, agent, form, p, text, ret, reterr);
	}
	return err_at(reterr, CORDON_EUSAGE, 0, "this agent has no such settings");
}

int
setup_remove(struct arena *a, enum agent agent, enum agent_scope scope, struct str text,
    struct str *ret, struct err *reterr)
{
	switch (form_of(agent, scope)) {
	case FORM_NONE:
		break;
	case FORM_JSON:
		return setup_json_remove(a, agent, text, ret, reterr);
	case FORM_TOML:
		return setup_toml_remove(a, text, ret, reterr);
	case FORM_WHOLE:
	case FORM_SCRIPT:
		*ret = whole_is_ours(a, agent, text, NULL) ? (struct str){ NULL, 0 } : text;
		return 0;
	}
	return err_at(reterr, CORDON_EUSAGE, 0, "this agent has no such settings");
}

int
setup_inspect(struct arena *a, enum agent agent, enum agent_scope scope, struct str text,
    struct setup_found *ret, struct err *reterr)
{
	*ret = (struct setup_found){ .closed = true };
	for (const char *e = agent_profile(agent)->events; *e; e += strlen(e) + 1)
		ret->wanted++;
	switch (form_of(agent, scope)) {
	case FORM_NONE:
		break;
	case FORM_JSON:
		return setup_json_inspect(a, agent, text, ret, reterr);
	case FORM_TOML:
		return setup_toml_inspect(a, agent, text, ret, reterr);
	case FORM_WHOLE:
	case FORM_SCRIPT:
		if (whole_is_ours(a, agent, text, ret))
			ret->entries = ret->events = ret->wanted;
	}
	return 0;
}
