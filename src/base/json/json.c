#include "base/json/json.h"

const struct json *
json_get(const struct json *v, struct str key)
{
	if (!v || v->kind != JSON_OBJECT)
		return NULL;
	for (const struct json *m = v->first; m; m = m->next)
		if (str_eq(m->key, key))
			return m;
	return NULL;
}

struct str
json_source(struct str text, const struct json *v)
{
	return str_cut(text, v->at, v->end);
}

int
json_int(const struct json *v, int64_t *ret)
{
	bool negative;
	uint64_t n = 0, most;

	if (!v || v->kind != JSON_NUMBER)
		return CORDON_EINVAL;
	negative = v->text.p[0] == '-';
	most = (uint64_t)INT64_MAX + (negative ? 1 : 0);
	for (size_t i = negative ? 1 : 0; i < v->text.n; i++) {
		char c = v->text.p[i];
		uint64_t digit = (uint64_t)(c - '0');

		if (!byte_is_digit(c))
			return CORDON_EINVAL;
		if (n > (most - digit) / 10)
			return CORDON_ELIMIT;
		n = n * 10 + digit;
	}
	*ret = negative ? (int64_t)(0 - n) : (int64_t)n;
	return 0;
}
