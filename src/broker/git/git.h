/* broker/git/git.h: names in git directories, and what git's own commands may do there. */
#pragma once
#include "broker/guard/guard.h"

/* git_look.c: judge a name by the git directory that it lies in, and complete *h. */
void git_judge_name(
    struct broker *br, const struct target *t, enum run_op op, struct guard_hit *h);
/* True if the git directory at the first `n` bytes of its path existed before the run. */
bool gitdir_is_old(struct broker *br, const struct target *t, size_t n);
/* Read a small file without its trailing newlines.  Returns the length; 0: none. */
size_t git_read_line(int dir, const char *name, char *buf, size_t size);

/* git_config.c: perform a rename into a git directory.  True: the call was answered. */
bool git_perform_rename(struct call *c, const struct target *from, const struct target *to);

/* git_led.c: true if the configuration of a repository above names this file. */
bool git_is_led_to(struct broker *br, const struct target *t, enum run_op op, size_t root);
/* True if it is a .git file that names a directory which the run created: git submodule
 * writes it twice. */
bool git_leads_to_new(struct broker *br, const struct target *t);

/* git_todo.c: the todo list of a rebase in progress. */
struct todo {
	int dir;         /* rebase-merge */
	struct str path; /* of the list */
	struct str text; /* as it was before the run changed it */
};

/* The list may change from now on: keep its text.  False: there is no rebase, or the table
 * is full. */
bool todo_note(struct broker *br, const struct target *t);
/* At the end of the run: remove exec lines that it has added. */
void todo_end(struct broker *br);
