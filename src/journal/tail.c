#include "journal/journal.h"

/* Offset of the last zero byte before `end`, or -1. */
static ptrdiff_t
zero_before(struct str s, size_t end)
{
	for (size_t i = end; i > 0; i--)
		if (s.p[i - 1] == '\0')
			return (ptrdiff_t)(i - 1);
	return -1;
}

enum took {
	TOOK_RECORD,
	TOOK_NONE,
	TOOK_NO_MEMORY,
};

static enum took
take_head(struct arena *a, struct str frame, struct record_head *ret)
{
	size_t used = a->used, n;
	enum took took = TOOK_NONE;
	char *body;

	if (frame.n == 0 || frame.n > frame_room(RECORD_MAX))
		return TOOK_NONE;
	body = arena_alloc(a, frame.n);
	if (!body)
		return TOOK_NO_MEMORY;
	if (frame_take(frame, body, &n) && record_check(str_of(body, n), ret, NULL) == 0)
		took = TOOK_RECORD;
	arena_back(a, used);
	return took;
}

bool
journal_find_tail(
    struct arena *a, struct str bytes, uint64_t from, struct journal_tail *ret)
{
	struct journal_tail tail = { 0 };
	struct record_head head;
	size_t end = bytes.n;
	bool open = true; /* the bytes before `end` have no zero byte */

	while (end > 0 || from > 0) {
		ptrdiff_t zero = zero_before(bytes, end);
		size_t begin = (size_t)(zero + 1);
		enum took took;

		/* The frame starts before these bytes. */
		if (zero < 0 && from > 0)
			return false;
		took = take_head(a, str_cut(bytes, begin, end), &head);
		if (took == TOOK_NO_MEMORY)
			return false;
		if (took == TOOK_RECORD) {
			tail.found = true;
			tail.head.sequence = head.sequence;
			memcpy(tail.head.chain, head.chain, sizeof head.chain);
			tail.end = from + end + (open ? 0 : 1);
			tail.open = open;
			tail.only_start = head.kind == RECORD_START;
			break;
		}
		if (zero < 0)
			break;
		end = (size_t)zero;
		open = false;
	}
	*ret = tail;
	return true;
}

bool
journal_previous(struct arena *a, struct str bytes, size_t *at, struct record *ret)
{
	size_t end = *at;

	while (end > 0) {
		size_t stop = bytes.p[end - 1] == '\0' ? end - 1 : end, used = a->used, n;
		size_t begin = (size_t)(zero_before(bytes, stop) + 1);
		struct str frame = str_cut(bytes, begin, stop);
		char *body = NULL;

		if (frame.n <= frame_room(RECORD_MAX))
			body = arena_alloc(a, frame.n);
		end = begin;
		if (body && frame_take(frame, body, &n) &&
		    record_decode(str_of(body, n), ret, NULL) == 0) {
			*at = begin;
			return true;
		}
		arena_back(a, used);
	}
	*at = 0;
	return false;
}

bool
journal_next(struct arena *a, struct str bytes, size_t *at, size_t *ret_begin,
    struct str *ret_body, struct record_head *ret)
{
	while (*at < bytes.n) {
		size_t begin = *at, used = a->used, n;
		struct str rest = str_skip(bytes, begin), frame;
		char *body = NULL;

		frame = str_cut(rest, 0, str_find(rest, '\0'));
		if (frame.n == rest.n)
			return false;
		*at = begin + frame.n + 1;
		if (frame.n <= frame_room(RECORD_MAX))
			body = arena_alloc(a, frame.n);
		if (body && frame_take(frame, body, &n) &&
		    record_check(str_of(body, n), ret, NULL) == 0) {
			*ret_begin = begin;
			*ret_body = str_of(body, n);
			return true;
		}
		arena_back(a, used);
	}
	return false;
}
