/* stub.c - stands in for every external command inside the oracle sandbox.
 * Built static.  It does four harmless things:
 *   1. opens "/.o/cwd" read-only, so that the strace log of this pid contains
 *      AT_FDCWD<current directory> right after its execve line;
 *   2. prints one line "out_<name>" on stdout (so that command substitutions,
 *      pipes into xargs/read/while etc. have something deterministic to chew);
 *   3. looks up the status mode in /run/mode;
 *   4. exits 0 or 1 by that mode:  '0' always 0, '1' always 1,
 *      'h' by a hash of the name, 'i' by the inverse of that hash.
 * Names starting with "ok" always exit 0, names starting with "ko" always 1. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	char buf[512], m = '0';
	const char *n = argc > 0 && argv[0] ? argv[0] : "";
	const char *b = strrchr(n, '/');
	unsigned h = 2166136261u;
	int fd;

	b = b ? b + 1 : n;
	signal(SIGPIPE, SIG_IGN);
	fd = open("/.o/cwd", O_RDONLY);
	if (fd >= 0)
		close(fd);
	fd = open("/run/mode", O_RDONLY);
	if (fd >= 0) {
		if (read(fd, &m, 1) != 1)
			m = '0';
		close(fd);
	}
	size_t l = strlen(b);
	if (l > sizeof buf - 8)
		l = sizeof buf - 8;
	memcpy(buf, "out_", 4);
	memcpy(buf + 4, b, l);
	buf[4 + l] = '\n';
	if (write(1, buf, l + 5) < 0) { /* closed or full: we do not care */
	}
	if (!strncmp(b, "ok", 2))
		return 0;
	if (!strncmp(b, "ko", 2))
		return 1;
	for (const char *p = b; *p; p++)
		h = (h ^ (unsigned char)*p) * 16777619u;
	h ^= h >> 15;
	switch (m) {
	case '1':
		return 1;
	case 'h':
		return h & 1;
	case 'i':
		return !(h & 1);
	default:
		return 0;
	}
}
