/* Attempts on networks and on what processes share. */
#include "try.h"
#include <arpa/inet.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>

static struct sockaddr_in
inet(int c, char **v)
{
	struct sockaddr_in to = { .sin_family = AF_INET };

	to.sin_port = htons((uint16_t)number(c, v, 1));
	(void)inet_pton(AF_INET, word(c, v, 0), &to.sin_addr);
	return to;
}

static int
try_tcp(int c, char **v)
{
	struct sockaddr_in to = inet(c, v);
	int s = socket(AF_INET, SOCK_STREAM, c > 2 ? (int)number(c, v, 2) : 0);

	return outcome(s < 0 ? s : connect(s, (struct sockaddr *)&to, sizeof to));
}

static int
try_udp(int c, char **v)
{
	struct sockaddr_in to = inet(c, v);
	int s = socket(AF_INET, SOCK_DGRAM, 0);

	/* What arrives is counted outside; sending alone is nothing. */
	(void)sendto(s, "PWN", 3, 0, (struct sockaddr *)&to, sizeof to);
	return EALREADY;
}

static int
try_fast_open(int c, char **v)
{
	struct sockaddr_in to = inet(c, v);
	int s = socket(AF_INET, SOCK_STREAM, 0);

	return outcome(
	    sendto(s, "PWN", 3, MSG_FASTOPEN, (struct sockaddr *)&to, sizeof to));
}

static int
try_socket(int c, char **v)
{
	return outcome(
	    socket((int)number(c, v, 0), (int)number(c, v, 1), (int)number(c, v, 2)));
}

static socklen_t
local(struct sockaddr_un *to, const char *name)
{
	size_t n = strlen(name);

	*to = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (n > sizeof to->sun_path - 1)
		n = sizeof to->sun_path - 1;
	memcpy(to->sun_path, name, n);
	if (name[0] == '@')
		to->sun_path[0] = '\0';
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n + (name[0] != '@'));
}

static int
try_unix(int c, char **v)
{
	struct sockaddr_un to;
	socklen_t n = local(&to, word(c, v, 0));
	int s = socket(AF_UNIX, SOCK_STREAM, 0);

	return outcome(s < 0 ? s : connect(s, (struct sockaddr *)&to, n));
}

/* Without a connect: by an address at each send, also from one of a pair. */
static int
try_datagram(int c, char **v)
{
	struct sockaddr_un to;
	socklen_t n = local(&to, word(c, v, 0));
	int pair[2] = { -1, -1 }, s = socket(AF_UNIX, SOCK_DGRAM, 0);

	if (s < 0 && socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0)
		s = pair[0];
	return outcome(s < 0 ? s : sendto(s, "PWN", 3, 0, (struct sockaddr *)&to, n));
}

static int
try_shm(int c, char **v)
{
	return outcome(shmget((key_t)number(c, v, 0), 0, 0));
}

static int
try_posix_shm(int c, char **v)
{
	return outcome(shm_open(word(c, v, 0), O_RDONLY, 0));
}

static int
try_queue(int c, char **v)
{
	return outcome((long)mq_open(word(c, v, 0), O_RDONLY));
}

static const struct attempt all[] = {
	{ "tcp", try_tcp },
	{ "udp", try_udp },
	{ "fast_open", try_fast_open },
	{ "socket", try_socket },
	{ "unix", try_unix },
	{ "datagram", try_datagram },
	{ "shm", try_shm },
	{ "posix_shm", try_posix_shm },
	{ "queue", try_queue },
};

int
main(int argc, char **argv)
{
	return try_main(all, sizeof all / sizeof *all, argc, argv);
}
