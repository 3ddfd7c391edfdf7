/*
 * policy/image/image.h: the compiled policy, one piece of memory without pointers.
 *
 * Numbers have the byte order of the machine that wrote the image; other machines refuse
 * it by its mark.  The sections follow the head in the order of enum section, each aligned
 * to 8 bytes.  Offsets count from the image's start, those of texts from the pool's start.
 *
 * MUST
 * 1. No accessor reads outside the bytes that image_open() accepted.
 * 2. A text holds no NUL; an enum has one of its values; a list lies in its section.
 * 3. The image made from the same sources is the same, byte for byte.
 */
#pragma once
#include "policy/draft.h"
#include <assert.h>

#define IMAGE_MAGIC "CORDONP1"
#define IMAGE_MARK 0x01020304u
#define IMAGE_VERSION 7u
#define IMAGE_NONE UINT32_MAX /* .at of a text that is absent */
/* Offsets and sums of two of them fit in 32 bits. */
#define IMAGE_BYTES ((size_t)1 << 30)

enum section {
	SECTION_FILES,   /* struct image_text */
	SECTION_ENTRIES, /* of all lists, one after the other */
	SECTION_LINES,   /* wrapper and data, then set */
	SECTION_TESTS,
	SECTION_INERT,
	SECTION_RULES,
	SECTION_PATTERNS,
	SECTION_ALTERNATIVES,
	SECTION_NEEDS,  /* uint64_t for each alternative: the path_bits() it needs */
	SECTION_PLACES, /* struct path_place for each rule: where its paths may lie */
	SECTION_ORDER,  /* uint32_t: rules by effect, then always, then by program */
	SECTION_SLOTS,  /* hash of programs */
	SECTION_POOL,   /* bytes */
	SECTIONS,
};

struct image_text {
	uint32_t at, n;
};

struct image_origin {
	uint32_t file, line;
	uint8_t layer, untrusted, said; /* said: 0 for a default */
	uint8_t zero;
};

struct image_range {
	uint32_t first, n;
};

struct image_alternative {
	struct image_text code;
	uint16_t port;
	uint8_t anchor;
	uint8_t flags; /* of enum alternative_flag */
};

enum alternative_flag {
	ALTERNATIVE_GLOB = 1,
	ALTERNATIVE_TREE = 2,
	ALTERNATIVE_FLAGS = 3,
};

struct pattern {
	struct image_text text;
	uint32_t first; /* alternative */
	uint16_t n;
	uint8_t kind, zero;
};

struct image_rule {
	struct image_text text, because, instead;
	int64_t until;
	struct image_origin origin;
	uint32_t first; /* pattern of the first list; the others follow */
	uint16_t n[RULE_LISTS];
	uint8_t verdict, effect, sandbox, when;
	uint8_t exact, more, pad[2];
	uint32_t specificity;
};

struct image_entry {
	struct image_text text;
	uint32_t pattern;
	struct image_origin origin;
};

enum line_kind {
	LINE_WRAPPER,
	LINE_DATA,
	LINE_SET,
	LINES,
};

struct image_line {
	struct image_text text;
	struct image_origin origin;
	uint8_t kind, zero[3];
};

struct image_test {
	struct image_text command, text;
	struct image_origin origin;
	uint8_t expected, zero[3];
};

struct image_inert {
	struct image_text text;
	struct image_origin origin;
	uint8_t why, zero[3];
};

struct image_slot {
	struct image_text program; /* .at == IMAGE_NONE: free */
	struct image_range rules;  /* in SECTION_ORDER */
};

struct image_settings {
	uint8_t value[SET_VALUES];
	uint8_t protect, forbidden, bounded; /* bit 0 writable, bit 1 hosts */
	uint8_t shell_disabled, branches;    /* some rule asks for the branch */
	struct image_origin by[SET_BITS];
	struct image_origin bound_by;
	uint32_t lists[LISTS + 1]; /* where in SECTION_ENTRIES each begins, and the end */
	uint32_t shapes;           /* of SECTION_LINES: how many are no sets */
	uint32_t pad;
};

struct image_head {
	char magic[8];
	uint32_t mark, version;
	uint64_t bytes; /* of the whole image */
	uint64_t sum;   /* of everything after this field, and of `bytes` */
	struct image_range
	    section[SECTIONS]; /* first: byte offset, n: number of elements */
	struct image_range effects[RULE_MCP + 1]; /* in SECTION_ORDER */
	struct image_range always;
	struct image_settings settings;
};

struct policy {
	const struct image_head *head;
	const struct image_text *files;
	const struct image_entry *entries;
	const struct image_line *lines;
	const struct image_test *tests;
	const struct image_inert *inert;
	const struct image_rule *rules;
	const struct pattern *patterns;
	const struct image_alternative *alternatives;
	const uint64_t *needs;
	const struct path_place *places;
	const uint32_t *order;
	const struct image_slot *slots;
	const char *pool;
	struct policy_settings settings;
};

/* The layout has no padding. */
static_assert(sizeof(struct image_rule) == 80 && sizeof(struct image_settings) == 256 &&
		  sizeof(struct image_head) == 464,
    "the layout of an image");

uint64_t image_sum(struct str bytes, uint64_t length);
uint32_t image_hash(struct str name);
/* The path_bits() that a path needs to match; 0: unknown. */
uint64_t image_need(const struct alternative *x, bool path);
/* Add the places where paths that match this alternative may lie. */
void place_add(
    struct path_place *place, const struct alternative *x, bool path, struct str text);
/* 0, CORDON_ENOMEM or CORDON_ELIMIT. */
int image_write(struct draft *d, const struct merged *m, struct buf *out);
/* An index of rules by program.  *order and *slots are in the arena; the slots' names are
 * .p of draft words, which the caller puts into the pool. */
struct program_slot {
	struct str name; /* .p == NULL: free */
	uint32_t first, n, last;
};
struct program_index {
	uint32_t *order;
	uint32_t order_n;
	struct image_range effects[RULE_MCP + 1], always;
	struct program_slot *slots;
	uint32_t slots_n; /* 0 or a power of two, at most half of them used */
};
int index_rules(const struct draft *d, struct program_index *ret);
/* The size of one element of a section. */
size_t image_unit(enum section s);

static inline struct str
image_str(const struct policy *p, struct image_text t)
{
	return t.at == IMAGE_NONE ? (struct str){ 0 } : str_of(p->pool + t.at, t.n);
}

static inline size_t
image_count(const struct policy *p, enum section s)
{
	return p->head->section[s].n;
}

/* Read an alternative of an image in the form of a draft. */
struct alternative image_alternative(const struct policy *p, uint32_t i);
struct policy_origin image_origin(const struct policy *p, const struct image_origin *o);
