/* broker/socket/net.h: connects of the command to internet addresses, and the supervisor's
 * side of the helper that serves a list of hosts (proxy/net.h). */
#pragma once
#include "proxy/net.h"
#include <sys/types.h>

struct broker;
struct call;

#define NET_CLIENTS 64

struct net {
	struct net_table *table; /* NULL: there is no list of hosts */
	int sockets[2]; /* from inside: names, proxy; -1 once the helper has them */
	int reports;    /* from the helper; -1: none */
	pid_t helper;
	uint64_t cookie; /* of the network namespace inside */
	struct {
		uint16_t port;
		char program[32];
	} clients[NET_CLIENTS]; /* programs that connected to the proxy */
	size_t clients_n;
};

/* True if the command may hold sockets of the host's network. */
bool net_has_outside(const struct broker *br);
/* True if this is one. */
bool net_is_of_outside(const struct broker *br, int fd);
/* Read the cookie of the socket's network namespace. */
bool net_cookie(int fd, uint64_t *ret);
/* Perform a connect to an internet address, which was read already. */
void net_connect(struct call *c, const struct net_socket_address *to);
/* net_epoll.c: true if an epoll set of the process watches its descriptor `number`. */
bool net_is_watched(pid_t pid, int number);
/* In a worker that exits afterwards: add `fd`, which will get this number, to the epoll
 * sets that watch `old`. */
void net_watch_again(const struct call *c, int old, int fd, int number);
