/*
 * Namespaces ahead of time: a helper makes them while the command is still being judged and
 * planned, for they take as long as all of that.  When the run starts it makes the first
 * process in them; when there is none to be started it dies with us.
 *
 * The helper has our memory and our descriptors, so that the first process has what was
 * planned meanwhile.  It therefore touches no variable of a library, errno among them: its
 * calls go straight to the kernel.
 */
#define _GNU_SOURCE
#include "run/session/early.h"
#include "os/sys.h"
#include "run/run_internal.h"
#include "run/session/aside.h"
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define STACK ((size_t)256 << 10)
#define CLONE_PARENT_FLAG 0x00008000UL
#define CLONE_PARENT_SETTID_FLAG 0x00100000UL
#define LOOK_NS 20000000L
#define FUTEX_WAIT_PRIVATE_OP 128 /* FUTEX_WAIT, one memory */
#define FUTEX_WAKE_PRIVATE_OP 129

enum { MAKING, MADE, GO, DONE };

struct run_early {
	uint32_t state;
	unsigned long namespaces;
	pid_t self, helper;
	int error; /* of making them; 0: they are there */
	pid_t first;
	int pidfd;
	struct supervisor *s;
	const int *control;
	struct aside aside;
};

struct clone_words {
	uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
};

#if defined(__x86_64__)
static inline long
raw(long nr, long a, long b, long c, long d)
{
	register long r10 __asm__("r10") = d;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return ret;
}
#elif defined(__aarch64__)
static inline long
raw(long nr, long a, long b, long c, long d)
{
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3)
			 : "memory");
	return x0;
}
#endif

static void
tell(struct run_early *x, uint32_t state)
{
	__atomic_store_n(&x->state, state, __ATOMIC_RELEASE);
	(void)raw(SYS_futex, (long)&x->state, FUTEX_WAKE_PRIVATE_OP, 1, 0);
}

/* ---- the helper */

/* What it makes may run anywhere: as aside_free(), without errno. */
static int
go_anywhere(const struct run_early *x)
{
	return x->aside.bytes ? (int)-raw(SYS_sched_setaffinity, 0, (long)x->aside.bytes,
				    (long)x->aside.all, 0)
			      : 0;
}

static void
make_first(struct run_early *x)
{
	struct clone_words words = { .flags = KERNEL_CLONE_NEWPID | KERNEL_CLONE_PIDFD |
					      CLONE_PARENT_FLAG | CLONE_PARENT_SETTID_FLAG,
		.pidfd = (uint64_t)(uintptr_t)&x->pidfd,
		.parent_tid = (uint64_t)(uintptr_t)&x->first };
	long r = raw(SYS_clone3, (long)&words, sizeof words, 0, 0);

	if (r == 0)
		start_first(x->s, x->control);
	/* The kernel has noted its number already, so that nobody is lost if we are killed
	 * here. */
	if (r < 0)
		x->error = (int)-r;
}

/*
 * What takes long and needs no plan.  Whoever enters looks whether it is done, and does it
 * where it is not: here a failure means nothing.
 */
static void
prepare(const struct run_early *x)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	long fd = -1;

	if (x->namespaces & KERNEL_CLONE_NEWNET)
		fd = raw(SYS_socket, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0, 0);
	if (fd >= 0) {
		(void)raw(SYS_ioctl, fd, SIOCSIFFLAGS, (long)&lo, 0);
		(void)raw(SYS_close, fd, 0, 0, 0);
	}
	for (long c = 0; raw(SYS_prctl, PR_CAPBSET_DROP, c, 0, 0) == 0; c++)
		;
}

static int
help(void *context)
{
	struct run_early *x = context;

	(void)raw(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0);
	if (raw(SYS_getppid, 0, 0, 0, 0) == x->self) {
		x->error = (int)-raw(SYS_unshare, (long)x->namespaces, 0, 0, 0);
		tell(x, MADE);
		/* Meanwhile their users are named. */
		if (!x->error)
			prepare(x);
		while (__atomic_load_n(&x->state, __ATOMIC_ACQUIRE) == MADE)
			(void)raw(
			    SYS_futex, (long)&x->state, FUTEX_WAIT_PRIVATE_OP, MADE, 0);
		x->error = go_anywhere(x);
		if (!x->error)
			make_first(x);
		tell(x, DONE);
	}
	(void)raw(SYS_exit_group, 0, 0, 0, 0);
	return 0;
}

/* ---- we */

struct run_early *
early_begin(struct arena *a, bool network)
{
	struct run_early *x = ARENA_NEW(a, struct run_early);
	char *stack;

#ifdef __SANITIZE_ADDRESS__
	/* It knows one stack for each thread. */
	return NULL;
#endif
	if (!x)
		return NULL;
	x->namespaces = KERNEL_CLONE_NEW_ALL & ~KERNEL_CLONE_NEWPID;
	if (network)
		x->namespaces &= ~KERNEL_CLONE_NEWNET;
	x->self = getpid();
	x->pidfd = -1;
	stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (stack == MAP_FAILED)
		return NULL;
	aside_look(&x->aside);
	x->helper = clone(help, stack + STACK, CLONE_VM | CLONE_FILES | SIGCHLD, x);
	if (x->helper > 0)
		aside_put(&x->aside, x->helper);
	return x->helper > 0 ? x : NULL;
}

/* False when the helper has died meanwhile. */
static bool
wait_for(struct run_early *x, uint32_t state)
{
	const struct timespec look = { .tv_nsec = LOOK_NS };
	uint32_t now;

	/* Our own processor is free now. */
	if (__atomic_load_n(&x->state, __ATOMIC_ACQUIRE) < state)
		(void)aside_free(&x->aside, x->helper);
	while ((now = __atomic_load_n(&x->state, __ATOMIC_ACQUIRE)) < state) {
		(void)raw(SYS_futex, (long)&x->state, FUTEX_WAIT_PRIVATE_OP, (long)now,
		    (long)&look);
		if (waitpid(x->helper, NULL, WNOHANG | __WALL) == x->helper) {
			x->helper = 0;
			return false;
		}
	}
	return true;
}

void
early_end(struct run_early *x)
{
	if (!x || !x->helper)
		return;
	(void)kill(x->helper, SIGKILL);
	(void)waitpid(x->helper, NULL, __WALL);
	x->helper = 0;
}

bool
early_ready(struct run_early *x, unsigned long namespaces)
{
	if (x && x->helper &&
	    x->namespaces == (namespaces & ~(unsigned long)KERNEL_CLONE_NEWPID) &&
	    wait_for(x, MADE) && !x->error)
		return true;
	early_end(x);
	return false;
}

pid_t
early_helper(const struct run_early *x)
{
	return x->helper;
}

pid_t
early_first(struct run_early *x, struct supervisor *s, const int *control, int *ret_pidfd)
{
	x->s = s;
	x->control = control;
	tell(x, GO);
	(void)wait_for(x, DONE);
	/* It has nothing left to do but to end. */
	if (x->helper)
		(void)waitpid(x->helper, NULL, __WALL);
	x->helper = 0;
	*ret_pidfd = x->pidfd;
	errno = x->error ? x->error : ECHILD;
	return x->first > 0 ? x->first : -1;
}
