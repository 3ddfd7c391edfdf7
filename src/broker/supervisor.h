/* broker/supervisor.h: inside the room: what the supervisor of one run knows. */
#pragma once
#include "base/limits.h"
#include "confine/cgroup.h"
#include "confine/enter.h"
#include "confine/guard.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/sys.h"
#include "proxy/net.h"
#include "run/run.h"
#include "run/session/early.h"
#include "run/session/session.h"
#include <sys/stat.h>
#include <termios.h>
#include <time.h>

#define VIOLATIONS_MAX 512
#define REACHED_MAX 256
#define WORKERS_MAX 256
#define EXECS_MAX 256
#define HELD_MAX 1024
#define PLANTED_MAX 1024
#define PLANTED_QUIET_MAX (PLANTED_MAX / 2) /* so that they cannot crowd out the others */
#define REPOS_MAX 64
#define VACATED_MAX 4096
#define TODOS_MAX 16
/* Files that patterns hide and that the command made itself: it may read them again. */
#define OWN_MAX 1024
/* Files that must not be read, by number: their other names (hard links) are refused, too.
 */
#define DENIED_MAX 256

#define TERMINALS 3 /* streams that can be one */
#define TASKS_KNOWN 8
#define UMASK_UNSETTLED (-1)

/* One that calls; `proc` is its directory in /proc. */
struct known_task {
	pid_t pid; /* 0: nobody */
	int proc;
	mode_t umask;
	bool has_umask;
	uint64_t seen; /* the call for which its directory was looked into */
};

/* An inode.  Its birth tells it from a later one with the same number. */
struct inode_id {
	uint64_t dev, ino;
	struct timespec birth;
};

/* created.c: a hash table; ino == 0 marks a free slot. */
struct created {
	struct inode_id *slots;
	size_t slots_n, n;
};

/* The kinds of protected names that a vacated place held. */
enum vacated_found { VACATED_NAMES = 1, VACATED_GIT = 2, VACATED_ALL = 3 };

struct vacated {
	struct str path;
	unsigned found;
	uint64_t dev, ino; /* of the directory that was moved away; 0: it was removed */
};

/* aliases.c: protected files that have several names. */
struct aliases {
	struct inode_id *v;
	size_t n;
	bool full;
};

/* An exec that waits until another one of its process has ended. */
struct held_exec {
	struct kernel_notif n;
	pid_t process;
};

/* The list of a rebase that the run may have changed. */
struct todo {
	int dir;         /* rebase-merge */
	struct str path; /* of the list */
	struct str text; /* as it was before */
};

struct watched_exec; /* gate.c */
struct output_state; /* output.c */
struct stall;        /* stall.c */
struct place_in;
struct tracked; /* tracked.h */

struct supervisor {
	struct arena *a;
	const struct run_request *q;
	const struct plan *plan;
	struct run_result *result;
	pid_t init; /* the first process inside, our number for it */
	int pidfd, control, listener, signals, timer;
	int root;              /* the root directory inside */
	int tmp;               /* /tmp inside, to know that it was full; -1: none */
	int sockets;           /* sockets.c: its notes; -1: none yet */
	struct timespec began; /* by the clock that no stamp is ahead of */
	uint64_t began_ms;
	uint64_t deadline_ms, kill_ms; /* 0: none */
	uint64_t watched_ms;
	unsigned turns;        /* of the loop */
	bool busy;             /* the last one had something to do */
	struct stall *stall;   /* NULL: no such thread */
	_Atomic unsigned turn; /* of the loop; odd while it does something */
	bool termed;           /* somebody has sent SIGTERM */
	struct stat hidden_file, hidden_directory;
	bool has_hidden;
	struct violation *violations;
	size_t violations_n;
	struct violation *learned;
	size_t learned_n;
	struct violation *reached;
	size_t reached_n;
	struct planted *planted;
	size_t planted_n, planted_quiet_n;
	uint16_t
	    *planted_slots; /* numbers of them + 1, by the path's hash; NULL: none yet */
	struct str repos[REPOS_MAX]; /* that the run has made */
	size_t repos_n;
	struct todo todos[TODOS_MAX];
	size_t todos_n;
	struct vacated *vacated;
	size_t vacated_n;
	bool vacated_more;       /* table full: every place counts as vacated */
	struct tracked *tracked; /* NULL: git has locked no index yet */
	struct inode_id *own;
	size_t own_n;
	struct {
		uint64_t dev, ino;
	} denied[DENIED_MAX];
	size_t denied_n;
	bool denied_more;        /* table full: refuse every file with several names */
	struct timespec *topped; /* of each root: its time when it was listed for these */
	struct created created;
	struct aliases *aliases; /* NULL: not looked up yet */
	pid_t workers[WORKERS_MAX];
	size_t workers_n;
	struct known_task tasks[TASKS_KNOWN];
	unsigned tasks_next;
	uint64_t call;       /* the one that is being answered */
	pid_t umask_changes; /* it is about to; 0: nobody, or UMASK_UNSETTLED */
	int own_fds;         /* /proc/self/fd; -1: not open */
	pid_t outer;         /* the process group that it shares with who started us */
	struct {
		bool is;
		struct termios modes;
	} terminal[TERMINALS]; /* as they were at the start */
	uint64_t outside[3];   /* mounts that its streams lie on, of outside; 0: none */
	char *words_room;      /* gate: where words are read */
	struct str *words_v;
	struct watched_exec *execs;
	size_t execs_n;
	struct held_exec *held;
	size_t held_n;
	volatile pid_t seizing; /* the process that ptrace(2) waits for; 0: none */
	timer_t seize_timer;
	bool has_seize_timer;
	struct net net;
	int output[2]; /* where the command prints to, until it is started; -1: as we do */
	uint64_t output_limit;
	struct output_state *output_state;
	pid_t copier;
	bool started; /* the command's first exec was seen */
	bool ended;   /* a last report came */
	bool lost;    /* it was that nothing has been started */
	bool joined;  /* the place is a session's: `init` is not its first process */
	bool left;    /* others of the tree go on */
	bool early;   /* its namespaces stood already, with their users */
	bool unheld;  /* Landlock lets truncation by a name pass: none is left to its caller
		       */
	struct session session;
	struct cgroup group; /* .path is empty: none */
	int no_namespaces;   /* the errno with which they were refused; 0: they were not */
	struct plan bare;    /* then: the plan that is followed instead */
	char bare_tmp[32];   /* and its own directory; empty: none */
};

/* start.c: false, with the result filled, when the command cannot be started. */
bool start(struct supervisor *s);
/* The same once more, for who was lost. */
bool start_again(struct supervisor *s);
/* Its parts: tells why not, and returns false; what it waits for from inside. */
bool not_started(
    struct supervisor *s, enum plan_field field, const struct str *parts, size_t n);
#define NOT_STARTED(s, field, ...)                                                         \
	not_started((s), (field), (const struct str[]){ __VA_ARGS__ },                     \
	    sizeof((const struct str[]){ __VA_ARGS__ }) / sizeof(struct str))
/* In the first process that a helper has made: never returns. */
_Noreturn void start_first(struct supervisor *s, const int *pair);
bool start_wait_ready(struct supervisor *s);
/* Its report: confined, by this version of Landlock; or a step that failed, then false. */
void start_ready(struct supervisor *s, int abi);
bool start_explain(struct supervisor *s, const struct enter_report *r);
/* What lies over hidden files in s->root, to know it again. */
void start_find_hidden(struct supervisor *s);
bool start_drop_capabilities(void);
/* In the new process: no signal ends it. */
void start_no_signals(void);
/* Why there are no namespaces, and what a person can do. */
const char *start_why_no_namespaces(int error);
/* bare.c: the same without namespaces, where every field holds so. */
bool bare_start(struct supervisor *s);
/* At the end: whoever was left to us, and the directory. */
void bare_end(struct supervisor *s);
void bare_remove(const char *tmp);
/* reaper.c: inside, as the first process. */
_Noreturn void reap(int control, char *const *argv, char *const *envp);
/* The parts of it: the command itself, in its own process; how many processes there were.
 */
_Noreturn void reap_command(int control, char *const *argv, char *const *envp);
uint32_t reap_count(void);
void reap_forward(pid_t child, int sig);
/* Who buries is not to be found by the words of the command. */
void reap_hide_words(void);
/* loop.c: until the end of the tree. */
void supervise(struct supervisor *s);
/* One turn of the loop, which waits at most so long (-1: as limits want it); true at the
 * end. */
bool supervise_once(struct supervisor *s, int wait);
/* stall.c: kill the tree when a turn of the loop takes too long after a signal or the
 * deadline; false without memory or descriptors.  Begun a second time it goes on. */
bool stall_begin(struct supervisor *s);
/* No call of the command can come any more: the thread may end meanwhile. */
void stall_stop(struct supervisor *s);
void stall_end(struct supervisor *s);
/* watch.c: how much the tree uses; kills it beyond a limit.  Called at every turn: it looks
 * when it is time. */
void watch_tree(struct supervisor *s);
/* Notes that nothing more fits into /tmp. */
void watch_tmp(struct supervisor *s);
/* How long until it looks again, in ms; 0: it never does. */
uint64_t watch_every(const struct supervisor *s);
void kill_tree(struct supervisor *s);

/* output.c: before anything is started; false without descriptors or memory. */
bool output_begin(struct supervisor *s, uint64_t limit);
bool output_take(struct supervisor *s);    /* in the process that becomes the command */
void output_started(struct supervisor *s); /* outside, when that process is there */
void output_end(struct supervisor *s);     /* when all of the tree has ended */

/* violations.c */
void violate(
    struct supervisor *s, pid_t pid, enum run_op op, struct str path, const char *why);

/* The same for a program that is known by its name alone. */
void violate_by(struct supervisor *s, struct str program, enum run_op op, struct str path,
    const char *why);

/* A host of the list, which it was let connect to. */
void reached(struct supervisor *s, struct str program, struct str host);

/* plant.c: list a file for the end of the run, once. */
void plant(struct supervisor *s, struct str path, const char *why);
/* The same, also where its path is listed already: for another reason. */
void plant_each(struct supervisor *s, struct str path, const char *why);
/* The same as plant(); `quiet` as in struct planted. */
void plant_as(struct supervisor *s, struct str path, const char *why, bool quiet);
/* A file of before the run was removed: if it is made again, it was changed. */
void plant_gone(struct supervisor *s, struct str path, const char *why);
/* Files and directories were renamed; `swap`: exchanged. */
void plant_moved(struct supervisor *s, struct str from, struct str to, bool swap);
/* sweep.c: what makes git run code in the repositories that the run has made. */
void sweep_repositories(struct supervisor *s);
/* It was changed by our hand: told, where everything is to be learned. */
void learn(struct supervisor *s, enum run_op op, struct str path);
/* planted.c: the supervisor made, changed, removed or renamed it; list it if its name is in
 * policy/names.list. */
void plant_look(struct supervisor *s, const struct place_in *p);
void plant_look_removed(struct supervisor *s, const struct place_in *p);
void plant_renamed(struct supervisor *s, const struct place_in *from,
    const struct place_in *to, bool swap);
/* below.c: `dir` comes to lie, or lies, at the path of `at`: why something in it must not
 * be there, or must stay; NULL: nothing.  A symlink could lead to anything;
 * NULL stands for one that is to be made. */
const char *below_guard(struct supervisor *s, const struct place_in *at,
    const struct place_in *dir, enum run_op op);
/* The directory `name` in `parent` has something that is protected where it lies at `path`.
 */
bool below_holds(int parent, const char *name, struct str path);
/* `to` becomes "dir/rest". */
void below_name(char *to, const char *dir, const char *rest);

/* ---- one call that was sent to us */

struct call {
	struct supervisor *s;
	struct kernel_notif n;
	bool truncates; /* by a name, without the right to write */
};

/* notify.c: takes the next call and answers it. */
void notify_next(struct supervisor *s);
/* Whether its caller still waits.  If not, there is nothing left to answer. */
bool call_is_valid(const struct call *c);
/* It truncates by a name, and nothing but our answer holds that. */
bool call_is_unheld(const struct call *c);
/* The kernel makes it, whatever its names mean by then: never a decision.  A call that
 * nothing else holds is refused instead. */
void call_go_on(const struct call *c);
/* The same for one that the kernel will answer with this error. */
void call_go_on_to(const struct call *c, int error);
/* The path cannot be resolved.  Answer ENOENT and ENOTDIR directly: if the kernel resolved
 * the path again, a directory that another thread has just made would turn "not there" into
 * Landlock's EACCES.  Any other error is left to the kernel, which the mounts and Landlock
 * bound. */
void call_fail(const struct call *c, int error);
/* 0, or a positive errno. */
void call_answer(const struct call *c, int error);
/* Hands over a descriptor as the call's result. */
void call_give(const struct call *c, int fd, bool cloexec);
/* Puts a descriptor in the place of the caller's `number`; the answer is still to be
 * given. */
bool call_replace(const struct call *c, int fd, int number);
/* The caller's socket, the first argument; or a negative errno. */
int call_socket(const struct call *c);
/* Gives the caller a descriptor, the answer is still to be given; its number, or -1 and
 * errno. */
int call_add(const struct call *c, int fd, bool cloexec);
/* A process that may block does the rest; false in the supervisor, true in the worker.
 * *ret_error is set when there can be none. */
bool call_in_worker(const struct call *c, int *ret_error);

/* child.c: what the caller's memory and names mean */
bool child_read(pid_t pid, uint64_t at, void *room, size_t n);
bool child_write(pid_t pid, uint64_t at, const void *from, size_t n);
/* A text with its NUL; false when it is longer or cannot be read. */
bool child_text(pid_t pid, uint64_t at, char *room, size_t n);
/* One of its files in /proc, to be read; -1 and errno. */
int child_file(pid_t pid, const char *what);
/* What its open file `status` says. */
bool child_umask(int status, mode_t *ret);
/* The flags of a descriptor, O_CLOEXEC among them; that one alone if they cannot be read.
 */
unsigned child_fd_flags(pid_t pid, int fd);
/* The process that a thread belongs to. */
pid_t child_process(pid_t pid);
/* Its process and itself as they are numbered where it lives: "7", "7/task/9". */
bool child_inner(pid_t pid, bool thread, char *room, size_t n);
/* The base name of its program; it lives in `room`. */
struct str child_program(pid_t pid, char *room, size_t n);

/* task.c: a file of its directory in /proc, or a negative errno. */
int task_open(struct supervisor *s, pid_t pid, const char *what, int flags);
/* The path of its working directory or of the directory `dirfd`, as the kernel says it; its
 * length, or 0. */
size_t task_base(struct supervisor *s, pid_t pid, int dirfd, char *room, size_t n);
mode_t task_umask(struct supervisor *s, pid_t pid);
/* It is about to change its own. */
void task_changes_umask(struct supervisor *s, pid_t pid);
/* The kernel's path of one of our own descriptors, with a NUL; its length, or 0. */
size_t task_own_path(struct supervisor *s, int fd, char *room, size_t n);
/* In a process that was forked: its descriptors are not those of the supervisor. */
void task_in_worker(struct supervisor *s);
/* Nobody is known any more; also for a process that goes on in our place. */
void task_end(struct supervisor *s);

struct place_in {
	int parent; /* the directory; -1 when `object` is meant */
	int object; /* what a descriptor link leads to; -1: none */
	char name[256];
	char path[LIMIT_PATH];
	size_t path_n;
	bool exists;
	bool slash;                     /* a directory is meant: one stood behind it */
	struct stat st;                 /* when it exists */
	const struct plan_name *agreed; /* it may be changed by this; NULL: by none */
};

enum place_flags {
	PLACE_FOLLOW = 1, /* the last name, if it is a link */
};

/* 0, or a positive errno; then nothing is open.  place_done() closes. */
int place_find(struct supervisor *s, pid_t pid, int dirfd, const char *text, unsigned flags,
    struct place_in *ret);
/* The same with rules of openat2 for the way. */
int place_find_how(struct supervisor *s, pid_t pid, int dirfd, const char *text,
    unsigned flags, uint64_t resolve, struct place_in *ret);
/* What a descriptor of its leads to. */
int place_descriptor(struct supervisor *s, pid_t pid, int fd, struct place_in *ret);
/* place_plain.c: the same for a path without links; false: it may be another one. */
bool place_plain(
    struct supervisor *s, pid_t pid, int dirfd, const char *text, struct place_in *ret);
/* place_walk.c: any path, name by name. */
int place_walk(struct supervisor *s, pid_t pid, int dirfd, const char *text, unsigned flags,
    uint64_t resolve, struct place_in *ret);
/* For these: its directory, or a negative errno; the place becomes `name` in its parent, or
 * the object `fd`, which it takes; two descriptors of one directory, of one mount. */
int place_base(struct supervisor *s, pid_t pid, int dirfd);
int place_name(struct supervisor *s, struct place_in *p, struct str name);
int place_object(struct supervisor *s, struct place_in *p, int fd);
/* A file has a name, but not the one that it was opened by: nothing may change it. */
bool place_is_lost(struct supervisor *s, int fd);
bool place_same(int x, int y);
bool place_same_mount(int x, int y);
/* Its directory as its path leads to it inside: a descriptor that was handed in may know it
 * by a mount of outside, where more can be written.  0, or a positive errno. */
int place_inside(struct supervisor *s, struct place_in *p);
void place_done(struct place_in *p);
/* agreed.c: a name that a person agreed to, to be made or (`goes`) to be taken away, is
 * opened where it lies outside; then p->agreed says so. */
void place_agree(struct supervisor *s, struct place_in *p, bool goes);
bool place_is_mount(const struct place_in *p);
/* It lies on a mount that came in with a stream, of this run or of another. */
bool place_is_outside(const struct supervisor *s, int fd);
/* It is one of its streams, and that was handed in to be written (/dev/stderr). */
bool place_is_stream(const struct supervisor *s, int fd, uint64_t flags);
/* Notes those mounts, before anything is started; false where the kernel does not tell one:
 * then nothing could be held there. */
bool place_find_outside(struct supervisor *s);
/* The run has made it; one that is not there it would make. */
bool place_is_new(struct supervisor *s, const struct place_in *p);
/* The same of the directory at this path of `n` bytes, which ends in a NUL. */
bool dir_is_new(struct supervisor *s, const char *path, size_t n);
/* vacated.c: protected names at `path` are not free though their directory is new. */
bool vacated_holds(const struct supervisor *s, struct str path, bool git);
/* A directory of the run's own would bring such names to such a place. */
bool vacated_refuses(struct supervisor *s, const struct place_in *from,
    const struct place_in *to, bool swap);
/* Before a directory is moved: what it holds; record it (false: that failed, and the move
 * must not happen); and after the move. */
unsigned vacated_look(struct supervisor *s, const struct place_in *from);
bool vacated_moves(struct supervisor *s, const struct place_in *from,
    const struct place_in *to, unsigned found);
void vacated_moved(struct supervisor *s, const struct place_in *from,
    const struct place_in *to, unsigned found);
/* Before a name is removed: record its place if it was protected; false: that failed. */
bool vacated_removes(struct supervisor *s, const struct place_in *p);
void vacated_put(struct supervisor *s, const struct vacated *new);
/* vacated_file.c: the record that outlives runs. */
void vacated_load(struct supervisor *s);
bool vacated_save(struct supervisor *s, const struct vacated *v);
/* The number of its mount; false where the kernel does not tell. */
bool file_mount(int fd, uint64_t *ret);
/* When it was made; false where the file system does not know. */
bool file_birth(int dir, const char *name, struct timespec *ret);
/* aliases.c: it is another name of a protected file. */
bool alias_is_protected(struct supervisor *s, const struct place_in *p);
/* Its identity; false where the file system knows no birth. */
bool file_id(int dir, const char *name, struct inode_id *ret);
/* created.c: remember a directory that the supervisor has just made. */
void created_add(struct supervisor *s, int dir, const char *name);
/* It is one of them. */
bool created_has(const struct supervisor *s, int fd);
#define cleanup_place __attribute__((cleanup(place_done)))
#define PLACE_NONE ((struct place_in){ .parent = -1, .object = -1 })

static inline struct str
place_path(const struct place_in *p)
{
	return str_of(p->path, p->path_n);
}

/* perform.c: calls that change names; open.c: opens; connect.c; gate.c */
void perform_open(
    struct call *c, int dirfd, uint64_t path, const struct kernel_open_how *how);
void perform_call(struct call *c);
void perform_connect(struct call *c);
void perform_bind(struct call *c); /* bind.c */
/* sockets.c: a pair of datagram sockets. */
void perform_socketpair(struct call *c);
/* There is room for one note more. */
bool sockets_have_room(struct supervisor *s);
/* Notes the socket `name` that was bound for the command; false when there is none. */
bool socket_note(const struct supervisor *s, int dir, const char *name);
/* A command of this run, or of its session, has bound it. */
bool socket_is_own(struct supervisor *s, int fd);
/* hidden.c: it is, or a pattern hides it and the command has not made it. */
bool hidden_is(const struct supervisor *s, const struct place_in *p);
/* denied.c: why a rule forbids to read this file, which the command has not made; NULL:
 * none does. */
const char *denied_why(struct supervisor *s, const struct place_in *p);
/* A rule forbids to read what has this path; *ret_why is good until the next question. */
bool denied_path(struct supervisor *s, struct str path, struct str *ret_why);
/* Why this must not get another name: it cannot be read, or holds files that rules name by
 * its place; NULL: it may. */
const char *denied_move(struct supervisor *s, const struct place_in *p);
/* An open for reading needs no look: it leads to the system's own files. */
bool denied_is_far(const struct supervisor *s, struct str text);
/* It is a directory with hidden files in it: renamed, they might be hidden no more. */
bool hidden_below(const struct supervisor *s, const struct place_in *p);
/* The command has made it, by our hand. */
void hidden_own(struct supervisor *s, const struct place_in *p, int fd);
/* Which of its own it is, or their number; it has gone, and is nobody's. */
size_t hidden_find_own(const struct supervisor *s, const struct place_in *p);
void hidden_gone(struct supervisor *s, size_t own);
/* perform_git.c: a rename into a directory of git's; answered if true. */
bool perform_git_config(
    struct call *c, const struct place_in *from, const struct place_in *to);
/* git_look.c: judge a name by the directory of git's that it lies in; *h is completed. */
void perform_git_look(
    struct supervisor *s, const struct place_in *p, enum run_op op, struct guard_hit *h);
/* The directory at the first `n` bytes of its path was there before the run. */
bool gitdir_is_old(struct supervisor *s, const struct place_in *p, size_t n);
/* git_led.c: the configuration of a repository above leads to it. */
bool git_is_led_to(
    struct supervisor *s, const struct place_in *p, enum run_op op, size_t root);
/* It is a .git file that leads to a directory of the run's own: git submodule writes it
 * twice. */
bool git_leads_to_new(struct supervisor *s, const struct place_in *p);
/* The text of a small file, without newlines at its end; its length, 0: none. */
size_t file_line(int dir, const char *name, char *room, size_t size);
/* git_todo.c: the list of a rebase in progress may change; false: there is none, or no
 * room.  At the end of the run, exec lines that it has written are taken out. */
bool todo_note(struct supervisor *s, const struct place_in *p);
void todo_end(struct supervisor *s);
/* perform_attr.c: changes of what is known of a file: never goes on. */
void perform_attribute(struct call *c);
/* review_move.c: rename a directory of the lower layer; 0, or a positive errno.  Moves back
 * what it has moved when it fails. */
int review_move(
    int from_dir, const char *from_name, int to_dir, const char *to_name, unsigned depth);
/* mounts.c: is the mount with this number one of the place's own? */
bool mount_is_inside(const struct supervisor *s, uint64_t id);
/* terminal.c: what a command leaves of the user's terminal is undone. */
void terminal_save(struct supervisor *s);
void terminal_restore(struct supervisor *s);
/* A request to a terminal. */
void perform_ioctl(struct call *c);
/* group.c: a signal to the caller's own group. */
void perform_kill(struct call *c);
/* NULL, or why the path may not be changed. */
const char *perform_guard(struct supervisor *s, const struct place_in *p, enum run_op op);
/* A reason that was worked out, kept with the run; where there is no room: `other`. */
const char *keep_why(struct supervisor *s, struct str why, const char *other);
/* The kernel will refuse to change it: noted. */
void perform_note(struct call *c, const struct place_in *p, enum run_op op);

void gate_exec(struct call *c);
/* A traced task stopped, or ended. */
void gate_stopped(struct supervisor *s, pid_t pid, int status);
