/*
 * Namespaces that are made before the run: a helper makes them while the command is still
 * being judged and planned, which takes as long.  When the run starts the helper clones the
 * first process in them; if no run starts it dies with us.
 *
 * The helper shares our memory and our descriptors, so that the first process has the plan.
 * It therefore must not touch variables of the C library, errno among them: it makes raw
 * system calls.
 */
#define _GNU_SOURCE
#include "run/session/prenamespace.h"
#include "os/sys.h"
#include "run/run_internal.h"
#include "run/session/cpu_spread.h"
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
#define FUTEX_WAIT_PRIVATE_OP 128 /* FUTEX_WAIT within one address space */
#define FUTEX_WAKE_PRIVATE_OP 129

enum { MAKING, MADE, GO, DONE };

struct prenamespace {
	uint32_t state;
	unsigned long namespaces;
	pid_t self, helper;
	int error; /* of unshare(2); 0: they exist */
	pid_t first;
	int pidfd;
	struct supervisor *s;
	const int *control;
	struct cpu_spread spread;
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
tell(struct prenamespace *x, uint32_t state)
{
	__atomic_store_n(&x->state, state, __ATOMIC_RELEASE);
	(void)raw(SYS_futex, (long)&x->state, FUTEX_WAKE_PRIVATE_OP, 1, 0);
}

/* ---- the helper */

/* Reset the CPU affinity for what it makes: like cpu_spread_reset(), without errno. */
static int
go_anywhere(const struct prenamespace *x)
{
	return x->spread.bytes ? (int)-raw(SYS_sched_setaffinity, 0, (long)x->spread.bytes,
				     (long)x->spread.all, 0)
			       : 0;
}

static void
make_first(struct prenamespace *x)
{
	struct clone_words words = { .flags = KERNEL_CLONE_NEWPID | KERNEL_CLONE_PIDFD |
					      CLONE_PARENT_FLAG | CLONE_PARENT_SETTID_FLAG,
		.pidfd = (uint64_t)(uintptr_t)&x->pidfd,
		.parent_tid = (uint64_t)(uintptr_t)&x->first };
	long r = raw(SYS_clone3, (long)&words, sizeof words, 0, 0);

	if (r == 0)
		start_first(x->s, x->control);
	/* The kernel has stored its PID already, so it is not lost if we are killed
	 * here. */
	if (r < 0)
		x->error = (int)-r;
}

/*
 * Do what takes long and needs no plan.  enter_apply() checks whether it is done, and does
 * it otherwise: a failure here means nothing.
 */
static void
prepare(const struct prenamespace *x)
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
	struct prenamespace *x = context;

	(void)raw(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0);
	if (raw(SYS_getppid, 0, 0, 0, 0) == x->self) {
		x->error = (int)-raw(SYS_unshare, (long)x->namespaces, 0, 0, 0);
		tell(x, MADE);
		/* Meanwhile the supervisor writes their user maps. */
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

/* ---- in the supervisor */

struct prenamespace *
prenamespace_begin(struct arena *a, bool network)
{
	struct prenamespace *x = ARENA_NEW(a, struct prenamespace);
	char *stack;

#ifdef __SANITIZE_ADDRESS__
	/* AddressSanitizer tracks one stack per thread. */
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
	cpu_spread_find(&x->spread);
	x->helper = clone(help, stack + STACK, CLONE_VM | CLONE_FILES | SIGCHLD, x);
	if (x->helper > 0)
		cpu_spread_away(&x->spread, x->helper);
	return x->helper > 0 ? x : NULL;
}

/* Returns false if the helper has died meanwhile. */
static bool
wait_for(struct prenamespace *x, uint32_t state)
{
	const struct timespec look = { .tv_nsec = LOOK_NS };
	uint32_t now;

	/* We wait now: our own CPU is free. */
	if (__atomic_load_n(&x->state, __ATOMIC_ACQUIRE) < state)
		(void)cpu_spread_reset(&x->spread, x->helper);
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
prenamespace_end(struct prenamespace *x)
{
	if (!x || !x->helper)
		return;
	(void)kill(x->helper, SIGKILL);
	(void)waitpid(x->helper, NULL, __WALL);
	x->helper = 0;
}

bool
prenamespace_ready(struct prenamespace *x, unsigned long namespaces)
{
	if (x && x->helper &&
	    x->namespaces == (namespaces & ~(unsigned long)KERNEL_CLONE_NEWPID) &&
	    wait_for(x, MADE) && !x->error)
		return true;
	prenamespace_end(x);
	return false;
}

pid_t
prenamespace_helper(const struct prenamespace *x)
{
	return x->helper;
}

pid_t
prenamespace_first(
    struct prenamespace *x, struct supervisor *s, const int *control, int *ret_pidfd)
{
	x->s = s;
	x->control = control;
	tell(x, GO);
	(void)wait_for(x, DONE);
	/* The helper has nothing left to do but to exit. */
	if (x->helper)
		(void)waitpid(x->helper, NULL, __WALL);
	x->helper = 0;
	*ret_pidfd = x->pidfd;
	errno = x->error ? x->error : ECHILD;
	return x->first > 0 ? x->first : -1;
}
