/* know/scan.h: the state of one scan, shared by the files of the scanner. */
#pragma once
#include "know/know.h"
#include "know/look.h"
#include "know/table.h"

struct scan {
	struct arena *a;
	const struct field *argv;
	size_t n, at; /* argv, and the field that is read */
	struct know_scan out;
	size_t room;            /* for items */
	struct know_item spare; /* written to when the arena is full */
	bool full;

	bool want_sub; /* the next plain word may be a subcommand */
	bool ended;    /* no more options */
	bool operands; /* one was seen */
	bool lost;     /* an unlisted subcommand: what follows is only data */

	/* The operand roles in force, and the place among them of the next operand. */
	const struct know_operand *roles;
	size_t role_count, drops, place;
	size_t group; /* the first item that they are for */

	enum know_class base, raised, only;
	enum know_class makes; /* what the word that is read raises it to */
	const struct know_option *only_option;
	bool only_network;
	bool offline; /* an option says that it stays here */
};

/* roles.c */
bool role_takes_rest(enum know_role role);
/* The class that a word of this role makes at least; 0: it says nothing. */
unsigned role_class(enum know_role role);
void scan_raise(struct scan *s, unsigned class);
/* The same, and the class of the command is told otherwise. */
void scan_makes(struct scan *s, unsigned class);
/* The role of a word in this place, with all that follows from it for the class. */
enum know_role scan_role(
    struct scan *s, const struct know_operand *role, struct field value);
/* Give the operands from s->group on their roles. */
void scan_give_roles(struct scan *s);

/* scan.c */
void scan_put(struct scan *s, const struct know_option *option, enum know_role role,
    struct field value);
void scan_put_option(struct scan *s, const struct know_option *option);
void scan_unsure(struct scan *s);
void scan_unknown(struct scan *s, size_t index);
/* All from here on is a command of its own. */
void scan_rest(struct scan *s, enum know_role role);

/* option.c: the option at s->at without a value attached; it may take the next words. */
void option_bare(struct scan *s, const struct know_option *option);
void option_attached(struct scan *s, const struct know_option *option, struct field value);
void option_short_attached(
    struct scan *s, const struct know_option *option, struct field value);

/* words.c: is the field at s->at an option?  Then read it, with its values. */
bool scan_option(struct scan *s);
