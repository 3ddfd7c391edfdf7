/*
 * try_promise WHAT ...: races for a protected or denied name, and ways to hold up a
 *supervisor.
 *
 *	swap CALL FREE TARGET MS    a thread changes the name in memory while the call is
 *made exchange CALL A B BASE MS   a process exchanges the directories A and B; the call
 *names A/BASE execs ROUNDS                six threads exec at once stop SIGSTOP to
 *everybody, then itself lease FILE                  holds leases on the file and waits
 *	mkdirs FOLDER               eight threads make the same deep directories; counts
 *what fails
 */
#include "try.h"
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>

#define NAME_MAX_HERE 512

static char name[NAME_MAX_HERE];
static struct sockaddr_un address = { .sun_family = AF_UNIX };
static const char *ways[2];
static atomic_int ended;
static char got[256];
static long made;

static long
now_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void *
swapper(void *none)
{
	for (unsigned i = 0; !atomic_load(&ended); i++) {
		const char *to = ways[i & 1];

		memcpy(name, to, NAME_MAX_HERE);
		memcpy(address.sun_path, to, sizeof address.sun_path);
		for (volatile int n = 0; n < (int)(i % 700); n++)
			;
	}
	return none;
}

static void
plant(int fd)
{
	if (fd < 0)
		return;
	made++;
	if (write(fd, "PWN\n", 4) < 0)
		made--;
	(void)close(fd);
}

static void
call_open(const char *p)
{
	plant(open(p, O_WRONLY | O_CREAT | O_APPEND, 0755));
}

static void
call_openat2(const char *p)
{
	uint64_t how[3] = { O_WRONLY | O_CREAT | O_APPEND, 0755, 0 };

	plant((int)syscall(437, AT_FDCWD, p, how, sizeof how));
}

static void
call_truncate(const char *p)
{
	made += truncate(p, 1) == 0;
}

static void
call_unlink(const char *p)
{
	made += unlink(p) == 0;
}

static void
call_chmod(const char *p)
{
	made += chmod(p, 0777) == 0;
}

static void
call_setxattr(const char *p)
{
	made += setxattr(p, "user.pwn", "1", 1, 0) == 0;
}

static void
call_rename(const char *p)
{
	int fd = open("scratch/race-own", O_WRONLY | O_CREAT, 0755);

	if (fd >= 0) {
		(void)!write(fd, "PWN\n", 4);
		(void)close(fd);
	}
	made += rename("scratch/race-own", p) == 0;
}

static void
call_rename_away(const char *p)
{
	made += rename(p, "scratch/race-away") == 0;
}

static void
call_link(const char *p)
{
	(void)unlink("scratch/race-link");
	if (link(p, "scratch/race-link") == 0)
		plant(open("scratch/race-link", O_WRONLY | O_APPEND));
}

static void
call_mkdir(const char *p)
{
	made += mkdir(p, 0755) == 0;
}

static void
call_symlink(const char *p)
{
	made += symlink("/PWN", p) == 0;
}

static void
call_mkfifo(const char *p)
{
	made += mknod(p, S_IFIFO | 0600, 0) == 0;
}

static void
call_bind(const char *p)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	(void)p;
	if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0) {
		made++;
		(void)unlink(ways[0]);
	}
	(void)close(fd);
}

static void
call_read(const char *p)
{
	int fd = open(p, O_RDONLY);
	char text[200];
	ssize_t n;

	if (fd < 0)
		return;
	n = read(fd, text, sizeof text - 1);
	(void)close(fd);
	if (n <= 0)
		return;
	text[n] = '\0';
	made++;
	if (strstr(text, "SECRET"))
		memcpy(got, text, (size_t)n + 1);
}

static const struct {
	const char *name;
	void (*make)(const char *path);
} calls[] = {
	{ "open", call_open },
	{ "openat2", call_openat2 },
	{ "truncate", call_truncate },
	{ "unlink", call_unlink },
	{ "chmod", call_chmod },
	{ "setxattr", call_setxattr },
	{ "rename", call_rename },
	{ "rename-away", call_rename_away },
	{ "link", call_link },
	{ "mkdir", call_mkdir },
	{ "symlink", call_symlink },
	{ "mkfifo", call_mkfifo },
	{ "bind", call_bind },
	{ "read", call_read },
};

static void (*find(const char *what))(const char *)
{
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (strcmp(calls[i].name, what) == 0)
			return calls[i].make;
	return NULL;
}

static int
swap(char **argv)
{
	static char room[2][NAME_MAX_HERE];
	void (*make)(const char *) = find(argv[2]);
	long until = now_ms() + atol(argv[5]);
	pthread_t thread;

	for (int i = 0; i < 2; i++) {
		(void)snprintf(room[i], sizeof room[i], "%s", argv[3 + i]);
		ways[i] = room[i];
	}
	memcpy(name, room[0], sizeof name);
	if (!make || pthread_create(&thread, NULL, swapper, NULL) != 0)
		return 2;
	while (now_ms() < until)
		make(name);
	atomic_store(&ended, 1);
	(void)pthread_join(thread, NULL);
	printf("made %ld %s\n", made, got);
	return 0;
}

static int
exchange(char **argv)
{
	void (*make)(const char *) = find(argv[2]);
	long until = now_ms() + atol(argv[6]);
	pid_t child = fork();
	char path[NAME_MAX_HERE];

	if (child == 0) {
		while (now_ms() < until)
			(void)syscall(
			    SYS_renameat2, AT_FDCWD, argv[3], AT_FDCWD, argv[4], 2);
		_exit(0);
	}
	if (!make)
		return 2;
	(void)snprintf(path, sizeof path, "%s/%s", argv[3], argv[5]);
	while (now_ms() < until)
		make(path);
	(void)waitpid(child, NULL, 0);
	printf("made %ld %s\n", made, got);
	return 0;
}

static void *
exec_one(void *none)
{
	char *words[] = { (char *)"/bin/true", NULL };
	char *none_env[] = { NULL };

	while (!atomic_load(&ended))
		;
	(void)execve(words[0], words, none_env);
	return none;
}

static int
execs(long rounds)
{
	for (long i = 0; i < rounds; i++) {
		pid_t child = fork();

		if (child == 0) {
			pthread_t threads[6];

			for (int n = 0; n < 6; n++)
				if (pthread_create(&threads[n], NULL, exec_one, NULL) != 0)
					_exit(3);
			atomic_store(&ended, 1);
			(void)pause();
		}
		(void)waitpid(child, NULL, 0);
	}
	printf("done %ld\n", rounds);
	return 0;
}

static int
stop(void)
{
	for (int i = 0; i < 3; i++)
		if (fork() == 0)
			for (;;)
				(void)kill(getppid(), SIGSTOP);
	(void)kill(-1, SIGSTOP);
	(void)kill(getpid(), SIGSTOP);
	(void)pause();
	return 0;
}

static int
lease(const char *path)
{
	int fd = open(path, O_RDONLY);
	int two = open(path, O_RDONLY);

	(void)signal(SIGIO, SIG_IGN);
	printf("read %d\n", fcntl(fd, F_SETLEASE, F_RDLCK));
	(void)close(two);
	printf("write %d\n", fcntl(fd, F_SETLEASE, F_WRLCK));
	(void)fflush(stdout);
	for (;;)
		(void)poll(NULL, 0, 1000);
	return 0;
}

static atomic_int failures;
static const char *folder;

static void *
make_deep(void *none)
{
	char path[NAME_MAX_HERE];

	for (int i = 0; i < 40; i++) {
		size_t n = (size_t)snprintf(path, sizeof path, "%s/%d", folder, i);

		for (int depth = 0; depth < 6; depth++) {
			if (mkdir(path, 0755) != 0 && errno != EEXIST) {
				atomic_fetch_add(&failures, 1);
				printf("%s: %s\n", path, strerror(errno));
			}
			n += (size_t)snprintf(path + n, sizeof path - n, "/d%d", depth);
		}
		int fd = open(path, O_WRONLY | O_CREAT, 0644);

		if (fd < 0 && errno != ENOENT) {
			atomic_fetch_add(&failures, 1);
			printf("%s: %s\n", path, strerror(errno));
		}
		if (fd >= 0)
			(void)close(fd);
	}
	return none;
}

static int
mkdirs(const char *path)
{
	pthread_t threads[8];

	folder = path;
	for (int i = 0; i < 8; i++)
		if (pthread_create(&threads[i], NULL, make_deep, NULL) != 0)
			return 2;
	for (int i = 0; i < 8; i++)
		(void)pthread_join(threads[i], NULL);
	printf("failures %d\n", atomic_load(&failures));
	return 0;
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "swap") == 0 && argc == 6)
		return swap(argv);
	if (strcmp(what, "exchange") == 0 && argc == 7)
		return exchange(argv);
	if (strcmp(what, "execs") == 0 && argc == 3)
		return execs(atol(argv[2]));
	if (strcmp(what, "stop") == 0)
		return stop();
	if (strcmp(what, "lease") == 0 && argc == 3)
		return lease(argv[2]);
	if (strcmp(what, "mkdirs") == 0 && argc == 3)
		return mkdirs(argv[2]);
	return 2;
}
