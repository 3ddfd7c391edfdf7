/*
 * `bundle install`: install verified rules.
 *
 * MUST
 * 1.  Install exactly the bytes that were verified, read once.
 * 2.  Record the serial before changing the rules: after any interruption, an older bundle
 * is still refused.
 * 3.  Write the journal record first.
 * 4.  Keep root's files that did not come from a bundle, unless --replace is given.
 */
#include "base/show.h"
#include "daemon/bundle/cmd_bundle.h"
#include "gate/keep.h"
#include "os/file.h"
#include "os/replace.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define STATE_MAX ((size_t)4096)

struct bundle_dir {
	int dir;
	const char *path, *rules, *state, *signature;
};

static int
failed(struct bundle_job *job, const char *path)
{
	return bundle_complain(job, "cannot write", path, strerror(errno));
}

/* Open ROOT/etc/cordon, which only root may write. */
static int
open_place(struct bundle_job *job, struct bundle_dir *to)
{
	struct str root = job->root.p ? job->root : STR("");
	struct stat st;

	to->path = STORE_NAME(&job->a, root, STR("/etc/cordon"));
	to->rules = STORE_NAME(&job->a, root, STR("/etc/cordon/rules"));
	to->state = STORE_NAME(&job->a, root, STR("/etc/cordon/bundle"));
	to->signature = STORE_NAME(&job->a, root, STR("/etc/cordon/rules.minisig"));
	if (!to->path || !to->rules || !to->state || !to->signature)
		return usage_error(job->cli, "not a possible directory name", job->root);
	to->dir = open(to->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (to->dir < 0)
		return failed(job, to->path);
	if (fstat(to->dir, &st) || st.st_uid != 0 || (st.st_mode & (S_IWGRP | S_IWOTH)))
		return bundle_complain(job, "cannot use", to->path,
		    "it must belong to root, and nobody else may be able to write it");
	return 0;
}

/* ---- the installed state */

static int
read_last(struct bundle_job *job, const struct bundle_dir *p, struct bundle_state *ret)
{
	struct str text;
	enum store_result r =
	    store_read_at(&job->a, p->dir, "bundle", STORE_ADMIN, STATE_MAX, &text, NULL);

	*ret = (struct bundle_state){ 0 };
	if (r == STORE_MISSING)
		return 0;
	if (r)
		return bundle_complain(
		    job, "cannot use", p->state, store_why(r, STORE_ADMIN));
	/* An unreadable state is not "none": an old bundle could come back. */
	if (!bundle_read_state(text, ret))
		return bundle_complain(job, "cannot use", p->state,
		    "it does not say which bundle was installed last; root may remove "
		    "it");
	return 0;
}

static int
check_present(
    struct bundle_job *job, const struct bundle_dir *p, const struct bundle_state *last)
{
	char digest[SHA256_HEX];
	struct str text;
	enum store_result r = store_read_at(
	    &job->a, p->dir, "rules", STORE_ANY, POLICY_SOURCE_BYTES, &text, NULL);

	if (r == STORE_MISSING || job->replace)
		return 0;
	if (r)
		return bundle_complain(
		    job, "cannot use", p->rules, store_why(r, STORE_ANY));
	sha256_hex(text, digest);
	if (memcmp(digest, job->next.digest, sizeof digest) == 0 ||
	    (last->serial && memcmp(digest, last->digest, sizeof digest) == 0))
		return 0;
	return bundle_complain(job, "will not replace", p->rules,
	    "it did not come from a bundle, or was changed since; --replace "
	    "overwrites it");
}

/* ---- writing */

static bool
write_file(const struct bundle_dir *p, const char *name, struct str text)
{
	static const struct replace how = { .mode = 0644, .chown = true, .sync = true };

	return replace_at(p->dir, "bundle.new", name, text, &how) && fsync(p->dir) == 0;
}

static int
record(struct bundle_job *job, const struct bundle_dir *p)
{
	struct keep k = { .cli = job->cli };
	struct keep_change change = { .op = STR("bundle"), .path = str_from_c(p->rules) };
	struct buf outcome, reason;

	buf_init(&outcome, &job->a);
	buf_puts(&outcome, "serial ");
	buf_putu(&outcome, job->next.serial);
	buf_init(&reason, &job->a);
	buf_puts(&reason, "signed by ");
	minisign_put_id(&reason, job->signature.id);
	change.outcome = buf_str(&outcome);
	change.reason = buf_str(&reason);
	if (keep_change(&k, &change) == 0)
		return 0;
	keep_complain(&k);
	return EXIT_INTERNAL;
}

static int
install(struct bundle_job *job, const struct bundle_dir *p)
{
	struct buf state;

	buf_init(&state, &job->a);
	bundle_put_state(&state, &job->next);
	if (!write_file(p, "bundle", buf_str(&state)))
		return failed(job, p->state);
	if (!write_file(p, "rules", job->rules))
		return failed(job, p->rules);
	if (!write_file(p, "rules.minisig", job->signed_by))
		return failed(job, p->signature);
	return 0;
}

int
bundle_install(struct bundle_job *job)
{
	struct bundle_dir p = { .dir = -1 };
	struct bundle_state last;
	const char *keys, *why;
	struct buf b;
	int status;

	if (geteuid() != 0)
		return bundle_complain(job, "cannot install", ADMIN_RULES,
		    "only root can install rules for everybody");
	keys = STORE_NAME(&job->a, job->root.p ? job->root : STR(""), STR(BUNDLE_KEYS));
	if (!keys || job->key.p || job->keys.p)
		return usage_error(job->cli,
		    "only keys in " BUNDLE_KEYS " are accepted for an installation",
		    (struct str){ NULL, 0 });
	status = open_place(job, &p);
	if (!status)
		status = bundle_check(job, keys);
	if (!status)
		status = bundle_compile(job);
	if (!status)
		status = read_last(job, &p, &last);
	if (!status && (why = bundle_refusal(&last, &job->next)))
		status = bundle_complain(job, "not installed:", job->argv[0], why);
	if (!status)
		status = check_present(job, &p, &last);
	if (!status)
		status = record(job, &p);
	if (!status)
		status = install(job, &p);
	if (p.dir >= 0)
		(void)close(p.dir);
	if (status)
		return status;
	buf_init(&b, &job->a);
	buf_puts(&b, "installed: serial ");
	buf_putu(&b, job->next.serial);
	buf_putc(&b, '\n');
	return put_out(buf_str(&b));
}
