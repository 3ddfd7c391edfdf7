#include "daemon/store/store.h"

#define SECOND ((int64_t)1000000000)

static bool
take_number(struct str *s, size_t digits, int64_t *ret)
{
	uint64_t n;

	if (s->n < digits || !str_number(str_cut(*s, 0, digits), INT32_MAX, &n))
		return false;
	*s = str_skip(*s, digits);
	*ret = (int64_t)n;
	return true;
}

static bool
take_sign(struct str *s, char c)
{
	if (s->n == 0 || s->p[0] != c)
		return false;
	*s = str_skip(*s, 1);
	return true;
}

/* Days since 1970; years start in March, so that the leap day is the last of its year. */
static int64_t
days_of(int64_t year, int64_t month, int64_t day)
{
	int64_t y = month <= 2 ? year - 1 : year, m = month > 2 ? month - 3 : month + 9;

	return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}

static bool
read_date(struct str s, int64_t *ret)
{
	int64_t year, month, day, hour = 0, minute = 0, second = 0;

	if (!take_number(&s, 4, &year) || !take_sign(&s, '-') ||
	    !take_number(&s, 2, &month) || !take_sign(&s, '-') || !take_number(&s, 2, &day))
		return false;
	if (take_sign(&s, 'T') || take_sign(&s, ' ')) {
		if (!take_number(&s, 2, &hour) || !take_sign(&s, ':') ||
		    !take_number(&s, 2, &minute))
			return false;
		if (take_sign(&s, ':') && !take_number(&s, 2, &second))
			return false;
		(void)take_sign(&s, 'Z');
	}
	if (s.n || year < 1970 || year > 2200 || month < 1 || month > 12 || day < 1 ||
	    day > 31 || hour > 23 || minute > 59 || second > 60)
		return false;
	*ret = (days_of(year, month, day) * 86400 + hour * 3600 + minute * 60 + second) *
	       SECOND;
	return true;
}

static int64_t
unit_of(char c)
{
	switch (c) {
	case 's':
		return 1;
	case 'm':
		return 60;
	case 'h':
		return 3600;
	case 'd':
		return 86400;
	case 'w':
		return (int64_t)7 * 86400;
	default:
		return 0;
	}
}

bool
when_read(struct str s, int64_t now, int64_t *ret)
{
	int64_t n, unit = s.n ? unit_of(s.p[s.n - 1]) : 0;
	struct str number = s;

	if (read_date(s, ret))
		return true;
	if (unit == 0 || s.n < 2 || s.n > 7 || !take_number(&number, s.n - 1, &n))
		return false;
	*ret = now - n * unit * SECOND;
	return true;
}
