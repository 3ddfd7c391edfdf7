/* daemon/bundle/cmd_bundle.h: shared by the verbs of `cordond bundle`. */
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

	/* Read once: the checked bytes are the installed ones. */
	struct str rules, signed_by;
	struct minisign_signature signature;
	struct bundle_state next;
};

/* Print 'WHAT PATH: WHY' and return EXIT_POLICY. */
int bundle_complain(
    struct bundle_job *job, const char *what, const char *path, const char *why);
/* Read the rules and their signature; check that a key of `dir` (or job->key) signed
 * them and that they have a serial.  Return 0, or a status after an error message. */
int bundle_check(struct bundle_job *job, const char *dir);
/* Check that an administrator may install these rules.  Return 0, or a status after an
 * error message. */
int bundle_compile(struct bundle_job *job);
/* bundle_install.c */
int bundle_install(struct bundle_job *job);

#define BUNDLE_KEYS "/etc/cordon/keys"
