#include "base/json/json.h"
#include "base/show.h"
#include "cli/cli.h"
#include "cli/doctor/doctor.h"
#include "cli/project.h"
#include <unistd.h>

#define DOCTOR_BYTES ((size_t)64 << 20)

static const char *
doctor_level_name(enum doctor_level level)
{
	switch (level) {
	case DOCTOR_FINE:
		return "ok";
	case DOCTOR_NOTE:
		return "note";
	case DOCTOR_WARN:
		return "warning";
	case DOCTOR_FAULT:
		break;
	}
	return "fault";
}

struct str
doctor_say(struct doctor *d, const struct str *parts, size_t n)
{
	struct buf b;

	buf_init(&b, &d->a);
	for (size_t i = 0; i < n; i++)
		buf_put(&b, parts[i]);
	if (b.full)
		d->full = true;
	return buf_str(&b);
}

void
doctor_find(struct doctor *d, struct str area, enum doctor_level level, struct str what,
    struct str advice)
{
	struct doctor_finding *f = ARENA_NEW(&d->a, struct doctor_finding);

	d->faults += level == DOCTOR_FAULT;
	d->warnings += level == DOCTOR_WARN;
	if (!f) {
		d->full = true;
		return;
	}
	*f = (struct doctor_finding){ area, level, what, advice, NULL };
	*d->end = f;
	d->end = &f->next;
}

/* ---- output */

static void
put_text(struct doctor *d, struct buf *b)
{
	struct str area = { NULL, 0 };

	for (const struct doctor_finding *f = d->findings; f; f = f->next) {
		if (!str_eq(area, f->area)) {
			buf_puts(b, area.p ? "\n" : "");
			show_put(b, f->area, 0);
			buf_putc(b, '\n');
			area = f->area;
		}
		buf_puts(b, "  ");
		buf_puts(b, doctor_level_name(f->level));
		buf_puts(b, ": ");
		show_put(b, f->what, SHOW_NEWLINES);
		buf_putc(b, '\n');
		if (f->advice.p) {
			buf_puts(b, "      hint: ");
			show_put(b, f->advice, 0);
			buf_putc(b, '\n');
		}
	}
	buf_putc(b, '\n');
	buf_putu(b, d->faults);
	buf_puts(b, d->faults == 1 ? " fault, " : " faults, ");
	buf_putu(b, d->warnings);
	buf_puts(b, d->warnings == 1 ? " warning\n" : " warnings\n");
}

static void
put_json(struct doctor *d, struct buf *b)
{
	buf_puts(b, "{\"ok\":");
	json_put_bool(b, d->faults == 0);
	buf_puts(b, ",\"faults\":");
	buf_putu(b, d->faults);
	buf_puts(b, ",\"warnings\":");
	buf_putu(b, d->warnings);
	buf_puts(b, ",\"findings\":[");
	for (const struct doctor_finding *f = d->findings; f; f = f->next) {
		json_put_sep(b);
		buf_puts(b, "{\"area\":");
		json_put_str(b, f->area);
		json_put_member(b, "level", str_from_c(doctor_level_name(f->level)));
		json_put_member(b, "what", f->what);
		json_put_member_or_null(b, "do", f->advice);
		buf_putc(b, '}');
	}
	buf_puts(b, "]}\n");
}

static int
find_place(struct doctor *d, struct str sysroot)
{
	struct project p;
	int status = project_find(d->cli, &d->a, &(struct place_opts){ 0 }, &p);

	if (status)
		return status;
	d->place = (struct install_place){ .cli = d->cli,
		.home = p.q.home,
		.root = p.root,
		.sysroot = sysroot.p ? sysroot : STR("") };
	d->search = p.q.search.p ? p.q.search : STR("/usr/local/bin:/usr/bin:/bin");
	d->shell = str_base(process_env(d->cli, "SHELL"));
	d->cwd = p.root.p ? p.root : p.q.cwd;
	return 0;
}

int
cmd_doctor(const struct process *cli, int argc, char **argv)
{
	static struct doctor d;
	bool json = false;
	struct str sysroot = { NULL, 0 };
	const struct opt opts[] = {
		OPT_FLAG("--json", &json),
		OPT_VALUE("--sysroot", &sysroot),
	};
	struct opts_result got = opts_read(cli, argc, argv, opts, 2);
	struct buf out;
	int status;

	if (got.done)
		return got.status;
	if (got.operand < argc)
		return usage_error(
		    cli, "unexpected argument:", str_from_c(argv[got.operand]));
	d.cli = cli;
	d.end = &d.findings;
	if (!arena_map(&d.a, DOCTOR_BYTES))
		return internal_error("no memory", 0);
	status = find_place(&d, sysroot);
	if (status)
		return status;
	doctor_agents(&d);
	doctor_machine(&d);
	buf_init(&out, &d.a);
	if (json)
		put_json(&d, &out);
	else
		put_text(&d, &out);
	if (out.full || d.full)
		return internal_error("the answer exceeds the memory limit", 0);
	status = put_out(buf_str(&out));
	return status ? status : d.faults ? EXIT_NOT_OK : EXIT_OK;
}
