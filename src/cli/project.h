/* cli/project.h: the directory, home and project that a subcommand works on. */
#pragma once
#include "gate/place.h"

struct project {
	struct judge_request q; /* cwd, home, PATH, --policy, --session, --root */
	struct str root;        /* .p == NULL: no project here */
};

/* Read the options and find the project.  Return 0, or a status after an error message. */
int project_find(const struct process *cli, struct arena *a, const struct place_opts *o,
    struct project *ret);
/* The same, but no project is a usage error. */
int project_need(const struct process *cli, struct arena *a, const struct place_opts *o,
    struct project *ret);
