#define _GNU_SOURCE
#include "confine/filter/filter_tree.h"

/* The rule of each call in calls.list. */
enum rule {
	RULE_ALLOW,
	RULE_EPERM,
	RULE_ENOSYS,
	RULE_OPENAT,
	RULE_OPEN,
	RULE_WRITES,
	RULE_ATTRIBUTE,
	RULE_FCHMOD,
	RULE_FCHOWN,
	RULE_UTIMENSAT,
	RULE_SOCKET,
	RULE_SOCKETPAIR,
	RULE_LISTEN,
	RULE_SENDTO,
	RULE_SENDMSG,
	RULE_SENDMMSG,
	RULE_SETSOCKOPT,
	RULE_EXEC,
	RULE_KILL,
	RULE_CLONE,
	RULE_PERSONALITY,
	RULE_PRLIMIT,
	RULE_PRIORITY,
	RULE_IOPRIO,
	RULE_OTHERS,
	RULE_IOCTL,
	RULE_FCNTL,
	RULE_SHARED,
	RULES,
};

static const struct {
	uint16_t nr;
	uint8_t rule;
} calls[] = {
#define FREE(name) { SYS_##name, RULE_ALLOW },
#define CALL(name, rule, handler) { SYS_##name, RULE_##rule },
#include "confine/filter/calls.list"
#undef FREE
#undef CALL
};

/* Options, as bits.  HELD: files on mounts of the host can be reached, or there are no
 * mounts of our own at all. */
enum when {
	ALWAYS = 0,
	LISTEN = 1,
	READS = 2,
	GATE = 4,
	BARE = 8,
	HELD = 16,
	GROUPS = 32,
	JOINED = 64,
	LISTED = 128,
};

static unsigned
when_of(const struct filter_opts *o)
{
	return (o->listen ? LISTEN : 0) | (o->watch_reads ? READS : 0) |
	       (o->gate ? GATE : 0) | (o->bare ? BARE : 0) |
	       (o->bare || o->attributes ? HELD : 0) | (o->groups ? GROUPS : 0) |
	       (o->joined ? JOINED : 0) | (o->listed ? LISTED : 0);
}

/* The meaning of a rule: the first of its lines whose options are all set counts. */
static const struct {
	uint8_t rule, when, action;
} rules[] = {
	{ RULE_ALLOW, ALWAYS, FILTER_ALLOW },
	{ RULE_EPERM, ALWAYS, FILTER_EPERM },
	{ RULE_ENOSYS, ALWAYS, FILTER_ENOSYS },
	{ RULE_OPENAT, LISTEN | READS, FILTER_READAT },
	{ RULE_OPENAT, LISTEN, FILTER_OPENAT },
	{ RULE_OPENAT, ALWAYS, FILTER_ALLOW },
	{ RULE_OPEN, LISTEN | READS, FILTER_READ },
	{ RULE_OPEN, LISTEN, FILTER_OPEN },
	{ RULE_OPEN, ALWAYS, FILTER_ALLOW },
	/* Without a listener everything is mounted read-only. */
	{ RULE_WRITES, LISTEN, FILTER_NOTIFY },
	{ RULE_WRITES, ALWAYS, FILTER_ALLOW },
	{ RULE_ATTRIBUTE, LISTEN, FILTER_NOTIFY },
	{ RULE_ATTRIBUTE, HELD, FILTER_EPERM },
	{ RULE_ATTRIBUTE, ALWAYS, FILTER_ALLOW },
	{ RULE_FCHMOD, LISTEN, FILTER_NOTIFY },
	{ RULE_FCHMOD, HELD, FILTER_EPERM },
	{ RULE_FCHMOD, ALWAYS, FILTER_FCHMOD },
	{ RULE_FCHOWN, LISTEN | HELD, FILTER_NOTIFY },
	{ RULE_FCHOWN, HELD, FILTER_EPERM },
	{ RULE_FCHOWN, LISTEN, FILTER_FCHOWN },
	{ RULE_FCHOWN, ALWAYS, FILTER_ALLOW },
	{ RULE_UTIMENSAT, LISTEN | HELD, FILTER_NOTIFY },
	{ RULE_UTIMENSAT, HELD, FILTER_EPERM },
	{ RULE_UTIMENSAT, LISTEN, FILTER_UTIMENSAT },
	{ RULE_UTIMENSAT, ALWAYS, FILTER_ALLOW },
	{ RULE_SOCKET, ALWAYS, FILTER_SOCKET },
	{ RULE_SOCKETPAIR, ALWAYS, FILTER_SOCKETPAIR },
	/* Refuse sends and options that lead elsewhere; listen(2) would open the host. */
	{ RULE_LISTEN, LISTED, FILTER_NOTIFY },
	{ RULE_LISTEN, ALWAYS, FILTER_ALLOW },
	{ RULE_SENDTO, LISTED, FILTER_SENDTO },
	{ RULE_SENDTO, LISTEN, FILTER_SENDTO_ANY },
	{ RULE_SENDTO, ALWAYS, FILTER_ALLOW },
	{ RULE_SENDMSG, LISTED, FILTER_SENDMSG },
	{ RULE_SENDMSG, ALWAYS, FILTER_ALLOW },
	{ RULE_SENDMMSG, LISTED, FILTER_SENDMMSG },
	{ RULE_SENDMMSG, ALWAYS, FILTER_ALLOW },
	{ RULE_SETSOCKOPT, LISTED, FILTER_SETSOCKOPT },
	{ RULE_SETSOCKOPT, ALWAYS, FILTER_ALLOW },
	{ RULE_EXEC, GATE, FILTER_NOTIFY },
	{ RULE_EXEC, ALWAYS, FILTER_ALLOW },
	/* The caller's own process group (0) has processes of the host in it, whatever the
	 * namespaces. */
	{ RULE_KILL, LISTEN | GROUPS, FILTER_KILL },
	{ RULE_KILL, GROUPS, FILTER_KILL_NONE },
	{ RULE_KILL, ALWAYS, FILTER_ALLOW },
	{ RULE_CLONE, ALWAYS, FILTER_CLONE },
	{ RULE_PERSONALITY, ALWAYS, FILTER_PERSONALITY },
	{ RULE_PRLIMIT, BARE, FILTER_OTHERS_0 },
	{ RULE_PRLIMIT, JOINED, FILTER_PRLIMIT },
	{ RULE_PRLIMIT, ALWAYS, FILTER_ALLOW },
	{ RULE_PRIORITY, BARE, FILTER_PRIORITY },
	{ RULE_PRIORITY, ALWAYS, FILTER_PRIORITY_GROUP },
	{ RULE_IOPRIO, BARE, FILTER_EPERM },
	{ RULE_IOPRIO, ALWAYS, FILTER_IOPRIO_GROUP },
	{ RULE_OTHERS, BARE, FILTER_OTHERS_0 },
	{ RULE_OTHERS, ALWAYS, FILTER_ALLOW },
	{ RULE_IOCTL, ALWAYS, FILTER_IOCTL },
	{ RULE_FCNTL, ALWAYS, FILTER_FCNTL },
	{ RULE_SHARED, BARE, FILTER_EPERM },
	{ RULE_SHARED, ALWAYS, FILTER_ALLOW },
};

static void
mark_calls(struct filter_table *t, const struct filter_opts *o)
{
	const unsigned when = when_of(o);
	uint8_t meant[RULES];

	/* Each rule ends with a line that always matches. */
	for (size_t i = sizeof rules / sizeof *rules; i-- > 0;)
		if ((rules[i].when & ~when) == 0)
			meant[rules[i].rule] = rules[i].action;
	memset(t->action, FILTER_ENOSYS, sizeof t->action);
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (calls[i].nr >= FILTER_CALLS)
			t->full = true;
		else
			t->action[calls[i].nr] = meant[calls[i].rule];
}

static void
head(struct filter *f)
{
	filter_put(f, LOAD, 0, 0, ARCH);
	filter_put(f, EQUAL, 1, 0, KERNEL_AUDIT_ARCH);
	filter_put(f, RETURN, 0, 0, KERNEL_SECCOMP_RET_KILL);
	filter_put(f, LOAD, 0, 0, NR);
#ifdef KERNEL_X32_BIT
	filter_put(f, NOT_BELOW, 0, 1, KERNEL_X32_BIT);
	filter_put(f, RETURN, 0, 0, REFUSE(ENOSYS));
#endif
}

bool
filter_make(struct filter *f, const struct filter_opts *o)
{
	struct filter_table t = { 0 };
	struct filter_tree tree;

	f->n = 0;
	f->full = false;
	mark_calls(&t, o);
	head(f);
	filter_tree_begin(f, &t, &tree);
	for (unsigned i = 0; i < FILTER_ACTIONS; i++) {
		if (!tree.used[i])
			continue;
		tree.at[i] = f->n;
		filter_body(f, (enum filter_action)i, o);
	}
	filter_tree_end(f, &tree);
	return !f->full && !t.full;
}
