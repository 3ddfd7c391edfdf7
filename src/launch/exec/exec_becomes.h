/* launch/exec/exec_becomes.h: internal: the program that an exec stands for. */
#pragma once
#include "run/run.h"

/*
 * Find the program that this one becomes without another exec, and its argv; memory from
 * `a`.  Return false unless it is one of:
 *	the dynamic loader, which maps the program given as its argument;
 *	git-NAME, which is `git NAME`; send-pack and http-push, which are parts of push;
 *	git with an unknown subcommand that it corrects (help.autocorrect).
 */
bool exec_becomes(struct arena *a, const struct exec_request *q, struct exec_request *ret);
