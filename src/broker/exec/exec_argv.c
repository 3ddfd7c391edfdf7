#define _GNU_SOURCE
#include "base/quote.h"
#include "broker/exec/exec_gate.h"
#include <sys/mman.h>

/* The kernel allows a quarter of the stack limit, 2 MiB by default; refuse more than
 * this. */
#define ARGV_BYTES ((size_t)4 << 20)
#define ARGC_MAX ((size_t)131072)
#define SHOWN_MAX 400
#define PAGE ((size_t)4096)

/* Map the buffer once; untouched pages cost no memory. */
static bool
have_buf(struct broker *br)
{
	void *buf;

	if (br->argv_buf)
		return true;
	buf = mmap(NULL, ARGV_BYTES + ARGC_MAX * sizeof(struct str), PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (buf == MAP_FAILED)
		return false;
	br->argv_buf = buf;
	br->argv_v = (struct str *)(void *)(br->argv_buf + ARGV_BYTES);
	return true;
}

/* Append one string with its NUL. */
static int
read_string(struct broker *br, pid_t pid, uint64_t at, size_t *used)
{
	char *start = br->argv_buf + *used;
	size_t cap = ARGV_BYTES - *used;

	if (!child_text(pid, at, start, cap))
		return errno == EFAULT || errno == ESRCH ? EFAULT : E2BIG;
	*used += strlen(start) + 1;
	return 0;
}

int
argv_read(struct broker *br, pid_t pid, uint64_t argv, struct exec_argv *ret)
{
	uint64_t part[64];
	size_t n = 0, used = 0, have = 0, at = 0;

	if (!have_buf(br))
		return ENOMEM;
	for (;; n++, at++) {
		size_t before = used;
		int error;

		if (at == have) {
			uint64_t from = argv + n * sizeof *part;
			/* Read up to the end of the page: the next one need not be
			 * mapped. */
			have = (PAGE - (size_t)(from % PAGE)) / sizeof *part;
			have = have > 64 ? 64 : have ? have : 1;
			at = 0;
			if (!argv || !child_read(pid, from, part, have * sizeof *part))
				return argv ? EFAULT : EINVAL;
		}
		if (part[at] == 0)
			break;
		if (n == ARGC_MAX)
			return E2BIG;
		if ((error = read_string(br, pid, part[at], &used)))
			return error;
		br->argv_v[n] = str_of(br->argv_buf + before, used - before - 1);
	}
	*ret = (struct exec_argv){ str_of(br->argv_buf, used), br->argv_v, n };
	return 0;
}

int
argv_of_image(struct broker *br, pid_t pid, struct exec_argv *ret)
{
	char path[64];
	cleanup_fd int fd =
	    open(proc_path(path, sizeof path, pid, "cmdline"), O_RDONLY | O_CLOEXEC);
	size_t used = 0, n = 0;
	ssize_t got;

	if (fd < 0 || !have_buf(br))
		return EACCES;
	while (used < ARGV_BYTES &&
	       (got = read(fd, br->argv_buf + used, ARGV_BYTES - used)) > 0)
		used += (size_t)got;
	if (used == ARGV_BYTES || (used && br->argv_buf[used - 1] != '\0'))
		return E2BIG;
	for (size_t i = 0; i < used; n++) {
		size_t length = strlen(br->argv_buf + i);

		if (n == ARGC_MAX)
			return E2BIG;
		br->argv_v[n] = str_of(br->argv_buf + i, length);
		i += length + 1;
	}
	*ret = (struct exec_argv){ str_of(br->argv_buf, used), br->argv_v, n };
	return 0;
}

/* Quote an argument that has blanks, so that two arguments do not look like three. */
static void
put_quoted(struct buf *b, struct str arg)
{
	bool plain = arg.n > 0;

	for (size_t i = 0; i < arg.n && plain; i++)
		plain = !strchr(" \t\n'\"\\", arg.p[i]);
	if (arg.n > SHOWN_MAX)
		arg.n = SHOWN_MAX;
	buf_putc(b, ' ');
	if (plain)
		buf_put(b, arg);
	else
		(void)quote_put_always(b, QUOTE_BASH, arg, NULL);
}

struct str
argv_show(struct arena *a, struct str file, const struct exec_argv *argv)
{
	struct buf b;

	buf_init(&b, a);
	/* Show the last component of a long path: it names the program. */
	put_quoted(&b, file.n > SHOWN_MAX ? str_base(file) : file);
	for (size_t i = 1; i < argv->n && b.n < SHOWN_MAX; i++)
		put_quoted(&b, argv->v[i]);
	return str_skip(buf_str(&b), 1);
}
