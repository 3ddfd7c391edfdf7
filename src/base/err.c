#include "base/err.h"

struct pos
err_pos(struct str text, size_t at)
{
	struct pos where = { 1, 1 };

	for (size_t i = 0; i < at && i < text.n; i++) {
		where.column++;
		if (text.p[i] == '\n')
			where = (struct pos){ where.line + 1, 1 };
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
