#include "proxy/net_request.h"
#include "base/host.h"

/* Compare without case; `word` is in lower case. */
static bool
says(struct str s, const char *word)
{
	size_t n = strlen(word);

	if (s.n != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (byte_lower(s.p[i]) != word[i])
			return false;
	return true;
}

/* ---- host and port */

bool
request_authority(struct str text, uint16_t port, struct request_host *ret)
{
	struct host_port h;

	if (!host_split(text, &h))
		return false;
	*ret = (struct request_host){ .port = h.port ? h.port : port };
	if (h.name.p[0] == '[')
		return ret->port && host_is_bracketed(h.name) &&
		       address_read(str_cut(h.name, 1, h.name.n - 1), &ret->address);
	if (!address_read(h.name, &ret->address) &&
	    (ret->name_n = hosts_name(h.name, ret->name)) == 0)
		return false;
	return ret->port != 0;
}

/* ---- the head of a request */

static bool
is_token(struct str s)
{
	static const char more[] = "!#$%&'*+-.^_`|~";

	for (size_t i = 0; i < s.n; i++)
		if (!byte_is_digit(s.p[i]) &&
		    !(byte_lower(s.p[i]) >= 'a' && byte_lower(s.p[i]) <= 'z') &&
		    (s.p[i] == '\0' || !strchr(more, s.p[i])))
			return false;
	return s.n > 0;
}

static enum request_state
bad(struct http_request *q, const char *why)
{
	q->why = why;
	return REQUEST_BAD;
}

/* Lines end in CR LF and hold no control bytes but tabs.  Returns the length of the head,
 * or 0 if it is not complete; *ret_bad: it cannot be a head. */
static size_t
find_head(struct str s, bool *ret_bad)
{
	*ret_bad = s.n > 0 && s.p[0] == '\r';
	for (size_t i = 0; i < s.n && i < REQUEST_HEAD_MAX && !*ret_bad; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c == '\r') {
			if (i + 1 == s.n)
				return 0;
			*ret_bad = s.p[i + 1] != '\n';
		} else if (c == '\n') {
			*ret_bad = i == 0 || s.p[i - 1] != '\r';
			if (i >= 3 && s.p[i - 2] == '\n')
				return i + 1;
		} else {
			*ret_bad = (c < ' ' && c != '\t') || c == 0x7f;
		}
	}
	*ret_bad |= s.n >= REQUEST_HEAD_MAX;
	return 0;
}

static struct str
next_line(struct str *rest)
{
	size_t end = str_find(*rest, '\r');
	struct str line = str_cut(*rest, 0, end);

	*rest = str_skip(*rest, end + 2);
	return line;
}

static enum request_state
read_target(struct http_request *q, struct str target)
{
	const struct str http = STR("http://");
	size_t end;

	if (q->tunnel) {
		q->authority = target;
		return request_authority(target, 0, &q->host)
			   ? REQUEST_WHOLE
			   : bad(q, "CONNECT takes a host and a port");
	}
	if (target.n < http.n || !says(str_cut(target, 0, http.n), "http://"))
		return bad(q, "the request names no http:// address");
	target = str_skip(target, http.n);
	for (end = 0; end < target.n && !strchr("/?#", target.p[end]); end++)
		;
	q->authority = str_cut(target, 0, end);
	q->path = str_skip(target, end);
	if (str_find(q->path, '#') < q->path.n)
		return bad(q, "a fragment does not leave the client");
	return request_authority(q->authority, 80, &q->host)
		   ? REQUEST_WHOLE
		   : bad(q, "the address has no plain host");
}

static enum request_state
read_first(struct http_request *q, struct str line)
{
	size_t one = str_find(line, ' '), two;
	struct str rest = str_skip(line, one + 1);

	q->method = str_cut(line, 0, one);
	two = str_find(rest, ' ');
	q->version = str_skip(rest, two + 1);
	if (!is_token(q->method) || two == 0 ||
	    (!str_is(q->version, "HTTP/1.1") && !str_is(q->version, "HTTP/1.0")))
		return bad(q, "this is no request of HTTP/1");
	q->tunnel = str_is(q->method, "CONNECT");
	return read_target(q, str_cut(rest, 0, two));
}

static struct str
trimmed(struct str s)
{
	while (s.n && (s.p[0] == ' ' || s.p[0] == '\t'))
		s = str_skip(s, 1);
	while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t'))
		s.n--;
	return s;
}

static enum request_state
read_length(struct http_request *q, struct str value)
{
	if (q->body.kind != BODY_NONE || value.n > 18 ||
	    !str_number(value, UINT64_MAX, &q->body.left))
		return bad(q, "the length of its body is not clear");
	q->body.kind = BODY_LENGTH;
	return REQUEST_WHOLE;
}

static enum request_state
read_field(struct http_request *q, struct str line)
{
	size_t colon = str_find(line, ':');
	struct str name = str_cut(line, 0, colon),
		   value = trimmed(str_skip(line, colon + 1));

	if (colon == line.n || !is_token(name))
		return bad(q, "a field has no plain name");
	if (says(name, "content-length"))
		return read_length(q, value);
	if (!says(name, "transfer-encoding"))
		return REQUEST_WHOLE;
	if (q->body.kind != BODY_NONE || !says(value, "chunked") ||
	    !str_is(q->version, "HTTP/1.1"))
		return bad(q, "the end of its body is not clear");
	q->body.kind = BODY_CHUNKED;
	return REQUEST_WHOLE;
}

enum request_state
http_read(struct str bytes, struct http_request *ret)
{
	struct str rest;
	bool is_bad;

	*ret = (struct http_request){ 0 };
	ret->head_n = find_head(bytes, &is_bad);
	if (is_bad)
		return bad(ret, "its lines are not those of HTTP, or too long");
	if (ret->head_n == 0)
		return REQUEST_MORE;
	rest = str_cut(bytes, 0, ret->head_n);
	if (read_first(ret, next_line(&rest)) != REQUEST_WHOLE)
		return REQUEST_BAD;
	for (struct str line = next_line(&rest); line.n; line = next_line(&rest))
		if (read_field(ret, line) != REQUEST_WHOLE)
			return REQUEST_BAD;
	if (ret->tunnel && ret->body.kind != BODY_NONE)
		return bad(ret, "CONNECT has no body");
	return REQUEST_WHOLE;
}

/* Hop-by-hop fields, and those that we set ourselves. */
static bool
stays_here(struct str name)
{
	static const char fields[][20] = { "host", "connection", "proxy-connection",
		"proxy-authorization", "proxy-authenticate", "keep-alive", "te",
		"upgrade" };

	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (says(name, fields[i]))
			return true;
	return false;
}

void
http_put_head(struct buf *out, struct str bytes, const struct http_request *q)
{
	struct str rest = str_cut(bytes, 0, q->head_n), line;

	(void)next_line(&rest);
	buf_put(out, q->method);
	buf_putc(out, ' ');
	if (q->path.n == 0 || q->path.p[0] != '/')
		buf_putc(out, '/');
	buf_put(out, q->path);
	buf_putc(out, ' ');
	buf_put(out, q->version);
	buf_puts(out, "\r\nHost: ");
	buf_put(out, q->authority);
	buf_puts(out, "\r\nConnection: close\r\n");
	while ((line = next_line(&rest)).n) {
		if (stays_here(str_cut(line, 0, str_find(line, ':'))))
			continue;
		buf_put(out, line);
		buf_puts(out, "\r\n");
	}
	buf_puts(out, "\r\n");
}
