/*
 * try_without WHAT... -- PROGRAM [WORD...]: starts the program on a kernel that has less.
 *
 *	namespaces   as Docker's own filter: no clone or unshare of them, no mount
 *	mounts       as Ubuntu's AppArmor rule: user namespaces, in which nothing mounts
 *	landlock     a kernel that was booted without it
 *	listener     somebody outside listens to calls already: a second one is EBUSY
 *	CALL=ERRNO   one system call by its number
 */
#include "try.h"
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#define NEW_ALL 0x7e020000U
#define MAX 64

static struct sock_filter code[MAX];
static unsigned short n;

static void
put(unsigned short op, unsigned char jt, unsigned char jf, unsigned k)
{
	code[n++] = (struct sock_filter){ op, jt, jf, k };
}

static void
fail(unsigned call, unsigned error)
{
	put(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, call);
	put(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | error);
}

/* Only with one of these bits in an argument. */
static void
fail_with(unsigned call, unsigned arg, unsigned bits, unsigned error)
{
	put(BPF_JMP | BPF_JEQ | BPF_K, 0, 4, call);
	put(BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, args) + 8 * arg);
	put(BPF_JMP | BPF_JSET | BPF_K, 0, 1, bits);
	put(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | error);
	put(BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr));
}

static void
no_mounts(void)
{
	fail(SYS_mount, EPERM);
	fail(SYS_umount2, EPERM);
	fail(428, EPERM); /* open_tree */
	fail(429, EPERM); /* move_mount */
	fail(430, EPERM); /* fsopen */
	fail(442, EPERM); /* mount_setattr */
}

static int
take(const char *what)
{
	char *end;
	unsigned long call = strtoul(what, &end, 0);

	if (strcmp(what, "namespaces") == 0) {
		fail_with(SYS_clone, 0, NEW_ALL, EPERM);
		fail_with(SYS_unshare, 0, NEW_ALL, EPERM);
		fail(SYS_clone3, ENOSYS);
		no_mounts();
	} else if (strcmp(what, "mounts") == 0)
		no_mounts();
	else if (strcmp(what, "landlock") == 0) {
		fail(444, EOPNOTSUPP);
		fail(445, EOPNOTSUPP);
		fail(446, EOPNOTSUPP);
	} else if (strcmp(what, "listener") == 0)
		fail_with(SYS_seccomp, 1, 8, EBUSY);
	else if (*end == '=')
		fail((unsigned)call, (unsigned)strtoul(end + 1, NULL, 0));
	else
		return -1;
	return 0;
}

int
main(int argc, char **argv)
{
	struct sock_fprog program = { 0, code };
	int i = 1;

	put(BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr));
	while (i < argc && strcmp(argv[i], "--") != 0)
		if (take(argv[i++])) {
			(void)fprintf(stderr, "try_without: what is %s?\n", argv[i - 1]);
			return 64;
		}
	if (i + 1 >= argc)
		return 64;
	put(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
	program.len = n;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		perror("try_without");
		return 70;
	}
	(void)execvp(argv[i + 1], argv + i + 1);
	perror(argv[i + 1]);
	return 127;
}
