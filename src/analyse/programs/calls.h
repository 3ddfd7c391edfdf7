/* analyse/programs/calls.h: programs, files and hosts that code in another language names.
 */
#pragma once
#include "analyse/walk.h"

/* Reports the commands that the code starts, the files it reads and the hosts it goes to,
 * where it names them. */
void look_at_code(struct walk *w, struct str by, struct field code, struct state s);
