#include "base/err.h"

struct place
err_place(struct str text, size_t at)
{
	struct place where = { 1, 1 };

	for (size_t i = 0; i < at && i < text.n; i++) {
		where.column++;
		if (text.p[i] == '\n')
			where = (struct place){ where.line + 1, 1 };
	}
	return where;
}

const char *
err_text(int code)
{
	switch (code) {
#define X(name, number, text)                                                              \
	case number:                                                                       \
		return text;
		CORDON_ERR_MAP(X)
#undef X
	default:
		return "no error";
	}
}
