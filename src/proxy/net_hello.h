/* proxy/net_hello.h: the name that a client of TLS says first, in the clear. */
#pragma once
#include "proxy/net_request.h"

/* Longer ones are refused: keys of our day fit many times. */
#define HELLO_MAX ((size_t)32768)

/*
 * `bytes` is what a client has sent so far.  Whole: *ret_name is the server's name that it
 * asks for; empty when it names none, or does not speak TLS at all.  However the hello is
 * cut into records and segments, it is put together first.
 */
enum request_state hello_read(
    struct str bytes, char room[static HELLO_MAX], struct str *ret_name);
