/*
 * proxy/net_dns.h: DNS messages; bytes only, no socket.
 *
 * MUST
 * 1. Accept any bytes: no length, pointer or count of a message leads outside of it, and
 *    the work is bounded by its size.
 * 2. Take from an answer only addresses that its question leads to, by its own chain of
 *    aliases.
 */
#pragma once
#include "base/str.h"
#include "confine/address.h"
#include "confine/hosts.h"

#define DNS_MESSAGE_MAX ((size_t)512) /* over UDP without extensions */
#define DNS_ANSWERS_MAX 8

enum dns_type {
	DNS_A = 1,
	DNS_CNAME = 5,
	DNS_PTR = 12,
	DNS_AAAA = 28,
};

enum dns_status {
	DNS_OK = 0,
	DNS_FORMAT = 1,
	DNS_FAILED = 2,
	DNS_NO_NAME = 3,
	DNS_NOT_KNOWN = 4,
	DNS_REFUSED = 5,
};

struct dns_question {
	uint16_t id, type, class;
	uint8_t opcode;
	bool recursion;
	char text[HOSTS_NAME_MAX + 1]; /* labels with dots, as they were sent */
	size_t text_n;                 /* 0: the root, or it cannot be written as text */
	size_t end;                    /* offset where the question ends */
};

/* Read the one question of a query; false if it has none. */
bool dns_read_query(struct str message, struct dns_question *ret);
/* Write the answer; `query` is the message that it was read from.  Returns its length;
 * `buf` holds DNS_MESSAGE_MAX bytes. */
size_t dns_put_answer(uint8_t *buf, struct str query, const struct dns_question *q,
    enum dns_status status, const struct address *v, size_t n, uint32_t ttl);

/* Write a query for one name.  Returns its length, or 0. */
size_t dns_put_query(uint8_t *buf, uint16_t id, struct str name, enum dns_type type);

struct dns_answer {
	enum dns_status status;
	bool cut; /* truncated: ask again over TCP */
	struct address v[DNS_ANSWERS_MAX];
	size_t n;
	uint32_t ttl;
};

/* Read an answer.  False if it is not the answer to this very question. */
bool dns_read_answer(struct str message, uint16_t id, struct str name, enum dns_type type,
    struct dns_answer *ret);
