/* analyse/programs/calls.h: programs, files and hosts named in code of other languages.
 * Internal to this room. */
#pragma once
#include "analyse/walk.h"

/* Report the commands that the code starts, the files it reads and the hosts it contacts,
 * as far as it names them. */
void look_at_code(struct walk *w, struct str by, struct field code, struct state s);
