/* `log replay FILE`: decide past requests under other rules. */
#include "base/json/json.h"
#include "base/show.h"
#include "cli/cli.h"
#include "daemon/log/learn.h"

#define COLUMNS 44
#define RULES_MAX POLICY_SOURCE_BYTES

struct replay {
	struct learn l;
	const char *file;
	struct str text;
	bool json;
	bool over; /* --over: keep the layers; the file replaces the user's rules */
	uint64_t changed, looser, stricter;
	uint64_t to[4]; /* decisions by new verdict */
	uint64_t from[4];
	struct buf b;
};

/* The rules of a root as they would be with FILE. */
static const struct policy *
other_rules(struct replay *r, struct learn_root *root)
{
	struct policy_source sources[LAYER_FILES + 1], mine;
	const struct policy *p = NULL;
	struct policy_error e = { 0 };
	struct buf image, why;
	size_t n = 0;

	mine = (struct policy_source){
		.layer = LAYER_USER, .file = str_from_c(r->file), .text = r->text
	};
	for (size_t i = 0; i < root->n; i++) {
		enum layer layer = root->sources[i].layer;

		if (layer == LAYER_USER)
			continue;
		if (layer > LAYER_USER && mine.file.p) {
			sources[n++] = mine;
			mine.file.p = NULL;
		}
		if (layer == LAYER_ADMIN || r->over)
			sources[n++] = root->sources[i];
	}
	if (mine.file.p)
		sources[n++] = mine;
	buf_init(&image, &r->l.a);
	if (policy_compile(&r->l.a, sources, n, &image, &e) == 0 && !image.full &&
	    policy_open(&r->l.a, buf_str(&image), &p) == 0)
		return p;
	buf_init(&why, &r->l.loader.scratch);
	load_put_error(&why, sources[e.source].file, &e);
	r->l.loader.message = why;
	(void)load_complain(&r->l.loader, EXIT_POLICY);
	return NULL;
}

static int
decide_all(struct replay *r)
{
	const struct policy *others[LEARN_ROOTS];
	struct effects effects;
	struct decision d;

	for (size_t i = 0; i < r->l.roots_n; i++) {
		others[i] = other_rules(r, &r->l.roots[i]);
		if (!others[i])
			return EXIT_POLICY;
	}
	for (struct past *p = r->l.first; p; p = p->next) {
		if (!p->judged)
			continue;
		learn_decide(&r->l, p, others[p->root], &effects, &d);
		p->other = d.verdict;
		r->from[p->now] += p->n;
		r->to[p->other] += p->n;
		if (p->other == p->now)
			continue;
		r->changed += p->n;
		*(p->other > p->now ? &r->looser : &r->stricter) += p->n;
		p->reason = arena_copy(&r->l.a, d.reason.p ? d.reason : STR(""));
	}
	return 0;
}

static struct str
subject(const struct past *p)
{
	return p->file_tool ? p->path : p->command;
}

static void
put_json(struct replay *r, const struct past *p)
{
	struct buf *b = &r->b;

	json_put_sep(b);
	buf_puts(b, "{\"command\":");
	json_put_str(b, subject(p));
	json_put_member_or_null(b, "op", p->op.n ? p->op : str_of(NULL, 0));
	json_put_member(b, "cwd", p->cwd);
	json_put_member_u(b, "n", p->n);
	json_put_member(b, "recorded", str_from_c(verdict_name(p->recorded)));
	json_put_member(b, "now", str_from_c(verdict_name(p->now)));
	json_put_member(b, "other", str_from_c(verdict_name(p->other)));
	json_put_member_bool(b, "looser", p->other > p->now);
	json_put_member(b, "reason", p->reason);
	json_put_member_u(b, "record", p->records[0]);
	buf_putc(b, '}');
}

static void
put_row(struct replay *r, const struct past *p)
{
	struct buf *b = &r->b;

	learn_put_column(b, str_from_c(verdict_name(p->now)), 8);
	learn_put_column(b, str_from_c(verdict_name(p->other)), 8);
	buf_puts(b, p->other > p->now ? "looser   " : "stricter ");
	buf_putu(b, p->n);
	buf_puts(b, " x  ");
	learn_put_column(b, subject(p), COLUMNS);
	buf_puts(b, "  ");
	show_put(b, p->reason, 0);
	buf_putc(b, '\n');
}

/* Looser verdicts first: these need attention. */
static void
put_changes(struct replay *r)
{
	for (int looser = 1; looser >= 0; looser--)
		for (const struct past *p = r->l.first; p; p = p->next)
			if (p->judged && p->other != p->now &&
			    (p->other > p->now) == looser)
				(r->json ? put_json : put_row)(r, p);
}

static void
put_sum_json(struct replay *r)
{
	const struct {
		const char *key;
		uint64_t n;
	} sums[] = { { "decisions", r->l.decisions }, { "distinct", r->l.distinct },
		{ "unjudged", r->l.unjudged }, { "changed", r->changed },
		{ "looser", r->looser }, { "stricter", r->stricter } };

	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
		json_put_member_u(&r->b, sums[i].key, sums[i].n);
	for (int other = 0; other < 2; other++) {
		json_put_key(&r->b, other ? "other" : "now");
		buf_putc(&r->b, '{');
		for (int v = VERDICT_DENY; v <= VERDICT_ALLOW; v++) {
			json_put_key(&r->b, verdict_name((enum verdict)v));
			buf_putu(&r->b, other ? r->to[v] : r->from[v]);
		}
		buf_putc(&r->b, '}');
	}
	buf_puts(&r->b, "}\n");
}

static void
put_sum(struct replay *r)
{
	buf_putu(&r->b, r->l.decisions);
	buf_puts(&r->b, " decisions, ");
	buf_putu(&r->b, r->changed);
	buf_puts(&r->b, " would change: ");
	buf_putu(&r->b, r->looser);
	buf_puts(&r->b, " looser, ");
	buf_putu(&r->b, r->stricter);
	buf_puts(&r->b, " stricter; ");
	buf_putu(&r->b, r->l.unjudged);
	buf_puts(&r->b, " cannot be judged again\n");
	for (int v = VERDICT_ALLOW; v >= VERDICT_DENY; v--) {
		buf_puts(&r->b, "  ");
		learn_put_column(&r->b, str_from_c(verdict_name((enum verdict)v)), 8);
		buf_putu(&r->b, r->from[v]);
		buf_puts(&r->b, " -> ");
		buf_putu(&r->b, r->to[v]);
		buf_putc(&r->b, '\n');
	}
}

static int
print(struct replay *r)
{
	static struct arena out;
	int status;

	if (!arena_map(&out, LEARN_BYTES))
		return internal_error("no memory", 0);
	buf_init(&r->b, &out);
	if (r->json)
		buf_puts(&r->b, "{\"changes\":[");
	put_changes(r);
	if (r->json)
		buf_putc(&r->b, ']');
	(r->json ? put_sum_json : put_sum)(r);
	if (r->b.full)
		return internal_error("no memory for the answer", 0);
	status = put_out(buf_str(&r->b));
	return status ? status : r->changed ? EXIT_NOT_OK : EXIT_OK;
}

int
log_replay(const struct process *cli, int argc, char **argv)
{
	static struct replay r;
	struct log_filter given = { 0 };
	struct db_filter f;
	const struct opt opts[] = {
		OPT_FLAG("--json", &r.json),
		OPT_FLAG("--over", &r.over),
		OPT_FLAG("--stale", &r.l.log.stale),
		OPT_VALUE("--dir", &r.l.log.dir),
		LOG_FILTER_OPTS(given),
	};
	struct opts_result got =
	    opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);
	enum store_result read;
	int status;

	if (got.done)
		return got.status;
	if (got.operand + 1 != argc)
		return usage_error(cli, "one rules file expected", (struct str){ NULL, 0 });
	status = log_filter_take(cli, &given, LEARN_DECISIONS, &f);
	if (status)
		return status;
	r.l.log.cli = cli;
	r.l.log.j.dir = -1;
	r.file = argv[got.operand];
	status = learn_start(&r.l, &f);
	if (status)
		return status;
	read = store_read(&r.l.a, r.file, STORE_ANY, RULES_MAX, &r.text, NULL);
	if (read)
		return usage_error(cli, store_why(read, STORE_ANY), str_from_c(r.file));
	status = decide_all(&r);
	if (!status)
		status = print(&r);
	log_done(&r.l.log);
	return status;
}
