#include "launch/files/ignore_files.h"
#include "base/ignore/ignore.h"
#include "base/limits.h"
#include "base/path.h"
#include "look/listing/listing.h"
#include "os/file.h"

#define IGNORE_BYTES ((size_t)1 << 20)
#define NAMES_MAX 32
#define FILES_MAX ((size_t)1024)

struct finding_ignores {
	struct arena *a;
	struct str root;
	struct str names[NAMES_MAX];
	size_t names_n;
	struct ignore_text *files;
	size_t n;
	struct err *e;
	int error;
};

static int
take_text(struct finding_ignores *f, struct str dir, struct str name, struct str text)
{
	if (f->n == FILES_MAX)
		return err_at(f->e, CORDON_ELIMIT, 0, "too many ignore files (limit 1024)");
	if (!f->files)
		f->files = arena_array(f->a, FILES_MAX, sizeof *f->files);
	dir = arena_copy(f->a, dir);
	if (!f->files || !dir.p)
		return err_at(f->e, CORDON_ENOMEM, 0, "no memory for the ignore files");
	f->files[f->n++] = (struct ignore_text){ dir, name, text };
	return 0;
}

/* Read one ignore file.  Return 0 if it does not exist. */
static int
take_file(struct finding_ignores *f, struct str dir, struct str name)
{
	static const struct file_read how = { .max = IGNORE_BYTES };
	struct str path = f->root, text;
	bool missing;
	int err = 0;

	if (dir.n)
		err = path_join(f->a, f->root, dir, &path, f->e);
	if (!err)
		err = path_join(f->a, path, name, &path, f->e);
	if (err)
		return err;
	err = file_read(f->a, path, &how, &text, &missing, f->e);
	if (err)
		return missing ? 0 : err;
	return take_text(f, dir, name, text);
}

/* Skip the files of the root itself: already read. */
static enum listing_step
visit(void *context, struct str path, size_t at, bool directory)
{
	struct finding_ignores *f = context;
	struct str name = str_skip(path, at);

	for (size_t i = 0; i < f->names_n && at && !directory && !f->error; i++)
		if (str_eq(f->names[i], name))
			f->error = take_file(f, str_cut(path, 0, at - 1), f->names[i]);
	return LISTING_GO;
}

static int
find_below(struct finding_ignores *f, struct listing **ret)
{
	const char *why;
	struct listing *l = *ret = listing_make(f->root, &why);

	if (!l)
		return err_at(f->e, CORDON_ELIMIT, 0, why);
	f->error = 0;
	if (!listing_find(l, f->names, f->names_n, visit, f) && !f->error)
		f->error = err_at(f->e, CORDON_ELIMIT, 0, "a path is too long");
	return f->error;
}

/* Build the ignore mapping of one root; .p == NULL: none. */
static int
mapping_of(struct finding_ignores *f, struct str root, struct str patterns,
    struct listing **seen, struct str *ret)
{
	struct buf b;
	int err = 0;

	*ret = (struct str){ NULL, 0 };
	f->root = root;
	f->n = 0;
	for (size_t i = 0; !err && i < f->names_n; i++)
		err = take_file(f, STR(""), f->names[i]);
	if (!err && f->n)
		err = find_below(f, seen);
	if (!err && patterns.n)
		err = take_text(f, STR(""), STR("rules"), patterns);
	if (err || f->n == 0)
		return err;
	buf_init(&b, f->a);
	ignore_put_json(&b, root, f->files, f->n);
	if (b.full)
		return err_at(f->e, CORDON_ENOMEM, 0, "no memory for the ignore files");
	*ret = buf_str(&b);
	return 0;
}

int
ignore_files_add(struct arena *a, const struct policy *policy,
    const struct root_answer *roots, struct str patterns, struct sandbox_policy *p,
    struct ignore_files *ret, struct err *reterr)
{
	struct finding_ignores *f = ARENA_NEW(a, struct finding_ignores);
	struct str mapping;
	int err = 0;

	ret->listings = arena_array(a, roots->n, sizeof *ret->listings);
	if (!f || !ret->listings)
		return err_at(reterr, CORDON_ENOMEM, 0, "no memory for the ignore files");
	f->a = a;
	f->e = reterr;
	for (size_t i = 0; policy_entry(policy, LIST_IGNORE, i).p; i++) {
		if (i == NAMES_MAX)
			return err_at(
			    reterr, CORDON_ELIMIT, 0, "too many names of ignore files");
		f->names[f->names_n++] = policy_entry(policy, LIST_IGNORE, i);
	}
	for (size_t i = 0; !err && i < roots->n; i++) {
		err = mapping_of(
		    f, roots->roots[i], patterns, &ret->listings[ret->n], &mapping);
		ret->n += ret->listings[ret->n] != NULL;
		if (!err && mapping.p)
			err = sandbox_add_ignore(a, mapping, p, p, reterr);
	}
	return err;
}

void
ignore_files_free(struct ignore_files *i)
{
	while (i->n)
		listing_free(i->listings[--i->n]);
}
