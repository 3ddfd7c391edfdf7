#include "know/know.h"
#include "base/hash.h"
#include "know/look.h"
#include "know/table.h"
#include <assert.h>

static const char class_names[][8] = {
	[CLASS_UNKNOWN] = "unknown",
	[CLASS_READ] = "read",
	[CLASS_WRITE] = "write",
	[CLASS_NETWORK] = "network",
	[CLASS_EXEC] = "exec",
	[CLASS_DESTROY] = "destroy",
	[CLASS_ADMIN] = "admin",
};

static const char role_names[][13] = {
	[ROLE_DATA] = "data",
	[ROLE_LIST] = "list",
	[ROLE_READ] = "read",
	[ROLE_WRITE] = "write",
	[ROLE_APPEND] = "append",
	[ROLE_EDIT] = "edit",
	[ROLE_TRUNCATE] = "truncate",
	[ROLE_CREATE] = "create",
	[ROLE_DELETE] = "delete",
	[ROLE_DELETE_TREE] = "delete-tree",
	[ROLE_MOVE] = "move",
	[ROLE_LINK_TARGET] = "link-target",
	[ROLE_CHDIR] = "chdir",
	[ROLE_EXEC_FILE] = "exec-file",
	[ROLE_CMD] = "cmd",
	[ROLE_SHELL] = "shell",
	[ROLE_SHELL_WORDS] = "shell-words",
	[ROLE_REMOTE_SHELL] = "remote-shell",
	[ROLE_REMOTE_CMD] = "remote-cmd",
	[ROLE_CODE] = "code",
	[ROLE_ASSIGN] = "assign",
	[ROLE_URL] = "url",
	[ROLE_HOST] = "host",
	[ROLE_REMOTE_READ] = "remote-read",
	[ROLE_REMOTE_WRITE] = "remote-write",
	[ROLE_KEY_SHELL] = "key-shell",
	[ROLE_READ_NAMES] = "read-names",
};

/* FNV-1a, folded; the same as in tools/know-compile.py. */
static uint32_t
hash(struct str name)
{
	uint32_t h = hash32(HASH32_START, name);

	return h ^ h >> 15;
}

const struct know_node *
know_program(struct str name)
{
	if (name.n == 0 || name.n > UINT8_MAX)
		return NULL;
	/* At most half of the slots are used, so the loop ends. */
	for (uint32_t at = hash(name);; at++) {
		const struct know_sub *slot = &know_slots[at & know_slot_mask];

		if (slot->n == 0)
			return NULL;
		if (str_eq(know_text(slot->text, slot->n), name))
			return &know_nodes[slot->node];
	}
}

enum know_handler
know_handler(const struct know_node *node)
{
	return (enum know_handler)node->handler;
}

enum know_class
know_node_class(const struct know_node *node)
{
	return (enum know_class)node->class;
}

enum know_class
know_node_base(const struct know_node *node)
{
	return node->flags & NODE_NETWORK && node->class < CLASS_NETWORK
		   ? CLASS_NETWORK
		   : (enum know_class)node->class;
}

enum know_class
know_option_class(const struct know_option *option)
{
	const struct know_effect *effect = know_effect(option);

	return effect->flags & OPTION_NETWORK && effect->class < CLASS_NETWORK
		   ? CLASS_NETWORK
		   : (enum know_class)effect->class;
}

bool
know_is_number(struct str word)
{
	for (size_t i = 1; i < word.n; i++)
		if (!byte_is_digit(word.p[i]))
			return false;
	return word.n > 1 && word.p[0] == '-';
}

const struct know_option *
know_option_spelt(const struct know_node *node, struct str word, struct str *ret_value)
{
	size_t equals = str_find(word, '='), stem = 0;
	struct str name = str_cut(word, 0, equals);
	const struct know_option *option = know_option(node, name);

	*ret_value = (struct str){ NULL, 0 };
	if (!option && know_is_number(word) && (option = look_number(node))) {
		*ret_value = str_skip(word, 1);
		return option;
	}
	if (!option && node->style >= STYLE_SINGLE && str_starts(name, STR("--")))
		option = know_option(node, str_skip(name, 1));
	if (option) {
		if (equals < word.n)
			*ret_value = str_skip(word, equals + 1);
		return option;
	}
	option = look_stem(node, word, &stem);
	if (option && stem < word.n)
		*ret_value = str_skip(word, stem + (word.p[stem] == '='));
	return option;
}

bool
know_option_takes_value(const struct know_option *option)
{
	return know_effect(option)->value_count > 0;
}

struct str
know_option_name(const struct know_option *option, size_t i)
{
	uint32_t at = option->names;
	struct str name = know_next_word(&at);

	for (; i > 0 && name.n > 0; i--)
		name = know_next_word(&at);
	return name;
}

const struct know_option *
know_option(const struct know_node *node, struct str spelling)
{
	if (spelling.n == 2 && spelling.p[0] == '-' && node->style <= STYLE_POSIX)
		return look_short(node, spelling.p[1]);
	return look_exact(node, spelling);
}

const char *know_class_name(enum know_class class)
{
	assert(class < sizeof class_names / sizeof *class_names);
	return class_names[class];
}

const char *
know_role_name(enum know_role role)
{
	assert(role < sizeof role_names / sizeof *role_names);
	return role_names[role];
}

struct str
know_hosts_of(struct str program)
{
	struct str name, set;

	for (const char *at = know_hosts; (name = know_list_next(&at)).n;) {
		set = know_list_next(&at);
		if (str_eq(program, name))
			return set;
	}
	return (struct str){ NULL, 0 };
}

/* Layout per program: its name, the length of its list in two bytes, the list. Every rule
 * about a subcommand looks here, so lengths allow skipping. */
struct str
know_aliases_of(struct str program)
{
	struct str whose;

	for (const char *at = know_aliases; (whose = know_list_next(&at)).n;) {
		size_t n = (size_t)(unsigned char)at[0] << 8 | (unsigned char)at[1];

		if (str_eq(whose, program))
			return str_of(at + 2, n);
		at += 2 + n;
	}
	return (struct str){ NULL, 0 };
}

bool
know_next_alias(struct str *list, struct str *other, struct str *name)
{
	const char *at = list->p;

	if (list->n == 0)
		return false;
	*other = know_list_next(&at);
	*name = know_list_next(&at);
	*list = str_skip(*list, (size_t)(at - list->p));
	return true;
}

bool
know_has_clusters(const struct know_node *node)
{
	return node->style == STYLE_GNU || node->style == STYLE_POSIX;
}

bool
know_has_options(const struct know_node *node)
{
	return node->style != STYLE_FREE;
}
