/*
 * gate/ask/grant.h: what a person agreed to in an agent's own dialog, once.
 *
 * A hook whose answer makes the agent ask leaves a grant; the rewritten command carries its
 * name, and `cordon run` takes it instead of asking a second time.
 *
 * MUST
 * 1. Be good for one command text in one directory under one policy, for one session and
 *    for what was said that it opens, and only if that session has had no other hook call
 *    since.
 * 2. Be taken at most once, whoever races for it.
 * 3. Be left only by the call whose answer makes the host ask, and never be accepted by a
 *    hook in place of asking.
 * 4. Count for nothing when anything about its file is odd.
 */
#pragma once
#include "gate/rules/layers.h"
#include "gate/sha256.h"
#include "os/output.h"

/* Which session, and a number that nobody can guess, in digits. */
#define GRANT_TAG 16
#define GRANT_ID (GRANT_TAG + 32)
/* A person may be away from the keyboard, but not for ever. */
#define GRANT_SECONDS 900

struct grant_terms {
	struct str command, cwd;
	struct str width;      /* what a yes opens besides, as it was said */
	struct str session;    /* HOST:ID, of the agent's */
	const uint8_t *policy; /* SHA256_BYTES: the loader's */
	int64_t now;           /* seconds */
};

/* A name for a grant of this session; false without random numbers. */
bool grant_name(struct str session, char ret[static GRANT_ID]);
/* Leaves it; whatever the session had before is gone.  False: there is none. */
bool grant_leave(struct arena *a, const struct process *cli, struct str home,
    struct str name, const struct grant_terms *terms);
/* Whatever the session has is void. */
void grant_void(
    struct arena *a, const struct process *cli, struct str home, struct str session);
/* Takes it away: true for exactly one caller, if all terms are the same. */
bool grant_take(struct arena *a, const struct process *cli, struct str home,
    struct str name, const struct grant_terms *terms);
