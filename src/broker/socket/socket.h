/* broker/socket/socket.h: connect(2), bind(2) and the sockets that a run has bound. */
#pragma once
#include "broker/guard/guard.h"

/* connect.c: connect(2) to any address. */
void perform_connect(struct call *c);
/* bind.c: bind(2) of any socket. */
void perform_bind(struct call *c);
/* net_connect.c: sendto(2) with an address. */
void perform_send(struct call *c);
/* net_connect.c: listen(2). */
void perform_listen(struct call *c);

/* sockets.c: socketpair(2) of datagram sockets. */
void perform_socketpair(struct call *c);
/* True if one more socket can be recorded. */
bool sockets_have_room(struct broker *br);
/* Record the socket `name` that was bound for the command; false if it is not there. */
bool socket_note(const struct broker *br, int dir, const char *name);
/* True if a command of this run, or of its session, has bound it. */
bool socket_is_own(struct broker *br, int fd);
