/*
 * Commands, files and hosts that code in another language names in strings: os.system("git
 * push"), execFile('npm', ['publish']), `rm x`, open("f"), fetch("https://…"). The language
 * is not parsed: the names of such calls are found anywhere, even in comments. All effects
 * are guesses; the code stays unknown.
 */
#include "analyse/programs/calls.h"
#include "analyse/programs/programs.h"
#include "analyse/programs/pure.h"
#include "analyse/word/word.h"
#include "base/quote.h"

/* Limits for calls and words. Each call is read to its end, so this keeps the time
 * linear. */
#define CALLS_MAX 64
#define WORDS_MAX 64

struct code {
	struct walk *w;
	struct str text, by;
	struct span at;
	enum language language;
	struct state s;
	int left;
};

/* The words of a call so far, quoted for a shell. */
struct started {
	struct buf b;
	struct str first;
	size_t n;
	bool listed, joined; /* words in brackets; something is appended to the first */
};

static char
byte_at(const struct code *k, size_t i)
{
	return i < k->text.n ? k->text.p[i] : '\0';
}

static size_t
skip_space(const struct code *k, size_t i)
{
	while (i < k->text.n && strchr(" \t\r\n", k->text.p[i]))
		i++;
	return i;
}

static size_t
name_end(const struct code *k, size_t i)
{
	while (i < k->text.n && byte_is_word(k->text.p[i]))
		i++;
	return i;
}

/* ---- strings */

/* Decode the escape after the backslash at i - 1; return the index after it. */
static size_t
put_escape(const struct code *k, size_t i, struct buf *b)
{
	static const char from[] = "ntr", to[] = "\n\t\r";
	char c = byte_at(k, i);
	const char *known = c ? strchr(from, c) : NULL;
	int high = byte_hex(byte_at(k, i + 1)), low = byte_hex(byte_at(k, i + 2));

	if (c == 'x' && high >= 0 && low >= 0 && high + low > 0) {
		buf_putc(b, (char)(high * 16 + low));
		return i + 3;
	}
	if (c)
		buf_putc(b, known ? to[known - from] : c);
	return i + 1;
}

/* Read 'x', "x", r'x', """x""" and, in JavaScript, `x`; advance *at. */
static bool
take_string(const struct code *k, size_t *at, struct str *ret)
{
	size_t i = *at, width = 1;
	struct buf b;
	char quote;

	while (i < *at + 2 && byte_at(k, i) && strchr("rbfuRBFU", byte_at(k, i)))
		i++;
	quote = byte_at(k, i);
	if (quote != '"' && quote != '\'' && (quote != '`' || k->language != LANGUAGE_NODE))
		return false;
	if (byte_at(k, i + 1) == quote && byte_at(k, i + 2) == quote)
		width = 3;
	buf_init(&b, k->w->a);
	for (i += width; i < k->text.n;) {
		if (k->text.p[i] == quote &&
		    (width == 1 ||
			(byte_at(k, i + 1) == quote && byte_at(k, i + 2) == quote))) {
			*at = i + width;
			*ret = buf_str(&b);
			return !b.full;
		}
		if (k->text.p[i] == '\\')
			i = put_escape(k, i + 1, &b);
		else
			buf_putc(&b, k->text.p[i++]);
	}
	return false;
}

/* ---- commands */

/* True if the text begins with a known program. */
static bool
names_program(struct str text)
{
	struct str word;
	size_t i = 0;

	while (i < text.n && strchr(" \t\n(", text.p[i]))
		i++;
	text = str_skip(text, i);
	for (i = 0; i < text.n && !strchr(" \t\n;|&)", text.p[i]);)
		i++;
	word = str_cut(text, 0, i);
	return str_find(word, '=') < word.n || know_program(str_base(word));
}

/* More text is appended at run time: keep only the plain words. */
static struct str
plain_part(struct str text)
{
	size_t i = 0;

	while (i < text.n && (byte_is_word(text.p[i]) || strchr(" ./:,@=+-", text.p[i])))
		i++;
	return str_cut(text, 0, i);
}

static void
run_found(struct code *k, struct str text)
{
	struct field f = { .kind = FIELD_STR, .text = text, .at = k->at };

	if (k->left-- > 0 && !k->w->failed)
		run_shell_text(k->w, f, k->by, k->s);
}

static void
run_if_command(struct code *k, struct str text)
{
	if (names_program(text))
		run_found(k, text);
}

/* Skip to the comma or bracket that ends this argument. */
static size_t
skip_argument(const struct code *k, size_t i)
{
	struct str ignored;
	int depth = 0;

	while (i < k->text.n) {
		char c = k->text.p[i];

		if (depth == 0 && strchr(",)]};\n", c))
			break;
		depth += c == '(' || c == '[' || c == '{';
		depth -= c == ')' || c == ']' || c == '}';
		if (!take_string(k, &i, &ignored))
			i++;
	}
	return i;
}

static void
add_word(struct started *x, struct str word, bool joined)
{
	if (x->n++ == 0) {
		x->first = word;
		x->joined = joined;
	} else
		buf_putc(&x->b, ' ');
	(void)quote_put_always(&x->b, QUOTE_BASH, word, NULL);
	if (joined)
		buf_puts(&x->b, "\"$1\"");
}

/* args: [...], cmd=[...]: the index after the keyword, or 0. */
static size_t
after_keyword(const struct code *k, size_t i)
{
	size_t end = name_end(k, i), sign = skip_space(k, end);

	if (!str_among(str_cut(k->text, i, end), "args\0cmd\0command\0") ||
	    (byte_at(k, sign) != ':' && byte_at(k, sign) != '='))
		return 0;
	return sign + 1;
}

/* Read one argument at i. Return its end, or 0 if the command ends before it. */
static size_t
take_argument(const struct code *k, size_t i, struct started *x, int *depth)
{
	struct str word;
	size_t next = after_keyword(k, i);

	if (next)
		return next;
	if (strchr("[({", k->text.p[i])) {
		++*depth;
		x->listed |= k->text.p[i] == '[' && x->n == 0;
		return i + 1;
	}
	if (take_string(k, &i, &word)) {
		next = skip_space(k, i);
		add_word(x, word, next < k->text.n && !strchr(",)]};", k->text.p[next]));
		return skip_argument(k, next);
	}
	if (x->n == 0 && str_starts(str_skip(k->text, i), STR("sys.executable")))
		add_word(x, STR("python3"), false);
	else if (*depth > 0 && x->n > 0)
		add_word(x, STR(""), true);
	else if (*depth > 0 || x->n > 0)
		return 0;
	return skip_argument(k, i);
}

/* Read the command of a call, whose arguments begin at i. */
static void
take_call(struct code *k, size_t i, struct str name)
{
	struct started x = { .n = 0 };
	bool again = str_starts(name, STR("execv")) || str_starts(name, STR("execl"));
	int depth = 0;

	buf_init(&x.b, k->w->a);
	while (x.n < WORDS_MAX) {
		i = skip_space(k, i);
		if (i >= k->text.n || strchr(")};", k->text.p[i]))
			break;
		if (k->text.p[i] == ']' && --depth <= 0)
			break;
		if (strchr(",]", k->text.p[i]))
			i++;
		else if ((i = take_argument(k, i, &x, &depth)) == 0)
			break;
		/* execvp("git", ["git", "push"]): skip the second name. */
		if (x.n == 1 && again) {
			while (i < k->text.n && strchr(",[( ", k->text.p[i]))
				i++;
			i = skip_argument(k, i);
			again = false;
			depth = 1;
		}
	}
	if (x.n == 0 || x.b.full)
		return;
	if (x.n == 1 || (!x.listed && str_find(x.first, ' ') < x.first.n))
		run_if_command(k, x.joined ? plain_part(x.first) : x.first);
	else if (know_program(str_base(x.first)))
		run_found(k, buf_str(&x.b));
}

/* ---- backquotes and the like */

static size_t
take_until(struct code *k, size_t i, char close)
{
	size_t end = i + str_find(str_skip(k->text, i), close);

	if (end < k->text.n)
		run_if_command(k, str_cut(k->text, i, end));
	return end + 1;
}

static char
close_of(char open)
{
	static const char pairs[] = "()[]{}//||!!";
	const char *at = open ? strchr(pairs, open) : NULL;

	return at && (at - pairs) % 2 == 0 ? at[1] : '\0';
}

/* `x`, qx(x), %x(x), $`x`: return its end, or i. */
static size_t
take_quoted_command(struct code *k, size_t i)
{
	bool shell = k->language == LANGUAGE_PERL || k->language == LANGUAGE_RUBY ||
		     str_is(k->by, "php");
	char c = k->text.p[i], before = i ? k->text.p[i - 1] : '\0';
	bool named = (c == 'q' || c == '%') && byte_at(k, i + 1) == 'x';

	if (c == '`' && (shell || before == '$'))
		return take_until(k, i + 1, '`');
	if (shell && named && !byte_is_word(before) && close_of(byte_at(k, i + 2)))
		return take_until(k, i + 3, close_of(byte_at(k, i + 2)));
	return i;
}

/* ---- hosts */

/* The address around the :// at i. */
static void
take_address(struct code *k, size_t i)
{
	struct field f = { .kind = FIELD_STR, .at = k->at };
	size_t from = i, end = i + 3;

	while (from > 0 && byte_is_word(k->text.p[from - 1]))
		from--;
	while (end < k->text.n && !strchr("'\"` \t\n),;<>", k->text.p[end]))
		end++;
	f.text = str_cut(k->text, from, end);
	if (from < i && end > i + 3 && !str_starts(f.text, STR("file:")) && k->left-- > 0)
		add_net(k->w, f, k->by);
}

static void
take_addresses(struct code *k)
{
	for (size_t i = 0; i + 3 < k->text.n; i++)
		if (str_is(str_cut(k->text, i, i + 3), "://"))
			take_address(k, i);
}

/* db.example.org, but not data.db. */
static bool
is_machine(struct str text)
{
	size_t dot = str_rfind(text, '.');

	return dot > 0 && dot < text.n && str_find(text, ' ') == text.n &&
	       !str_among(str_skip(text, dot + 1), "db\0sqlite\0sqlite3\0duckdb\0db3\0");
}

/*
 * create_connection(("host", 5432)): the first string is a host. A lone string in
 * connect("x.db") may also be a file.
 */
static void
take_host(struct code *k, size_t i, struct str name)
{
	struct field f = { .kind = FIELD_STR, .at = k->at };
	size_t open = i, next;
	char c;

	while (i < k->text.n && strchr("( \t", k->text.p[i]))
		i++;
	if (!take_string(k, &i, &f.text) || !f.text.n || str_find(f.text, '/') < f.text.n)
		return;
	next = skip_space(k, i);
	if (byte_at(k, next) == ',')
		next = skip_space(k, next + 1);
	c = byte_at(k, next);
	if (str_is(name, "connect") && byte_at(k, open + 1) != '(' && !(byte_is_digit(c)) &&
	    !is_machine(f.text))
		return;
	if (k->left-- > 0)
		add_net(k->w, f, k->by);
}

/* open("f"), readFileSync("f") */
static void
take_file(struct code *k, size_t i)
{
	struct field f = { .kind = FIELD_STR, .at = k->at };

	while (i < k->text.n && strchr("( \t", k->text.p[i]))
		i++;
	if (take_string(k, &i, &f.text) && f.text.n && k->left-- > 0)
		add_file(k->w, FILE_READ, false, f, k->s.cwd, k->by);
}

/* ---- the whole text */

/* Examine one name, up to `end`. Return true if it is a function that connects to hosts. */
static bool
take_name(struct code *k, size_t i, size_t end)
{
	struct str name = str_cut(k->text, i, end);
	size_t next = skip_space(k, end);
	char c = byte_at(k, next);
	bool python_exec = k->language == LANGUAGE_PYTHON && str_is(name, "exec");

	if (c == '(' || (c && strchr("'\"", c))) {
		if (!python_exec && know_list_has(know_launchers, name))
			take_call(k, c == '(' ? next + 1 : next, name);
		if (know_list_has(know_readers, name))
			take_file(k, next);
		if (c == '(' && know_list_has(know_connectors, name))
			take_host(k, next, name);
	}
	/* Not the scheme of an address. */
	return !str_starts(str_skip(k->text, end), STR("://")) &&
	       know_list_has(know_fetchers, name);
}

void
look_at_code(struct walk *w, struct str by, struct field code, struct state s)
{
	struct str text = code.text;
	struct code k = { w, text, by, code.at, language_of(by), s, CALLS_MAX };
	bool online = false;

	for (size_t i = 0; i < text.n && k.left > 0 && !w->failed;) {
		size_t end = take_quoted_command(&k, i);

		if (end == i && byte_is_word(text.p[i])) {
			end = name_end(&k, i);
			online |= take_name(&k, i, end);
		}
		i = end > i ? end : i + 1;
	}
	if (online)
		take_addresses(&k);
}
