#include "daemon/bundle/cmd_bundle.h"
#include "base/json/json.h"
#include "base/show.h"
#include "cli/cli.h"
#include "decide/decide.h"
#include "gate/rules/load.h"
#include "os/file.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#define BUNDLE_BYTES ((size_t)512 << 20)
#define PASSWORD_MAX ((size_t)1024)

static const struct str none = { NULL, 0 };

int
bundle_complain(struct bundle_job *job, const char *what, const char *path, const char *why)
{
	struct buf b;

	buf_init(&b, &job->a);
	buf_puts(&b, what);
	buf_puts(&b, " '");
	show_put(&b, str_from_c(path), 0);
	buf_puts(&b, "': ");
	buf_puts(&b, why);
	buf_putc(&b, '\0');
	(void)internal_error(b.full ? what : b.p, 0);
	return EXIT_POLICY;
}

static int
read_one(struct bundle_job *job, const char *path, enum store_trust trust, size_t max,
    struct str *ret)
{
	enum store_result r = store_read(&job->a, path, trust, max, ret, NULL);

	return r ? bundle_complain(job, "cannot use", path, store_why(r, trust)) : 0;
}

/* ---- verifying */

/* Return NULL, or why the key does not match. */
static const char *
try_key(struct bundle_job *job, struct str text)
{
	struct minisign_key key;
	struct err e = { 0 };

	if (minisign_read_key(text, &key, &e) ||
	    minisign_verify(&key, &job->signature, job->rules, &e))
		return e.why;
	return NULL;
}

/* Only root's keys in a directory of root's count; ignore everything else in it. */
static const char *
try_directory(struct bundle_job *job, const char *dir)
{
	const char *why = "no key in this directory has signed it";
	DIR *d = NULL;
	cleanup_fd int fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return strerror(errno);
	if (fstat(fd, &st) || st.st_uid != 0 || (st.st_mode & (S_IWGRP | S_IWOTH)))
		return "it must belong to root, and nobody else may be able to write it";
	d = fdopendir(fd);
	if (d)
		(void)fd_steal(&fd);
	for (struct dirent *e; why && d && (e = readdir(d));) {
		struct str text;

		if (!str_ends(str_from_c(e->d_name), STR(".pub")))
			continue;
		/* Read through the open directory, whatever has its name by now. */
		if (store_read_at(&job->a, dirfd(d), e->d_name, STORE_ADMIN, MINISIGN_FILE,
			&text, NULL) == STORE_OK)
			why = try_key(job, text);
	}
	if (d)
		(void)closedir(d);
	return why ? "no key in this directory has signed this file" : NULL;
}

int
bundle_check(struct bundle_job *job, const char *dir)
{
	const char *rules = job->argc > 0 ? job->argv[0] : NULL, *path, *why;
	struct str key;
	struct err e = { 0 };
	int status;

	if (!rules || job->argc > 2)
		return usage_error(job->cli, "a file and its signature expected", none);
	path = job->argc > 1 ? job->argv[1]
			     : STORE_NAME(&job->a, str_from_c(rules), STR(".minisig"));
	if (!path)
		return usage_error(job->cli, "not a valid file name", none);
	status = read_one(job, rules, STORE_ANY, POLICY_SOURCE_BYTES, &job->rules);
	if (!status)
		status = read_one(job, path, STORE_ANY, MINISIGN_FILE, &job->signed_by);
	if (status)
		return status;
	if (minisign_read_signature(job->signed_by, &job->signature, &e))
		return bundle_complain(job, "cannot use", path, e.why);
	if (job->key.p) {
		const char *file = STORE_NAME(&job->a, job->key);

		status =
		    file ? read_one(job, file, STORE_ANY, MINISIGN_FILE, &key) : EXIT_USAGE;
		if (status)
			return status;
		why = try_key(job, key);
	} else {
		why = try_directory(job, dir);
	}
	if (why)
		return bundle_complain(job, "not verified:", job->key.p ? rules : dir, why);
	if (!bundle_serial(job->signature.comment, &job->next.serial))
		return bundle_complain(job, "not verified:", path,
		    "it is signed, but not as a bundle with a serial");
	sha256_hex(job->rules, job->next.digest);
	return 0;
}

/* ---- check that it is a policy */

struct bundle_tests_run {
	struct bundle_job *job;
	bool looser;
};

static void
on_test(void *context, const struct test_failure *f, bool passed)
{
	struct bundle_tests_run *t = context;

	if (passed || !f->looser)
		return;
	t->looser = true;
	(void)bundle_complain(t->job, "a test of the rules shows that they are looser:",
	    f->test.command.p ? STORE_NAME(&t->job->a, f->test.command) : "",
	    verdict_name(f->found));
}

int
bundle_compile(struct bundle_job *job)
{
	struct policy_source sources[] = {
		{ .layer = LAYER_BUILTIN,
		    .trusted = true,
		    .file = STR("builtin.rules"),
		    .text = policy_builtin() },
		{ .layer = LAYER_ADMIN, .file = str_from_c(job->argv[0]) },
	};
	struct layers_request q = { .now = time(NULL) };
	struct bundle_tests_run testing = { .job = job };
	struct policy_error e = { 0 };
	const struct policy *p = NULL;
	struct buf image, why;

	sources[1].text = job->rules;
	buf_init(&image, &job->a);
	if (policy_compile(&job->a, sources, 2, &image, &e)) {
		buf_init(&why, &job->a);
		load_put_error(&why, sources[e.source].file, &e);
		buf_putc(&why, '\0');
		(void)internal_error(why.full ? "the rules are broken" : why.p, 0);
		return EXIT_POLICY;
	}
	if (image.full || policy_open(&job->a, buf_str(&image), &p))
		return internal_error("the rules exceed the memory limit", 0);
	tests_run(&job->a, p, LAYER_ADMIN, &q, on_test, &testing);
	return testing.looser ? EXIT_POLICY : 0;
}

/* ---- verify, sign, keygen */

static int
tell_good(struct bundle_job *job)
{
	struct buf b;

	buf_init(&b, &job->a);
	buf_puts(&b, job->json ? "{\"good\":true,\"serial\":" : "good: serial ");
	buf_putu(&b, job->next.serial);
	buf_puts(&b, job->json ? ",\"key\":\"" : ", key ");
	minisign_put_id(&b, job->signature.id);
	buf_puts(&b, job->json ? "\",\"sha256\":\"" : ", sha256 ");
	buf_put(&b, str_of(job->next.digest, sizeof job->next.digest));
	buf_puts(&b, job->json ? "\"}\n" : "\n");
	return put_out(buf_str(&b));
}

static int
bundle_verify(struct bundle_job *job)
{
	const char *dir = job->keys.p ? STORE_NAME(&job->a, job->keys) : BUNDLE_KEYS;
	int status = dir ? bundle_check(job, dir) : EXIT_USAGE;

	return status ? status : tell_good(job);
}

static int
open_secret(struct bundle_job *job, struct minisign_secret *ret)
{
	const char *path = job->key.p ? STORE_NAME(&job->a, job->key) : NULL, *file;
	struct str text, password = none;
	struct err e = { 0 };
	int status;

	if (!path)
		return usage_error(job->cli, "no secret key given: --key FILE", none);
	status = read_one(job, path, STORE_OWN, MINISIGN_FILE, &text);
	if (!status && job->password_file.p) {
		file = STORE_NAME(&job->a, job->password_file);
		status = file ? read_one(job, file, STORE_OWN, PASSWORD_MAX, &password)
			      : EXIT_USAGE;
		password.n = str_find(password, '\n');
	}
	if (status)
		return status;
	if (minisign_read_secret(text, password, ret, &e))
		return bundle_complain(job, "cannot use", path, e.why);
	return 0;
}

static int
bundle_sign(struct bundle_job *job)
{
	struct minisign_secret secret;
	struct buf comment, out;
	const char *path;
	uint64_t serial;
	int status;

	if (job->argc != 1)
		return usage_error(job->cli, "one rules file expected", none);
	if (!job->serial.p || !bundle_read_serial(job->serial, &serial))
		return usage_error(
		    job->cli, "--serial must be a rising number, not", job->serial);
	status = read_one(job, job->argv[0], STORE_ANY, POLICY_SOURCE_BYTES, &job->rules);
	if (!status)
		status = bundle_compile(job);
	if (!status)
		status = open_secret(job, &secret);
	if (status)
		return status;
	buf_init(&comment, &job->a);
	bundle_put_comment(&comment, serial);
	buf_init(&out, &job->a);
	minisign_sign(&out, &secret, job->rules, buf_str(&comment));
	minisign_forget(&secret);
	path = STORE_NAME(&job->a, str_from_c(job->argv[0]), STR(".minisig"));
	if (!path || out.full)
		return internal_error("no memory", 0);
	if (!store_write(path, buf_str(&out)))
		return bundle_complain(job, "cannot write", path, strerror(errno));
	(void)chmod(path, 0644);
	return 0;
}

static int
bundle_keygen(struct bundle_job *job)
{
	struct arena secret_memory;
	const char *public, *secret;
	struct buf for_public, for_secret;

	if (job->argc != 1)
		return usage_error(job->cli, "no name given for the two keys", none);
	public = STORE_NAME(&job->a, str_from_c(job->argv[0]), STR(".pub"));
	secret = STORE_NAME(&job->a, str_from_c(job->argv[0]), STR(".key"));
	if (!public || !secret || !arena_map(&secret_memory, 65536))
		return internal_error("no memory", 0);
	if (access(secret, F_OK) == 0)
		return bundle_complain(job, "cannot write", secret, "it already exists");
	buf_init(&for_public, &job->a);
	buf_init(&for_secret, &secret_memory);
	minisign_make(&for_public, &for_secret);
	if (!store_write(secret, buf_str(&for_secret)))
		return bundle_complain(job, "cannot write", secret, strerror(errno));
	if (!store_write(public, buf_str(&for_public)))
		return bundle_complain(job, "cannot write", public, strerror(errno));
	(void)chmod(public, 0644);
	return 0;
}

/* ---- the verbs */

int
cordond_bundle(const struct process *cli, int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*exec)(struct bundle_job *job);
	} verbs[] = {
		{ "sign", bundle_sign },
		{ "verify", bundle_verify },
		{ "install", bundle_install },
		{ "keygen", bundle_keygen },
	};
	struct bundle_job job = { .cli = cli };
	const struct opt opts[] = {
		OPT_FLAG("--json", &job.json),
		OPT_FLAG("--replace", &job.replace),
		OPT_VALUE("--key", &job.key),
		OPT_VALUE("--keys", &job.keys),
		OPT_VALUE("--password-file", &job.password_file),
		OPT_VALUE("--serial", &job.serial),
		OPT_VALUE("--root", &job.root),
	};
	struct str verb = argc > 1 ? str_from_c(argv[1]) : none;
	struct opts_result got;

	if (str_is(verb, "--help") || str_is(verb, "-h"))
		return help_print_one(cli->name);
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
		if (!str_is(verb, verbs[i].name))
			continue;
		got = opts_read(cli, argc - 1, argv + 1, opts, sizeof opts / sizeof *opts);
		if (got.done)
			return got.status;
		if (!arena_map(&job.a, BUNDLE_BYTES) || !minisign_init())
			return internal_error("no memory, or no random numbers", 0);
		job.argc = argc - 1 - got.operand;
		job.argv = argv + 1 + got.operand;
		return verbs[i].exec(&job);
	}
	return usage_error(
	    cli, "the verb must be sign, verify, install or keygen, not", verb);
}
