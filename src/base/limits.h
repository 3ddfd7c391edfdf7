/* base/limits.h: every limit of cordon, with its reason.  Beyond one of them: refused,
 * never cut; or not known, where that is said. */
#pragma once

/* A command.  The kernel hands no longer string to execve (MAX_ARG_STRLEN less its NUL). */
#define LIMIT_COMMAND ((size_t)131071)
/* Memory for one command: tree, effects and answer. */
#define LIMIT_ARENA ((size_t)4 << 20)
/* Compound commands, substitutions and quotes inside each other.  People stay below 10. */
#define LIMIT_NESTING 64
/* Sources inside sources: eval in bash -c in xargs ... */
#define LIMIT_SOURCES 6
/* All inner sources together, so that each level cannot double the work. */
#define LIMIT_SOURCE_BYTES ((size_t)256 << 10)
/* Words of one source; a line with more is not one a person could judge. */
#define LIMIT_WORDS 8192
/* An argv that execve(2) was called with, its words quoted: the kernel takes a
 * quarter of the stack's limit, 2 MiB by default, and counts a pointer for each word. */
#define LIMIT_ARGV ((size_t)16 << 20)
#define LIMIT_ARGV_WORDS 131072
/* Simple commands of one source, before loops are unrolled. */
#define LIMIT_COMMANDS 1024
/* Commands reported, all inner sources and unrolled loops included. */
#define LIMIT_EFFECTS 4096
/* Fields and bytes that one brace expansion may make; what more would be is "unknown". */
#define LIMIT_BRACE_FIELDS 512
#define LIMIT_BRACE_BYTES ((size_t)64 << 10)
/* Here-documents that begin on one line. */
#define LIMIT_HEREDOCS 64
/* Directories that the shell could be in at one place; more is "unknown". */
#define LIMIT_DIRS 8
/* JSON: values inside values, and bytes of one document. */
#define LIMIT_JSON_DEPTH 64
#define LIMIT_JSON ((size_t)8 << 20)
/* PATH_MAX of Linux, with its NUL. */
#define LIMIT_PATH ((size_t)4096)
