/* tests/fuzz/fuzz_wire.c: SandboxPolicy as a protobuf message, and as JSON. */
#include "daemon/wire/sandbox_wire.h"
#include "fuzz.h"

#define BYTES ((size_t)64 << 20)

static struct arena arena;

/* A message that is read says the same when it is written and read again. */
static void
from_wire(struct str bytes)
{
	struct buf json, wire, again;

	buf_init(&json, &arena);
	if (convert_to_json(&arena, bytes, &json, NULL))
		return;
	MUST(!json.full);
	buf_init(&wire, &arena);
	MUST(convert_to_wire(&arena, buf_str(&json), &wire, NULL) == 0 && !wire.full);
	buf_init(&again, &arena);
	MUST(convert_to_json(&arena, buf_str(&wire), &again, NULL) == 0);
	MUST(str_eq(buf_str(&json), buf_str(&again)));
}

static void
from_json(struct str text)
{
	struct buf wire, json, again;

	buf_init(&wire, &arena);
	if (convert_to_wire(&arena, text, &wire, NULL))
		return;
	MUST(!wire.full);
	buf_init(&json, &arena);
	MUST(convert_to_json(&arena, buf_str(&wire), &json, NULL) == 0);
	buf_init(&again, &arena);
	MUST(convert_to_wire(&arena, buf_str(&json), &again, NULL) == 0);
	MUST(str_eq(buf_str(&wire), buf_str(&again)));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = malloc(size ? size : 1);
	struct str text = str_of(copy, size);

	MUST(copy);
	memcpy(copy, data, size);
	if (!arena.mem)
		fuzz_arena(&arena, BYTES);
	from_wire(text);
	arena_reset(&arena);
	from_json(text);
	arena_reset(&arena);
	free(copy);
	return 0;
}
