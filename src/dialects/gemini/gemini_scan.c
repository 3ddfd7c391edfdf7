/* checkCommandPermissions as the original does it: on text alone. */
#include "dialects/gemini/gemini.h"

struct gemini_call
gemini_shell_call(struct str command)
{
	return (struct gemini_call){ { gemini_shell_names[0], { NULL, 0 } }, command };
}

bool
gemini_session_has(const struct gemini_list *session, struct str text)
{
	for (size_t i = 0; i < session->n; i++)
		if (gemini_text_matches(text, session->v[i]))
			return true;
	return false;
}

static void
scan_lists(struct arena *a, const struct gemini_list *parts, const struct gemini_config *c,
    struct gemini_result *r)
{
	struct gemini_list missing = { 0 };

	if (!c->session.given && !gemini_names_some(&c->core)) {
		gemini_allow(r);
		return;
	}
	for (size_t i = 0; i < parts->n; i++) {
		struct gemini_call call = gemini_shell_call(parts->v[i]);

		if (!(c->session.given && gemini_session_has(&c->session, parts->v[i])) &&
		    !gemini_call_matches(&call, &c->core))
			gemini_add(a, &missing, parts->v[i]);
	}
	if (missing.n || missing.full)
		gemini_deny_missing(a, r, &missing, c->session.given);
	else
		gemini_allow(r);
}

void
gemini_check_by_scan(struct arena *a, struct str command, const struct gemini_config *c,
    struct gemini_result *r)
{
	struct gemini_list parts = { 0 };

	gemini_scan_split(a, command, &parts);
	for (size_t i = 0; i < parts.n; i++) {
		parts.v[i] = gemini_normalise(a, parts.v[i]);
		parts.full = parts.full || !parts.v[i].p;
	}
	if (parts.full) {
		gemini_deny_one(a, r, command, (struct str){ NULL, 0 }, true);
		return;
	}
	if (gemini_scan_substitution(command)) {
		gemini_deny_one(a, r, command, gemini_substitution_message, true);
		return;
	}
	if (gemini_names_all(&c->exclude)) {
		gemini_deny(r, &parts, gemini_disabled_message, true);
		return;
	}
	for (size_t i = 0; i < parts.n; i++) {
		struct gemini_call call = gemini_shell_call(parts.v[i]);

		if (gemini_call_matches(&call, &c->exclude)) {
			gemini_deny_one(
			    a, r, parts.v[i], gemini_blocked_reason(a, parts.v[i]), true);
			return;
		}
	}
	if (gemini_names_all(&c->core))
		gemini_allow(r);
	else
		scan_lists(a, &parts, c, r);
}
