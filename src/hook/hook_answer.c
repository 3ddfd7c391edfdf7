/* Dispatch a call by its kind. */
#include "gate/outcome.h"
#include "hook/hook.h"

void
hook_answer(struct hook *h, struct agent_answer *ret)
{
	struct keep_who who = hook_who(h);

	*ret = (struct agent_answer){ .verdict = outcome_verdict(OUTCOME_PASS) };
	if (h->call.event == EVENT_OTHER)
		return;
	switch (h->call.kind) {
	case CALL_NONE:
		return;
	case CALL_SHELL:
		hook_shell(h, ret);
		return;
	case CALL_FILES:
		hook_files(h, ret);
		return;
	case CALL_MCP:
		hook_mcp(h, ret);
		return;
	case CALL_SETTINGS:
		hook_settings(h, ret);
		return;
	case CALL_BAD:
		break;
	}
	(void)keep_refusal(&h->keep, &who, h->call.tool, str_from_c(h->call.why), NULL);
	hook_deny(h, str_from_c(h->call.why), STR("use the bash tool instead"), ret);
}
