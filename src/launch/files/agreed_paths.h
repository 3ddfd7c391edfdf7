/*
 * launch/files/agreed_paths.h: a yes in an agent's own dialog → the paths it makes
 * writable.
 *
 * MUST
 * 1. Open only paths that approved commands name, each path by itself: never its parent
 *    directory.
 * 2. Open a whole directory only if no other command of the text could use it, and never
 *    one that contains the home or has a name with a leading dot.
 * 3. Name every opened path in the question and in the record of the answer.
 */
#pragma once
#include "confine/plan/plan.h"
#include "gate/judge.h"

/* Limit on the paths named in one question; the rest stays closed, and the question says
 * so. */
#define AGREED_MAX ((size_t)8)
/* Limit on the missing parent directories of each path. */
#define AGREED_WAY ((size_t)8)

struct agreed {
	struct plan_name names[AGREED_MAX * (1 + AGREED_WAY)];
	size_t names_n;
	struct str paths[AGREED_MAX]; /* existing files, and whole directories */
	size_t paths_n;
	struct str said;   /* all opened paths as text for a person; may be empty */
	struct str closed; /* paths that were asked about but stay closed, as text */
};

/* Find the paths that a yes opens; NULL if out of memory. */
const struct agreed *agreed_find(struct arena *a, const struct judge_answer *answer);
/* Append to a question what a yes opens and what it does not; `agreed` may be NULL. */
void agreed_put(struct buf *b, const struct agreed *agreed);

/* True if the administrator's rules set or lock this setting. */
bool agreed_admin_says(const struct policy *p, const char *setting);
