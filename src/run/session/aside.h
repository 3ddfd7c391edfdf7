/*
 * run/session/aside.h: a helper that works beside us.
 *
 * The kernel leaves a process that was just made on the processor of who made it, idle as
 * the others may be: there it waits until that one sleeps.  So a helper is put on another
 * one.  Before it makes a process, which would inherit that, it goes back to all of them.
 */
#pragma once
#include <stddef.h>
#include <sys/types.h>

#define ASIDE_WORDS 16 /* for 1024 processors; where there are more nobody is moved */

struct aside {
	size_t bytes; /* of each set; 0: there is no other processor */
	unsigned long all[ASIDE_WORDS], others[ASIDE_WORDS];
};

/* Where we are now, and where else we may be. */
void aside_look(struct aside *x);
/* Onto another one; and free again, which its own call does for the helper itself (0). */
void aside_put(const struct aside *x, pid_t pid);
/* Returns 0, or -errno: then whatever it makes would be bound as well. */
int aside_free(const struct aside *x, pid_t pid);
