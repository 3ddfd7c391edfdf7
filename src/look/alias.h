/*
 * look/alias.h: other spellings that some file systems treat as the same name. A
 * case-folding directory (ext4 +F) folds more than ASCII letters and skips invisible
 * characters; FAT and NTFS drop dots and blanks at the end and give long names a short one
 * (CLAUDE~1).  No honest program uses such a name.
 */
#pragma once
#include "base/str.h"

#define ALIAS_SIZE 256

/* True if the name may be another spelling; false for most names, without further work. */
bool alias_could_be(struct str name);
/* Fold the name into `buf`; characters that do not fold to ASCII match nothing. */
struct str alias_plain(struct str name, char buf[static ALIAS_SIZE]);
/* True if `name` is the short (8.3) name of `of`, which is in lower case. */
bool alias_is_short(struct str name, const char *of);
