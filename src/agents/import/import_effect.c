#include "agents/import/rules.h"

/* `verb effect object`: read, write, net, mcp. */
static void
import_effect(struct import *im, enum import_verb verb, const char *effect,
    struct str object, struct str entry)
{
	static const char verbs[][6] = { "allow", "ask", "deny" };
	struct import_rule *r = &im->rules[im->rules_n];
	struct buf line;

	if (im->rules_n + 1 >= IMPORT_RULES) {
		im->rules_n = IMPORT_RULES;
		return;
	}
	buf_init(&line, im->a);
	buf_puts(&line, verbs[verb]);
	buf_putc(&line, ' ');
	buf_puts(&line, effect);
	buf_putc(&line, ' ');
	buf_put(&line, object);
	/* The test line only shows that the rule can be parsed. */
	if (line.full ||
	    !im->holds(im->context, buf_str(&line), (struct str){ NULL, 0 }, verb)) {
		import_note(im, entry,
		    verb == IMPORT_ALLOW ? IMPORT_LEFT_OUT : IMPORT_STAYS,
		    "the rule language cannot express it");
		return;
	}
	*r = (struct import_rule){ .verb = verb, .line = buf_str(&line), .entry = entry };
	r->words[0] = str_from_c(effect);
	r->words[1] = object;
	r->words_n = 2;
	im->rules_n++;
}

/* ---- paths */

/* Convert one path component to a pattern that matches at least as much. */
static void
put_part(struct buf *b, struct str part, bool *exact)
{
	if (str_is(part, "**")) {
		buf_puts(b, "**");
		return;
	}
	for (size_t i = 0; i < part.n; i++) {
		char c = part.p[i];
		bool star = c == '*' || c == '{' || c == '\\' || c == '!' ||
			    (unsigned char)c <= 0x20;

		if (c == '[') {
			/* A bracket expression becomes "any one character". */
			while (i < part.n && part.p[i] != ']')
				i++;
			buf_putc(b, '?');
			*exact = false;
		} else if (star || c == '}' || c == ']' || strchr("'\"$`;&|<>()#,@~", c)) {
			if (b->n == 0 || b->p[b->n - 1] != '*')
				buf_putc(b, '*');
			*exact = *exact && c == '*';
		} else {
			buf_putc(b, c);
		}
	}
}

static bool
has_glob(struct str s)
{
	return str_find(s, '*') < s.n || str_find(s, '?') < s.n || str_find(s, '[') < s.n;
}

/* Print the root of the pattern: file system, home, project, or any directory. */
static void
put_base(struct buf *b, struct str *pattern)
{
	size_t slash;

	if (str_starts(*pattern, STR("//"))) {
		*pattern = str_skip(*pattern, 2);
		return;
	}
	if (str_starts(*pattern, STR("~/"))) {
		buf_puts(b, "~");
		*pattern = str_skip(*pattern, 2);
		return;
	}
	if (str_starts(*pattern, STR("./")))
		*pattern = str_skip(*pattern, 1);
	slash = str_find(*pattern, '/');
	/* gitignore: a name without a slash matches at any depth. */
	if (slash + 1 >= pattern->n) {
		buf_puts(b, "**");
		return;
	}
	if (!str_starts(*pattern, STR("**/")))
		buf_puts(b, "@project");
	if (slash == 0)
		*pattern = str_skip(*pattern, 1);
}

void
import_path(struct import *im, enum import_verb verb, const char *effect,
    struct str pattern, struct str entry)
{
	struct str rest = import_trim(pattern);
	bool exact = true, wide = has_glob(rest);
	struct buf b;

	if (rest.n == 0 || rest.p[0] == '!') {
		import_note(im, entry,
		    verb == IMPORT_ALLOW ? IMPORT_LEFT_OUT : IMPORT_STAYS,
		    "rules cannot express an exception to a pattern");
		return;
	}
	buf_init(&b, im->a);
	put_base(&b, &rest);
	wide = wide || str_is(buf_str(&b), "**");
	while (rest.n) {
		size_t end = str_find(rest, '/');

		if (b.n || !str_starts(rest, STR("**/")))
			buf_putc(&b, '/');
		put_part(&b, str_cut(rest, 0, end), &exact);
		rest = str_skip(rest, end + 1);
		while (rest.n && rest.p[0] == '/')
			rest = str_skip(rest, 1);
	}
	/* A matched directory includes everything below it. */
	if (wide && !str_ends(buf_str(&b), STR("/**")))
		buf_putc(&b, '/');
	if (b.full) {
		im->full = true;
		return;
	}
	if (!exact)
		import_note(
		    im, entry, IMPORT_WIDER, "a sign of the pattern stands for any");
	import_effect(im, verb, effect, buf_str(&b), entry);
}

/* ---- hosts and tools */

void
import_host(struct import *im, enum import_verb verb, struct str host, struct str entry)
{
	size_t colon = str_find(host, ':');
	struct buf b;

	if (str_starts(host, STR("domain:")))
		host = str_skip(host, 7);
	else if (str_find(host, '/') < host.n || (colon < host.n && host.p[0] != '[')) {
		import_note(im, entry, verb == IMPORT_DENY ? IMPORT_STAYS : IMPORT_LEFT_OUT,
		    "rules cannot express a range of addresses or a URL");
		return;
	}
	buf_init(&b, im->a);
	buf_put(&b, host);
	/* When tightening, include subdomains. */
	if (verb != IMPORT_ALLOW && host.n && str_find(host, '*') == host.n &&
	    (host.p[0] | 32) >= 'a' && (host.p[0] | 32) <= 'z') {
		buf_puts(&b, " *.");
		buf_put(&b, host);
	}
	import_effect(im, verb, "net", buf_str(&b), entry);
}

void
import_mcp(struct import *im, enum import_verb verb, struct str server, struct str tool,
    struct str entry)
{
	struct buf b;
	size_t first = im->rules_n;

	buf_init(&b, im->a);
	buf_put(&b, server);
	buf_putc(&b, ':');
	buf_put(&b, tool.n ? tool : STR("*"));
	import_effect(im, verb, "mcp", buf_str(&b), entry);
	if (im->rules_n <= first || im->rules_n == IMPORT_RULES)
		return;
	im->rules[first].words[1] = server;
	im->rules[first].words[2] = tool.n ? tool : STR("*");
	im->rules[first].words_n = 3;
}

bool
import_is_plain_path(struct str path)
{
	size_t from = str_starts(path, STR("~/")) ? 2 : 1;

	if (path.n <= from || (path.p[0] != '/' && path.p[0] != '~'))
		return false;
	for (size_t i = 0; i < path.n; i++) {
		char c = path.p[i];

		if ((unsigned char)c <= 0x20 || strchr("*?[]{}'\"\\$`;&|<>()#", c) ||
		    (c == '~' && i > 0))
			return false;
	}
	return true;
}
