#include "daemon/console/http.h"

static bool
is_token(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c && strchr("!#$%&'*+-.^_`|~", c));
}

size_t
http_head_end(struct str bytes, size_t from)
{
	/* The end may straddle the bytes that were searched before. */
	for (size_t i = from > 3 ? from - 3 : 0; i + 4 <= bytes.n; i++)
		if (memcmp(bytes.p + i, "\r\n\r\n", 4) == 0)
			return i + 4;
	return 0;
}

/* Return the next line; false if it does not end in CR LF. */
static bool
take_line(struct str *rest, struct str *ret)
{
	size_t end = str_find(*rest, '\n');

	if (end == rest->n || end == 0 || rest->p[end - 1] != '\r')
		return false;
	*ret = str_cut(*rest, 0, end - 1);
	*rest = str_skip(*rest, end + 1);
	return str_find(*ret, '\r') == ret->n;
}

static int
read_target(struct str target, struct web_request *ret)
{
	size_t mark;

	if (target.n > HTTP_TARGET_MAX)
		return 414;
	if (target.n == 0 || target.p[0] != '/')
		return 400;
	for (size_t i = 0; i < target.n; i++)
		if (target.p[i] <= ' ' || target.p[i] >= 127 || target.p[i] == '#')
			return 400;
	mark = str_find(target, '?');
	ret->path = str_cut(target, 0, mark);
	ret->query = str_skip(target, mark + 1);
	return 0;
}

static int
read_request_line(struct str line, struct web_request *ret)
{
	size_t first = str_find(line, ' ');
	struct str method = str_cut(line, 0, first), rest = str_skip(line, first + 1);
	size_t second = str_find(rest, ' ');

	if (str_is(method, "GET"))
		ret->method = HTTP_GET;
	else if (str_is(method, "POST"))
		ret->method = HTTP_POST;
	else
		return 405;
	if (!str_is(str_skip(rest, second + 1), "HTTP/1.1"))
		return second == rest.n ? 400 : 505;
	return read_target(str_cut(rest, 0, second), ret);
}

/* ---- headers */

static bool
is_named(struct str name, const char *lower)
{
	if (name.n != strlen(lower))
		return false;
	for (size_t i = 0; i < name.n; i++) {
		char c = name.p[i];

		if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != lower[i])
			return false;
	}
	return true;
}

static int
read_length(struct str value, size_t *ret)
{
	uint64_t n;

	if (value.n > 9)
		return 413;
	if (!str_number(value, UINT32_MAX, &n))
		return 400;
	if (n > HTTP_BODY_MAX)
		return 413;
	*ret = (size_t)n;
	return 0;
}

static int
take_once(struct str *to, struct str value)
{
	if (to->p)
		return 400;
	*to = value;
	return 0;
}

static int
read_header(struct str name, struct str value, struct web_request *ret, struct str *length)
{
	if (is_named(name, "host"))
		return take_once(&ret->host, value);
	if (is_named(name, "origin"))
		return take_once(&ret->origin, value);
	if (is_named(name, "sec-fetch-site"))
		return take_once(&ret->fetch_site, value);
	if (is_named(name, "x-cordon-token"))
		return take_once(&ret->token, value);
	if (is_named(name, "content-type"))
		return take_once(&ret->content_type, value);
	if (is_named(name, "content-length"))
		return take_once(length, value);
	if (is_named(name, "transfer-encoding") || is_named(name, "upgrade"))
		return 501;
	return is_named(name, "expect") ? 417 : 0;
}

static int
read_header_line(struct str line, struct web_request *ret, struct str *length)
{
	size_t colon = str_find(line, ':');
	struct str name = str_cut(line, 0, colon), value = str_skip(line, colon + 1);

	if (colon == line.n || name.n == 0)
		return 400;
	for (size_t i = 0; i < name.n; i++)
		if (!is_token(name.p[i]))
			return 400;
	for (size_t i = 0; i < value.n; i++)
		if (((unsigned char)value.p[i] < ' ' && value.p[i] != '\t') ||
		    value.p[i] == 127)
			return 400;
	while (value.n && (value.p[0] == ' ' || value.p[0] == '\t'))
		value = str_skip(value, 1);
	while (value.n && (value.p[value.n - 1] == ' ' || value.p[value.n - 1] == '\t'))
		value.n--;
	return read_header(name, value, ret, length);
}

int
http_request_read(struct str head, struct web_request *ret)
{
	struct web_request q = { 0 };
	struct str line, length = { NULL, 0 };
	int status;

	if (head.n > HTTP_HEAD_MAX)
		return 431;
	if (!take_line(&head, &line))
		return 400;
	status = read_request_line(line, &q);
	for (size_t n = 0; !status; n++) {
		if (!take_line(&head, &line))
			return 400;
		if (line.n == 0)
			break;
		status = n < HTTP_HEADERS_MAX ? read_header_line(line, &q, &length) : 431;
	}
	if (status)
		return status;
	if (head.n)
		return 400;
	if (length.p && (status = read_length(length, &q.length)))
		return status;
	if (q.method == HTTP_POST && !length.p)
		return 411;
	if (q.method == HTTP_GET && q.length)
		return 400;
	*ret = q;
	return 0;
}

/* ---- the query */

static struct str
unescape(struct arena *a, struct str s)
{
	struct str none = { NULL, 0 };
	char *p = arena_alloc(a, s.n + 1);
	size_t n = 0;

	for (size_t i = 0; p && i < s.n; i++) {
		int high, low;

		if (s.p[i] != '%') {
			p[n++] = (char)(s.p[i] == '+' ? ' ' : s.p[i]);
			continue;
		}
		high = i + 2 < s.n ? byte_hex(s.p[i + 1]) : -1;
		low = i + 2 < s.n ? byte_hex(s.p[i + 2]) : -1;
		if (i + 2 == s.n || high < 0 || low < 0 || (high == 0 && low == 0))
			return none;
		p[n++] = (char)(high << 4 | low);
		i += 2;
	}
	return p ? str_of(p, n) : none;
}

struct str
http_query(struct arena *a, struct str query, const char *name)
{
	struct str found = { NULL, 0 };

	while (query.n) {
		size_t end = str_find(query, '&'), equals;
		struct str pair = str_cut(query, 0, end);

		query = str_skip(query, end + 1);
		equals = str_find(pair, '=');
		if (!str_is(str_cut(pair, 0, equals), name))
			continue;
		if (found.p)
			return (struct str){ NULL, 0 };
		found = unescape(a, str_skip(pair, equals + 1));
		if (!found.p)
			return found;
	}
	return found;
}

bool
http_same(struct str a, struct str b)
{
	volatile unsigned char differ = a.n != b.n;

	for (size_t i = 0; i < a.n && i < b.n; i++)
		differ = (unsigned char)(differ | (a.p[i] ^ b.p[i]));
	return !differ;
}
