/*
 * analyse/effects.h: everything that a command text could do.
 *
 * Plain data in the caller's arena, in the order in which it stands in the
 * text.  Lists are linked by `next`.  Whatever is not listed cannot happen,
 * unless `unknowns` says that something could not be known.
 */
#pragma once
#include "base/err.h"
#include "base/span.h"
#include "base/str.h"
#include "know/field.h"
#include "know/know.h"

/*
 * What look/ finds out on this machine; before it has looked, everything is
 * WHERE_UNKNOWN and nothing is certain.
 */
enum where {
	WHERE_UNKNOWN, /* the path is not known, or could not be followed */
	WHERE_OUTSIDE, /* of every root */
	WHERE_INSIDE,  /* one of the roots, or a path that the policy adds for this use */
	WHERE_TMP,     /* the temporary directory that policy gives or refuses */
	WHERE_DEVICE,  /* /dev/null, /dev/stdout and their like */
};

struct place_fact {
	enum where where;
	struct str real; /* links followed; .p == NULL: not known */
	bool ignored;    /* an ignore file names it */
	bool dotfile;    /* a part of it below the root begins with a dot */
	bool exists;
	bool directory;
	bool unsaved;       /* it holds work that no commit has: untracked or changed */
	const char *why;    /* static text for OUTSIDE and UNKNOWN: how it got there */
	bool ignored_below; /* of a tree: something in it is ignored, or could be */
	bool secret_below; /* of a tree: a rule forbids to read something in it, or could */
	const char *guarded; /* static text: it can make git or an agent run code */
};

/* A directory: absolute; physical if no part of it could be a link. */
struct dir {
	struct str path;
	bool physical;
};

/* The directories that the shell could be in. */
struct dirs {
	bool unknown; /* anywhere, then n == 0 */
	size_t n;
	struct dir at[];
};

/* What a command was started through: "bash -c", "xargs", "env" ... */
struct via {
	struct str text;
	const struct via *outer; /* NULL at the outermost */
};

/* NAME=value in front of a command, or given to env. */
struct env_change {
	struct str name;
	bool known;       /* the value is */
	struct str value; /* else its known beginning */
	struct span at;
	bool runs; /* it names code that will run, or changes what commands mean */
	struct env_change *next;
};

struct command {
	struct field *argv;
	size_t argc;
	struct str program; /* base name of what is started; .p == NULL: unknown */
	const struct via *via;
	struct env_change *assigns; /* names that do not change what other programs do */
	struct span at;
	enum know_class class;
	const struct know_scan *scan; /* NULL: not in the table */
	const struct dirs *cwd;
	bool function; /* a function of the same text; its body is reported too */
	bool builtin;  /* the shell does it itself */
	bool remote;   /* runs on another machine or in a container */
	bool value;    /* it stands in a variable that other programs read */
	const struct command *within; /* the interpreter whose module it is; or NULL */
	bool wrapper;        /* it does no more than start what is reported behind it */
	uint64_t data;       /* bit i: argv[i] is text, somebody has declared so */
	bool tells;          /* --help or --version alone: it tells of itself, and ends */
	bool pure;           /* the code it is handed only computes, prints or is checked */
	struct str code;     /* what an interpreter reads as its program; .p == NULL */
	struct str found;    /* by look/: where the PATH, or the path as written, leads */
	bool found_writable; /* its user could have put it there */
	struct str git_url;  /* by look/: the address of the remote that git would go to */
	bool git_elsewhere;  /* by look/: its configuration may send git to another */
	const char
	    *git_runs; /* by look/: this repository's configuration makes git run code */
	struct command *next;
};

struct chdir_effect {
	bool known;
	struct str path;
	struct span at;
	struct place_fact fact;
	struct chdir_effect *next;
};

enum file_op {
	FILE_READ,
	FILE_WRITE,
	FILE_APPEND,
	FILE_DELETE,
	FILE_CREATE,
	FILE_TRUNCATE,
	FILE_EXEC,
};

struct file_effect {
	enum file_op op;
	bool known;
	bool tree;        /* with everything below it */
	bool names;       /* only names and attributes are read, not what is in it */
	struct str path;  /* else its known beginning, maybe empty */
	struct str among; /* absolute, see struct field: only what matches it is meant, of a
			     known tree only what matches in it; .p == NULL: anything */
	struct str listed; /* by look/: what matches now are effects of their own, all in
			      this directory; .p == NULL: they are not */
	struct span at;
	struct str by; /* "redirection", or the program */
	struct place_fact fact;
	struct file_effect *next;
};

struct net_effect {
	bool known;
	struct str host; /* as written: a URL, a host, user@host:path */
	struct span at;
	struct str by;
	struct net_effect *next;
};

/* Not read at all, which is no better inside of a text than it is outside. */
#define UNKNOWN_UNREAD "a text that is run as commands could not be read"
#define UNKNOWN_DEEP "texts inside texts go too deep"
#define UNKNOWN_CUT "it is made of more than is followed"

struct unknown {
	const char *why; /* static text */
	struct span at;
	struct unknown *next;
};

struct effects {
	struct command *commands;
	struct chdir_effect *chdirs;
	struct file_effect *files;
	struct net_effect *nets;
	struct env_change *env; /* names that change what programs do */
	struct unknown *unknowns;
	struct effects
	    *guesses; /* what commands with unknown words could do besides; NULL: nothing */
	bool looked;  /* look/ has filled in its facts */
};

const char *file_op_name(enum file_op op);
