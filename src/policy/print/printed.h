/* policy/print/printed.h: the comments of policy_print, which printed.c reads again. */
#pragma once

#define PRINTED_DEFAULT " default"
#define PRINTED_UNTRUSTED "(untrusted)"
