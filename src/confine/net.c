/*
 * The private network has loopback only, which is down at first.  With a list of hosts,
 * loopback also gets an address of the made kind (proxy/net.h), so that programs see a
 * source address and sockets that only look for a route find one.
 */
#define _GNU_SOURCE
#include "confine/enter_internal.h"
#include "os/fd.h"
#include "os/sys.h"
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

int
step_loopback(struct entering *e)
{
	struct ifreq lo = { .ifr_name = "lo" };
	cleanup_fd int fd = -1;

	if (e->plan->network)
		return 0;
	e->path = "lo";
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	/* The helper of run/session/prenamespace.c may have done it before. */
	if (ioctl(fd, SIOCGIFFLAGS, &lo) == 0 && (lo.ifr_flags & IFF_UP))
		return 0;
	lo.ifr_flags = IFF_UP | IFF_RUNNING;
	return ioctl(fd, SIOCSIFFLAGS, &lo) ? -errno : 0;
}

/* 198.18.0.1/15, as a labelled address of the same interface. */
static int
add_made(int fd)
{
	struct ifreq made = { .ifr_name = "lo:1" };
	struct sockaddr_in a = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(198U << 24 | 18U << 16 | 1) };

	memcpy(&made.ifr_addr, &a, sizeof a);
	if (ioctl(fd, SIOCSIFADDR, &made))
		return -errno;
	a.sin_addr.s_addr = htonl(0xfffe0000);
	memcpy(&made.ifr_netmask, &a, sizeof a);
	return ioctl(fd, SIOCSIFNETMASK, &made) ? -errno : 0;
}

struct six_request {
	struct in6_addr address;
	uint32_t prefix;
	int index;
};

/* The IPv6 address, if the host reaches such addresses.  Without IPv6 there is none to
 * add. */
static void
add_made_six(void)
{
	struct six_request made = { .address = { .s6_addr = { 0xfd, 0x63, 0x6f, 0x72, 0x64,
						     0x6f, 0x6e, 0, [15] = 1 } },
		.prefix = 64,
		.index = 1 };
	cleanup_fd int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd >= 0)
		(void)ioctl(fd, SIOCSIFADDR, &made);
}

static int
send_socket(struct entering *e, enum enter_socket which, int type, uint16_t port)
{
	struct enter_report report = { .kind = ENTER_SOCKET, .status = (int32_t)which };
	struct sockaddr_in a = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		.sin_port = htons(port) };
	cleanup_fd int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (const struct sockaddr *)&a, sizeof a) ||
	    (type == SOCK_STREAM && listen(fd, 128)))
		return -errno;
	return enter_send(e->control, &report, fd) ? 0 : -EPIPE;
}

int
step_sockets(struct entering *e)
{
	cleanup_fd int fd = -1;
	char go = 0;
	int r;

	if (!e->plan->listed)
		return 0;
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if ((r = add_made(fd)))
		return r;
	if (e->plan->listed_six)
		add_made_six();
	if ((r = send_socket(e, ENTER_NAMES, SOCK_DGRAM, 53)) ||
	    (r = send_socket(e, ENTER_PROXY, SOCK_STREAM, ENTER_PROXY_PORT)))
		return r;
	/* Wait until the helper answers before the command starts. */
	return read(e->control, &go, 1) == 1 ? 0 : -EPIPE;
}
