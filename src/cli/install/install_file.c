#include "base/limits.h"
#include "base/path.h"
#include "cli/install/install.h"
#include "gate/rules/layers.h"
#include "gate/sha256.h"
#include "os/file.h"
#include "os/replace.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h> /* realpath */

static int
refuse(struct buf *why, const char *what, const char *path, const char *cause)
{
	buf_puts(why, what);
	buf_puts(why, " '");
	buf_puts(why, path);
	buf_puts(why, "': ");
	buf_puts(why, cause);
	return EXIT_INTERNAL;
}

const char *
install_path(struct arena *a, const struct install_place *w, enum agent agent,
    enum agent_scope scope)
{
	struct str base = scope == SCOPE_USER      ? w->home
			  : scope == SCOPE_PROJECT ? w->root
						   : w->sysroot;
	const struct agent_file *file = &agent_profile(agent)->files[scope];
	struct str path, variable;

	if (file->form == FORM_NONE || !base.p)
		return NULL;
	path = str_from_c(file->path);
	variable = file->variable[0] ? process_env(w->cli, file->variable)
				     : (struct str){ NULL, 0 };
	if (variable.n && variable.p[0] == '/')
		return STORE_NAME(a, variable, str_skip(path, file->replaces));
	return STORE_NAME(a, base, STR("/"), path);
}

/* Resolve symlinks in the existing part of the path; keep the rest. */
static const char *
real_of(struct arena *a, const char *path)
{
	char *real = arena_alloc(a, LIMIT_PATH + 1);
	struct str whole = str_from_c(path), dir = whole;

	if (!real)
		return NULL;
	if (realpath(path, real))
		return real;
	while (errno == ENOENT && dir.n > 1) {
		const char *c;

		dir = path_parent(dir);
		c = str_to_path(a, dir);
		if (c && realpath(c, real))
			return STORE_NAME(a,
			    str_is(str_from_c(real), "/") ? STR("") : str_from_c(real),
			    str_skip(whole, dir.n == 1 ? 0 : dir.n));
		if (!c)
			return NULL;
	}
	return NULL;
}

int
install_read(struct arena *a, const struct install_place *w, enum agent_scope scope,
    const char *path, struct install_file *ret, struct buf *why)
{
	struct install_file f = { .path = path,
		.mode = scope == SCOPE_USER ? 0600 : 0644,
		.uid = (unsigned)geteuid(),
		.gid = (unsigned)getegid() };
	enum store_result r;
	struct stat st;

	if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode) && stat(path, &st))
		return refuse(why, "cannot follow the symlink", path, strerror(errno));
	f.real = real_of(a, path);
	if (!f.real)
		return refuse(why, "cannot use", path, strerror(errno));
	if (scope == SCOPE_PROJECT && !path_is_within(w->root, str_from_c(f.real)))
		return refuse(
		    why, "cannot use", path, "a symlink leads out of the project");
	r = store_read(a, f.real, STORE_ANY, INSTALL_FILE, &f.text, NULL);
	if (r == STORE_MISSING)
		f.text = (struct str){ NULL, 0 };
	else if (r)
		return refuse(why, "cannot read", path, store_why(r, STORE_ANY));
	else if (stat(f.real, &st) == 0) {
		f.mode = st.st_mode & 07777;
		f.uid = st.st_uid;
		f.gid = st.st_gid;
	}
	*ret = f;
	return 0;
}

/* ---- writing */

static void
remove_parents(const char *path, unsigned count)
{
	char part[LIMIT_PATH];
	size_t n = strlen(path);

	if (n >= sizeof part)
		return;
	memcpy(part, path, n + 1);
	while (count-- && n > 1) {
		while (n > 1 && part[n - 1] != '/')
			n--;
		part[--n] = '\0';
		if (n == 0 || rmdir(part))
			return;
	}
}

int
install_write(struct arena *a, const struct install_file *f, struct str text,
    enum agent_scope scope, bool executable, unsigned *made, struct buf *why)
{
	unsigned mode = f->mode | (executable ? 0100 | (f->mode & 0044) >> 2 : 0);
	struct replace how = { .mode = mode,
		.chown = geteuid() == 0,
		.uid = f->uid,
		.gid = f->gid,
		.sync = true };
	const char *beside;

	if (!text.p) {
		if (unlink(f->real) && errno != ENOENT)
			return refuse(why, "cannot remove", f->path, strerror(errno));
		remove_parents(f->real, *made);
		return 0;
	}
	if (!store_make_dirs(f->real, scope == SCOPE_USER ? 0700 : 0755, made))
		return refuse(
		    why, "cannot create the directory of", f->path, strerror(errno));
	beside = STORE_NAME(a, str_from_c(f->real), STR(".cordon-new"));
	if (!beside)
		return refuse(why, "cannot write", f->path, "no memory");
	if (!replace_at(AT_FDCWD, beside, f->real, text, &how))
		return refuse(why, "cannot write", f->path, strerror(errno));
	return 0;
}

/* ---- the saved state */

#define RECORD_HEAD "cordon install 1\n"

const char *
install_record_path(struct arena *a, const struct install_place *w, enum agent_scope scope,
    const char *path)
{
	char hex[SHA256_HEX];
	const char *dir;

	sha256_hex(str_from_c(path), hex);
	/* Root's changes for all users are not recorded in one user's home. */
	dir = scope == SCOPE_MANAGED
		  ? STORE_NAME(a, w->sysroot, STR("/var/lib/cordon/install/"))
		  : own_dir(a, w->cli, w->home, DIR_STATE, STR("/install/"));
	return dir ? STORE_NAME(a, str_from_c(dir), str_of(hex, sizeof hex)) : NULL;
}

/* Format: RECORD_HEAD, hash, `file` or `none`, number of directories, then the bytes. */
void
install_record_read(struct arena *a, const char *record, struct install_record *ret)
{
	struct install_record r = { .there = true };
	struct str text;
	bool file;

	*ret = (struct install_record){ 0 };
	if (!record || store_read(a, record, STORE_OWN, INSTALL_FILE + 256, &text, NULL) ||
	    !str_starts(text, STR(RECORD_HEAD)))
		return;
	text = str_skip(text, sizeof RECORD_HEAD - 1);
	if (text.n < SHA256_HEX + 8 || text.p[SHA256_HEX] != '\n')
		return;
	r.written = str_cut(text, 0, SHA256_HEX);
	text = str_skip(text, SHA256_HEX + 1);
	file = str_starts(text, STR("file "));
	if ((!file && !str_starts(text, STR("none "))) || text.n < 7 || text.p[5] < '0' ||
	    text.p[5] > '9' || text.p[6] != '\n')
		return;
	r.made = (unsigned)(text.p[5] - '0');
	if (file)
		r.before = str_skip(text, 7);
	*ret = r;
}

bool
install_record_write(
    struct arena *a, const char *record, const struct install_record *r, struct str written)
{
	char hex[SHA256_HEX];
	struct buf b;

	sha256_hex(written, hex);
	buf_init(&b, a);
	buf_puts(&b, RECORD_HEAD);
	buf_put(&b, str_of(hex, sizeof hex));
	buf_puts(&b, r->before.p ? "\nfile " : "\nnone ");
	buf_putu(&b, r->made > 9 ? 9 : r->made);
	buf_putc(&b, '\n');
	if (r->before.p)
		buf_put(&b, r->before);
	return !b.full && store_write(record, buf_str(&b));
}
