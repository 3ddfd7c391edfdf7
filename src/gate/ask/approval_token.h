/*
 * gate/ask/approval_token.h: one-time approval tokens for a yes in an agent's own dialog.
 *
 * A hook whose answer makes the agent ask leaves a token.  The rewritten command carries
 * its name, and `cordon run` takes the token instead of asking a second time.
 *
 * MUST
 * 1. Bind a token to one command text, one directory, one policy, one conversation and the
 *    access shown in the question.  The next hook call of that conversation voids it.
 * 2. Be taken at most once, even if processes race for it.
 * 3. Be left only by the hook call whose answer makes the agent ask; a hook never accepts a
 *    token instead of asking.
 * 4. Be worthless if anything about its file is wrong.
 */
#pragma once
#include "gate/rules/layers.h"
#include "gate/sha256.h"
#include "os/output.h"

/* A tag for the conversation and a random number, in hex. */
#define APPROVAL_TAG 16
#define APPROVAL_ID (APPROVAL_TAG + 32)
/* Long enough for a person to come back to the keyboard. */
#define APPROVAL_SECONDS 900

struct approval_terms {
	struct str command, cwd;
	struct str width;      /* the access that a yes adds, as shown in the question */
	struct str session;    /* AGENT:ID of the conversation */
	const uint8_t *policy; /* SHA256_BYTES: the digest of the loader */
	int64_t now;           /* seconds */
};

/* Make a new token name for this conversation.  Return false without random numbers. */
bool approval_name(struct str session, char ret[static APPROVAL_ID]);
/* Leave a token; it replaces the previous one of the conversation.  Return false on
 * failure. */
bool approval_leave(struct arena *a, const struct process *cli, struct str home,
    struct str name, const struct approval_terms *terms);
/* Void the token of the conversation, if any. */
void approval_void(
    struct arena *a, const struct process *cli, struct str home, struct str session);
/* Remove the token.  Return true for exactly one caller, and only if all terms match. */
bool approval_take(struct arena *a, const struct process *cli, struct str home,
    struct str name, const struct approval_terms *terms);
