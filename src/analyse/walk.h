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

/* What happens to a variable anywhere in the text, in any order. */
enum name_flags {
	NAME_ARITH = 1,    /* its value is evaluated as an expression */
	NAME_TAINTED = 2,  /* it may be assigned something other than a number */
	NAME_CONSTANT = 4, /* a value that we tracked was used */
	NAME_ODD =
	    8, /* readonly, -i, -u ...: an assignment does more or less than it says */
	NAME_WRITTEN = 16,  /* not a variable: a file with this name is written */
	NAME_FUNCTION = 32, /* not a variable: a function with this name is defined */
	NAME_ARRAY = 64,    /* it is an array somewhere */
	NAME_COMPOUND =
	    128,            /* declare may give it a text that is read as (...), an array */
	NAME_LATER = 256,   /* not a variable: a trap runs a command with this name */
	NAME_TRAPPED = 512, /* ... between any two commands */
	NAME_KEPT = 1024,   /* the EXIT trap relies on its value */
};

struct name_entry {
	struct str text;
	unsigned flags;
	struct name_entry *next;
};

/* A file that the text writes, and the contents. */
struct written {
	struct str path, text;
	struct written *next;
};

#define NAME_BUCKETS 64

/* Where the next effect of each kind is appended. */
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
	bool aliasing;    /* this shell could expand aliases */
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

/* ---- back.c: checks that need the whole text; run last */
void look_back(struct walk *w);

/* ---- function.c */
struct call;
struct function *function_named(struct walk *w, struct str name);
void function_forget(struct walk *w, struct str name);
struct flow define_function(struct walk *w, const struct node *node, struct state s);
struct flow call_function(
    struct walk *w, struct function *f, const struct call *c, struct state s);
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
struct call {
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
	struct str piped;     /* its input from a pipe; .p is NULL if unknown */
	bool decoded;         /* the input was encoded before a filter in the pipe */
	struct command *self; /* the reported command */
};

/* Report the command and its effects; follows wrappers. */
struct flow run_call(struct walk *w, struct call *c, struct state s);

/* ---- word.c */
struct fields {
	struct field *v;
	size_t n, room;
};

/* The fields that a word (or a chain of words) expands to. */
void eval_word(
    struct walk *w, const struct word *word, struct state *s, struct fields *ret);
void eval_words(
    struct walk *w, const struct word *words, struct state *s, struct fields *ret);
/* Without splitting and globs: x=v as an argument of declare and the like. */
void eval_declared(
    struct walk *w, const struct word *word, struct state *s, struct fields *ret);
/* Without splitting, braces and globs: values of assignments, case, here-strings. */
struct field eval_single(
    struct walk *w, const struct word *word, struct state *s, bool assign);
/* Walk the substitutions inside; the value is not needed. */
void eval_visit(struct walk *w, const struct word *word, struct state *s);
void fields_add(struct walk *w, struct fields *f, struct field field);
/* Split the text at blanks. Return false and add nothing if it contains one of `signs`. */
bool fields_split(struct walk *w, struct fields *f, struct field text, const char *signs);
/* The output of a command list if it is certain, else .p is NULL. */
struct str known_output(struct walk *w, const struct list *list, struct state *s);
struct str known_output_node(struct walk *w, const struct node *node, struct state *s);
/* The output is whole numbers or nothing: date +%s, wc -l <f, seq 5 ... */
bool numeric_output(const struct list *list);
/* The output is the name of a file just created: a pattern for it; or .p is NULL. */
struct str fresh_name(struct walk *w, const struct list *list);

/* ---- brace.c: expand the braces of a word into several words */
const struct word *brace_expand(struct walk *w, const struct word *word, bool *too_many);

/* ---- brace_check.c: check that bash finds the same braces in the text */
bool braces_agree(struct walk *w, const struct word *word);

/* ---- arith.c: an arithmetic expression may run code */
void arith_word(struct walk *w, const struct word *word, struct state *s);
void arith_field(struct walk *w, struct field f, struct state *s);
void arith_value(struct walk *w, struct field f, struct state *s);
/* A variable name given to a builtin: x or x[1]. Otherwise report an unknown. */
bool arith_target(struct walk *w, struct field f, struct str *ret_name);

/* ---- names.c */
void name_flag(struct walk *w, struct str name, unsigned flag, struct span at);
bool name_has(struct walk *w, struct str name, unsigned flag);
bool is_name(struct str s);
/* The length of the name at the start of `s`. */
size_t name_length(struct str s);
bool is_number(struct str s);
/* Record a new value of a variable: taint, effects, known state. */
void assign_name(
    struct walk *w, struct str name, struct field value, struct span at, struct state *s);
void forget_name(struct walk *w, struct str name, struct state *s);
enum env_power {
	ENV_PLAIN,
	ENV_TUNES,   /* options and paths of tools, which still do what they do */
	ENV_LEADS,   /* more places to find programs in: the rest is unknown */
	ENV_CHANGES, /* names a program, or other code, that tools run */
	ENV_RUNS,    /* runs code or changes the meaning of names: the rest is unknown */
};
extern const struct str old_path;
enum env_power env_power(struct str name, struct field value);
/* True if the value is a command that other programs start: PAGER, GIT_SSH_COMMAND. */
bool env_is_command(struct str name);

/* ---- scan.c: what a list may change, without walking it */
struct changes {
	bool all;    /* any variable */
	bool cd;     /* the directory */
	bool jumps;  /* break, continue, return */
	unsigned id; /* to visit each function once */
	struct scan_name {
		struct str text;
		struct scan_name *next;
	} * names;
};
void scan_list(struct walk *w, const struct list *list, struct changes *ret);
void scan_node(struct walk *w, const struct node *node, struct changes *ret);
/* Forget everything that the scan says may change. */
void scan_apply(struct walk *w, const struct changes *scan, struct state *s);

/* ---- emit.c */
struct span walk_span(const struct walk *w, struct span at);
void walk_fail(struct walk *w, int code, struct span at, const char *why);
void add_unknown(struct walk *w, struct span at, const char *why);
struct command *add_command(struct walk *w, const struct call *c, const struct state *s);
void add_chdir(struct walk *w, const struct dirs *to, struct span at);
void add_file(struct walk *w, enum file_op op, bool tree, struct field path,
    const struct dirs *cwd, struct str by);
/* Like add_file(), for reading names and attributes only. */
void add_names(struct walk *w, struct field path, const struct dirs *cwd, struct str by);
void add_net(struct walk *w, struct field host, struct str by);
void add_env(struct walk *w, struct str name, struct field value, enum env_power power,
    struct span at);
struct state forget_all(struct walk *w, struct state s);
void *walk_alloc(struct walk *w, size_t n);

/* ---- builtin.c: return false if the name is not a builtin */
bool run_builtin(struct walk *w, struct call *c, struct state s, struct flow *ret);
bool is_builtin(struct str name);

/* ---- programs that run programs */
void run_shell(struct walk *w, struct call *c, struct state s);
void run_env(struct walk *w, struct call *c, struct state s);
void run_xargs(struct walk *w, struct call *c, struct state s);
void run_find(struct walk *w, struct call *c, struct state s);
/* The command of fd, from `from` on, with each found path in place of {} or appended. */
void run_fd(struct walk *w, const struct call *c, size_t from, struct state s);
void run_git(struct walk *w, struct call *c, const struct know_scan *scan, struct state s);
void run_sed(struct walk *w, struct call *c, const struct know_scan *scan, struct state s);
void run_awk(struct walk *w, struct call *c, const struct know_scan *scan, struct state s);
void run_code(struct walk *w, struct call *c, const struct know_scan *scan, struct state s);
/* Return the scan to continue with: tar's mode changes the meaning of its words. */
const struct know_scan *run_tar(
    struct walk *w, struct call *c, const struct know_scan *scan, struct state *s);
/* Run the command in c->argv[from..] as a program started by `via`. */
void run_inner(
    struct walk *w, const struct call *c, size_t from, struct str via, struct state s);
/* Run one field as a text for /bin/sh. */
void run_shell_text(struct walk *w, struct field text, struct str via, struct state s);
/* Apply the table: files, directories, hosts, nested commands and texts. */
void run_known(
    struct walk *w, struct call *c, const struct know_scan *scan, struct state s);

/* The span from the first field to the last. */
static inline struct span
fields_span(const struct field *v, size_t n)
{
	return (struct span){ v[0].at.start, v[n - 1].at.end };
}

static inline bool
field_is(struct field f, const char *text)
{
	return f.kind == FIELD_STR && str_is(f.text, text);
}
