/*
 * analyse/walk.h: internal declarations of this room; others include analyse/analyse.h.
 *
 * One walk over the tree carries one state and collects one set of effects. An error (no
 * memory, a limit) is kept in the walk and stops it: functions may then return anything,
 * and analyse() returns the error.
 */
#pragma once
#include "analyse/analyse.h"
#include "analyse/state.h"
#include "parse/parse.h"

/* A nested text: of bash -c, eval, a backquote. */
struct frame {
	bool inner;        /* spans of the tree mean nothing outside: report `outer` */
	struct span outer; /* position in the text given to analyse() */
	enum dialect dialect;
	struct str text; /* the source that the spans of its tree count in */
};

struct function {
	struct str name;
	const struct node *body;
	struct frame frame;
	const struct via *via;
	bool ambiguous; /* defined twice, or not on every path: a call may run another body
			 */
	bool active;    /* being walked: a call is recursive */
	int level;      /* walk.level of its body */
	bool walked;
	bool open;     /* called in a way that was not followed: any state, any arguments */
	bool opened;   /* walked that way */
	unsigned scan; /* id of the last scan that visited it */
	struct function *next;
};

/* A file that the text writes, and the contents. */
struct written {
	struct str path, text;
	struct written *next;
};

#define NAME_BUCKETS 64

/* The ends of the lists of effects, for appending. */
struct sink {
	struct command **command_end;
	struct chdir_effect **chdir_end;
	struct file_effect **file_end;
	struct net_effect **net_end;
	struct env_change **env_end;
	bool inner; /* a guess inside a guess */
	struct function *functions;
};

struct walk {
	struct arena *a;
	const struct analyse_opts *opts;
	struct analyse_shapes shapes;
	struct effects out;
	struct command **command_end;
	struct chdir_effect **chdir_end;
	struct file_effect **file_end;
	struct net_effect **net_end;
	struct env_change **env_end;
	struct unknown **unknown_end;
	size_t commands, steps, source_bytes;
	bool failed;
	bool cut; /* a value, list or loop exceeded a limit */
	struct err err;

	struct frame frame;
	const struct via *via;
	int depth; /* depth of nested sources */
	int calls; /* depth of nested function calls */
	int level; /* depth of commands that run only on some paths, or in another shell */
	unsigned loops; /* how often the innermost body is walked because of unrolling */
	bool remote;    /* on another host: local files and directories are not meant */
	bool value;     /* in the value of a variable that other programs run */
	const struct command *within; /* the command is a module of this one */
	bool exports;                 /* set -a: functions are exported to other shells */
	unsigned later;       /* inside the text of a trap: NAME_LATER, NAME_TRAPPED */
	struct state aborted; /* joined state after errors in expansions of this line */
	unsigned aborts;      /* how many were joined */
	unsigned scans, scanned_calls;
	struct function *functions;
	struct name_entry *names[NAME_BUCKETS];
	struct str piped; /* input of the next command from a pipe; .p is NULL if unknown */
	bool decoded;     /* ... and a filter decoded it on the way */
	struct written *written;     /* files, newest first */
	struct span fed_at;          /* position of the last <( ), */
	struct str fed;              /* and its output; .p is NULL if unknown */
	unsigned forks;              /* depth of background jobs and pipelines */
	const struct guess *guesses; /* guess.c; newest first */
	struct sink guessed;
	unsigned round;          /* index of the guess in use */
	bool guessable;          /* an unknown value could be guessed */
	bool guessing;           /* use guesses for unknown values */
	bool quiet;              /* second evaluation: do not report effects again */
	bool more;               /* another round would use another guess */
	const struct args *args; /* $1 ..., as last known */
	struct str input; /* input of the compound commands around; .p is NULL if unknown */
	bool aliasing;    /* aliases could be expanded */
};

/* ---- walk.c: lists, pipelines, compound commands */
struct flow walk_list(struct walk *w, const struct list *list, struct state s);
struct flow walk_node(struct walk *w, const struct node *node, struct state s);
/* Walk a list in a subshell: state changes are lost. */
void walk_sub(struct walk *w, const struct list *list, struct state s);
/* Parse and walk a nested text. Return false and report an unknown if it cannot be
 * parsed. */
bool walk_source(struct walk *w, struct str text, enum dialect dialect, struct span at,
    struct str via, struct state s, struct flow *ret);
struct flow flow_of(struct state s);
struct state state_joined(struct walk *w, struct state x, struct state y);
/* An expansion could fail here: then the rest of the line does not run, but the next line
 * does. */
void may_abort(struct walk *w, const struct state *s);

/* ---- whole.c: checks that need the whole text; run last */
void check_whole(struct walk *w);

/* ---- function.c */
struct invocation;
struct function *function_named(struct walk *w, struct str name);
void function_forget(struct walk *w, struct str name);
struct flow define_function(struct walk *w, const struct node *node, struct state s);
struct flow call_function(
    struct walk *w, struct function *f, const struct invocation *c, struct state s);
/* Also walk function bodies that no call reached: something may call them. */
void walk_uncalled(struct walk *w);

/* ---- simple.c: simple commands, assignments, redirections */
struct flow walk_simple(struct walk *w, const struct node *node, struct state s);
void walk_redirs(struct walk *w, const struct redir *r, struct state *s);
/* Could one of them fail, so that the command does not run? */
bool redirs_may_fail(const struct redir *r);
/* An assignment that stays in effect. */
void walk_assign(struct walk *w, const struct assign *a, struct state *s);

/* A command after expansion, before its name is looked up. */
struct invocation {
	struct field *argv;
	size_t argc;
	struct env_change *assigns;
	struct span at;
	const struct redir *redirs; /* redirections of the simple command itself */
	const struct word *words; /* the source words, for declaration builtins; or NULL */
	bool no_function;         /* started by command, env ...: not a function */
	bool no_builtin;          /* started by env, xargs ...: only a program */
	bool arguments_follow;    /* xargs: unknown words are appended */
	struct str program;   /* exec -a: the program that really runs; else .p is NULL */
	struct str piped;     /* input from a pipe; .p is NULL if unknown */
	bool decoded;         /* the input was encoded before a filter in the pipe */
	struct command *self; /* the reported command */
};

/* Report the command and its effects; follows wrappers. */
struct flow run_call(struct walk *w, struct invocation *c, struct state s);

/* ---- emit.c */
struct span walk_span(const struct walk *w, struct span at);
void walk_fail(struct walk *w, int code, struct span at, const char *why);
void add_unknown(struct walk *w, struct span at, const char *why);
struct command *add_command(
    struct walk *w, const struct invocation *c, const struct state *s);
void add_chdir(struct walk *w, const struct dirs *to, struct span at);
void add_file(struct walk *w, enum file_op op, bool tree, struct field path,
    const struct dirs *cwd, struct str by);
/* Like add_file(), for reading names and attributes only. */
void add_names(struct walk *w, struct field path, const struct dirs *cwd, struct str by);
void add_net(struct walk *w, struct field host, struct str by);
struct state forget_all(struct walk *w, struct state s);
void *walk_alloc(struct walk *w, size_t n);
