#include "proxy/net_dns.h"

#define HEAD 12
#define IN 1
#define POINTER 0xc0
/* Maximum length of an alias chain; real chains have a few. */
#define ALIASES_MAX 8
/* Maximum number of records that are read. */
#define RECORDS_MAX 64

struct cursor {
	struct str m;
	size_t at;
};

static uint8_t
byte_at(struct str m, size_t i)
{
	return (uint8_t)m.p[i];
}

static bool
take16(struct cursor *c, uint16_t *ret)
{
	if (c->m.n - c->at < 2)
		return false;
	*ret = (uint16_t)(byte_at(c->m, c->at) << 8 | byte_at(c->m, c->at + 1));
	c->at += 2;
	return true;
}

static uint16_t
get16(struct str m, size_t at)
{
	return (uint16_t)(byte_at(m, at) << 8 | byte_at(m, at + 1));
}

/* ---- names */

struct name {
	char text[HOSTS_NAME_MAX + 1];
	size_t n;
	bool odd; /* a label has bytes that a host name cannot have */
};

static bool
put_label(struct name *n, struct str label)
{
	if (n->n + label.n + (n->n > 0) > HOSTS_NAME_MAX)
		return false;
	if (n->n)
		n->text[n->n++] = '.';
	for (size_t i = 0; i < label.n; i++) {
		/* A dot inside a label would make two names look like one. */
		n->odd |= label.p[i] == '.' || label.p[i] <= ' ' || label.p[i] == 0x7f;
		n->text[n->n++] = label.p[i];
	}
	return true;
}

/* Read the name at the cursor and move after it.  A compression pointer may only lead back,
 * so that reading ends. */
static bool
take_name(struct cursor *c, struct name *ret)
{
	size_t at = c->at, lowest = c->at, behind = 0;

	ret->n = 0;
	ret->odd = false;
	for (;;) {
		uint8_t length;

		if (at >= c->m.n)
			return false;
		length = byte_at(c->m, at);
		if ((length & POINTER) == POINTER) {
			if (at + 1 >= c->m.n)
				return false;
			if (!behind)
				behind = at + 2;
			at = get16(c->m, at) & 0x3fff;
			if (at >= lowest || at < HEAD)
				return false;
			lowest = at;
			continue;
		}
		if (length & POINTER || c->m.n - at - 1 < length)
			return false;
		at++;
		if (length == 0)
			break;
		if (!put_label(ret, str_of(c->m.p + at, length)))
			return false;
		at += length;
	}
	c->at = behind ? behind : at;
	return true;
}

static bool
same_name(const struct name *x, struct str y)
{
	if (x->odd || x->n != y.n)
		return false;
	for (size_t i = 0; i < y.n; i++)
		if (byte_lower(x->text[i]) != byte_lower(y.p[i]))
			return false;
	return true;
}

/* ---- queries from inside */

bool
dns_read_query(struct str m, struct dns_question *ret)
{
	struct cursor c = { m, HEAD };
	struct name name;
	uint8_t flags;

	if (m.n < HEAD)
		return false;
	flags = byte_at(m, 2);
	*ret = (struct dns_question){
		.id = get16(m, 0), .opcode = flags >> 3 & 15, .recursion = flags & 1
	};
	if (flags & 0x80 || get16(m, 4) != 1 || !take_name(&c, &name) ||
	    !take16(&c, &ret->type) || !take16(&c, &ret->class))
		return false;
	if (!name.odd) {
		memcpy(ret->text, name.text, name.n);
		ret->text_n = name.n;
	}
	ret->end = c.at;
	return true;
}

static void
put16(uint8_t *p, unsigned v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static size_t
put_record(uint8_t *p, const struct address *a, uint32_t ttl)
{
	const size_t n = a->six ? 16 : 4;

	put16(p, POINTER << 8 | HEAD);
	put16(p + 2, a->six ? DNS_AAAA : DNS_A);
	put16(p + 4, IN);
	put16(p + 6, ttl >> 16);
	put16(p + 8, ttl & 0xffff);
	put16(p + 10, (unsigned)n);
	memcpy(p + 12, a->b, n);
	return 12 + n;
}

size_t
dns_put_answer(uint8_t *buf, struct str query, const struct dns_question *q,
    enum dns_status status, const struct address *v, size_t n, uint32_t ttl)
{
	size_t at = q->end;
	uint8_t count = 0;

	/* A query with a compression pointer could be this long. */
	if (at > DNS_MESSAGE_MAX - HEAD || at > query.n)
		return 0;
	memcpy(buf, query.p, at);
	buf[2] = (uint8_t)(0x80 | q->opcode << 3 | (q->recursion ? 1 : 0));
	buf[3] = (uint8_t)(0x80 | status);
	memset(buf + 4, 0, 8);
	put16(buf + 4, 1);
	for (size_t i = 0; i < n && at + 28 <= DNS_MESSAGE_MAX; i++, count++)
		at += put_record(buf + at, &v[i], ttl);
	put16(buf + 6, count);
	return at;
}

/* ---- queries that we send outside */

size_t
dns_put_query(uint8_t *buf, uint16_t id, struct str name, enum dns_type type)
{
	size_t at = HEAD;

	if (name.n == 0 || name.n > HOSTS_NAME_MAX)
		return 0;
	memset(buf, 0, HEAD);
	put16(buf, id);
	buf[2] = 1; /* recursion desired */
	put16(buf + 4, 1);
	while (name.n) {
		size_t n = str_find(name, '.');

		if (n == 0 || n > 63)
			return 0;
		buf[at++] = (uint8_t)n;
		memcpy(buf + at, name.p, n);
		at += n;
		name = str_skip(name, n + 1);
	}
	buf[at++] = 0;
	put16(buf + at, type);
	put16(buf + at + 2, IN);
	return at + 4;
}

struct record {
	struct name owner;
	uint16_t type, class;
	uint32_t ttl;
	size_t data, n;
};

static bool
take_record(struct cursor *c, struct record *ret)
{
	uint16_t high, low, n;

	if (!take_name(c, &ret->owner) || !take16(c, &ret->type) ||
	    !take16(c, &ret->class) || !take16(c, &high) || !take16(c, &low) ||
	    !take16(c, &n) || c->m.n - c->at < n)
		return false;
	ret->ttl = (uint32_t)high << 16 | low;
	ret->data = c->at;
	ret->n = n;
	c->at += n;
	return true;
}

static void
take_address(struct dns_answer *ret, const struct cursor *c, const struct record *r,
    enum dns_type type)
{
	struct address *a = &ret->v[ret->n];

	if (ret->n == DNS_ANSWERS_MAX || r->n != (type == DNS_AAAA ? 16 : 4))
		return;
	*a = (struct address){ .six = type == DNS_AAAA };
	memcpy(a->b, c->m.p + r->data, r->n);
	address_unmap(a);
	if (r->ttl < ret->ttl)
		ret->ttl = r->ttl;
	ret->n++;
}

/* Scan the records once: addresses of `want`, or its alias. */
static bool
look_for(struct cursor c, uint16_t count, struct name *want, enum dns_type type,
    struct dns_answer *ret, bool *ret_alias)
{
	struct record r;

	*ret_alias = false;
	for (uint16_t i = 0; i < count && i < RECORDS_MAX; i++) {
		if (!take_record(&c, &r))
			return false;
		if (r.class != IN || !same_name(&r.owner, str_of(want->text, want->n)))
			continue;
		if (r.type == type) {
			take_address(ret, &c, &r, type);
		} else if (r.type == DNS_CNAME && !*ret_alias && ret->n == 0) {
			struct cursor to = { c.m, r.data };

			if (!take_name(&to, want) || to.at > r.data + r.n || want->odd)
				return false;
			*ret_alias = true;
		}
	}
	return true;
}

bool
dns_read_answer(
    struct str m, uint16_t id, struct str name, enum dns_type type, struct dns_answer *ret)
{
	struct cursor c = { m, HEAD };
	struct name want;
	uint16_t asked, class;
	bool alias = true;

	*ret = (struct dns_answer){ .status = DNS_FAILED, .ttl = 3600 };
	if (m.n < HEAD || get16(m, 0) != id || !(byte_at(m, 2) & 0x80) ||
	    get16(m, 4) != 1 || !take_name(&c, &want) || !take16(&c, &asked) ||
	    !take16(&c, &class) || asked != type || class != IN || !same_name(&want, name))
		return false;
	ret->cut = byte_at(m, 2) & 2;
	ret->status = (enum dns_status)(byte_at(m, 3) & 15);
	for (int i = 0; alias && !ret->cut && ret->status == DNS_OK && ret->n == 0; i++) {
		if (i > ALIASES_MAX ||
		    !look_for(c, get16(m, 6), &want, type, ret, &alias)) {
			*ret = (struct dns_answer){ .status = DNS_FAILED };
			break;
		}
	}
	return true;
}
