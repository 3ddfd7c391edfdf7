/* runner.c - runs inside the bwrap sandbox (static binary, pid > 1).
 * Reads frames   "C <id> <mode> <len>\n<len bytes>"   on stdin,
 * for each one runs   strace ... INTERP -c <bytes>   in a fresh directory and
 * writes         "R <id> <mode> <rc> <flags> <ms> <tlen> <olen> <xlen>\n" + trace + output
 * + xtrace on stdout.  flags: 1 timed out, 2 trace truncated, 4 output truncated, 8 xtrace
 * truncated. mode: status letter (0,1,h,i) optionally followed by 'x' = also run with
 * xtrace to fd 199 (gives builtins, assignments, [[ and the like).
 * Leaves no process behind between cases: kill(-1) inside the pid namespace. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int tmo_ms = 3000;
static size_t cap_trace = 4u << 20, cap_out = 16384;
static const char *interp = "/usr/bin/bash";
static const char *flag = "-c";

static void
die(const char *m)
{
	dprintf(2, "runner: %s: %s\n", m, strerror(errno));
	_exit(70);
}

static void
wipe_at(int dfd, int depth)
{
	DIR *d = fdopendir(dfd);
	struct dirent *e;
	if (!d) {
		close(dfd);
		return;
	}
	while ((e = readdir(d))) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		if (unlinkat(dirfd(d), e->d_name, 0) == 0)
			continue;
		fchmodat(dirfd(d), e->d_name, 0700, 0);
		int s = openat(
		    dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (s >= 0 && depth < 64)
			wipe_at(s, depth + 1);
		else if (s >= 0)
			close(s);
		unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
	}
	closedir(d);
}
static void
wipe(const char *p)
{
	chmod(p, 0700);
	int fd = open(p, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		wipe_at(fd, 0);
}
static void
put(const char *p, const char *s)
{
	int fd = open(p, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0)
		return;
	if (write(fd, s, strlen(s)) < 0) {
	}
	close(fd);
}
static void
fixture(void)
{
	wipe("/w");
	wipe("/home/u");
	wipe("/tmp");
	mkdir("/w/c", 0755);
	put("/w/c/f1", "one\n");
	put("/w/c/f2.txt", "two\n");
	put("/w/c/g.c", "three\n");
	put("/w/c/sp ace", "four\n");
	mkdir("/w/c/d1", 0755);
	mkdir("/w/c/d2", 0755);
	put("/w/c/d2/x", "x\n");
	mkdir("/home/u/h1", 0755);
}
static long
now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000L + t.tv_nsec / 1000000L;
}
static void
lim(int r, rlim_t v)
{
	struct rlimit l = { v, v };
	setrlimit(r, &l);
}

/* The trace, the output and the xtrace go to memfds: no path that a case could
 * delete.  strace opens the first one through /proc/<runner>/fd. */
static int mfd_trace = -1, mfd_out = -1, mfd_x = -1;
static char trace_path[64];

static int
mem(const char *n)
{
	int fd = memfd_create(n, MFD_CLOEXEC), g;
	if (fd < 0)
		die("memfd");
	g = fcntl(fd, F_DUPFD_CLOEXEC, 70);
	close(fd);
	fcntl(g, F_SETFL, O_APPEND);
	return g;
}
static void
child(char *src, const char *mode)
{
	char x = strchr(mode, 'x') != NULL;
	setsid();
	int n = open("/dev/null", O_RDONLY);
	if (n < 0)
		die("child open");
	dup2(n, 0);
	dup2(mfd_out, 1);
	dup2(mfd_out, 2);
	if (n > 2)
		close(n);
	if (x)
		dup2(mfd_x, 199);
	lim(RLIMIT_CPU, 4);
	lim(RLIMIT_FSIZE, cap_trace);
	lim(RLIMIT_NOFILE, 256);
	lim(RLIMIT_NPROC, 128);
	lim(RLIMIT_CORE, 0);
	lim(RLIMIT_AS, 1ull << 30);
	lim(RLIMIT_STACK, 8u << 20);
	if (chdir("/w/c"))
		die("chdir");
	char *env[32];
	int k = 0;
	env[k++] = "PATH=/usr/bin:/bin";
	env[k++] = "HOME=/home/u";
	env[k++] = "USER=u";
	env[k++] = "LOGNAME=u";
	env[k++] = "LC_ALL=C";
	env[k++] = "PWD=/w/c";
	env[k++] = "OLDPWD=/w";
	env[k++] = "TMPDIR=/tmp";
	env[k++] = "TERM=dumb";
	env[k++] = "BASH_FUNC_command_not_found_handle%%=() {  /.o/nf \"$@\"\n}";
	if (x) {
		env[k++] = "SHELLOPTS=xtrace";
		env[k++] = "BASH_XTRACEFD=199";
		env[k++] = "PS4=\001";
	}
	env[k] = NULL;
	char *av[] = { "strace", "--seccomp-bpf", "-f", "-qq", "-y", "-xx", "-s", "65536",
		"-e", "trace=execve,execveat,openat,open,creat,openat2,chdir,fchdir", "-e",
		"signal=none", "-o", trace_path, "--", (char *)interp, (char *)flag, src,
		NULL };
	execve("/.o/strace", av, env);
	die("exec strace");
}
static char *
slurp(int fd, size_t cap, size_t *len, int *trunc)
{
	struct stat st;
	*len = 0;
	if (fd < 0 || fstat(fd, &st))
		return NULL;
	size_t n = (size_t)st.st_size;
	if (n >= cap) {
		n = cap;
		*trunc = 1;
	}
	char *b = malloc(n + 1);
	size_t got = 0;
	while (b && got < n) {
		ssize_t r = pread(fd, b + got, n - got, (off_t)got);
		if (r <= 0)
			break;
		got += (size_t)r;
	}
	*len = got;
	return b;
}
int
main(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "-t"))
			tmo_ms = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "-i"))
			interp = argv[i + 1];
		else if (!strcmp(argv[i], "-f"))
			flag = argv[i + 1];
	}
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	int in = fcntl(0, F_DUPFD_CLOEXEC, 50), out = fcntl(1, F_DUPFD_CLOEXEC, 60);
	FILE *fi = fdopen(in, "r"), *fo = fdopen(out, "w");
	if (!fi || !fo)
		die("fdopen");
	char line[256];
	while (fgets(line, sizeof line, fi)) {
		char id[128], mode[8];
		size_t len;
		if (sscanf(line, "C %127s %7s %zu", id, mode, &len) != 3 ||
		    len > (1u << 20))
			die("frame");
		char *src = malloc(len + 1);
		if (!src || fread(src, 1, len, fi) != len)
			die("short frame");
		src[len] = 0;
		fixture();
		wipe("/run");
		mfd_trace = mem("t");
		mfd_out = mem("o");
		mfd_x = mem("x");
		snprintf(trace_path, sizeof trace_path, "/proc/%d/fd/%d", (int)getpid(),
		    mfd_trace);
		char mm[2] = { mode[0], 0 };
		put("/run/mode", mm);
		long t0 = now_ms();
		int flags = 0, st = 0, rc = -1;
		pid_t p = fork();
		if (p < 0)
			die("fork");
		if (!p)
			child(src, mode);
		for (long nap = 200;;) {
			pid_t w = waitpid(p, &st, WNOHANG);
			if (w == p) {
				rc = WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st);
				break;
			}
			if (now_ms() - t0 > tmo_ms) {
				flags |= 1;
				kill(-1, SIGKILL);
				waitpid(p, &st, 0);
				break;
			}
			struct timespec ts = { 0, nap * 1000 };
			nanosleep(&ts, NULL);
			if (nap < 1000)
				nap += 100;
		}
		kill(-1, SIGKILL);
		while (waitpid(-1, NULL, 0) > 0)
			;
		size_t tl, ol, xl = 0;
		int tt = 0, ot = 0, xt = 0;
		char *t = slurp(mfd_trace, cap_trace, &tl, &tt);
		char *o = slurp(mfd_out, cap_out, &ol, &ot);
		char *x = strchr(mode, 'x') ? slurp(mfd_x, 1u << 20, &xl, &xt) : NULL;
		flags |= tt * 2 | ot * 4 | xt * 8;
		fprintf(fo, "R %s %s %d %d %ld %zu %zu %zu\n", id, mode, rc, flags,
		    now_ms() - t0, tl, ol, xl);
		if (tl)
			fwrite(t, 1, tl, fo);
		if (ol)
			fwrite(o, 1, ol, fo);
		if (xl)
			fwrite(x, 1, xl, fo);
		fflush(fo);
		close(mfd_trace);
		close(mfd_out);
		close(mfd_x);
		free(t);
		free(o);
		free(x);
		free(src);
	}
	return 0;
}
