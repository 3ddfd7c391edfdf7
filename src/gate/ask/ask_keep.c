/*
 * Apply an answer: append its rule to a rules file, leaving the lines before untouched.
 */
#include "gate/ask/ask.h"
#include "os/file.h"
#include <errno.h>
#include <fcntl.h>

struct target {
	const char *path;
	struct str op;
	enum store_trust trust;
};

static int
complain(const struct ask *q, const char *path, const char *why)
{
	struct buf b;

	buf_init(&b, q->a);
	buf_puts(&b, "cannot add the rule to '");
	buf_puts(&b, path);
	buf_puts(&b, "': ");
	buf_puts(&b, why);
	buf_putc(&b, '\0');
	return internal_error(b.full ? "cannot add the rule" : b.p, 0);
}

/* Append with a single write(2), which keeps symlinks, owner and mode.  Truncate again if
 * the disk filled up halfway. */
static const char *
append(const char *path, struct str old, struct str lines)
{
	cleanup_fd int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
	off_t end;
	ssize_t n;

	if (fd < 0)
		return strerror(errno);
	end = lseek(fd, 0, SEEK_END);
	if (end != (off_t)old.n)
		return "the file changed while the question was open";
	n = write(fd, lines.p, lines.n);
	if (n == (ssize_t)lines.n)
		return NULL;
	return ftruncate(fd, end) ? "disk full, and a partial line remains in the file"
				  : "disk full, nothing was added";
}

static int
add(const struct ask *q, const struct target *t, struct str lines, struct str *ret_text)
{
	struct keep_change change = { .op = t->op,
		.path = str_from_c(t->path),
		.command = lines,
		.session = q->request->session,
		.reason = STR("added by a person at the prompt") };
	struct str old = STR("");
	enum store_result r =
	    store_read(q->a, t->path, t->trust, POLICY_SOURCE_BYTES, &old, NULL);
	const char *why = NULL;
	struct buf more, whole;

	if (r != STORE_OK && r != STORE_MISSING)
		return complain(q, t->path, store_why(r, t->trust));
	buf_init(&more, q->a);
	if (old.n && old.p[old.n - 1] != '\n')
		buf_putc(&more, '\n');
	/* `cordon log undo` finds the lines at this offset. */
	change.added = lines;
	change.at = old.n + more.n;
	buf_put(&more, lines);
	if (more.full)
		return internal_error("no memory", 0);
	if (keep_change(q->keep, &change)) {
		keep_complain(q->keep);
		return EXIT_INTERNAL;
	}
	if (r == STORE_MISSING)
		why = store_write(t->path, buf_str(&more)) ? NULL : strerror(errno);
	else
		why = append(t->path, old, buf_str(&more));
	if (why)
		return complain(q, t->path, why);
	buf_init(&whole, q->a);
	buf_put(&whole, old);
	buf_put(&whole, buf_str(&more));
	*ret_text = buf_str(&whole);
	return whole.full ? internal_error("no memory", 0) : 0;
}

static int
add_to_session(const struct ask *q, struct str lines)
{
	struct layers_request layers = { .home = q->request->home,
		.session = q->request->session };
	struct target t = { .path = session_path(q->a, q->cli, &layers),
		.op = STR("session allow"),
		.trust = STORE_OWN };
	struct str text;

	if (!t.path)
		return internal_error("the session's name is not a valid file name", 0);
	return add(q, &t, lines, &text);
}

static int
add_to_rules(const struct ask *q, const struct approve_question *question,
    const struct approve_answer *answer)
{
	bool project = answer->place == APPROVE_PROJECT;
	struct target t = { .path = question->files[answer->place].p,
		.op = STR("allow"),
		.trust = project ? STORE_ANY : STORE_OWN };
	struct str text = { NULL, 0 };
	int status = add(q, &t, question->rules[answer->place][answer->level].lines, &text);

	/* The file is new or was trusted, and the owner just read the added line: trust
	 * it. */
	if (!status && project)
		status =
		    trust_record(q->cli, q->request->home, q->answer->roots.roots[0], text);
	return status;
}

int
ask_keep(const struct ask *q, const struct approve_question *question,
    const struct approve_answer *answer)
{
	switch (answer->choice) {
	case APPROVE_SESSION:
		return add_to_session(q, question->for_session.lines);
	case APPROVE_ALLOWLIST:
		return add_to_rules(q, question, answer);
	case APPROVE_ONCE:
	case APPROVE_REJECT:
	case APPROVE_CHOICES:
		break;
	}
	return 0;
}
