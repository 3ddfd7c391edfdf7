#define _GNU_SOURCE
#include "base/quote.h"
#include "broker/exec/gate.h"
#include <sys/mman.h>

/* The kernel takes a quarter of the stack's limit, 2 MiB by default; beyond: refused. */
#define WORDS_BYTES ((size_t)4 << 20)
#define WORDS_MAX ((size_t)131072)
#define SHOWN_MAX 400
#define PAGE ((size_t)4096)

/* Mapped once; only what is used costs memory. */
static bool
find_room(struct supervisor *s)
{
	void *room;

	if (s->words_room)
		return true;
	room = mmap(NULL, WORDS_BYTES + WORDS_MAX * sizeof(struct str),
	    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (room == MAP_FAILED)
		return false;
	s->words_room = room;
	s->words_v = (struct str *)(void *)(s->words_room + WORDS_BYTES);
	return true;
}

/* One word behind what is there; its NUL included. */
static int
read_word(struct supervisor *s, pid_t pid, uint64_t at, size_t *used)
{
	char *start = s->words_room + *used;
	size_t room = WORDS_BYTES - *used;

	if (!child_text(pid, at, start, room))
		return errno == EFAULT || errno == ESRCH ? EFAULT : E2BIG;
	*used += strlen(start) + 1;
	return 0;
}

int
words_read(struct supervisor *s, pid_t pid, uint64_t argv, struct exec_words *ret)
{
	uint64_t part[64];
	size_t n = 0, used = 0, have = 0, at = 0;

	if (!find_room(s))
		return ENOMEM;
	for (;; n++, at++) {
		size_t before = used;
		int error;

		if (at == have) {
			uint64_t from = argv + n * sizeof *part;
			/* Up to the end of the page: behind it there may be nothing. */
			have = (PAGE - (size_t)(from % PAGE)) / sizeof *part;
			have = have > 64 ? 64 : have ? have : 1;
			at = 0;
			if (!argv || !child_read(pid, from, part, have * sizeof *part))
				return argv ? EFAULT : EINVAL;
		}
		if (part[at] == 0)
			break;
		if (n == WORDS_MAX)
			return E2BIG;
		if ((error = read_word(s, pid, part[at], &used)))
			return error;
		s->words_v[n] = str_of(s->words_room + before, used - before - 1);
	}
	*ret = (struct exec_words){ str_of(s->words_room, used), s->words_v, n };
	return 0;
}

int
words_of(struct supervisor *s, pid_t pid, struct exec_words *ret)
{
	char path[64];
	cleanup_fd int fd =
	    open(proc_path(path, sizeof path, pid, "cmdline"), O_RDONLY | O_CLOEXEC);
	size_t used = 0, n = 0;
	ssize_t got;

	if (fd < 0 || !find_room(s))
		return EACCES;
	while (used < WORDS_BYTES &&
	       (got = read(fd, s->words_room + used, WORDS_BYTES - used)) > 0)
		used += (size_t)got;
	if (used == WORDS_BYTES || (used && s->words_room[used - 1] != '\0'))
		return E2BIG;
	for (size_t i = 0; i < used; n++) {
		size_t length = strlen(s->words_room + i);

		if (n == WORDS_MAX)
			return E2BIG;
		s->words_v[n] = str_of(s->words_room + i, length);
		i += length + 1;
	}
	*ret = (struct exec_words){ str_of(s->words_room, used), s->words_v, n };
	return 0;
}

/* So that two words do not look like three: quoted where it needs that. */
static void
put_word(struct buf *b, struct str word)
{
	bool plain = word.n > 0;

	for (size_t i = 0; i < word.n && plain; i++)
		plain = !strchr(" \t\n'\"\\", word.p[i]);
	if (word.n > SHOWN_MAX)
		word.n = SHOWN_MAX;
	buf_putc(b, ' ');
	if (plain)
		buf_put(b, word);
	else
		(void)quote_put_always(b, QUOTE_BASH, word, NULL);
}

struct str
words_show(struct arena *a, struct str file, const struct exec_words *words)
{
	struct buf b;

	buf_init(&b, a);
	/* Of a long path the end says which program it is. */
	put_word(&b, file.n > SHOWN_MAX ? str_base(file) : file);
	for (size_t i = 1; i < words->n && b.n < SHOWN_MAX; i++)
		put_word(&b, words->v[i]);
	return str_skip(buf_str(&b), 1);
}
