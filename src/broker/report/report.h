/* broker/report/report.h: what is reported of a run: refusals, hosts that were reached,
 * writes that were learned, and files that other programs execute later. */
#pragma once
#include "broker/path/target.h"

/* ---- violations.c */

/* Report a refusal to the process; `why` NULL: the mount is read-only. */
void violation_add(
    struct broker *br, pid_t pid, enum run_op op, struct str path, const char *why);
/* The same for a program that is known by its name alone. */
void violation_add_by(struct broker *br, struct str program, enum run_op op,
    struct str path, const char *why);
/* Report a host of the list that the program connected to. */
void reached_add(struct broker *br, struct str program, struct str host);
/* Report a write that the supervisor performed, where everything is to be learned. */
void learned_add(struct broker *br, enum run_op op, struct str path);

/* ---- dropped_list.c: the list of such files */

/* List a file, once. */
void dropped_add(struct broker *br, struct str path, const char *why);
/* List a file even if its path is listed already: for another reason. */
void dropped_add_each(struct broker *br, struct str path, const char *why);
/* The same as dropped_add(); `quiet` as in struct dropped_code. */
void dropped_add_as(struct broker *br, struct str path, const char *why, bool quiet);
/* A file from before the run was removed: if it is created again, the run changed it. */
void dropped_add_removed(struct broker *br, struct str path, const char *why);
/* Files and directories were renamed; `swap`: exchanged. */
void dropped_moved(struct broker *br, struct str from, struct str to, bool swap);

/* ---- dropped.c: names of policy/names.list */

/* The supervisor created or changed it: list it if other programs execute or obey it. */
void dropped_check(struct broker *br, const struct target *t);
/* The supervisor removed it. */
void dropped_check_removed(struct broker *br, const struct target *t);
/* The supervisor renamed it; `swap`: exchanged the two. */
void dropped_check_renamed(
    struct broker *br, const struct target *from, const struct target *to, bool swap);
