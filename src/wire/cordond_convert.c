/* cordond policy convert: a policy from JSON to the wire and back. */
#include "base/limits.h"
#include "wire/sandbox_wire.h"
#include <errno.h>
#include <unistd.h>

#define EXIT_OK 0
#define EXIT_BROKEN 65
#define EXIT_INTERNAL 70

/* Input, its tree or message, and the answer. */
#define CONVERT_BYTES ((size_t)96 << 20)

int
convert_to_wire(struct arena *a, struct str json, struct buf *out, struct err *reterr)
{
	static const struct json_opts how = { .surrogate_bytes = true };
	struct sandbox_policy p;
	const struct json *v = NULL;
	int r;

	if ((r = json_read(a, json, &how, &v, reterr)) ||
	    (r = sandbox_read(a, v, &p, reterr)))
		return r;
	return sandbox_pack(a, &p, out, reterr);
}

int
convert_to_json(struct arena *a, struct str bytes, struct buf *out, struct err *reterr)
{
	struct sandbox_policy p;
	int r = sandbox_unpack(a, bytes, &p, reterr);

	if (r)
		return r;
	sandbox_print_given(&p, out);
	return out->full ? err_at(reterr, CORDON_ENOMEM, 0, "out of memory") : 0;
}

/* ---- the command */

static bool
put_all(int fd, struct str s)
{
	while (s.n) {
		ssize_t n = write(fd, s.p, s.n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		s = str_skip(s, (size_t)n);
	}
	return true;
}

static int
complain(int status, const char *what, const char *why)
{
	put_all(STDERR_FILENO, STR("cordond: "));
	put_all(STDERR_FILENO, str_from_c(what));
	if (why) {
		put_all(STDERR_FILENO, STR(": "));
		put_all(STDERR_FILENO, str_from_c(why));
	}
	put_all(STDERR_FILENO, STR("\n"));
	return status;
}

/* All of standard input; one byte over the limit is enough to see that it is too much. */
static const char *
get_all(struct arena *a, size_t limit, struct str *ret)
{
	char *mem = arena_alloc(a, limit + 1);
	size_t n = 0;

	if (!mem)
		return "no memory";
	while (n <= limit) {
		ssize_t got = read(STDIN_FILENO, mem + n, limit + 1 - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return "cannot read standard input";
		if (got == 0) {
			*ret = str_of(mem, n);
			return NULL;
		}
		n += (size_t)got;
	}
	return "standard input is too long";
}

static int
convert(struct arena *a, bool to_json)
{
	struct err e = { 0 };
	struct str in = STR("");
	const char *why = get_all(a, to_json ? LIMIT_WIRE : LIMIT_JSON, &in);
	struct buf out;
	int r;

	if (why)
		return complain(EXIT_BROKEN, why, NULL);
	buf_init(&out, a);
	r = to_json ? convert_to_json(a, in, &out, &e) : convert_to_wire(a, in, &out, &e);
	if (r)
		return complain(EXIT_BROKEN, "the policy cannot be converted",
		    e.why ? e.why : err_text(r));
	if (to_json)
		buf_putc(&out, '\n');
	if (out.full || !put_all(STDOUT_FILENO, buf_str(&out)))
		return complain(EXIT_INTERNAL, "cannot write standard output", NULL);
	return EXIT_OK;
}

int
cordond_policy_convert(bool to_json)
{
	struct arena *a = arena_new(CONVERT_BYTES);
	int status;

	if (!a)
		return complain(EXIT_INTERNAL, "no memory", NULL);
	status = convert(a, to_json);
	arena_free(a);
	return status;
}
