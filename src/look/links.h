/* look/links.h: what a command does through links that it makes or finds on its way. */
#pragma once
#include "look/ground.h"

/*
 * The fact of one effect is made stricter where its command
 * - makes a link that leads outside (ln, cp -s, cp -l), or
 * - writes into a directory whose entries are links that lead outside.
 */
void links_tighten(struct ground *g, const struct effects *e, const struct file_effect *f,
    const struct made *made, struct place_fact *fact);
