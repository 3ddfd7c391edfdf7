/* getShellConfiguration */
#include "dialects/gemini/gemini.h"

/* True if `s` ends in `end`, without case; `end` is in lower case. */
static bool
ends_without_case(struct str s, struct str end)
{
	struct str tail;

	if (s.n < end.n)
		return false;
	tail = str_skip(s, s.n - end.n);
	for (size_t i = 0; i < end.n; i++) {
		char c = tail.p[i];

		if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != end.p[i])
			return false;
	}
	return true;
}

struct gemini_shell
gemini_shell(struct str platform, struct str comspec)
{
	static const char *const bash[] = { "-c", NULL };
	static const char *const cmd[] = { "/d", "/s", "/c", NULL };
	static const char *const powershell[] = { "-NoProfile", "-Command", NULL };

	if (!str_is(platform, "win32"))
		return (struct gemini_shell){ STR("bash"), bash, "bash" };
	if (comspec.n == 0)
		comspec = STR("cmd.exe");
	if (ends_without_case(comspec, STR("powershell.exe")) ||
	    ends_without_case(comspec, STR("pwsh.exe")))
		return (struct gemini_shell){ comspec, powershell, "powershell" };
	return (struct gemini_shell){ comspec, cmd, "cmd" };
}
