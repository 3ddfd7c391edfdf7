#include "look/gitkeys.h"
#include "base/buf.h"

#define ENTRIES_MAX 4096

/* sub: "" none, "*" any or none. */
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

/* A cell of the table, filled up with NULs, holds this text. */
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
		/* Names tell more than sections: most are of `core`. */
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

/* ---- what a change changes */

struct running {
	struct gitconf_entry *v;
	size_t n;
	bool full;
};

static bool
keep(void *context, const struct gitconf_entry *e)
{
	struct running *r = context;
	struct gitkey key = gitkey_find(e);

	if (!key.found || ((key.when & GITKEY_VALUE) && gitkey_is_bool(e)))
		return true;
	if (r->n == ENTRIES_MAX) {
		r->full = true;
		return false;
	}
	r->v[r->n++] = *e;
	return true;
}

static bool
read_running(struct arena *a, struct str text, struct running *ret)
{
	*ret = (struct running){ .v = arena_array(
				     a, ENTRIES_MAX, sizeof(struct gitconf_entry)) };
	return ret->v && gitconf_read(a, text, keep, ret, NULL) == 0 && !ret->full;
}

/* One without a subsection is not one with an empty subsection. */
static bool
same_sub(struct str x, struct str y)
{
	return x.p ? y.p && str_eq(x, y) : !y.p;
}

static bool
same_entry(const struct gitconf_entry *x, const struct gitconf_entry *y)
{
	return str_eq(x->section, y->section) && same_sub(x->sub, y->sub) &&
	       str_eq(x->name, y->name) && x->has_value == y->has_value &&
	       str_eq(x->value, y->value);
}

static struct str
name_of(struct arena *a, const struct gitconf_entry *e)
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

bool
gitkeys_same(struct arena *a, struct str before, struct str after, struct str *ret_key)
{
	struct running old, new;
	size_t i = 0;

	*ret_key = STR("");
	if (!read_running(a, before, &old) || !read_running(a, after, &new))
		return false;
	while (i < old.n && i < new.n &&same_entry(&old.v[i], &new.v[i]))
		i++;
	if (i == old.n && i == new.n)
		return true;
	*ret_key = name_of(a, i < new.n ? &new.v[i] : &old.v[i]);
	return false;
}
