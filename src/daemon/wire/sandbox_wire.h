/*
 * daemon/wire/sandbox_wire.h: SandboxPolicy ↔ protobuf, as proto/sandbox_policy.proto has
 * it.
 *
 * MUST
 * 1. Refuse a message with an unknown field or an unknown type: what it would restrict
 *    cannot be known.
 * 2. Refuse a policy whose ignore mapping or hosts have no field in the message.
 * 3. Read what the message leaves open as the stricter of its meanings: a list without
 *    entries is "none", a missing bool is false, no network is no host.
 * 4. Check what came over the wire like what came as JSON.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "policy/sandbox/sandbox.h"

/* A message; it holds at most two lists of paths. */
#define LIMIT_WIRE ((size_t)9 << 20)

/* The strings of *ret are copies in `a`. */
int sandbox_unpack(
    struct arena *a, struct str bytes, struct sandbox_policy *ret, struct err *reterr);
int sandbox_pack(
    struct arena *a, const struct sandbox_policy *p, struct buf *out, struct err *reterr);

/* convert.c: JSON text → message, message → JSON text (no newline). */
int convert_to_wire(struct arena *a, struct str json, struct buf *out, struct err *reterr);
int convert_to_json(struct arena *a, struct str bytes, struct buf *out, struct err *reterr);
