#include "os/output.h"
#include "base/show.h"
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

bool
arena_map(struct arena *a, size_t limit)
{
	void *mem =
	    mmap(NULL, limit, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mem == MAP_FAILED)
		return false;
	/* Clearing a huge page takes longer than most requests run. */
	(void)madvise(mem, limit, MADV_NOHUGEPAGE);
	arena_init(a, mem, limit);
	a->hidden = true;
	return true;
}

int
put_out(struct str s)
{
	if (write_all(STDOUT_FILENO, s))
		return 0;
	return internal_error("cannot write the answer", errno);
}

void
message_begin(struct message *m)
{
	arena_init(&m->arena, m->mem, sizeof m->mem);
	buf_init(&m->text, &m->arena);
	buf_puts(&m->text, program_name());
}

void
message_end(struct message *m)
{
	struct str text = buf_str(&m->text);

	/* Ignore errors: there is no other way to report them. */
	(void)write_all(STDERR_FILENO, text);
	(void)write_all(STDERR_FILENO, m->text.full ? STR("...\n") : STR("\n"));
}

int
internal_error(const char *what, int error)
{
	struct message m;

	message_begin(&m);
	buf_puts(&m.text, ": ");
	buf_puts(&m.text, what);
	if (error) {
		buf_puts(&m.text, ": ");
		buf_puts(&m.text, strerror(error));
	}
	message_end(&m);
	return EXIT_INTERNAL;
}

int
file_error(struct str file, struct str text, size_t at, const char *why)
{
	struct pos p = err_pos(text, at);
	struct message m;

	message_begin(&m);
	buf_puts(&m.text, ": ");
	show_put(&m.text, file, 0);
	buf_putc(&m.text, ':');
	buf_putu(&m.text, p.line);
	buf_putc(&m.text, ':');
	buf_putu(&m.text, p.column);
	buf_puts(&m.text, ": ");
	buf_puts(&m.text, why);
	message_end(&m);
	return EXIT_POLICY;
}

int
internal_error_why(const char *what, const struct err *e, const char *more, int error)
{
	struct message m;

	message_begin(&m);
	buf_puts(&m.text, ": ");
	buf_puts(&m.text, what);
	buf_puts(&m.text, ": ");
	buf_puts(&m.text, e->why ? e->why : err_text(e->code));
	if (more[0]) {
		buf_puts(&m.text, ": ");
		buf_puts(&m.text, more);
	}
	if (error) {
		buf_puts(&m.text, ": ");
		buf_puts(&m.text, strerror(error));
	}
	message_end(&m);
	return EXIT_INTERNAL;
}
