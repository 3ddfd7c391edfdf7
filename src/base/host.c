#include "base/host.h"

bool
host_split(struct str text, struct host_port *ret)
{
	bool brackets = text.n && text.p[0] == '[';
	size_t end = brackets ? str_find(text, ']') + 1 : str_find(text, ':');
	struct host_port h = { .port = 0 };

	if (end == 0 || end > text.n)
		return false;
	h.name = str_cut(text, 0, end);
	if (end < text.n &&
	    (text.p[end] != ':' || !str_port(str_skip(text, end + 1), &h.port)))
		return false;
	*ret = h;
	return true;
}

bool
host_is_bracketed(struct str name)
{
	bool colon = false;

	if (name.n < 4 || name.p[0] != '[' || name.p[name.n - 1] != ']')
		return false;
	for (size_t i = 1; i + 1 < name.n; i++) {
		colon |= name.p[i] == ':';
		if (byte_hex(name.p[i]) < 0 && name.p[i] != ':' && name.p[i] != '.')
			return false;
	}
	return colon;
}

bool
host_is_name(struct str name)
{
	bool dot = true; /* before the first label, and after each dot */

	for (size_t i = 0; i < name.n; i++) {
		char c = byte_lower(name.p[i]);

		if (c == '.' ? dot
			     : !byte_is_digit(c) && !(c >= 'a' && c <= 'z') && c != '-' &&
				   c != '_')
			return false;
		dot = c == '.';
	}
	return name.n <= HOST_NAME_BYTES && !dot;
}
