/*
 * tests/fuzz/fuzz_dns.c: messages of the name system, from inside and from name servers,
 * and the texts of the resolver's files.
 */
#include "fuzz.h"
#include "proxy/net_dns.h"
#include "proxy/net_resolve.h"

static void
check_query(struct str m)
{
	const struct address v[] = { { .b = { 1, 2, 3, 4 } }, { .b = { 9 }, .six = true } };
	uint8_t room[DNS_MESSAGE_MAX];
	struct dns_question q, again;
	struct dns_answer got;
	size_t n;

	if (!dns_read_query(m, &q))
		return;
	MUST(q.end <= m.n && q.text_n <= HOSTS_NAME_MAX);
	n = dns_put_answer(room, m, &q, DNS_OK, v, 2, 30);
	MUST(n <= sizeof room);
	if (n == 0 || q.text_n == 0 || q.class != 1)
		return;
	/* What we answer is an answer to what was asked. */
	if (q.type == DNS_A) {
		MUST(dns_read_answer(str_of((const char *)room, n), q.id,
		    str_of(q.text, q.text_n), DNS_A, &got));
		MUST(got.n == 1 && address_same(&got.v[0], &v[0]));
	}
	n = dns_put_query(room, q.id, str_of(q.text, q.text_n), DNS_A);
	MUST(n == 0 ||
	     (dns_read_query(str_of((const char *)room, n), &again) &&
		 str_eq(str_of(again.text, again.text_n), str_of(q.text, q.text_n))));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str all = str_of((const char *)data, size);
	/* On the heap, where a step beyond its end is seen. */
	char *copy = malloc(size ? size : 1);
	struct address v[4];
	struct dns_answer got;
	struct resolver r;
	char room[HOSTS_NAME_MAX];
	struct str m = str_of(copy, size);

	MUST(copy);
	memcpy(copy, data, size);
	check_query(m);
	for (int six = 0; six < 2; six++)
		if (size > 12 && dns_read_answer(m, (uint16_t)(data[0] << 8 | data[1]),
				     STR("a.example"), six ? DNS_AAAA : DNS_A, &got))
			MUST(got.n <= DNS_ANSWERS_MAX);
	MUST(resolver_find_host(all, STR("a.example"), v, 4) <= 4);
	resolver_read_servers(all, &r);
	MUST(r.servers_n >= 1 && r.servers_n <= RESOLVE_SERVERS_MAX);
	MUST(hosts_name(m, room) <= HOSTS_NAME_MAX);
	if (address_read(m, &v[0])) {
		char memory[256];
		struct arena a;
		struct buf b;
		struct str text;

		/* Shown and read again it is the same. */
		arena_init(&a, memory, sizeof memory);
		buf_init(&b, &a);
		address_put(&b, &v[0]);
		text = buf_str(&b);
		if (v[0].six)
			text = str_cut(text, 1, text.n - 1);
		MUST(address_read(text, &v[1]) && address_same(&v[0], &v[1]));
		(void)address_kind(&v[0]);
	}
	free(copy);
	return 0;
}
