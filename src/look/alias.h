/*
 * look/alias.h: other spellings that some file systems take for the same name.
 *
 * A directory that does not know case (ext4's +F) folds more than letters of ASCII, and
 * skips characters that nobody sees; FAT and NTFS drop dots and blanks at the end, and give
 * a long name a short one (CLAUDE~1).  Nobody means such a name honestly.
 */
#pragma once
#include "base/str.h"

#define ALIAS_ROOM 256

/* Could be another spelling at all; of most names this is all that is asked. */
bool alias_could_be(struct str name);
/* How it reads when folded, in `room`; what has no letter of ASCII stays out of reach. */
struct str alias_plain(struct str name, char room[static ALIAS_ROOM]);
/* The short name of `of`, which is in lower case. */
bool alias_is_short(struct str name, const char *of);
