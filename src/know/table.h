/* know/table.h: the layout of the compiled table, filled by tools/know-compile.py. Internal
 * to this room. */
#pragma once
#include "base/str.h"
#include <stdint.h>

/*
 * The table contains only numbers: an entry refers to another by its index in an array, and
 * to text by its offset in the pool. So it needs no relocation and stays in read-only pages
 * of the file. "Words" in the pool are texts in sequence, each after a byte with its
 * length, and a 0 after the last.
 */

enum know_style {
	STYLE_GNU,
	STYLE_POSIX,
	STYLE_SINGLE,
	STYLE_KEYS,
	STYLE_FREE,
};

enum know_node_flags {
	NODE_NETWORK = 1,
	NODE_NUMERIC = 2,
	NODE_SUB_OPTIONAL = 4,
	NODE_SUBS = 8,   /* has subcommands */
	NODE_PAIRS = 16, /* has options of two letters, also in clusters */
	NODE_FINDS = 32, /* looks for the program it starts in the project first */
};

struct know_node {
	uint32_t shorts, longs, subs;
	uint16_t operands;
	uint16_t outer; /* the nearest node whose options also hold here; itself if none */
	uint16_t dashdash;   /* a node, or 0 */
	uint16_t long_count; /* exact names, sorted */
	uint16_t stem_count; /* after them: stems, longest first */
	uint16_t sub_count, sub_stem_count;
	uint8_t short_count, operand_count;
	uint8_t class, style, handler;
	uint8_t unlisted; /* class of a subcommand that is not listed */
	uint8_t worst;    /* the worst class that arguments could cause */
	uint8_t flags;
};

enum know_option_flags {
	OPTION_OPTIONAL = 1, /* the value can only be attached */
	OPTION_NETWORK = 2,
	OPTION_OPERANDS = 4, /* replaces the operands of the node */
	OPTION_OFFLINE = 8,  /* the node needs no network with this option */
	OPTION_ENDS = 16,    /* no options after this one and its values */
	OPTION_NUMBER = 32,  /* OPTIONAL, but a number in the next word is its value */
};

/* The effect of an option; many options share one. */
struct know_effect {
	uint16_t values, operands; /* indices in know_operands */
	uint8_t value_count, operand_count;
	uint8_t class, only; /* 0: no effect on the class */
	uint8_t drops, flags;
};

struct know_option {
	uint32_t names; /* words in the pool */
	uint16_t effect;
};

/* `-c` in styles gnu and posix; sorted by c. */
struct know_short {
	uint8_t c;
	uint16_t option;
};

/* Any other spelling: the word at offset `skip` in the option's names. */
struct know_long {
	uint16_t option, skip;
};

/* A subcommand of a node, or a slot of the hash table of programs (n == 0: empty). */
struct know_sub {
	uint32_t text;
	uint16_t n, node;
};

enum know_mark {
	MARK_ONE,
	MARK_OPTIONAL,
	MARK_MANY,
};

struct know_operand {
	uint16_t cases;
	uint8_t case_count, role, mark;
};

#define KNOW_NO_ROLE 255

struct know_case {
	uint32_t globs;      /* words in the pool */
	uint8_t class, role; /* 0 and KNOW_NO_ROLE: unchanged */
	uint8_t only;        /* class of the whole command, or 0 */
	uint8_t network;     /* the command then needs the network */
};

/* The greatest depth of nested subcommands. */
#define KNOW_DEPTH 6

#pragma GCC visibility push(hidden)
extern const uint32_t know_slot_mask;
extern const struct know_sub know_slots[];
extern const struct know_node know_nodes[];
extern const struct know_option know_options[];
extern const struct know_effect know_effects[];
extern const struct know_short know_shorts[];
extern const struct know_long know_longs[];
extern const struct know_sub know_subs[];
extern const struct know_operand know_operands[];
extern const struct know_case know_cases[];
extern const char know_pool[];
#pragma GCC visibility pop

static inline struct str
know_text(uint32_t at, size_t n)
{
	return str_of(know_pool + at, n);
}

static inline const struct know_effect *
know_effect(const struct know_option *option)
{
	return &know_effects[option->effect];
}

/* Return the word at *at and advance; empty at the end. */
static inline struct str
know_next_word(uint32_t *at)
{
	struct str word = know_text(*at + 1, (unsigned char)know_pool[*at]);

	*at += (uint32_t)word.n + 1;
	return word;
}
