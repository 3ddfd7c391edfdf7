/*
 * tests/fuzz/fuzz_console.c: what anybody may send to the console's port, through the whole
 * of it: reading, the guard, the routes, answers.  A byte 0xff cuts the input: what stands
 * behind comes later.  No program is started, as if there were too many already.
 */
#define _GNU_SOURCE /* mkdtemp, memmem */
#include "approve/spool.h"
#include "daemon/console/server.h"
#include "fuzz.h"
#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define ID "q1"
#define PORT 4711
#define ANSWER_BYTES ((size_t)1 << 20)

static struct serve_opts options = { .listener = -1, .port = PORT };
static struct server server = { .o = &options, .inotify = -1 };
static char directory[] = "/tmp/fuzz-console.XXXXXX";
static char answer[ANSWER_BYTES];

static void
sweep(void)
{
	(void)unlinkat(server.asks, ID ".ask", 0);
	(void)unlinkat(server.asks, ID ".answer", 0);
	(void)unlinkat(options.runtime, SPOOL_ASKS, AT_REMOVEDIR);
	(void)unlinkat(options.runtime, "runs", AT_REMOVEDIR);
	(void)rmdir(directory);
}

/* A question that somebody waits for: the lock is ours until the process ends. */
static void
begin(void)
{
	static const char question[] = "{\"id\":\"" ID "\",\"bind\":\"b\",\"command\":[]}";
	void *mem = malloc(SERVE_ARENA);
	int fd;

	MUST(mem && mkdtemp(directory));
	arena_init(&server.arena, mem, SERVE_ARENA);
	memset(options.token, '0', sizeof options.token);
	options.runtime = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	server.asks = spool_sub(options.runtime, SPOOL_ASKS);
	server.runs = spool_sub(options.runtime, "runs");
	server.base = event_base_new();
	server.children = SERVE_CHILDREN;
	MUST(server.asks >= 0 && server.runs >= 0 && server.base);
	(void)atexit(sweep);
	fd = openat(server.asks, ID ".ask", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	MUST(fd >= 0 && write(fd, question, sizeof question - 1) > 0);
	MUST(flock(fd, LOCK_EX | LOCK_NB) == 0);
}

static void
turn(void)
{
	(void)event_base_loop(server.base, EVLOOP_NONBLOCK);
}

/* The input goes in piece by piece; what comes back. */
static struct str
exchange(struct str in)
{
	size_t n = 0;
	ssize_t got;
	int ends[2];

	MUST(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
	conn_accept(NULL, ends[0], NULL, 0, &server);
	while (in.n) {
		size_t piece = str_find(in, '\xff');

		if (piece)
			(void)send(ends[1], in.p, piece, MSG_NOSIGNAL);
		turn();
		in = str_skip(in, piece + 1);
	}
	for (int i = 0; i < 4; i++) {
		turn();
		while (n < sizeof answer &&
		       (got = recv(ends[1], answer + n, sizeof answer - n, 0)) > 0)
			n += (size_t)got;
	}
	(void)close(ends[1]);
	turn();
	/* One that only waits for more: nobody is there any more. */
	while (server.first)
		conn_close(server.first);
	return str_of(answer, n);
}

static bool
has(struct str text, const char *what)
{
	return memmem(text.p, text.n, what, strlen(what)) != NULL;
}

/* One answer, whole, with all that keeps other pages out. */
static void
check(struct str sent, struct str got)
{
	static const char *const must[] = { "\r\nCache-Control: no-store\r\n",
		"\r\nContent-Security-Policy: default-src 'none';",
		"\r\nX-Content-Type-Options: nosniff\r\n", "frame-ancestors 'none'" };
	size_t head = http_head_end(got, 0);
	struct str status;

	if (!got.n)
		return;
	MUST(head && str_starts(got, STR("HTTP/1.1 ")) && got.n > 12);
	status = str_cut(got, 9, 12);
	for (size_t i = 0; i < sizeof must / sizeof *must; i++)
		MUST(has(str_cut(got, 0, head), must[i]));
	MUST(!has(got, "Access-Control") && !has(got, "Set-Cookie"));
	MUST(!has(got, "0000000000000000000000000000000000000000000000000000000000000000"));
	if (has(str_cut(got, 0, head), "application/json"))
		for (size_t i = head; i < got.n; i++)
			MUST((unsigned char)got.p[i] >= ' ');
	/* Data, or a change, needs the key, our own name and no other page. */
	if (str_is(status, "200") && has(str_cut(got, 0, head), "application/json")) {
		MUST(
		    has(sent, "000000000000000000000000000000000000000000000000000000000000"
			      "0000"));
		MUST(has(sent, "127.0.0.1:4711") || has(sent, "localhost:4711"));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str in = str_of((const char *)data, size), sent, got;
	char name[] = ID ".answer", *joined = malloc(size + 1);
	size_t n = 0;

	MUST(joined);
	for (size_t i = 0; i < size; i++)
		if (data[i] != 0xff)
			joined[n++] = (char)data[i];
	sent = str_of(joined, n);
	if (!server.base)
		begin();
	got = exchange(in);
	check(sent, got);
	MUST(server.connections == 0 && server.streams == 0 && server.arena.used == 0);
	/* Whoever wrote an answer said that it is this one. */
	if (faccessat(server.asks, name, F_OK, 0) == 0) {
		MUST(has(got, "{\"ok\":true}"));
		MUST(unlinkat(server.asks, name, 0) == 0);
	}
	free(joined);
	return 0;
}
