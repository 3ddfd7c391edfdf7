#include "base/glob.h"
#include "base/show.h"
#include "cli/cli.h"
#include "cli/install/templates.h"
#include "cli/project.h"
#include "gate/keep.h"
#include "os/file.h"
#include "os/store.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define INIT_BYTES ((size_t)8 << 20)

static const struct str none = { NULL, 0 };

/* Arrays, not pointers: the table needs no relocations. */
static const struct {
	char name[12], title[12], files[72];
} kinds[] = {
#define X(name, title, files) { #name, title, files },
	TEMPLATE_MAP(X)
#undef X
};
#define KINDS (sizeof kinds / sizeof *kinds)

static struct str
text_of(size_t kind)
{
	size_t i = 0;

#define X(name, title, files)                                                              \
	if (i++ == kind)                                                                   \
		return template_##name();
	TEMPLATE_MAP(X)
#undef X
	return template_base();
}

struct init {
	const struct process *cli;
	struct arena a;
	struct str root;
	bool dry_run;
	bool has[KINDS];
	struct buf text;
};

/* Match a file name, or *.SUFFIX. */
static bool
is_among(struct str name, const char *files)
{
	for (; *files; files += strlen(files) + 1)
		if (glob_is(files, name))
			return true;
	return false;
}

static int
look_around(struct init *in)
{
	const char *path = str_to_path(&in->a, in->root);
	DIR *dir = path ? opendir(path) : NULL;

	if (!dir)
		return internal_error("cannot examine the project", errno);
	for (struct dirent *e; (e = readdir(dir));)
		for (size_t i = 0; i < KINDS; i++)
			if (is_among(str_from_c(e->d_name), kinds[i].files))
				in->has[i] = true;
	(void)closedir(dir);
	return 0;
}

static void
compose(struct init *in)
{
	buf_init(&in->text, &in->a);
	buf_put(&in->text, template_base());
	for (size_t i = 0; i < KINDS; i++)
		if (in->has[i])
			buf_put(&in->text, text_of(i));
}

/* Create the file; never overwrite one. */
static int
write_new(struct init *in, const char *path)
{
	const char *dir = STORE_NAME(&in->a, in->root, STR("/.cordon"));
	struct keep k = { .cli = in->cli };
	struct keep_change change = { .op = STR("init"), .path = str_from_c(path) };

	if (dir && mkdir(dir, 0755) && errno != EEXIST)
		return internal_error("cannot create .cordon", errno);
	cleanup_fd int fd =
	    open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);

	if (fd < 0 && errno == EEXIST) {
		(void)internal_error("the project already has .cordon/rules", 0);
		return EXIT_NOT_OK;
	}
	if (fd < 0 || !write_all(fd, buf_str(&in->text)))
		return internal_error("cannot write .cordon/rules", errno);
	if (keep_change(&k, &change))
		keep_complain(&k);
	return 0;
}

static int
tell(struct init *in, const char *path)
{
	struct buf b;
	bool any = false;

	buf_init(&b, &in->a);
	buf_puts(&b, "wrote ");
	show_put(&b, str_from_c(path), 0);
	for (size_t i = 0; i < KINDS; i++)
		if (in->has[i]) {
			buf_puts(&b, any ? ", " : ", for ");
			buf_puts(&b, kinds[i].title);
			any = true;
		}
	buf_puts(&b, "\nRead and adapt it, then run `cordon trust` so that it can also "
		     "allow.\n");
	return put_out(buf_str(&b));
}

/* Take the languages from the command line instead of the project's files. */
static int
take_names(struct init *in, int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		size_t k = 0;

		while (k < KINDS && !str_is(str_from_c(argv[i]), kinds[k].name))
			k++;
		if (k == KINDS)
			return usage_error(
			    in->cli, "no starter rules for", str_from_c(argv[i]));
		in->has[k] = true;
	}
	return argc ? 0 : look_around(in);
}

static int
find_project(struct init *in)
{
	struct project p;
	int status = project_need(in->cli, &in->a, &(struct place_opts){ 0 }, &p);

	in->root = p.root;
	return status;
}

int
cmd_init(const struct process *cli, int argc, char **argv)
{
	static struct init in;
	const struct opt opts[] = { OPT_FLAG("--dry-run", &in.dry_run) };
	struct opts_result got = opts_read(cli, argc, argv, opts, 1);
	const char *path;
	int status;

	if (got.done)
		return got.status;
	in.cli = cli;
	if (!arena_map(&in.a, INIT_BYTES))
		return internal_error("no memory", 0);
	status = find_project(&in);
	if (!status)
		status = take_names(&in, argc - got.operand, argv + got.operand);
	if (status)
		return status;
	compose(&in);
	path = STORE_NAME(&in.a, in.root, STR("/.cordon/rules"));
	if (in.text.full || !path)
		return usage_error(cli, "not a valid file name:", none);
	if (in.dry_run)
		return put_out(buf_str(&in.text));
	status = write_new(&in, path);
	return status ? status : tell(&in, path);
}
