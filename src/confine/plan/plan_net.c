/* The network of a plan, and which secrets it must not carry away. */
#define _GNU_SOURCE
#include "base/path.h"
#include "confine/plan/plan_internal.h"
#include "os/fd.h"
#include "os/sys.h"
#include <netinet/in.h>
#include <sys/socket.h>

/* True if there is a route to IPv6 addresses; nothing is sent. */
static bool
reaches_six(void)
{
	struct sockaddr_in6 to = { .sin6_family = AF_INET6, .sin6_port = htons(53) };
	cleanup_fd int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	to.sin6_addr.s6_addr[0] = 0x26;
	return fd >= 0 && connect(fd, (const struct sockaddr *)&to, sizeof to) == 0;
}

static int
read_hosts(struct planning *p)
{
	const struct plan_input *in = p->in;
	const struct sandbox_list *allow = &in->policy->network_allow;
	struct host_list *l = &p->plan->hosts;
	struct str bad = STR("");
	int r = hosts_read(p->a, allow->v, allow->n, &l->allow, &bad);

	if (r == CORDON_EINVAL)
		return plan_refuse(p, FIELD_NETWORK_ALLOW, "not a valid host", bad);
	l->allow_n = allow->n;
	l->denied = in->denied;
	l->context = in->denied_context;
	for (size_t i = 0; i < l->allow_n && !r; i++)
		if (l->allow[i].literal &&
		    address_kind(&l->allow[i].address) == ADDRESS_NEVER)
			plan_note(p, "addresses of this machine and its links stay closed");
	return r;
}

int
plan_add_network(struct planning *p)
{
	const struct sandbox_policy *policy = p->in->policy;
	struct plan *plan = p->plan;
	int r;

	plan->network = policy->network_access;
	plan->listed = !plan->network && policy->network_allow.n > 0;
	plan_enforced(p, FIELD_NETWORK,
	    plan->network ? "socket families by seccomp"
			  : "a network namespace, socket families by seccomp");
	if (plan->listed) {
		if ((r = read_hosts(p)))
			return r;
		plan->listed_six = reaches_six();
		plan_enforced(p, FIELD_NETWORK_ALLOW,
		    "names are answered and connects made by the supervisor");
	}
	return plan->network || plan->listed ? plan_add_secrets(p) : 0;
}
