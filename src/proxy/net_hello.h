/* proxy/net_hello.h: the server name in a TLS ClientHello, which is in the clear. */
#pragma once
#include "proxy/net_request.h"

/* Refuse longer ones: today's keys fit many times. */
#define HELLO_MAX ((size_t)32768)

/*
 * `bytes` is what a client has sent so far.  When the hello is complete *ret_name is the
 * server name; empty if it has none, or if this is not TLS at all.  However the hello is
 * split into records and segments, it is reassembled first.
 */
enum request_state hello_read(
    struct str bytes, char buf[static HELLO_MAX], struct str *ret_name);
