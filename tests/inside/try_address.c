/*
 * A thread swaps the address of a connect while the supervisor looks at it.
 *
 *	try_address GOOD BAD PORT ROUNDS
 *
 * Prints how often the bad one was reached, and how often the good one.
 */
#include "try.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>

static struct sockaddr_in to;
static in_addr_t good, bad;
static volatile int stop;

static void *
swap(void *context)
{
	volatile in_addr_t *at = &to.sin_addr.s_addr;

	while (!stop) {
		*at = bad;
		*at = good;
	}
	return context;
}

int
main(int argc, char **argv)
{
	long rounds = number(argc, argv, 4), won = 0, fine = 0;
	pthread_t thread;

	good = inet_addr(word(argc, argv, 1));
	bad = inet_addr(word(argc, argv, 2));
	to = (struct sockaddr_in){ .sin_family = AF_INET,
		.sin_port = htons((uint16_t)number(argc, argv, 3)),
		.sin_addr.s_addr = good };
	if (pthread_create(&thread, NULL, swap, NULL))
		return 70;
	for (long i = 0; i < rounds; i++) {
		int s = socket(AF_INET, SOCK_STREAM, 0);
		struct sockaddr_in peer = { 0 };
		socklen_t n = sizeof peer;

		if (connect(s, (struct sockaddr *)&to, sizeof to) == 0 &&
		    getpeername(s, (struct sockaddr *)&peer, &n) == 0) {
			won += peer.sin_addr.s_addr != good;
			fine += peer.sin_addr.s_addr == good;
		}
		(void)close(s);
	}
	stop = 1;
	(void)pthread_join(thread, NULL);
	(void)printf("%ld fine, %ld wins\n", fine, won);
	return won != 0;
}
