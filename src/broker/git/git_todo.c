/*
 * Todo lists of rebases.  `git rebase --continue` executes their exec lines, either in the
 * sandbox or, after the run, outside by the user.  So a list may change while a rebase is
 * in progress, and at the end of the run the exec lines that the run added are removed and
 * reported.
 */
#define _GNU_SOURCE
#include "broker/git/git.h"
#include "broker/report/report.h"
#include "os/replace.h"

#define TODO_MAX ((size_t)1 << 20)
static const char list_name[] = "git-rebase-todo";

/* True if the files are there that git writes before the list. */
static bool
is_rebase(int dir)
{
	static const char *const names[] = { "head-name", "onto", "orig-head" };
	struct stat st;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (fstatat(dir, names[i], &st, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(st.st_mode))
			return false;
	return true;
}

/* Read the list.  Empty: there is none; .p == NULL: it cannot be read. */
static struct str
read_list(struct arena *a, int dir, mode_t *ret_mode)
{
	cleanup_fd int fd =
	    openat(dir, list_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct str text = { NULL, 0 };
	struct stat st;
	char *buf;
	ssize_t n;

	if (fd < 0)
		return errno == ENOENT ? STR("") : text;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || (size_t)st.st_size > TODO_MAX ||
	    !(buf = arena_alloc(a, (size_t)st.st_size + 1)) ||
	    (n = read(fd, buf, (size_t)st.st_size + 1)) < 0 || n > st.st_size)
		return text;
	*ret_mode = st.st_mode & 0777;
	return str_of(buf, (size_t)n);
}

static bool
is_noted(const struct broker *br, int dir)
{
	struct stat x, y;

	for (size_t i = 0; i < br->todos_n; i++)
		if (fstat(dir, &x) == 0 && fstat(br->todos[i].dir, &y) == 0 &&
		    x.st_dev == y.st_dev && x.st_ino == y.st_ino)
			return true;
	return false;
}

static struct str
list_path(struct broker *br, const struct target *p)
{
	struct str path = target_path(p);
	struct buf b;

	buf_init(&b, br->a);
	buf_put(&b, str_cut(path, 0, str_rfind(path, '/') + 1));
	buf_puts(&b, list_name);
	return b.full ? STR("") : buf_str(&b);
}

bool
todo_note(struct broker *br, const struct target *p)
{
	mode_t unused;
	struct todo *t;

	/* A descriptor of the list itself has no parent directory to look at. */
	if (p->parent < 0 || !is_rebase(p->parent))
		return false;
	if (is_noted(br, p->parent))
		return true;
	if (!br->todos)
		br->todos = arena_array(br->a, TODOS_MAX, sizeof *br->todos);
	if (!br->todos || br->todos_n == TODOS_MAX)
		return false;
	t = &br->todos[br->todos_n];
	*t = (struct todo){ .path = list_path(br, p),
		.text = read_list(br->a, p->parent, &unused),
		.dir = openat(p->parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	if (t->dir < 0 || !t->text.p || t->path.n == 0) {
		fd_close(&t->dir);
		return false;
	}
	br->todos_n++;
	return true;
}

/* ---- at the end of the run */

static struct str
next_line(struct str *rest)
{
	size_t n = str_find(*rest, '\n');
	struct str line = str_cut(*rest, 0, n);

	*rest = str_skip(*rest, n + 1);
	return line;
}

static bool
is_exec(struct str line)
{
	while (line.n && (line.p[0] == ' ' || line.p[0] == '\t'))
		line = str_skip(line, 1);
	line = str_starts(line, STR("exec")) ? str_skip(line, 4)
	       : str_starts(line, STR("x"))  ? str_skip(line, 1)
					     : STR("no");
	return line.n == 0 || line.p[0] == ' ' || line.p[0] == '\t' || line.p[0] == '\r';
}

static bool
has_line(struct str text, struct str line)
{
	while (text.n)
		if (str_eq(next_line(&text), line))
			return true;
	return false;
}

/* Copy the list without exec lines that are not in `old`.  Returns how many were
 * dropped. */
static size_t
without_exec(struct str old, struct str new, struct buf *out)
{
	size_t count = 0;

	while (new.n) {
		struct str line = next_line(&new);

		if (is_exec(line) && !has_line(old, line)) {
			count++;
			continue;
		}
		buf_put(out, line);
		buf_putc(out, '\n');
	}
	return count;
}

static void
end_one(struct broker *br, struct todo *t)
{
	cleanup_arena struct arena *a = arena_new(4 * TODO_MAX);
	struct replace how = { .mode = 0600 };
	struct str text = a ? read_list(a, t->dir, &how.mode) : (struct str){ NULL, 0 };
	struct buf b;

	if (text.p) {
		buf_init(&b, a);
		if (without_exec(t->text, text, &b) == 0 && !b.full)
			return;
	}
	/* Remove a list that cannot be read or rewritten. */
	if (!text.p || b.full ||
	    !replace_at(t->dir, "git-rebase-todo.cordon", list_name, buf_str(&b), &how))
		(void)unlinkat(t->dir, list_name, 0);
	violation_add_by(br, STR("git"), RUN_WRITE, t->path,
	    "git rebase --continue would run its exec lines: they were removed");
}

void
todo_end(struct broker *br)
{
	for (size_t i = 0; i < br->todos_n; i++) {
		/* In an overlay the user sees the lines before applying them. */
		if (!br->plan->review)
			end_one(br, &br->todos[i]);
		fd_close(&br->todos[i].dir);
	}
	br->todos_n = 0;
}
