/* look/links.h: internal: effects through symlinks and hard links that a command creates
 * or meets. */
#pragma once
#include "look/lookup.h"

/* Tighten the fact of an effect if its command creates a link that leads outside (ln, cp
 * -s, cp -l), or writes into a directory with symlinks that lead outside. */
void links_tighten(struct lookup *g, const struct effects *e, const struct file_effect *f,
    const struct created *made, struct place_fact *fact);
