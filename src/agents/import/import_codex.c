/* Codex: prefix_rule(...) of a .rules file, and the sandbox of config.toml. */
#include "agents/import/rules.h"

/* ---- the subset of Starlark that rules files use */

struct star {
	struct import *im;
	struct str text;
	size_t at;
};

static int
fail(struct star *s, const char *why)
{
	return err_at(s->im->e, CORDON_EINVAL, s->at, why);
}

static char
peek(const struct star *s)
{
	return s->at < s->text.n ? s->text.p[s->at] : '\0';
}

static void
skip(struct star *s)
{
	while (s->at < s->text.n) {
		char c = s->text.p[s->at];

		if (c == '#')
			while (s->at < s->text.n && s->text.p[s->at] != '\n')
				s->at++;
		else if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
			s->at++;
		else
			break;
	}
}

static bool
take(struct star *s, char c)
{
	skip(s);
	if (peek(s) != c)
		return false;
	s->at++;
	skip(s);
	return true;
}

static int
read_string(struct star *s, struct str *ret)
{
	char q = peek(s);
	struct buf b;

	if (q != '"' && q != '\'')
		return fail(s, "expected a quoted string");
	s->at++;
	buf_init(&b, s->im->a);
	while (peek(s) != q) {
		char c = peek(s);

		if (c == '\0' || c == '\n')
			return fail(s, "unterminated string");
		if (c == '\\') {
			s->at++;
			c = peek(s);
			c = (char)(c == 'n' ? '\n' : c == 't' ? '\t' : c);
			if (c != '\n' && c != '\t' && c != '\\' && c != q)
				return fail(s, "unknown escape sequence");
		}
		buf_putc(&b, c);
		s->at++;
	}
	s->at++;
	skip(s);
	*ret = buf_str(&b);
	return b.full ? err_at(s->im->e, CORDON_ENOMEM, s->at, "no memory") : 0;
}

static struct str
read_name(struct star *s)
{
	size_t from = s->at;

	while ((peek(s) | 32) >= 'a' && (peek(s) | 32) <= 'z'
		   ? true
		   : peek(s) == '_' || (peek(s) >= '0' && peek(s) <= '9'))
		s->at++;
	return str_cut(s->text, from, s->at);
}

/* ---- prefix_rule */

#define CHOICES 16

struct prefix_rule {
	struct str words[IMPORT_WORDS][CHOICES];
	size_t choices[IMPORT_WORDS], n;
	struct str decision, why;
};

/* ["git", ["status", "log"]] */
static int
read_pattern(struct star *s, struct prefix_rule *r)
{
	int err = take(s, '[') ? 0 : fail(s, "expected a list");

	while (!err && !take(s, ']')) {
		size_t *n = &r->choices[r->n];

		if (r->n == IMPORT_WORDS)
			return fail(s, "the pattern has more words than a rule can have");
		if (!take(s, '[')) {
			err = read_string(s, &r->words[r->n][(*n)++]);
		} else {
			while (!err && !take(s, ']')) {
				if (*n == CHOICES)
					return fail(s, "more than 16 alternatives");
				err = read_string(s, &r->words[r->n][(*n)++]);
				if (!err && !take(s, ',') && peek(s) != ']')
					err = fail(s, "expected ',' or ']'");
			}
		}
		if (!err && *n == 0)
			err = fail(s, "empty list");
		r->n++;
		if (!err && !take(s, ',') && peek(s) != ']')
			err = fail(s, "expected ',' or ']'");
	}
	return err;
}

/* Skip a value that is not needed: strings, lists, names. */
static int
skip_value(struct star *s, int depth)
{
	struct str unused;
	int err = 0;

	if (peek(s) == '"' || peek(s) == '\'')
		return read_string(s, &unused);
	if (depth < 8 && take(s, '[')) {
		while (!err && !take(s, ']')) {
			err = skip_value(s, depth + 1);
			if (!err && !take(s, ',') && peek(s) != ']')
				err = fail(s, "expected ',' or ']'");
		}
		return err;
	}
	if (read_name(s).n == 0)
		return fail(s, "expected a value");
	skip(s);
	return 0;
}

static int
read_argument(struct star *s, struct prefix_rule *r)
{
	struct str name = read_name(s);

	if (!take(s, '='))
		return fail(s, "expected NAME = VALUE");
	if (str_is(name, "pattern"))
		return read_pattern(s, r);
	if (str_is(name, "decision"))
		return read_string(s, &r->decision);
	if (str_is(name, "justification"))
		return read_string(s, &r->why);
	if (str_among(name, "match\0not_match\0name\0paths\0host\0protocol\0"))
		return skip_value(s, 0);
	return fail(s, "unknown argument");
}

/* Make a rule for each combination of alternatives, up to a limit. */
static void
emit(struct import *im, const struct prefix_rule *r, struct str entry)
{
	enum import_verb verb = str_is(r->decision, "forbidden") ? IMPORT_DENY
				: str_is(r->decision, "prompt")  ? IMPORT_ASK
								 : IMPORT_ALLOW;
	size_t total = 1;

	for (size_t i = 0; i < r->n; i++)
		total *= total > 256 ? 1 : r->choices[i];
	if (total > 256) {
		import_note(
		    im, entry, IMPORT_STAYS, "it stands for more than 256 commands");
		return;
	}
	for (size_t k = 0; k < total; k++) {
		struct import_words w = { 0 };
		size_t rest = k;

		for (size_t i = 0; i < r->n; i++) {
			struct import_words one;
			struct str word = r->words[i][rest % r->choices[i]];

			rest /= r->choices[i];
			import_split(im, word, &one);
			/* Codex matches words literally: no star, no splitting at
			 * blanks. */
			if (one.cut || one.tail || one.n != 1 || !str_eq(one.v[0], word)) {
				w.cut = true;
				break;
			}
			w.v[w.n++] = word;
		}
		import_command(im, verb, &w, entry, r->why);
	}
}

static int
read_statement(struct star *s)
{
	size_t from = s->at;
	struct str name = read_name(s);
	struct prefix_rule *r = ARENA_NEW(s->im->a, struct prefix_rule);
	int err = 0;

	if (!r)
		return err_at(s->im->e, CORDON_ENOMEM, from, "no memory");
	if (!str_among(name, "prefix_rule\0host_executable\0network_rule\0") ||
	    !take(s, '('))
		return fail(s, "expected prefix_rule(...)");
	while (!err && !take(s, ')')) {
		err = read_argument(s, r);
		if (!err && !take(s, ',') && peek(s) != ')')
			err = fail(s, "expected ',' or ')'");
	}
	if (err)
		return err;
	if (!str_is(name, "prefix_rule")) {
		import_note(s->im, import_trim(str_cut(s->text, from, s->at)), IMPORT_STAYS,
		    "cordon finds programs by itself; hosts have their own rules");
		return 0;
	}
	if (r->decision.p && !str_among(r->decision, "allow\0prompt\0forbidden\0"))
		return fail(s, "decision must be allow, prompt or forbidden");
	if (r->n == 0)
		return fail(s, "a rule without a pattern");
	emit(s->im, r, import_trim(str_cut(s->text, from, s->at)));
	return 0;
}

int
import_codex_rules(struct import *im, struct str text)
{
	struct star s = { im, text, 0 };
	int err = 0;

	skip(&s);
	while (!err && s.at < text.n) {
		err = read_statement(&s);
		skip(&s);
	}
	return err;
}

/* ---- config.toml */

static void
take_roots(struct import *im, const struct json *list)
{
	for (const struct json *m = import_list(im, list); m; m = m->next) {
		struct buf b;

		if (m->kind != JSON_STRING)
			continue;
		if (!import_is_plain_path(m->text) || m->text.p[0] != '/') {
			import_note(im, m->text, IMPORT_LEFT_OUT,
			    "only an absolute directory without special characters can be "
			    "converted");
			continue;
		}
		buf_init(&b, im->a);
		import_put_word(&b, m->text, false);
		import_setting(im, "writable", buf_str(&b), STR("writable_roots"));
	}
}

void
import_codex_config(struct import *im, const struct json *root)
{
	const struct json *write = json_get(root, STR("sandbox_workspace_write"));
	struct str mode = import_member(root, "sandbox_mode"),
		   ask = import_member(root, "approval_policy");

	if (str_is(mode, "danger-full-access"))
		import_note(im, mode, IMPORT_LEFT_OUT,
		    "it switches the sandbox off; write `sandbox insecure_none` if you "
		    "want that");
	else if (str_is(mode, "workspace-write"))
		import_setting(
		    im, "sandbox", STR("workspace_readwrite"), STR("sandbox_mode"));
	else
		import_setting(im, "sandbox", STR("workspace_readonly"),
		    mode.p ? STR("sandbox_mode")
			   : STR("sandbox_mode defaults to read-only"));
	if (str_is(mode, "workspace-write")) {
		take_roots(im, json_get(write, STR("writable_roots")));
		if (import_is_true(write, "network_access"))
			import_setting(im, "network", STR("on"), STR("network_access"));
		if (import_is_true(write, "exclude_slash_tmp"))
			import_setting(
			    im, "tmp_write", STR("off"), STR("exclude_slash_tmp"));
	}
	if (str_is(ask, "untrusted"))
		import_default(im, "ask",
		    "approval_policy untrusted: ask about everything not known to be "
		    "harmless");
	for (const struct json *m = json_get(root, STR("projects"))
					? json_get(root, STR("projects"))->first
					: NULL;
	     m; m = m->next)
		if (str_is(import_member(m, "trust_level"), "trusted"))
			import_note(im, m->key, IMPORT_LEFT_OUT,
			    "use `cordon trust DIR` to trust a project's rules");
}
