/* know/table.h: the layout of the compiled table.  tools/know-compile.py fills it. */
#pragma once
#include "base/str.h"
#include <stdint.h>

/*
 * The table holds numbers only: an entry names another by its place in an array,
 * and text by its place in the pool.  So it needs no relocation and stays in the
 * read-only pages of the file.  "Words" in the pool are texts one behind another,
 * each behind a byte with its length, and a 0 behind the last.
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
	NODE_PAIRS = 16, /* has options of two letters, also inside of clusters */
	NODE_FINDS = 32, /* what it starts it looks for in places of the project first */
};

struct know_node {
	uint32_t shorts, longs, subs;
	uint16_t operands;
	uint16_t
	    outer; /* the nearest whose options hold here too; itself if there is none */
	uint16_t dashdash;               /* a node, 0 for none */
	uint16_t long_count, stem_count; /* exact names sorted, then stems, longest first */
	uint16_t sub_count, sub_stem_count;
	uint8_t short_count, operand_count;
	uint8_t class, style, handler;
	uint8_t unlisted; /* class of a subcommand that is not listed */
	uint8_t worst;    /* the class of the worst that words could make of it */
	uint8_t flags;
};

enum know_option_flags {
	OPTION_OPTIONAL = 1, /* its value can only be attached */
	OPTION_NETWORK = 2,
	OPTION_OPERANDS = 4, /* replaces the operands of the node */
	OPTION_OFFLINE = 8,  /* the node needs no network with it */
	OPTION_ENDS = 16,    /* behind it and its values there are no options */
	OPTION_NUMBER = 32,  /* OPTIONAL, but a number in the next word is its value */
};

/* What an option does; many do the same. */
struct know_effect {
	uint16_t values, operands; /* of know_operands */
	uint8_t value_count, operand_count;
	uint8_t class, only; /* 0: says nothing */
	uint8_t drops, flags;
};

struct know_option {
	uint32_t names; /* words in the pool */
	uint16_t effect;
};

/* `-c` of the styles gnu and posix; sorted by c. */
struct know_short {
	uint8_t c;
	uint16_t option;
};

/* Every other spelling: a word of the option's names, so many bytes behind the first. */
struct know_long {
	uint16_t option, skip;
};

/* A subcommand of a node, or a slot of the hash table of programs (n is 0: empty). */
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
	uint8_t class, role; /* 0 and KNOW_NO_ROLE: leave it */
	uint8_t only;        /* 0, or the class of the whole command */
	uint8_t network;     /* it needs the network then */
};

/* The most subcommands inside each other. */
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

/* The word at *at, which then moves on; at the end an empty one. */
static inline struct str
know_next_word(uint32_t *at)
{
	struct str word = know_text(*at + 1, (unsigned char)know_pool[*at]);

	*at += (uint32_t)word.n + 1;
	return word;
}
