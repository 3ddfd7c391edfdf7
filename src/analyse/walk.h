/*
 * analyse/walk.h: inside the room.  One walk over the tree, one state that goes
 * along, one set of effects that grows.
 *
 * A fault (no memory, a limit) is kept in the walk and stops it: every function
 * may then return anything, and analyse() answers with the fault.
 */
#pragma once
#include "analyse/analyse.h"
#include "analyse/state.h"
#include "parse/parse.h"

/* A text inside the text: for bash -c, eval, a backquote body. */
struct frame {
	bool inner;        /* spans of the tree mean nothing outside: all are `outer` */
	struct span outer; /* in the text that analyse() was given */
	enum dialect dialect;
	struct str text; /* what the spans of its tree count in */
};

struct function {
	struct str name;
	const struct node *body;
	struct frame frame;
	const struct via *via;
	bool ambiguous; /* defined twice, or not on every way: what a call does is open */
	bool active;    /* being walked: a call of itself */
	int level;      /* at which its body stands then */
	bool walked;
	bool open;     /* called in a way that was not followed: any state, any arguments */
	bool opened;   /* walked in that way */
	unsigned scan; /* the last scan that saw it */
	struct function *next;
};

/* What happens to a variable anywhere in the text, whatever the order. */
enum name_flags {
	NAME_ARITH = 1,    /* its value is read as an expression */
	NAME_TAINTED = 2,  /* it is given a value that could be more than a number */
	NAME_CONSTANT = 4, /* a value that we followed was used */
	NAME_ODD = 8, /* readonly, -i, -u ...: an assignment does not do what it says */
	NAME_WRITTEN = 16,   /* not a variable: a file of this name is written */
	NAME_FUNCTION = 32,  /* not a variable: a function of this name is defined */
	NAME_ARRAY = 64,     /* it is an array somewhere */
	NAME_COMPOUND = 128, /* declare gives it a text that could be (...), an array's */
	NAME_LATER = 256,    /* not a variable: a trap runs a command of this name */
	NAME_TRAPPED = 512,  /* ... between any two commands */
	NAME_KEPT = 1024,    /* the trap at the end of the shell relies on its value */
};

struct name {
	struct str text;
	unsigned flags;
	struct name *next;
};

/* A file that the text writes, and what into it. */
struct written {
	struct str path, text;
	struct written *next;
};

#define NAME_BUCKETS 64

/* Where the next effect of each kind goes. */
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
	bool cut; /* a value, a list or a loop was more than is followed */
	struct err err;

	struct frame frame;
	const struct via *via;
	int depth;      /* of sources inside sources */
	int calls;      /* functions inside functions */
	int level;      /* of commands that run only on some ways, or in another shell */
	unsigned loops; /* how often the innermost body is walked because of unrolling */
	bool remote;    /* on another machine: no file and directory here is meant */
	bool value;     /* in the value of a variable that other programs read */
	const struct command *within; /* the command is a module of it */
	bool exports;                 /* set -a: functions are handed on to other shells */
	unsigned later;       /* inside the text of a trap: NAME_LATER, NAME_TRAPPED */
	struct state aborted; /* what errors in expansions of this line leave behind */
	unsigned aborts;      /* how often that was added to */
	unsigned scans, scanned_calls;
	struct function *functions;
	struct name *names[NAME_BUCKETS];
	struct str
	    piped;    /* what the pipe brings to the next command; .p == NULL: unknown */
	bool decoded; /* ... and was made readable by a filter on its way */
	struct written *written; /* files, the newest first */
	struct span fed_at;      /* of the last <( ), */
	struct str fed;          /* and what it prints; .p == NULL: unknown */
	unsigned forks; /* processes that nobody waits for, or in a pipe, around here */
	const struct guess *guesses; /* guess.c; the newest first */
	struct sink guessed;
	unsigned round; /* which of them counts */
	bool guessable; /* an unknown value could be guessed */
	bool guessing;  /* unknown values are what they could be */
	bool quiet;     /* words are looked at again: what is in them has been told */
	bool more;      /* another round would find another guess */
	const struct args *args; /* $1 ..., the last that were known */
	struct str input; /* what compound commands around here read; .p == NULL: unknown */
	bool aliasing;    /* this shell could expand aliases */
};

/* ---- walk.c: lists, pipelines, compound commands */
struct flow walk_list(struct walk *w, const struct list *list, struct state s);
struct flow walk_node(struct walk *w, const struct node *node, struct state s);
/* A list in a subshell: nothing comes back. */
void walk_sub(struct walk *w, const struct list *list, struct state s);
/* Parse and walk an inner text; false when it is none that we can read (and says so). */
bool walk_source(struct walk *w, struct str text, enum dialect dialect, struct span at,
    struct str via, struct state s, struct flow *ret);
struct flow flow_of(struct state s);
struct state joined(struct walk *w, struct state x, struct state y);
/* An expansion could fail here: the rest of the line is then not run, the next line is. */
void may_abort(struct walk *w, const struct state *s);

/* ---- back.c: what only the whole text shows; behind everything else */
void look_back(struct walk *w);

/* ---- function.c */
struct call;
struct function *function_named(struct walk *w, struct str name);
void function_forget(struct walk *w, struct str name);
struct flow define_function(struct walk *w, const struct node *node, struct state s);
struct flow call_function(
    struct walk *w, struct function *f, const struct call *c, struct state s);
/* Bodies that no call has reached are walked as well: something may call them. */
void walk_uncalled(struct walk *w);

/* ---- simple.c: simple commands, assignments, redirections */
struct flow walk_simple(struct walk *w, const struct node *node, struct state s);
void walk_redirs(struct walk *w, const struct redir *r, struct state *s);
/* Could one of them fail?  The command is not run then. */
bool redirs_may_fail(const struct redir *r);
/* An assignment that lasts. */
void walk_assign(struct walk *w, const struct assign *a, struct state *s);

/* A command about to be run: after expansion, before we know what it is. */
struct call {
	struct field *argv;
	size_t argc;
	struct env_change *assigns;
	struct span at;
	const struct redir *redirs; /* of the simple command itself */
	const struct word *words;   /* as written, for declaration builtins; else NULL */
	bool no_function;           /* through command, env ...: a function is not meant */
	bool no_builtin;            /* through env, xargs ...: only a program */
	bool arguments_follow;      /* xargs: unknown words are added */
	struct str program;         /* of exec -a: what really runs; else .p == NULL */
	struct str piped;           /* what it reads from a pipe; .p == NULL: unknown */
	bool decoded;               /* nobody could read it before the pipe */
	struct command *self;       /* as it was reported */
};

/* Report the command and all that it does; loops through wrappers. */
struct flow run_call(struct walk *w, struct call *c, struct state s);

/* ---- word.c */
struct fields {
	struct field *v;
	size_t n, room;
};

/* The fields that a word (or a chain of words) becomes. */
void eval_word(
    struct walk *w, const struct word *word, struct state *s, struct fields *ret);
void eval_words(
    struct walk *w, const struct word *words, struct state *s, struct fields *ret);
/* The same without splitting and globs: x=v behind declare and its kin. */
void eval_declared(
    struct walk *w, const struct word *word, struct state *s, struct fields *ret);
/* The same without splitting, braces and globs: values of assignments, case, here-strings.
 */
struct field eval_single(
    struct walk *w, const struct word *word, struct state *s, bool assign);
/* Only for the commands inside: the value is of no interest. */
void eval_visit(struct walk *w, const struct word *word, struct state *s);
void fields_add(struct walk *w, struct fields *f, struct field field);
/* Words between blanks.  A text with one of the signs would need a language of its own:
 * false, and nothing is added. */
bool fields_split(struct walk *w, struct fields *f, struct field text, const char *signs);
/* What a command list prints, if that is certain; .p == NULL otherwise. */
struct str known_output(struct walk *w, const struct list *list, struct state *s);
struct str known_output_node(struct walk *w, const struct node *node, struct state *s);
/* It prints whole numbers or nothing: date +%s, wc -l <f, seq 5 ... */
bool numeric_output(const struct list *list);
/* It prints the name of a file that it has just made: a pattern for it; .p == NULL. */
struct str fresh_name(struct walk *w, const struct list *list);

/* ---- brace.c: a word whose braces are expanded, as several */
const struct word *brace_expand(struct walk *w, const struct word *word, bool *too_many);

/* ---- brace_check.c: bash finds the same braces in the text as we do */
bool braces_agree(struct walk *w, const struct word *word);

/* ---- arith.c: whatever is read as an expression may run code */
void arith_word(struct walk *w, const struct word *word, struct state *s);
void arith_field(struct walk *w, struct field f, struct state *s);
void arith_value(struct walk *w, struct field f, struct state *s);
/* The name of a variable that a builtin is given: x or x[1]; else unknown is reported. */
bool arith_target(struct walk *w, struct field f, struct str *ret_name);

/* ---- names.c */
void name_flag(struct walk *w, struct str name, unsigned flag, struct span at);
bool name_has(struct walk *w, struct str name, unsigned flag);
bool is_name(struct str s);
/* How many bytes at the front are a name. */
size_t name_length(struct str s);
bool is_number(struct str s);
/* Records a change of a variable's value: taint, behaviour, what is known from now on. */
void assign_name(
    struct walk *w, struct str name, struct field value, struct span at, struct state *s);
void forget_name(struct walk *w, struct str name, struct state *s);
enum env_power {
	ENV_PLAIN,
	ENV_TUNES,   /* options and places of tools: what they do is still theirs */
	ENV_LEADS,   /* programs are looked for in more places: the rest is unknown */
	ENV_CHANGES, /* names a program, or other code, that tools run */
	ENV_RUNS,    /* runs code or changes what a name means: the rest is unknown */
};
extern const struct str old_path;
enum env_power env_power(struct str name, struct field value);
/* Its value is the text of a command that other programs start: PAGER, GIT_SSH_COMMAND. */
bool env_is_command(struct str name);

/* ---- scan.c: what a list may change, without walking it */
struct scan {
	bool all;    /* any variable */
	bool cd;     /* the directory */
	bool jumps;  /* break, continue, return */
	unsigned id; /* so that each function is seen once */
	struct scan_name {
		struct str text;
		struct scan_name *next;
	} * names;
};
void scan_list(struct walk *w, const struct list *list, struct scan *ret);
void scan_node(struct walk *w, const struct node *node, struct scan *ret);
/* Forget what the scan says may change. */
void scan_apply(struct walk *w, const struct scan *scan, struct state *s);

/* ---- emit.c */
struct span place(const struct walk *w, struct span at);
void fail(struct walk *w, int code, struct span at, const char *why);
void add_unknown(struct walk *w, struct span at, const char *why);
struct command *add_command(struct walk *w, const struct call *c, const struct state *s);
void add_chdir(struct walk *w, const struct dirs *to, struct span at);
void add_file(struct walk *w, enum file_op op, bool tree, struct field path,
    const struct dirs *cwd, struct str by);
/* Only names and attributes there are read. */
void add_names(struct walk *w, struct field path, const struct dirs *cwd, struct str by);
void add_net(struct walk *w, struct field host, struct str by);
void add_env(struct walk *w, struct str name, struct field value, enum env_power power,
    struct span at);
struct state forget_all(struct walk *w, struct state s);
void *walk_alloc(struct walk *w, size_t n);

/* ---- builtin.c: false if the name is no builtin */
bool run_builtin(struct walk *w, struct call *c, struct state s, struct flow *ret);
bool is_builtin(struct str name);

/* ---- programs that run programs */
void run_shell(struct walk *w, struct call *c, struct state s);
void run_env(struct walk *w, struct call *c, struct state s);
void run_xargs(struct walk *w, struct call *c, struct state s);
void run_find(struct walk *w, struct call *c, struct state s);
/* The command of fd, from `from` on: what is found is put in its place, or behind it. */
void run_fd(struct walk *w, const struct call *c, size_t from, struct state s);
void run_git(struct walk *w, struct call *c, const struct know_scan *scan, struct state s);
void run_sed(struct walk *w, struct call *c, const struct know_scan *scan, struct state s);
void run_awk(struct walk *w, struct call *c, const struct know_scan *scan, struct state s);
void run_code(struct walk *w, struct call *c, const struct know_scan *scan, struct state s);
/* The scan to go on with: tar's modes change what its words are. */
const struct know_scan *run_tar(
    struct walk *w, struct call *c, const struct know_scan *scan, struct state *s);
/* The command in c->argv[from..], a program started through `via`. */
void run_inner(
    struct walk *w, const struct call *c, size_t from, struct str via, struct state s);
/* A text for /bin/sh in one field. */
void run_shell_text(struct walk *w, struct field text, struct str via, struct state s);
/* By the table: files, directories, hosts, inner commands and texts. */
void run_known(
    struct walk *w, struct call *c, const struct know_scan *scan, struct state s);

/* From the first to the last of some fields. */
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
