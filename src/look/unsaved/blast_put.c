#include "base/show.h"
#include "look/unsaved/blast.h"

static void
put_count(struct buf *out, uint64_t n, const char *one, const char *many)
{
	buf_putu(out, n);
	buf_putc(out, ' ');
	buf_puts(out, n == 1 ? one : many);
}

/* Print about three digits. */
static void
put_bytes(struct buf *out, uint64_t n)
{
	static const char units[] = "kMGTPE";
	size_t unit = 0;

	if (n < 1000) {
		put_count(out, n, "byte", "bytes");
		return;
	}
	while (n >= 1000000 && units[unit + 1]) {
		n /= 1000;
		unit++;
	}
	buf_putu(out, n / 1000);
	if (n < 10000) {
		buf_putc(out, '.');
		buf_putu(out, n / 100 % 10);
	}
	buf_putc(out, ' ');
	buf_putc(out, units[unit]);
	buf_putc(out, 'B');
}

static void
put_work(struct buf *out, const struct blast_row *r)
{
	if (!r->versioned) {
		if (!r->repository && r->files)
			buf_puts(out, "    none of it is known to be in a repository\n");
		return;
	}
	if (!r->untracked && !r->changed) {
		buf_puts(out, "    everything is committed\n");
		return;
	}
	buf_puts(out, "    in no commit: ");
	if (r->untracked)
		put_count(out, r->untracked, "untracked file", "untracked files");
	buf_puts(out, r->untracked && r->changed ? ", " : "");
	if (r->changed)
		put_count(out, r->changed, "changed file", "changed files");
	buf_putc(out, '\n');
}

static void
put_refs(struct buf *out, const struct blast_row *r)
{
	if (r->unpushed_n) {
		buf_puts(out, "    not on any remote:");
		for (size_t i = 0; i < r->unpushed_n && i < 5; i++) {
			buf_puts(out, i ? ", " : " ");
			show_put(out, r->unpushed[i], 0);
		}
		buf_puts(out, r->unpushed_n > 5 ? ", ...\n" : "\n");
	}
	if (r->stashes) {
		buf_puts(out, "    ");
		put_count(out, r->stashes, "stash", "stashes");
		buf_putc(out, '\n');
	}
	if (r->refs_more)
		buf_puts(out, "    and branches or stashes that were not checked\n");
}

static void
put_row(struct buf *out, const struct blast_row *r)
{
	buf_puts(out, "  ");
	show_put(out, r->path, 0);
	buf_puts(out, r->repository    ? " (git worktree): "
		      : r->overwritten ? " (overwritten): "
				       : ": ");
	if (r->at_least)
		buf_puts(out, "at least ");
	put_count(out, r->files, "file", "files");
	buf_puts(out, ", ");
	put_bytes(out, r->bytes);
	buf_putc(out, '\n');
	if (r->git_inside)
		buf_puts(out, "    including a git directory\n");
	put_work(out, r);
	put_refs(out, r);
}

void
blast_put(struct buf *out, const struct blast *b)
{
	for (size_t i = 0; i < b->n; i++)
		put_row(out, &b->rows[i]);
	if (b->more)
		buf_puts(out, "  and more\n");
	if (b->unknown)
		buf_puts(out, "  files whose names are not known before it runs\n");
}
