/* daemon/bundle.h: what the verbs of `cordond bundle` share. */
#pragma once
#include "daemon/bundle/bundle.h"
#include "daemon/daemon.h"
#include "gate/rules/layers.h"

struct bundle_job {
	const struct process *cli;
	struct arena a;
	struct str key, keys, password_file, serial, root;
	bool json, replace;
	int argc; /* operands */
	char **argv;

	/* The files' bytes: what is checked is what is installed. */
	struct str rules, signed_by;
	struct minisign_signature signature;
	struct bundle_state next;
};

/* 'WHAT PATH: WHY'; returns EXIT_POLICY: refused. */
int bundle_complain(
    struct bundle_job *job, const char *what, const char *path, const char *why);
/* Reads the rules and their signature, checks that they are signed by a key of `dir` (or by
 * job->key) and have a number.  0, or a status after a message. */
int bundle_check(struct bundle_job *job, const char *dir);
/* Are they rules that an administrator may install?  0, or a status after a message. */
int bundle_compile(struct bundle_job *job);
/* bundle_install.c */
int bundle_install(struct bundle_job *job);

#define BUNDLE_KEYS "/etc/cordon/keys"
