/* tests/fuzz/fuzz_request.c: what clients say to the proxy, HTTP and SOCKS. */
#include "fuzz.h"
#include "proxy/net_request.h"

static char memory[1 << 20];

static void
check_host(const struct request_host *h)
{
	char room[HOSTS_NAME_MAX];
	struct str name = str_of(h->name, h->name_n);

	MUST(h->port > 0);
	/* A name has its one spelling already. */
	if (name.n)
		MUST(str_eq(str_of(room, hosts_name(name, room)), name));
}

static void
check_http(struct str text)
{
	struct http_request q;
	struct arena a;
	struct buf b;
	size_t from = 0, ends = 0;

	if (http_read(text, &q) != REQUEST_WHOLE)
		return;
	MUST(q.head_n <= text.n);
	check_host(&q.host);
	arena_init(&a, memory, sizeof memory);
	buf_init(&b, &a);
	http_put_head(&b, text, &q);
	MUST(!b.full);
	/* One head goes out, with one Host. */
	for (size_t i = 3; i < b.n; i++)
		ends += memcmp(b.p + i - 3, "\r\n\r\n", 4) == 0;
	MUST(ends == 1);
	text = str_skip(text, q.head_n);
	while (from < text.n && !body_is_done(&q.body)) {
		size_t n = text.n - from < 7 ? text.n - from : 7;
		size_t took = body_take(&q.body, str_cut(text, from, from + n));

		MUST(took <= n && (took == n || body_is_done(&q.body)));
		from += took;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = malloc(size ? size : 1);
	struct str text = str_of(copy, size);
	struct request_host h;
	uint8_t code;
	bool plain;
	size_t n;

	MUST(copy);
	memcpy(copy, data, size);
	check_http(text);
	if (socks_read_greeting(text, &plain, &n) == REQUEST_WHOLE)
		MUST(n <= size);
	if (socks_read(text, &h, &code, &n) == REQUEST_WHOLE) {
		MUST(n <= size);
		check_host(&h);
	}
	if (request_authority(text, 80, &h))
		check_host(&h);
	free(copy);
	return 0;
}
