/* base/limits.h: the limits of cordon, with their reasons. Input beyond a limit is refused,
 * never cut; where a comment says "unknown", the value is treated as unknown instead. */
#pragma once

/* Bytes of a command: the longest string that execve accepts (MAX_ARG_STRLEN less the
 * NUL). */
#define LIMIT_COMMAND ((size_t)131071)
/* Memory for one command: tree, effects and answer. */
#define LIMIT_ARENA ((size_t)4 << 20)
/* Depth of nested compound commands, substitutions and quotes. People stay below 10. */
#define LIMIT_NESTING 64
/* Depth of nested sources: eval in bash -c in xargs ... */
#define LIMIT_SOURCES 6
/* Bytes of all nested sources together, so that a level cannot double the work. */
#define LIMIT_SOURCE_BYTES ((size_t)256 << 10)
/* Words of one source. Nobody could review a longer line. */
#define LIMIT_WORDS 8192
/* Bytes and count of an execve(2) argv, quoted. The kernel accepts a quarter of the stack
 * limit, 2 MiB by default, and counts a pointer per argument. */
#define LIMIT_ARGV ((size_t)16 << 20)
#define LIMIT_ARGV_WORDS 131072
/* Simple commands of one source, before loops are unrolled. */
#define LIMIT_COMMANDS 1024
/* Reported commands, with all nested sources and unrolled loops. */
#define LIMIT_EFFECTS 4096
/* Fields and bytes of one brace expansion; beyond these the value is unknown. */
#define LIMIT_BRACE_FIELDS 512
#define LIMIT_BRACE_BYTES ((size_t)64 << 10)
/* Here-documents on one line. */
#define LIMIT_HEREDOCS 64
/* Possible working directories at one point of a command; beyond these it is unknown. */
#define LIMIT_DIRS 8
/* JSON: depth of nesting, and bytes of one document. */
#define LIMIT_JSON_DEPTH 64
#define LIMIT_JSON ((size_t)8 << 20)
/* PATH_MAX of Linux, with its NUL. */
#define LIMIT_PATH ((size_t)4096)
