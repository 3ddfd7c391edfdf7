/* look/git/objects/sha1.h: the hash that names git's objects. */
#pragma once
#include "base/str.h"

#define SHA1_BYTES 20

/* Hashes the parts one after the other. */
void git_sha1(const struct str *parts, size_t n, unsigned char ret[SHA1_BYTES]);
