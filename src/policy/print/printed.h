/* policy/print/printed.h: internal: comments that policy_print() writes and printed.c
 * reads. */
#pragma once

#define PRINTED_DEFAULT " default"
#define PRINTED_UNTRUSTED "(untrusted)"
