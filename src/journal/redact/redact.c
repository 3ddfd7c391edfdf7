#include "journal/redact/redact.h"
#include "base/buf.h"
#include "journal/record.h"
#include "journal/redact/redact_scan.h"
#include "journal/redact/redact_table.h"

/* How far back to look for the name before a `=`, and how many signs may stand between. */
#define NAME_BACK 64
#define BETWEEN 6
#define USERINFO_MAX 1024

/* Length class for the marker; does not tell the exact length. */
static const char *
length_class(size_t n)
{
	return n < 8    ? "1-7"
	       : n < 16 ? "8-15"
	       : n < 32 ? "16-31"
	       : n < 64 ? "32-63"
			: "64+";
}

static void
hide(struct redact_scan *s, struct cut c)
{
	buf_put(&s->out, str_cut(s->t, s->done, c.from));
	buf_puts(&s->out, "[redacted:");
	buf_puts(&s->out, length_class(c.to - c.from));
	buf_puts(&s->out, "]");
	s->done = c.to;
}

/* ---- -----BEGIN PRIVATE KEY----- */

/* Redact such a block even if a variable holds it. */
static struct cut
unless_done(const struct redact_scan *s, struct cut c)
{
	return c.to <= c.from || secret_is_marker(piece(s, c)) ? nothing : c;
}

static struct cut
key_block(const struct redact_scan *s, size_t at)
{
	struct str rest = str_skip(s->t, at), line;
	size_t n, from;

	if (!str_starts(rest, STR("-----BEGIN ")))
		return nothing;
	n = 11 + str_find(str_skip(rest, 11), '-');
	line = str_cut(rest, 0, n < rest.n ? n : rest.n);
	if (!str_ends(line, STR("PRIVATE KEY")) &&
	    !str_ends(line, STR("PRIVATE KEY BLOCK")))
		return nothing;
	from = at + line.n;
	while (from < s->t.n && s->t.p[from] == '-')
		from++;
	for (size_t i = from; i < s->t.n; i++)
		if (s->t.p[i] == '-' && str_starts(str_skip(s->t, i), STR("-----END ")))
			return unless_done(s, (struct cut){ from, i });
	return unless_done(s, (struct cut){ from, s->t.n });
}

/* ---- tokens */

static bool
is_token_byte(enum token_bytes kind, char c)
{
	switch (kind) {
	case TOKEN_ALNUM:
		return is_alnum(c);
	case TOKEN_WORD:
		return is_alnum(c) || c == '_';
	case TOKEN_URL:
		return is_alnum(c) || c == '_' || c == '-';
	case TOKEN_DOTS:
		return is_name_byte(c);
	case TOKEN_UPPER:
		return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
	}
	return false;
}

/* Find the end of the token that starts at `from`; or nothing, and *failed is the offset
 * up to which another try is useless: from there the token would only be shorter. */
static struct cut
token_end(
    const struct redact_scan *s, const struct token_rule *rule, size_t from, size_t *failed)
{
	size_t to = from, dots = 0;
	bool digit = false;

	for (; to < s->t.n && is_token_byte(rule->bytes, s->t.p[to]); to++) {
		digit = digit || (s->t.p[to] >= '0' && s->t.p[to] <= '9');
		dots += s->t.p[to] == '.';
	}
	if (to - from < rule->least || (rule->digit && !digit) || (rule->jwt && dots < 2)) {
		*failed = to;
		return nothing;
	}
	return (struct cut){ from, to };
}

static struct cut
token(struct redact_scan *s, size_t at)
{
	struct str rest = str_skip(s->t, at);
	size_t i = rest.p[0] & 0x80 ? 0 : token_first[(uint8_t)rest.p[0]];

	if (i == 0 || rest.n < 4)
		return nothing;
	/* The table is sorted.  Most words already differ in the second byte. */
	for (i--; i < token_rules_n; i++) {
		const struct token_rule *rule = &token_rules[i];
		struct cut c;

		if (rule->prefix.p[0] != rest.p[0])
			break;
		if (rule->prefix.p[1] != rest.p[1] ||
		    !str_starts(rest, word_str(&rule->prefix)) || at < s->failed[i])
			continue;
		c = token_end(s, rule, at + rule->prefix.n, &s->failed[i]);
		if (c.to)
			return c;
	}
	return nothing;
}

static struct cut
bearer(const struct redact_scan *s, size_t at)
{
	struct str rest = str_skip(s->t, at);
	size_t to = at + 7;

	if (!str_starts(rest, STR("Bearer ")) && !str_starts(rest, STR("bearer ")))
		return nothing;
	while (to < s->t.n && (is_name_byte(s->t.p[to]) || strchr("~+/=", s->t.p[to])))
		to++;
	return to - at < 7 + 16 ? nothing : (struct cut){ at + 7, to };
}

/* ---- name=value, "name": "value", name => value */

/* Find the name before `at`, skipping quotes, brackets and, before `=`, blanks. */
static struct cut
name_before(const struct redact_scan *s, size_t at, bool blanks, bool *quoted)
{
	size_t to = at, from;

	*quoted = false;
	for (int i = 0; i < BETWEEN && to > s->done; i++) {
		char c = s->t.p[to - 1];

		if (c == '"' || c == '\'')
			*quoted = true;
		else if (c != '\\' && c != ']' &&
			 !(blanks && (c == ' ' || c == '\t' || c == ':')))
			break;
		to--;
	}
	from = to;
	while (from > s->done && to - from < NAME_BACK && is_name_byte(s->t.p[from - 1]))
		from--;
	return (struct cut){ from, to };
}

/* ${NAME:-default}: here the sign does not separate a name from its value. */
static bool
is_expansion(const struct redact_scan *s, struct cut name)
{
	return name.from >= 2 && s->t.p[name.from - 1] == '{' &&
	       s->t.p[name.from - 2] == '$';
}

static struct cut
behind_equals(const struct redact_scan *s, size_t at)
{
	bool quoted, list;
	struct cut name = name_before(s, at, true, &quoted), value;
	size_t from = at + 1;
	char next = from < s->t.n ? s->t.p[from] : '\0';

	if (name.to == name.from || is_expansion(s, name))
		return nothing;
	if (secret_is_header(piece(s, name)))
		return unless_harmless(s, secret_header_at(s->t, from));
	if (!secret_is_name(piece(s, name)))
		return nothing;
	list = quoted;
	if (next == '>' || next == '=')
		from++;
	/* `NAME= x` gives NAME no value; `name = x` does. */
	if (name.to < at || next == '>' || next == '=')
		while (from < s->t.n && (s->t.p[from] == ' ' || s->t.p[from] == '\t'))
			from++;
	value = secret_value_at(s->t, from, list);
	/* `a == b` compares; before a bare word it may also be a version. */
	if (next == '=' && value.from == from)
		return nothing;
	return unless_harmless(s, value);
}

static struct cut
behind_colon(const struct redact_scan *s, size_t at)
{
	bool quoted;
	struct cut name = name_before(s, at, false, &quoted), value;
	size_t from = at + 1;
	struct str text;

	if (name.to == name.from || from >= s->t.n || strchr(":/=", s->t.p[from]) ||
	    is_expansion(s, name))
		return nothing;
	if (secret_is_header(piece(s, name)))
		return unless_harmless(s, secret_header_at(s->t, from));
	if (!secret_is_name(piece(s, name)))
		return nothing;
	text = s->t;
	while (from < text.n && (text.p[from] == ' ' || text.p[from] == '\t'))
		from++;
	if (from == at + 1 && !quoted && !strchr("'\"\\$", text.p[from]) &&
	    text.n - at > 2 * SECRET_RANDOM_MAX)
		text.n = at + 2 * SECRET_RANDOM_MAX; /* longer values do not look random */
	value = secret_value_at(text, from, quoted);
	/* image:tag, volume:path: a name and a colon are not enough. */
	if (from == at + 1 && value.from == from && !quoted &&
	    !secret_looks_random(piece(s, value)))
		return nothing;
	return unless_harmless(s, value);
}

/* ---- scheme://user:secret@host */

static struct cut
userinfo(const struct redact_scan *s, size_t colon)
{
	size_t from = colon + 3, to = from, scheme = colon, mid;
	struct str user;
	bool web;

	if (!str_starts(str_skip(s->t, colon), STR("://")))
		return nothing;
	while (scheme > s->done && colon - scheme < 16 && is_alnum(s->t.p[scheme - 1]))
		scheme--;
	web = str_starts(str_cut(s->t, scheme, colon), STR("http"));
	while (to < s->t.n && to - from < USERINFO_MAX && !is_blank(s->t.p[to]) &&
	       !strchr("@/?#'\"`<>|;", s->t.p[to]))
		to++;
	if (to >= s->t.n || s->t.p[to] != '@' || to == from)
		return nothing;
	user = str_cut(s->t, from, to);
	mid = str_find(user, ':');
	/* A user name alone is a secret only if it may be a token. */
	if (mid == user.n && (!web || user.n < 16))
		return nothing;
	if (mid < user.n && secret_is_harmless(str_skip(user, mid + 1)))
		return nothing;
	return unless_harmless(s, (struct cut){ from, to });
}

/* ---- the scan */

static struct cut
rules_at(struct redact_scan *s, size_t at)
{
	char c = s->t.p[at], before = at ? s->t.p[at - 1] : ' ';
	struct cut cut = nothing;

	/* Nothing starts inside a word. */
	if (is_alnum(c) && is_alnum(before))
		return nothing;
	if (is_byte(c, BYTE_ENDS))
		s->programs = 0;
	if (c == '=')
		return behind_equals(s, at);
	if (c == ':') {
		cut = userinfo(s, at);
		return cut.to ? cut : behind_colon(s, at);
	}
	if (c == '-' && before != '-')
		cut = key_block(s, at);
	if (cut.to == 0 && is_alnum(c) && !is_alnum(before) && before != '_')
		cut = token(s, at);
	if (cut.to == 0 && (c == 'B' || c == 'b') && !is_alnum(before))
		cut = bearer(s, at);
	if (cut.to == 0 &&
	    (is_byte(before, BYTE_BLANK | BYTE_ENDS) || before == '"' || before == '\''))
		cut = redact_word(s, at);
	return cut;
}

int
redact_text(struct arena *a, struct str text, struct str *ret, struct err *reterr)
{
	struct redact_scan s = { .t = text };

	buf_init(&s.out, a);
	for (size_t at = 0; at < text.n;) {
		struct cut c = rules_at(&s, at);

		if (c.to) {
			hide(&s, c);
			at = c.to;
		} else {
			at++;
		}
	}
	if (s.done == 0) {
		*ret = text;
		return 0;
	}
	buf_put(&s.out, str_skip(text, s.done));
	if (s.out.full)
		return err_at(reterr, CORDON_ENOMEM, 0, "no memory to redact a text");
	*ret = buf_str(&s.out);
	return 0;
}

/* Keep names and ids: they must stay searchable. */
int
record_redact(struct arena *a, struct record *r, struct err *reterr)
{
	struct str *const texts[] = { &r->cwd, &r->command, &r->program, &r->path,
		&r->reason, &r->outcome, &r->detail, NULL };

	for (size_t i = 0; texts[i]; i++) {
		struct str clean;
		int err = texts[i]->p ? redact_text(a, *texts[i], &clean, reterr) : 0;

		if (err)
			return err;
		if (texts[i]->p && clean.p != texts[i]->p) {
			*texts[i] = clean;
			r->flags |= RECORD_REDACTED;
		}
	}
	return 0;
}
