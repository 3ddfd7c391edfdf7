#include "base/json.h"

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

		if (c < '0' || c > '9')
			return CORDON_EINVAL;
		if (n > (most - digit) / 10)
			return CORDON_ELIMIT;
		n = n * 10 + digit;
	}
	*ret = negative ? (int64_t)(0 - n) : (int64_t)n;
	return 0;
}

/* A number's digits, without its sign and point: digits * 10^scale. */
struct decimal {
	uint64_t digits;
	int scale;
};

/* Beyond 19 digits a double does not hold them: only their number matters. */
static size_t
read_digits(struct str s, size_t i, struct decimal *d, int behind_point)
{
	for (; i < s.n && s.p[i] >= '0' && s.p[i] <= '9'; i++) {
		bool fits = d->digits < UINT64_MAX / 10 - 1;

		if (fits)
			d->digits = d->digits * 10 + (uint64_t)(s.p[i] - '0');
		d->scale += (fits ? 0 : 1) - behind_point;
	}
	return i;
}

static int
read_exponent(struct str s, size_t i)
{
	bool negative = i < s.n && s.p[i] == '-';
	int e = 0;

	for (; i < s.n; i++)
		if (s.p[i] >= '0' && s.p[i] <= '9' && e < 100000000)
			e = e * 10 + (s.p[i] - '0');
	return negative ? -e : e;
}

/* Not strtod: it would read the point by the locale of the program we are loaded into. */
int
json_double(const struct json *v, double *ret)
{
	struct decimal d = { 0, 0 };
	long double value, power = 10;
	size_t i;
	bool negative;

	if (!v || v->kind != JSON_NUMBER)
		return CORDON_EINVAL;
	negative = v->text.p[0] == '-';
	i = read_digits(v->text, negative ? 1 : 0, &d, 0);
	if (i < v->text.n && v->text.p[i] == '.')
		i = read_digits(v->text, i + 1, &d, 1);
	if (i < v->text.n)
		d.scale += read_exponent(v->text, i + 1);
	value = (long double)d.digits;
	/* 10^scale by squares; what over- or underflows stays infinite or zero. */
	for (unsigned left = (unsigned)(d.scale < 0 ? -d.scale : d.scale);
	     left && value > 0; left >>= 1) {
		if (left & 1)
			value = d.scale < 0 ? value / power : value * power;
		power *= power;
	}
	if (value > 0x1.fffffffffffffp1023L)
		return CORDON_ELIMIT;
	*ret = negative ? -(double)value : (double)value;
	return 0;
}
