/* know/scan.h: the state of one scan. Internal to this room. */
#pragma once
#include "know/know.h"
#include "know/look.h"
#include "know/table.h"

struct scanner {
	struct arena *a;
	const struct field *argv;
	size_t n, at; /* argv, and the index of the current field */
	struct know_scan out;
	size_t cap;             /* capacity of items */
	struct know_item spare; /* written to after the arena is full */
	bool full;

	bool want_sub; /* the next plain word may be a subcommand */
	bool ended;    /* no more options */
	bool operands; /* an operand was read */
	bool lost;     /* after an unlisted subcommand, all words are data */

	/* The operand roles in force, and the index of the next operand among them. */
	const struct know_operand *roles;
	size_t role_count, drops, place;
	size_t group; /* index of the first item that these roles are for */

	enum know_class base, raised, only;
	enum know_class makes; /* class that the current word raises the command to */
	const struct know_option *only_option;
	bool only_network;
	bool offline; /* an option says that no network is used */
};

/* roles.c */
bool role_takes_rest(enum know_role role);
/* The class that a word of this role implies at least, or 0. */
unsigned role_class(enum know_role role);
void scan_raise(struct scanner *s, unsigned class);
/* Set the class of the current word only; the class of the command comes from elsewhere. */
void scan_makes(struct scanner *s, unsigned class);
/* Determine the role of a word and apply its consequences for the class. */
enum know_role scan_role(
    struct scanner *s, const struct know_operand *role, struct field value);
/* Assign roles to the operands from s->group on. */
void scan_give_roles(struct scanner *s);

/* scan.c */
void scan_put(struct scanner *s, const struct know_option *option, enum know_role role,
    struct field value);
void scan_put_option(struct scanner *s, const struct know_option *option);
void scan_unsure(struct scanner *s);
void scan_unknown(struct scanner *s, size_t index);
/* The rest of argv is a nested command. */
void scan_rest(struct scanner *s, enum know_role role);

/* option.c: the option at s->at has no attached value; it may take the next words. */
void option_bare(struct scanner *s, const struct know_option *option);
void option_attached(
    struct scanner *s, const struct know_option *option, struct field value);
void option_short_attached(
    struct scanner *s, const struct know_option *option, struct field value);

/* words.c: if the field at s->at is an option, read it and its values. */
bool scan_option(struct scanner *s);
