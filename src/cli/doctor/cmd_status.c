#include "base/json/json.h"
#include "base/show.h"
#include "cli/cli.h"
#include "cli/install/install.h"
#include "cli/project.h"
#include "confine/probe/probe.h"
#include "decide/decide.h"
#include "gate/ask/pause.h"
#include "gate/keep.h"
#include "gate/rules/load.h"
#include <time.h>
#include <unistd.h>

#define STATUS_BYTES ((size_t)64 << 20)

static const struct str none = { NULL, 0 };

struct status {
	const struct process *cli;
	struct arena a;
	bool json;
	struct str root; /* .p == NULL: no project */
	struct layers_request q;
	struct loader loader;
	const struct policy *policy; /* NULL: broken */
	struct str broken;
	struct layers files;
	bool trusted;
	struct pause pause;
	bool paused;
	bool confines;
	const char *why_not;
	struct buf agents; /* names, blanks between */
	struct str journal, journal_why;
};

/* ---- collect */

static bool
project_is_trusted(struct status *s, const struct layer_file *f)
{
	struct str text, records;

	if (store_read(&s->a, f->path, STORE_ANY, POLICY_SOURCE_BYTES, &text, NULL) ||
	    !s->files.trust_path ||
	    store_read(&s->a, s->files.trust_path, STORE_OWN, TRUST_MAX, &records, NULL))
		return false;
	return trust_has(records, s->root, text);
}

static void
look_at_agents(struct status *s)
{
	struct install_place place = {
		.cli = s->cli, .home = s->q.home, .root = s->root, .sysroot = STR("")
	};

	buf_init(&s->agents, &s->a);
	for (enum agent g = 0; g < AGENTS; g++)
		for (enum agent_scope scope = 0; scope < SCOPES; scope++) {
			const char *path = install_path(&s->a, &place, g, scope);
			struct setup_found f;
			struct str text;

			if (!path ||
			    store_read(&s->a, path, STORE_ANY, INSTALL_FILE, &text, NULL) ||
			    setup_inspect(&s->a, g, scope, text, &f, NULL) || !f.entries)
				continue;
			if (s->agents.n)
				buf_putc(&s->agents, ' ');
			buf_puts(&s->agents, agent_name(g));
			break;
		}
}

static int
look_at_rules(struct status *s)
{
	struct buf why;
	int status;

	if (!loader_init(&s->loader, s->cli))
		return internal_error("no memory", 0);
	buf_init(&why, &s->a);
	if (layers_find(&s->a, s->cli, &s->q, &s->files, &why) == 0)
		for (size_t i = 0; i < s->files.n; i++)
			if (s->files.files[i].layer == LAYER_PROJECT)
				s->trusted = project_is_trusted(s, &s->files.files[i]);
	status = load_policy(&s->loader, &s->q, &s->policy);
	if (!status)
		return 0;
	s->policy = NULL;
	s->broken = buf_str(&s->loader.message);
	return 0;
}

static int
look_all(struct status *s, const struct place_opts *place)
{
	static struct keep k;
	struct project p;
	struct timespec t;
	int status = project_find(s->cli, &s->a, place, &p);

	if (status)
		return status;
	clock_gettime(CLOCK_REALTIME, &t);
	s->root = p.root;
	s->q = (struct layers_request){ .home = p.q.home,
		.root = p.root,
		.policy = p.q.policy,
		.session = p.q.session,
		.now = t.tv_sec };
	s->paused = pause_active(s->cli, p.q.home, t.tv_sec, &s->pause);
	s->confines = probe_can_confine(
	    own_dir(&s->a, s->cli, s->cli->home, DIR_CACHE, STR("")), &s->why_not);
	k.cli = s->cli;
	s->journal_why = keep_ready(&k) ? k.why : none;
	s->journal = k.dir;
	look_at_agents(s);
	return look_at_rules(s);
}

/* ---- print text */

static void
put_name(struct buf *b, const char *name)
{
	size_t n = strlen(name);

	buf_puts(b, name);
	for (; n < 12; n++)
		buf_putc(b, ' ');
}

static void
put_layers(struct status *s, struct buf *b)
{
	put_name(b, "rules");
	if (s->files.builtin || !s->files.n)
		buf_puts(b, "built-in (shipped with cordon)\n");
	for (size_t i = 0; i < s->files.n; i++) {
		const struct layer_file *f = &s->files.files[i];

		if (i || s->files.builtin)
			put_name(b, "");
		buf_puts(b, layer_name(f->layer));
		buf_puts(b, ": ");
		show_put(b, str_from_c(f->path), 0);
		if (f->layer == LAYER_PROJECT)
			buf_puts(b,
			    s->trusted
				? " (trusted)"
				: " (not trusted: can only tighten; see `cordon trust`)");
		buf_putc(b, '\n');
	}
}

static void
put_settings(struct status *s, struct buf *b)
{
	static const char *const types[] = { "unspecified", "insecure_none",
		"workspace_readwrite", "workspace_readonly" };
	const struct policy_settings *set = policy_settings(s->policy);

	put_name(b, "mode");
	buf_puts(b, mode_name(set->mode));
	buf_puts(b, "; without a rule: ");
	buf_puts(b, verdict_name(set->by_default));
	if (!set->autorun)
		buf_puts(b, "; auto-run is switched off by the administrator");
	buf_putc(b, '\n');
	put_name(b, "sandbox");
	buf_puts(b, types[set->sandbox]);
	buf_puts(b, set->network ? ", network on" : ", network off");
	if (!set->network && policy_entry(s->policy, LIST_NET, 0).p)
		buf_puts(b, " except for hosts that rules allow");
	buf_putc(b, '\n');
}

static void
put_health(struct status *s, struct buf *b)
{
	put_name(b, "");
	if (s->confines)
		buf_puts(b, "this machine can confine commands\n");
	else {
		buf_puts(b, "this machine cannot confine commands: ");
		buf_puts(b, s->why_not ? s->why_not : "see `cordon doctor`");
		buf_putc(b, '\n');
	}
	put_name(b, "pause");
	if (s->paused) {
		buf_puts(b, "cordon is paused for another ");
		buf_putu(b, (uint64_t)(s->pause.until - s->q.now + 59) / 60);
		buf_puts(b, " minutes; `cordon pause off` ends it\n");
	} else {
		buf_puts(b, "none\n");
	}
	put_name(b, "journal");
	show_put(b, s->journal_why.p ? s->journal_why : s->journal, 0);
	buf_putc(b, '\n');
	put_name(b, "agents");
	buf_put(b, s->agents.n ? buf_str(&s->agents) : STR("none calls cordon yet"));
	buf_puts(b, s->agents.n ? ": `cordon doctor` checks that their hooks work\n"
				: "; see `cordon install --help`\n");
}

static void
put_text(struct status *s, struct buf *b)
{
	put_name(b, "cordon");
	buf_puts(b, CORDON_VERSION "\n");
	put_name(b, "project");
	show_put(b, s->root.p ? s->root : STR("none here"), 0);
	buf_putc(b, '\n');
	put_layers(s, b);
	if (!s->policy) {
		put_name(b, "BROKEN");
		show_put(b, s->broken, SHOW_NEWLINES);
		buf_puts(b,
		    "\n\nUntil this is fixed, every command of every agent is denied, "
		    "so agents cannot\nfix it: open the file in your own editor, "
		    "correct the line, and check it with\n`cordon policy lint`.\n\n");
	} else {
		put_settings(s, b);
	}
	put_health(s, b);
}

/* ---- print JSON */

static void
put_json_layers(struct status *s, struct buf *b)
{
	buf_puts(b, ",\"layers\":[");
	if (s->files.builtin)
		buf_puts(b, "{\"layer\":\"built-in\",\"file\":null,\"trusted\":true}");
	for (size_t i = 0; i < s->files.n; i++) {
		const struct layer_file *f = &s->files.files[i];

		json_put_sep(b);
		buf_puts(b, "{\"layer\":");
		json_put_str(b, str_from_c(layer_name(f->layer)));
		json_put_member(b, "file", str_from_c(f->path));
		json_put_member_bool(b, "trusted", f->layer != LAYER_PROJECT || s->trusted);
		buf_putc(b, '}');
	}
	buf_putc(b, ']');
}

static void
put_json(struct status *s, struct buf *b)
{
	buf_puts(b, "{\"version\":\"" CORDON_VERSION "\"");
	json_put_member_or_null(b, "project", s->root);
	put_json_layers(s, b);
	json_put_member_or_null(b, "broken", s->policy ? none : s->broken);
	json_put_member_or_null(b, "mode",
	    s->policy ? str_from_c(mode_name(policy_settings(s->policy)->mode)) : none);
	json_put_member_bool(b, "confines", s->confines);
	json_put_key(b, "pausedUntil");
	if (s->paused)
		json_put_int(b, s->pause.until);
	else
		buf_puts(b, "null");
	json_put_member_or_null(b, "journal", s->journal_why.p ? none : s->journal);
	buf_puts(b, ",\"agents\":[");
	for (struct str rest = buf_str(&s->agents); rest.n;) {
		size_t end = str_find(rest, ' ');

		json_put_sep(b);
		json_put_str(b, str_cut(rest, 0, end));
		rest = str_skip(rest, end + 1);
	}
	buf_puts(b, "]}\n");
}

int
cmd_status(const struct process *cli, int argc, char **argv)
{
	static struct status s;
	struct place_opts place = { 0 };
	const struct opt opts[] = {
		OPT_FLAG("--json", &s.json),
		OPT_VALUE("--session", &place.session),
		OPT_VALUE("--policy", &place.policy),
		OPT_VALUE("--cwd", &place.cwd),
		OPT_VALUE("--home", &place.home),
		OPT_LIST("--root", &place.roots),
	};
	struct opts_result got =
	    opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);
	struct buf out;
	int status;

	if (got.done)
		return got.status;
	if (got.operand < argc)
		return usage_error(
		    cli, "unexpected argument:", str_from_c(argv[got.operand]));
	s.cli = cli;
	if (!arena_map(&s.a, STATUS_BYTES))
		return internal_error("no memory", 0);
	status = look_all(&s, &place);
	if (status)
		return status;
	buf_init(&out, &s.a);
	if (s.json)
		put_json(&s, &out);
	else
		put_text(&s, &out);
	if (out.full)
		return internal_error("the answer exceeds the memory limit", 0);
	status = put_out(buf_str(&out));
	return status ? status : s.policy ? EXIT_OK : EXIT_POLICY;
}
