#include "look/rewrite.h"
#include "base/quote.h"

/*
 * True if `cd R && text` is exact: the text is one chain of && and pipes, which a failed cd
 * skips as a whole.  `;`, `||`, `&` or a newline would start something outside the chain.
 * Quoted ones count as well: the longer form is always right.
 */
static bool
is_one_chain(struct str t)
{
	size_t first = 0;

	while (first < t.n && (t.p[first] == ' ' || t.p[first] == '\t'))
		first++;
	if (first == t.n || t.p[first] == '#')
		return false;
	for (size_t i = 0; i < t.n; i++) {
		char c = t.p[i], before = i ? t.p[i - 1] : '\0',
		     next = i + 1 < t.n ? t.p[i + 1] : '\0';

		if (c == ';' || c == '\n' || (c == '|' && next == '|'))
			return false;
		if (c != '&')
			continue;
		if (next == '&')
			i++;
		else if (before != '>' && before != '<' && next != '>')
			return false;
	}
	return true;
}

int
rewrite_command(
    struct arena *a, struct str root, struct str text, struct str *ret, struct err *reterr)
{
	struct buf b;
	int err;

	if (root.n == 0 || root.p[0] != '/')
		return err_at(reterr, CORDON_EINVAL, 0, "the root path is not absolute");
	buf_init(&b, a);
	buf_puts(&b, "cd ");
	err = quote_put_always(&b, QUOTE_BASH, root, reterr);
	if (err)
		return err;
	/* Stay on one line, so that aliases and line numbers do not change.  No braces: a
	 * final backslash or an open here-document would swallow the closing one. */
	buf_puts(&b, is_one_chain(text) ? " && " : " && true || exit; ");
	buf_put(&b, text);
	if (b.full)
		return err_at(
		    reterr, CORDON_ENOMEM, 0, "the command needs more memory than allowed");
	*ret = buf_str(&b);
	return 0;
}
