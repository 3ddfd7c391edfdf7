/* launch/exec/run_gate_as.h: inside the room: what else an exec amounts to. */
#pragma once
#include "run/run.h"

/*
 * The program that this one is known to become without another exec, with its argv; memory
 * from `a`.  False when it is none of:
 *	the dynamic loader, which maps the program that it is given;
 *	git-NAME, which is `git NAME`; send-pack and http-push, which are what push does;
 *	git with a name that it takes for a misspelt one (help.autocorrect).
 */
bool gate_becomes(struct arena *a, const struct exec_request *q, struct exec_request *ret);
