/*
 * kill, pkill, killall, fuser: a confined command sees only processes of its own sandbox.
 */
#include "decide/judge.h"

/* Processes that other users' work depends on, and patterns that match every name. */
static bool
is_everybodys(struct str name)
{
	static const char names[] =
	    "\0.\0.*\0*\0^\0$\0init\0systemd\0sshd\0dbus-daemon\0Xorg\0Xwayland\0gnome-"
	    "shell\0"
	    "plasmashell\0dockerd\0containerd\0NetworkManager\0cron\0crond\0udevd\0"
	    "systemd-udevd\0systemd-logind\0login\0getty\0agetty\0launchd\0WindowServer\0";

	return name.n == 0 || str_among(name, names + 1);
}

/* `kill -9 -1` and `kill 1`: every process, or init. */
static bool
kills_all(const struct command *c)
{
	for (size_t i = 1; i < c->argc; i++) {
		struct field f = c->argv[i];

		if (f.kind == FIELD_STR &&
		    (str_is(f.text, "1") || (str_is(f.text, "-1") && i > 1)))
			return true;
	}
	return false;
}

/* `pkill -u me` selects by owner instead of by name. */
static bool
is_wide(struct str program, const struct know_option *option)
{
	static const char pkill[] = "-u\0--euid\0-U\0--uid\0-G\0--group\0-g\0--pgroup\0"
				    "-P\0--parent\0-s\0--session\0-t\0--terminal\0"
				    "-v\0--inverse\0",
			  killall[] = "-u\0--user\0";
	struct str name;

	for (size_t i = 0; (name = know_option_name(option, i)).n; i++)
		if (str_among(name, str_is(program, "pkill") ? pkill : killall))
			return true;
	return false;
}

/* True if it selects all processes: `pkill .`, or options that select by owner. */
static bool
names_all(const struct command *c)
{
	bool any = false;

	if (!c->scan || c->scan->unknown_option < c->argc)
		return true;
	for (size_t i = 0; i < c->scan->count; i++) {
		const struct know_item *item = &c->scan->items[i];

		if (item->option && is_wide(c->program, item->option))
			return true;
		if (item->option)
			continue;
		any = true;
		if (item->value.kind == FIELD_STR && is_everybodys(item->value.text))
			return true;
	}
	return !any;
}

/* `fuser -k 3000/tcp`: only processes that use a port.  A file could be a mount point that
 * all processes use. */
static bool
ends_users_of_ports(const struct command *c)
{
	bool any = false;

	for (size_t i = 1; i < c->argc; i++) {
		struct str t = c->argv[i].text;

		if (c->argv[i].kind != FIELD_STR || str_among(t, "-m\0-M\0-km\0-mk\0"))
			return false;
		if (t.n > 0 && t.p[0] == '-')
			continue;
		any = str_ends(t, STR("/tcp")) || str_ends(t, STR("/udp"));
		if (!any)
			return false;
	}
	return any;
}

bool
command_signals_own(const struct deciding *d, const struct command *c)
{
	if (!d->in->sandbox || !c->program.p || c->remote)
		return false;
	if (str_is(c->program, "kill"))
		return !kills_all(c);
	if (str_is(c->program, "fuser"))
		return ends_users_of_ports(c);
	return str_among(c->program, "pkill\0killall\0") && !names_all(c);
}
