/* Simple commands: words, redirections, assignments, and looking up the name. */
#include "analyse/builtin/builtin.h"
#include "analyse/guess.h"
#include "analyse/names.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"

/* ---- redirections */

static bool
is_descriptor(struct str text)
{
	if (str_is(text, "-"))
		return true;
	if (text.n > 1 && text.p[text.n - 1] == '-')
		text.n--;
	return text.n > 0 && is_number(text) && text.p[0] != '-' && text.p[0] != '+';
}

static enum file_op
redir_file_op(enum redir_op op)
{
	switch (op) {
	case REDIR_IN:
	case REDIR_DUP_IN:
	case REDIR_HEREDOC:
	case REDIR_HERESTRING:
		return FILE_READ;
	case REDIR_APPEND:
	case REDIR_BOTH_APPEND:
		return FILE_APPEND;
	case REDIR_OUT:
	case REDIR_CLOBBER:
	case REDIR_RDWR:
	case REDIR_BOTH:
	case REDIR_DUP_OUT:
		return FILE_WRITE;
	}
	return FILE_WRITE;
}

/* The file that a redirection names: one known word, or unknown. */
static struct field
redir_target(struct walk *w, const struct redir *r, struct state *s)
{
	struct fields f = { NULL, 0, 0 };

	eval_word(w, r->target, s, &f);
	if (f.n == 1)
		return f.v[0];
	return field_made(FIELD_MANY, STR(""), walk_span(w, r->target->at));
}

static void
walk_redir(struct walk *w, const struct redir *r, struct state *s)
{
	struct field target;

	if (r->subscript)
		arith_word(w, r->subscript, s);
	if (r->var.p)
		assign_name(w, r->var,
		    (struct field){ .kind = FIELD_ONE, .text = STR(""), .number = true },
		    walk_span(w, r->at), s);
	switch (r->op) {
	case REDIR_HEREDOC:
		eval_visit(w, r->body, s);
		return;
	case REDIR_HERESTRING:
		eval_visit(w, r->target, s);
		return;
	case REDIR_DUP_IN:
	case REDIR_DUP_OUT:
		target = redir_target(w, r, s);
		/* Even a number could be negative, and then it names a file. */
		if (target.kind == FIELD_STR && is_descriptor(target.text))
			return;
		/* Only a descriptor can be meant: reading a file named here would be an
		 * error. */
		if (r->op == REDIR_DUP_IN && target.kind != FIELD_STR)
			return;
		break;
	case REDIR_IN:
	case REDIR_OUT:
	case REDIR_CLOBBER:
	case REDIR_APPEND:
	case REDIR_RDWR:
	case REDIR_BOTH:
	case REDIR_BOTH_APPEND:
		target = redir_target(w, r, s);
		break;
	}
	/* >( ) is not a file. */
	if (target.kind == FIELD_ONE && str_is(target.text, "/dev/fd/") && target.number)
		return;
	if (str_starts(target.text, STR("/dev/tcp/")) ||
	    str_starts(target.text, STR("/dev/udp/")))
		add_net(w, target, STR("redirection"));
	add_file(w, redir_file_op(r->op), false, target, s->cwd, STR("redirection"));
}

/* Walk the redirection again for each guess of its word. */
static void
guess_redir(struct walk *w, const struct redir *r, struct state s)
{
	struct sink before;

	for (bool more = guess_first(w); more && guess_begin(w, &before);
	     more = guess_next(w)) {
		struct state copy = s;

		w->quiet = true;
		walk_redir(w, r, &copy);
		w->quiet = false;
		guess_end(w, &before);
	}
}

void
walk_redirs(struct walk *w, const struct redir *r, struct state *s)
{
	for (; r && !w->failed; r = r->next) {
		bool outer = guess_watch(w);

		walk_redir(w, r, s);
		if (guess_found(w, outer))
			guess_redir(w, r, *s);
	}
}

/* True unless it duplicates a standard descriptor, or is a text without expressions. */
static bool
redir_may_fail(const struct redir *r)
{
	const struct part *p = r->target ? r->target->parts : NULL;
	bool literal = p && !p->next && p->kind == PART_TEXT;

	switch (r->op) {
	case REDIR_HEREDOC:
		return !r->inert && !is_plain(r->body);
	case REDIR_HERESTRING:
		return !is_plain(r->target);
	case REDIR_DUP_IN:
	case REDIR_DUP_OUT:
		return !literal || !str_among(p->text, "0\0001\0002\0");
	case REDIR_IN:
	case REDIR_OUT:
	case REDIR_CLOBBER:
	case REDIR_APPEND:
	case REDIR_RDWR:
	case REDIR_BOTH:
	case REDIR_BOTH_APPEND:
		return !literal || !str_is(p->text, "/dev/null");
	}
	return true;
}

bool
redirs_may_fail(const struct redir *r)
{
	for (; r; r = r->next)
		if (redir_may_fail(r))
			return true;
	return false;
}

/* ---- assignments */

/* a+=(x): the existing elements, if they are known. */
static bool
append_items(const struct state *s, struct str name, struct walk *w, struct fields *items)
{
	bool barrier;
	const struct var *v = var_find(s, name, &barrier);

	if (!v || v->kind != VAR_ARRAY)
		return false;
	for (size_t i = 0; i < v->n; i++)
		fields_add(w, items, v->items[i]);
	return true;
}

static void
assign_array(struct walk *w, const struct assign *a, struct state *s)
{
	struct fields items = { NULL, 0, 0 };
	bool simple = !a->append || append_items(s, a->name, w, &items);
	struct span at = walk_span(w, a->at);

	name_flag(w, a->name, NAME_ARRAY, at);
	for (const struct element *e = a->elements; e && !w->failed; e = e->next) {
		if (e->subscript) {
			arith_word(w, e->subscript, s);
			struct field value = eval_single(w, e->value, s, true);

			fields_add(w, &items, value);
			guess_element(w, a->name, e->subscript, value, *s);
			simple = false;
		} else
			eval_word(w, e->value, s, &items);
	}
	for (size_t i = 0; i < items.n; i++) {
		simple &= items.v[i].kind == FIELD_STR;
		/* Assign each value, for taint and effects. */
		assign_name(w, a->name, items.v[i], at, s);
	}
	if (simple)
		guess_list(w, a->name, items.v, items.n);
	if (simple && var_set(w->a, s, a->name, VAR_ARRAY, items.v, items.n))
		return;
	forget_name(w, a->name, s);
}

static struct field
appended(struct walk *w, struct str name, struct field more, const struct state *s)
{
	bool barrier;
	const struct var *v = var_find(s, name, &barrier);
	struct field old = { .kind = FIELD_ONE, .text = STR(""), .at = more.at };
	struct buf b;

	if (!v || v->kind != VAR_STRING || v->items[0].kind != FIELD_STR)
		return old;
	name_flag(w, name, NAME_CONSTANT, more.at);
	buf_init(&b, w->a);
	buf_put(&b, v->items[0].text);
	buf_put(&b, more.text);
	if (b.full)
		walk_fail(w, CORDON_ENOMEM, more.at, "out of memory");
	more.text = buf_str(&b);
	return more;
}

void
walk_assign(struct walk *w, const struct assign *a, struct state *s)
{
	struct field value, guess = { .kind = FIELD_ONE };
	bool outer, guessable;

	if (a->array) {
		assign_array(w, a, s);
		return;
	}
	outer = guess_watch(w);
	value = eval_single(w, a->value, s, true);
	guessable = guess_found(w, outer) && !w->guessing;
	if (a->subscript) {
		guess_element(w, a->name, a->subscript, value, *s);
		name_flag(w, a->name, NAME_ARRAY, walk_span(w, a->at));
		may_abort(w, s);
		arith_word(w, a->subscript, s);
		assign_name(w, a->name, value, walk_span(w, a->at), s);
		forget_name(w, a->name, s);
		return;
	}
	if (a->append)
		value = appended(w, a->name, value, s);
	if (guessable)
		guess = guess_word(w, a->value, *s);
	assign_name(w, a->name, value, walk_span(w, a->at), s);
	if (guess.kind == FIELD_STR)
		guess_value(w, a->name, guess);
}

/* x=1 before a command, for that command only. */
static void
walk_prefix(
    struct walk *w, const struct assign *a, struct state *s, struct env_change ***end)
{
	struct field value = { .kind = FIELD_ONE, .text = STR("") };
	enum env_power power;
	struct env_change *e;

	if (a->subscript)
		arith_word(w, a->subscript, s);
	if (a->array) {
		struct state copy = *s;

		assign_array(w, a, &copy);
	} else
		value = eval_single(w, a->value, s, true);
	if (a->append)
		value =
		    (struct field){ .kind = FIELD_ONE, .text = STR(""), .at = value.at };
	power = env_power(a->name, value);
	if (power == ENV_RUNS || power == ENV_LEADS)
		add_unknown(w, walk_span(w, a->at),
		    "sets a variable that changes what commands mean");
	if (value.kind != FIELD_STR || !is_number(value.text))
		name_flag(w, a->name, NAME_TAINTED, walk_span(w, a->at));
	guess_value(w, a->name, value);
	if (power != ENV_PLAIN) {
		add_env(w, a->name, value, power, walk_span(w, a->at));
		return;
	}
	e = walk_alloc(w, sizeof *e);
	if (!e)
		return;
	*e = (struct env_change){ a->name, value.kind == FIELD_STR, value.text,
		walk_span(w, a->at), false, NULL };
	**end = e;
	*end = &e->next;
}

/* ---- the command */

/* True for directories where only the system administrator installs programs. */
static bool
is_system_program(struct str path)
{
	static const char dirs[] =
	    "/bin/\0/usr/bin/\0/usr/local/bin/\0/sbin/\0/usr/sbin/\0/usr/local/sbin/\0";
	size_t slash = str_rfind(path, '/');

	if (slash == path.n)
		return true;
	return str_among(str_cut(path, 0, slash + 1), dirs);
}

/* Arguments of declare and the like that look like assignments are not split. */
static bool
is_declaration(const struct word *name)
{
	static const char names[] = "declare\0typeset\0local\0export\0readonly\0";
	const struct part *p = name ? name->parts : NULL;

	if (!p || p->next || p->kind != PART_TEXT || p->quoted)
		return false;
	return str_among(p->text, names);
}

static bool
is_assignment_shaped(const struct word *word)
{
	const struct part *p = word->parts;
	size_t n;

	if (!p || p->kind != PART_TEXT || p->quoted)
		return false;
	n = name_length(p->text);
	if (n > 0 && n < p->text.n && p->text.p[n] == '+')
		n++;
	return n > 0 && n < p->text.n && p->text.p[n] == '=';
}

/* Some sh split the value of export x=$y and some do not; likewise the tilde of x=~. */
static bool
sh_disagree(const struct word *word)
{
	for (const struct part *p = word->parts; p; p = p->next)
		if (!p->quoted &&
		    (p->kind != PART_TEXT || str_find(p->text, '~') < p->text.n))
			return true;
	return false;
}

static void
eval_declared_sh(
    struct walk *w, const struct word *word, struct state *s, struct fields *ret)
{
	struct field f;

	if (!sh_disagree(word)) {
		eval_word(w, word, s, ret);
		return;
	}
	f = eval_single(w, word, s, false);
	f.kind = FIELD_ONE;
	f.number = false;
	f.text = str_cut(f.text, 0, str_find(f.text, '=') + 1);
	fields_add(w, ret, f);
}

static void
eval_command_words(
    struct walk *w, const struct word *words, struct state *s, struct fields *ret)
{
	bool declares = is_declaration(words);

	for (const struct word *word = words; word && !w->failed; word = word->next) {
		if (!declares || word == words || !is_assignment_shaped(word))
			eval_word(w, word, s, ret);
		else if (w->frame.dialect == DIALECT_BASH)
			eval_declared(w, word, s, ret);
		else
			eval_declared_sh(w, word, s, ret);
	}
}

static struct flow
run_unknown(struct walk *w, struct invocation *c, struct state s)
{
	(void)add_command(w, c, &s);
	add_unknown(w, c->argv[0].at, "the name of a command is computed");
	/* The command could be cd, eval or read; if the name expands to nothing, the
	 * assignments last. */
	return flow_of(c->no_builtin ? s : forget_all(w, s));
}

/* #!/usr/bin/python3: not a shell script. */
static bool
is_other_script(struct str text)
{
	struct str line = str_cut(text, 0, str_find(text, '\n'));

	return str_starts(line, STR("#!")) && !str_ends(line, STR("sh"));
}

/* With only this argument, any known program just prints text about itself. */
static bool
only_tells(const struct invocation *c)
{
	return c->argc == 2 && c->argv[1].kind == FIELD_STR && !c->arguments_follow &&
	       str_among(c->argv[1].text, "--help\0--version\0");
}

static void
run_program(struct walk *w, struct invocation *c, struct state s)
{
	struct str path = c->program.p ? c->program : c->argv[0].text;
	const struct know_node *node = know_program(str_base(path));
	struct know_scan *scan = NULL;
	struct command *k = add_command(w, c, &s);
	bool system = is_system_program(path);

	if (!k)
		return;
	c->self = k;
	if (!system) {
		struct str text = known_file(w, c, c->argv[0], &s);

		add_file(w, FILE_EXEC, false, c->argv[0], s.cwd, str_base(path));
		if (text.p && !is_other_script(text))
			run_text(w, text, DIALECT_BASH, c->at, str_base(path), NULL, s);
	}
	if (w->shapes.n)
		k->data = shape_data(w, c, str_base(path));
	if (!node) {
		(void)shape_wrapper(w, c, str_base(path), s);
		return;
	}
	scan = walk_alloc(w, sizeof *scan);
	if (!scan)
		return;
	if (know_scan(w->a, node, c->argv, c->argc, scan)) {
		walk_fail(w, CORDON_ENOMEM, c->at,
		    "the command needs more memory than its limit");
		return;
	}
	k->scan = scan;
	/* A file with the name of a known program may be another program. */
	k->class = system || scan->class >= CLASS_EXEC ? scan->class : CLASS_UNKNOWN;
	if (system && only_tells(c)) {
		k->tells = true;
		k->class = CLASS_READ;
		scan->network = false;
		return;
	}
	if (!shape_wrapper(w, c, str_base(path), s))
		run_known(w, c, scan, s);
}

struct flow
run_call(struct walk *w, struct invocation *c, struct state s)
{
	struct str name = c->program.p ? c->program : c->argv[0].text;
	struct function *f;
	struct flow flow;
	struct command *k;

	if (!c->program.p && c->argv[0].kind != FIELD_STR)
		return run_unknown(w, c, s);
	if (w->later && !c->no_function)
		name_flag(w, name, w->later, c->at);
	if (w->aliasing && c->words && !c->program.p)
		guess_aliased(w, c, s);
	f = c->no_function ? NULL : function_named(w, name);
	if (f) {
		if ((k = add_command(w, c, &s)) != NULL)
			k->function = true;
		c->self = k;
		return call_function(w, f, c, s);
	}
	if (!c->no_builtin && run_builtin(w, c, s, &flow))
		return flow;
	run_program(w, c, s);
	return flow_of(s);
}

/* The shell itself reads some prefix assignments if it runs the command. */
static bool
prefix_reaches_shell(struct walk *w, const struct node *node, struct str name)
{
	bool shell = is_builtin(name) || function_named(w, name);

	if (str_is(name, "read") || str_is(name, "mapfile") || str_is(name, "readarray"))
		return false;
	for (const struct assign *a = node->simple.assigns; a && shell; a = a->next)
		if (str_is(a->name, "IFS") || str_is(a->name, "HOME"))
			return true;
	return false;
}

/* In sh, assignments before some builtins last. */
static bool
keeps_prefix(const struct walk *w, struct field name)
{
	static const char special[] =
	    ":\0.\0break\0continue\0eval\0exec\0exit\0export\0readonly\0return\0set\0"
	    "shift\0times\0trap\0unset\0";

	return w->frame.dialect == DIALECT_SH && str_among(name.text, special);
}

/* Run a command with assignments before it. A function or eval sees them as unknown; after
 * the command the old values are back, unless the assignments last. */
static struct flow
run_with_prefix(
    struct walk *w, const struct node *node, struct invocation *c, struct state s)
{
	struct env_change **end = &c->assigns;
	struct state prefix = s;
	const struct var *after;
	bool lasts = false;
	struct flow f;

	for (const struct assign *a = node->simple.assigns; a && !w->failed; a = a->next) {
		const struct var *before = prefix.vars;

		walk_prefix(w, a, &prefix, &end);
		/* A substitution in the value may assign, too. */
		lasts |= prefix.vars != before || keeps_prefix(w, c->argv[0]);
		forget_name(w, a->name, &prefix);
	}
	if (prefix_reaches_shell(w, node, c->argv[0].text))
		add_unknown(w, c->at, "sets a variable that the shell itself reads");
	after = lasts ? prefix.vars : s.vars;
	f = run_call(w, c, prefix);
	if (f.ok.vars == prefix.vars)
		f.ok.vars = after;
	if (f.fail.vars == prefix.vars)
		f.fail.vars = after;
	return f;
}

static struct flow
walk_assigns(struct walk *w, const struct node *node, struct state s)
{
	for (const struct assign *a = node->simple.assigns; a && !w->failed; a = a->next)
		walk_assign(w, a, &s);
	return flow_of(s);
}

struct flow
walk_simple(struct walk *w, const struct node *node, struct state s)
{
	struct fields words = { NULL, 0, 0 };
	struct invocation c = { .at = walk_span(w, node->at),
		.redirs = node->redirs,
		.words = node->simple.words,
		.piped = w->piped,
		.decoded = w->piped.p && w->decoded };
	bool outer = guess_watch(w), guessable;
	struct flow f;

	w->piped.p = NULL;
	eval_command_words(w, node->simple.words, &s, &words);
	guessable = guess_found(w, outer);
	walk_redirs(w, node->redirs, &s);
	if (w->failed)
		return flow_of(s);
	if (words.n == 0)
		return walk_assigns(w, node, s);
	c.argv = words.v;
	c.argc = words.n;
	f = node->simple.assigns ? run_with_prefix(w, node, &c, s) : run_call(w, &c, s);
	if (guessable)
		guess_call(w, &c, eval_command_words, s);
	if (redirs_may_fail(node->redirs)) /* then the command did not run */
		f.fail = state_joined(w, f.fail, s);
	if (node->redirs)
		note_written(w, node, &s);
	return f;
}
