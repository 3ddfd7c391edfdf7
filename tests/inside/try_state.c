/*
 * try_state WS OUT HIDDEN HOSTPID TCP: is this process as confined as it must be?
 *
 * Prints "started", then a line for each thing that is not as it must be; with a HIDDEN of
 * "-" nothing is hidden, with a TCP of 0 the network is not looked at.
 */
#include "try.h"
#include <dirent.h>
#include <netinet/in.h>
#include <sys/mount.h>
#include <sys/socket.h>

static void
wrong(const char *what)
{
	(void)printf("WRONG %s\n", what);
}

static void
path_of(char *room, size_t n, const char *dir, const char *name)
{
	(void)snprintf(room, n, "%s/%s", dir, name);
}

/* A line of our own status. */
static void
check_status(const char *key, const char *want)
{
	char text[8192];
	int fd = open("/proc/self/status", O_RDONLY);
	ssize_t n = read(fd, text, sizeof text - 1);
	const char *at;

	text[n > 0 ? n : 0] = '\0';
	(void)close(fd);
	at = strstr(text, key);
	if (!at || strncmp(at + strlen(key), want, strlen(want)) != 0)
		wrong(key);
}

static void
check_writes(const char *ws, const char *out)
{
	static const char *const protected[] = { ".mcp.json", ".envrc", ".cordonignore",
		".git/hooks/post-commit" };
	char path[4096];

	path_of(path, sizeof path, out, "f");
	if (open(path, O_WRONLY) >= 0 || truncate(path, 0) == 0)
		wrong("a file outside can be written");
	if (chmod(path, 0777) == 0)
		wrong("a file outside changes its mode");
	if (unlink(path) == 0)
		wrong("a file outside can be removed");
	path_of(path, sizeof path, out, "new");
	if (open(path, O_WRONLY | O_CREAT, 0644) >= 0)
		wrong("a file outside can be made");
	for (size_t i = 0; i < sizeof protected / sizeof *protected; i++) {
		path_of(path, sizeof path, ws, protected[i]);
		if (open(path, O_WRONLY | O_CREAT, 0644) >= 0)
			wrong(protected[i]);
	}
	if (open("/etc/cordon-fault", O_WRONLY | O_CREAT, 0644) >= 0)
		wrong("/etc can be written");
	if (open("/proc/sys/kernel/core_pattern", O_WRONLY) >= 0)
		wrong("core_pattern can be written");
	if (mkdir("/run/x", 0755) == 0)
		wrong("/run can be written");
}

static void
check_calls(pid_t host)
{
	if (unshare(CLONE_NEWUSER) == 0)
		wrong("user namespaces");
	if (mount("none", "/mnt", "tmpfs", 0, NULL) == 0)
		wrong("mounts");
	if (syscall(SYS_bpf, 0, NULL, 0) == 0 || errno == EFAULT || errno == EINVAL)
		wrong("bpf");
	if (syscall(SYS_keyctl, 0, -3, 0) >= 0)
		wrong("keys");
	if (socket(40, SOCK_STREAM, 0) >= 0)
		wrong("vsock");
	if (kill(host, 0) == 0)
		wrong("a process outside is seen");
}

static void
check_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	const struct dirent *e;

	while (d && (e = readdir(d))) {
		int fd = atoi(e->d_name);

		if (fd > 2 && fd != dirfd(d))
			wrong("a descriptor is left");
	}
	if (!d)
		wrong("/proc is not there");
}

static void
check_network(uint16_t port)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		.sin_port = htons(port) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd >= 0 && connect(fd, (const struct sockaddr *)&to, sizeof to) == 0)
		wrong("the host's loopback is reached");
}

int
main(int argc, char **argv)
{
	const char *hidden = word(argc, argv, 3);
	uint16_t port = (uint16_t)number(argc, argv, 5);
	char secret[64];
	int fd;

	(void)printf("started\n");
	check_status("NoNewPrivs:\t", "1");
	check_status("Seccomp:\t", "2");
	check_status("CapEff:\t", "0000000000000000");
	check_status("CapPrm:\t", "0000000000000000");
	check_writes(word(argc, argv, 1), word(argc, argv, 2));
	check_calls((pid_t)number(argc, argv, 4));
	check_descriptors();
	if (port)
		check_network(port);
	if (strcmp(hidden, "-") != 0 && (fd = open(hidden, O_RDONLY)) >= 0 &&
	    read(fd, secret, sizeof secret) > 0)
		wrong("a hidden file is read");
	return 0;
}
