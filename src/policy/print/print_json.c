/* Print the effective policy as JSON. */
#include "base/json/json.h"
#include "policy/image/image.h"

static void
put_key_word(struct buf *b, const char *key, const char *word)
{
	json_put_member_or_null(b, key, str_from_c(word));
}

static void
put_origin(struct buf *b, const struct policy *p, const struct image_origin *o)
{
	struct policy_origin origin;

	if (!o->said) {
		put_key_word(b, "layer", "default");
		return;
	}
	origin = image_origin(p, o);
	put_key_word(b, "layer", layer_name(origin.layer));
	json_put_member_or_null(b, "file", origin.file);
	json_put_member_int(b, "line", origin.line);
}

/* ---- settings and lists */

static void
put_bits(struct buf *b, const struct word_value *words, unsigned bits, bool shifted)
{
	buf_putc(b, '[');
	for (; words->word[0]; words++) {
		if (!(bits & (shifted ? 1u << words->value : words->value)))
			continue;
		json_put_sep(b);
		json_put_str(b, str_from_c(words->word));
	}
	buf_putc(b, ']');
}

static void
put_settings(struct buf *b, const struct policy *p)
{
	const struct image_settings *s = &p->head->settings;

	for (int i = 0; i < SET_BITS; i++) {
		enum setting id = (enum setting)i;

		if (id == SET_UNPROTECT)
			continue;
		json_put_key(b, setting_name(id));
		buf_putc(b, '{');
		json_put_key(b, "value");
		if (id == SET_PROTECT || id == SET_FORBID)
			put_bits(b, setting_words(id),
			    id == SET_PROTECT ? s->protect : s->forbidden,
			    id == SET_FORBID);
		else
			json_put_str(
			    b, id == SET_AUTORUN && s->value[i]
				   ? STR("on")
				   : str_from_c(word_of(setting_words(id), s->value[i])));
		put_origin(b, p, &s->by[i]);
		buf_putc(b, '}');
	}
	json_put_member_bool(b, "shell_disabled", s->shell_disabled);
	json_put_member_bool(b, "writable_bounded", s->bounded & 1);
	json_put_member_bool(b, "hosts_bounded", s->bounded & 2);
}

/* One element of a list: its text and its origin. */
static void
put_entry(
    struct buf *b, const struct policy *p, struct str text, const struct image_origin *o)
{
	json_put_sep(b);
	buf_putc(b, '{');
	json_put_member_or_null(b, "text", text);
	put_origin(b, p, o);
	buf_putc(b, '}');
}

static void
put_list(struct buf *b, const struct policy *p, enum policy_list list)
{
	const uint32_t *starts = p->head->settings.lists;

	buf_putc(b, '[');
	for (uint32_t i = starts[list]; i < starts[list + 1]; i++)
		put_entry(b, p, image_str(p, p->entries[i].text), &p->entries[i].origin);
	buf_putc(b, ']');
}

static void
put_lists(struct buf *b, const struct policy *p)
{
	static const char names[LISTS][13] = { "writable", "readable", "ignore", "root",
		"net", "composite", "safe", "mcp_allow", "lock", "before_shell",
		"after_shell", "debug_dir" };

	for (int i = 0; i < LISTS; i++) {
		json_put_key(b, names[i]);
		put_list(b, p, (enum policy_list)i);
	}
}

static void
put_lines(struct buf *b, const struct policy *p, enum line_kind kind, const char *key)
{
	json_put_key(b, key);
	buf_putc(b, '[');
	for (size_t i = 0; i < image_count(p, SECTION_LINES); i++)
		if (p->lines[i].kind == kind)
			put_entry(
			    b, p, image_str(p, p->lines[i].text), &p->lines[i].origin);
	buf_putc(b, ']');
}

/* ---- rules */

static void
put_patterns(struct buf *b, const struct policy *p, const char *key, struct patterns list)
{
	if (list.n == 0)
		return;
	json_put_key(b, key);
	buf_putc(b, '[');
	for (size_t i = 0; i < list.n; i++) {
		json_put_sep(b);
		json_put_str(b, pattern_text(p, patterns_at(p, list, i)));
	}
	buf_putc(b, ']');
}

static void
put_conditions(struct buf *b, const struct policy *p, const struct rule *r)
{
	if (r->when) {
		json_put_key(b, "when");
		put_bits(b, when_words, r->when, false);
	}
	put_patterns(b, p, "branches", r->branches);
	if (r->until)
		json_put_member_int(b, "until", r->until);
	if (r->because.p)
		json_put_member_or_null(b, "because", r->because);
	if (r->instead.p)
		json_put_member_or_null(b, "try", r->instead);
	put_patterns(b, p, "net", r->net);
	put_patterns(b, p, "writable", r->writable);
	put_patterns(b, p, "readable", r->readable);
	if (r->sandbox)
		put_key_word(b, "sandbox", word_of(grant_words, r->sandbox));
}

static void
put_rule(struct buf *b, const struct policy *p, size_t i)
{
	struct rule r;

	policy_rule(p, i, &r);
	buf_putc(b, '{');
	put_key_word(b, "verdict", word_of(verdict_words, r.verdict));
	put_key_word(b, "effect",
	    r.effect == RULE_COMMAND ? "command" : word_of(effect_words, r.effect));
	put_patterns(b, p, "words", r.words);
	put_patterns(b, p, "objects", r.objects);
	put_patterns(b, p, "with", r.with);
	put_patterns(b, p, "without", r.without);
	put_patterns(b, p, "on", r.on);
	put_patterns(b, p, "in", r.in);
	if (r.exact) {
		json_put_member_bool(b, "exactly", true);
	}
	if (r.more) {
		json_put_member_bool(b, "more", true);
	}
	put_conditions(b, p, &r);
	json_put_member_int(b, "specificity", r.specificity);
	json_put_member_or_null(b, "text", r.text);
	put_origin(b, p, &p->rules[i].origin);
	buf_putc(b, '}');
}

static void
put_tests(struct buf *b, const struct policy *p)
{
	struct policy_test t;

	for (size_t i = 0; policy_test(p, i, &t); i++) {
		json_put_sep(b);
		buf_putc(b, '{');
		json_put_member_or_null(b, "command", t.command);
		put_key_word(b, "expected", word_of(verdict_words, t.expected));
		put_origin(b, p, &p->tests[i].origin);
		buf_putc(b, '}');
	}
}

static void
put_inert(struct buf *b, const struct policy *p)
{
	struct policy_inert t;

	for (size_t i = 0; policy_inert(p, i, &t); i++) {
		json_put_sep(b);
		buf_putc(b, '{');
		json_put_member_or_null(b, "text", t.text);
		put_key_word(b, "why", inert_text(t.why));
		put_origin(b, p, &p->inert[i].origin);
		buf_putc(b, '}');
	}
}

void
policy_print_json(const struct policy *p, struct buf *out)
{
	buf_puts(out, "{\"settings\":{");
	put_settings(out, p);
	buf_puts(out, "},\"lists\":{");
	put_lists(out, p);
	put_lines(out, p, LINE_WRAPPER, "wrapper");
	put_lines(out, p, LINE_DATA, "data");
	put_lines(out, p, LINE_SET, "set");
	buf_puts(out, "},\"rules\":[");
	for (size_t i = 0; i < policy_rule_count(p); i++) {
		json_put_sep(out);
		put_rule(out, p, i);
	}
	buf_puts(out, "],\"tests\":[");
	put_tests(out, p);
	buf_puts(out, "],\"inert\":[");
	put_inert(out, p);
	buf_puts(out, "]}");
}
