/* Build the answer of a check, with the original's messages. */
#include "dialects/gemini/gemini.h"

const struct str gemini_substitution_message =
    STR_INIT("Command substitution using $(), `` ` ``, <(), or >() is not allowed for "
	     "security reasons");
const struct str gemini_disabled_message =
    STR_INIT("Shell tool is globally disabled in configuration");
const struct str gemini_unparsed_message =
    STR_INIT("Command rejected because it could not be parsed safely");

static const char session_message[] =
    "Command(s) not on the global or session allowlist. Disallowed commands: ";
static const char core_message[] =
    "Command(s) not in the allowed commands list. Disallowed commands: ";

void
gemini_deny(struct gemini_result *r, const struct gemini_list *commands, struct str reason,
    bool hard)
{
	*r = (struct gemini_result){ .hard = hard || commands->full || !reason.p };
	r->disallowed = *commands;
	r->reason = reason.p ? reason : STR("the check needs more memory than allowed");
}

void
gemini_deny_one(struct arena *a, struct gemini_result *r, struct str command,
    struct str reason, bool hard)
{
	struct gemini_list one = { 0 };

	gemini_add(a, &one, command);
	gemini_deny(r, &one, reason, hard);
}

void
gemini_allow(struct gemini_result *r)
{
	*r = (struct gemini_result){ .all_allowed = true };
}

struct str
gemini_text(const struct buf *b)
{
	return b->full ? (struct str){ NULL, 0 } : buf_str(b);
}

struct str
gemini_blocked_reason(struct arena *a, struct str segment)
{
	struct buf b;

	buf_init(&b, a);
	buf_puts(&b, "Command '");
	buf_put(&b, segment);
	buf_puts(&b, "' is blocked by configuration");
	return gemini_text(&b);
}

void
gemini_deny_missing(struct arena *a, struct gemini_result *r,
    const struct gemini_list *missing, bool session)
{
	struct buf b;

	buf_init(&b, a);
	buf_puts(&b, session ? session_message : core_message);
	for (size_t i = 0; i < missing->n; i++) {
		if (i)
			buf_puts(&b, ", ");
		json_put_str(&b, missing->v[i]);
	}
	gemini_deny(r, missing, gemini_text(&b), false);
}

enum verdict
gemini_verdict(const struct gemini_result *r, bool headless)
{
	return r->all_allowed        ? VERDICT_ALLOW
	       : r->hard || headless ? VERDICT_DENY
				     : VERDICT_ASK;
}

void
gemini_put_result(struct buf *out, const struct gemini_result *r)
{
	json_put_member_bool(out, "allAllowed", r->all_allowed);
	json_put_key(out, "disallowedCommands");
	gemini_put_list(out, &r->disallowed);
	if (r->all_allowed)
		return;
	json_put_member(out, "blockReason", r->reason);
	json_put_member_bool(out, "isHardDenial", r->hard);
}
