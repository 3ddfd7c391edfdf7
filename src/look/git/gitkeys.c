#include "look/git/gitkeys.h"
#include "base/buf.h"

/* sub: "" no subsection, "*" any or none. */
static const struct {
	char section[16], sub[2], name[24];
	unsigned when;
} keys[] = {
	{ "core", "", "fsmonitor", GITKEY_VALUE },
	{ "core", "", "pager", 0 },
	{ "core", "", "sshcommand", GITKEY_NETWORK },
	{ "core", "", "gitproxy", GITKEY_NETWORK },
	{ "core", "", "askpass", GITKEY_NETWORK },
	{ "core", "", "editor", GITKEY_WRITES },
	{ "core", "", "alternaterefscommand", 0 },
	{ "core", "", "hookspath", GITKEY_LEADS },
	{ "core", "", "worktree", GITKEY_LEADS },
	{ "include", "", "path", GITKEY_LEADS },
	{ "includeif", "*", "path", GITKEY_LEADS },
	{ "alias", "*", "*", GITKEY_LEADS },
	{ "sequence", "", "editor", GITKEY_WRITES },
	{ "pager", "", "*", GITKEY_VALUE },
	{ "diff", "*", "external", 0 },
	{ "diff", "*", "command", 0 },
	{ "diff", "*", "textconv", 0 },
	{ "merge", "*", "driver", GITKEY_WRITES },
	{ "filter", "*", "clean", 0 },
	{ "filter", "*", "smudge", 0 },
	{ "filter", "*", "process", 0 },
	{ "gpg", "*", "program", 0 },
	{ "gpg", "*", "defaultkeycommand", 0 },
	{ "credential", "*", "helper", GITKEY_NETWORK },
	{ "difftool", "*", "*", GITKEY_WRITES },
	{ "mergetool", "*", "*", GITKEY_WRITES },
	{ "guitool", "*", "*", GITKEY_WRITES },
	{ "remote", "*", "uploadpack", GITKEY_NETWORK },
	{ "remote", "*", "receivepack", GITKEY_NETWORK },
	{ "remote", "*", "vcs", GITKEY_NETWORK },
	{ "uploadpack", "", "packobjectshook", 0 },
	{ "gc", "", "recentobjectshook", GITKEY_WRITES },
	{ "protocol", "*", "allow", GITKEY_NETWORK },
	{ "submodule", "*", "update", GITKEY_WRITES },
	{ "interactive", "", "difffilter", 0 },
	{ "trailer", "*", "command", GITKEY_WRITES },
	{ "trailer", "*", "cmd", GITKEY_WRITES },
	{ "sendemail", "*", "*", GITKEY_NETWORK },
	{ "imap", "*", "tunnel", GITKEY_NETWORK },
	{ "lfs", "*", "*", GITKEY_NETWORK },
	{ "tar", "*", "command", GITKEY_WRITES },
	{ "browser", "*", "*", GITKEY_WRITES },
	{ "man", "*", "*", GITKEY_WRITES },
	{ "web", "", "browser", GITKEY_WRITES },
	{ "help", "", "browser", GITKEY_WRITES },
	{ "instaweb", "", "*", GITKEY_WRITES },
	{ "hook", "*", "*", 0 },
	{ "init", "", "templatedir", GITKEY_WRITES },
};

/* True if a NUL-padded cell of the table has this text. */
static bool
holds(const char *cell, size_t size, struct str text)
{
	return text.n > 0 && text.n < size && cell[0] == text.p[0] && !cell[text.n] &&
	       memcmp(cell, text.p, text.n) == 0;
}

struct gitkey
gitkey_find(const struct gitconf_entry *e)
{
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		/* Compare names first: most sections are `core`. */
		if ((keys[i].name[0] == '*' ||
			holds(keys[i].name, sizeof keys[i].name, e->name)) &&
		    holds(keys[i].section, sizeof keys[i].section, e->section) &&
		    (keys[i].sub[0] || !e->sub.p))
			return (struct gitkey){ true, keys[i].when };
	return (struct gitkey){ false, 0 };
}

bool
gitkey_is_bool(const struct gitconf_entry *e)
{
	static const char words[][6] = { "", "true", "false", "yes", "no", "on", "off", "0",
		"1" };

	if (!e->has_value)
		return true;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (str_is(e->value, words[i]))
			return true;
	return false;
}

struct str
gitkey_name(struct arena *a, const struct gitconf_entry *e)
{
	struct buf b;

	buf_init(&b, a);
	buf_put(&b, e->section);
	if (e->sub.p) {
		buf_putc(&b, '.');
		buf_put(&b, e->sub);
	}
	buf_putc(&b, '.');
	buf_put(&b, e->name);
	return b.full ? STR("") : buf_str(&b);
}
