/* Check the machine: kernel, rules, journal, this program. */
#include "cli/doctor/doctor.h"
#include "confine/probe/probe.h"
#include "gate/ask/pause.h"
#include "gate/keep.h"
#include "gate/rules/load.h"
#include <time.h>
#include <unistd.h>

static const struct str none = { NULL, 0 };

/* Report for each field of the policy whether this kernel enforces it. */
static void
check_fields(struct doctor *d, const struct probe *p)
{
	enum probe_what missing = PROBE_USER;

	while (missing + 1 < PROBES &&
	       (p->v[missing].state == PROBE_WORKS || !probe_is_needed(missing)))
		missing++;
	for (enum plan_field f = 0; f < FIELDS; f++) {
		struct plan_field_state s = probe_field(p, f);
		const char *advice =
		    s.state == PLAN_REFUSED ? probe_advice(p, missing) : NULL;

		doctor_find(d, STR("sandbox"),
		    s.state == PLAN_REFUSED ? DOCTOR_WARN : DOCTOR_FINE,
		    SAY_PARTS(d, str_from_c(plan_field_name(f)), STR(": "),
			str_from_c(plan_state_name(s.state)), STR(", "), str_from_c(s.by)),
		    advice ? str_from_c(advice) : none);
	}
}

static void
check_kernel(struct doctor *d)
{
	struct probe p;
	enum probe_what missing = PROBES;

	probe_all(&p);
	for (enum probe_what w = 0; w < PROBES; w++) {
		bool works = p.v[w].state == PROBE_WORKS;
		const char *advice = works ? NULL : probe_advice(&p, w);

		doctor_find(d, STR("kernel"),
		    works                 ? DOCTOR_FINE
		    : !probe_is_needed(w) ? DOCTOR_NOTE
		    : probe_is_bare(&p)   ? DOCTOR_WARN
					  : DOCTOR_FAULT,
		    SAY_PARTS(d, str_from_c(probe_name(w)),
			works ? STR(": ") : STR(": not available; "),
			str_from_c(probe_means(&p, w))),
		    advice ? str_from_c(advice) : none);
	}
	if (!probe_is_enough(&p, &missing))
		doctor_find(d, STR("kernel"), DOCTOR_FAULT,
		    STR("commands cannot be confined here; cordon asks or refuses instead"),
		    missing < PROBES && probe_advice(&p, missing)
			? str_from_c(probe_advice(&p, missing))
			: STR("see the findings above"));
	else if (probe_is_bare(&p))
		doctor_find(d, STR("kernel"), DOCTOR_NOTE,
		    STR("namespaces are not available: Landlock and seccomp enforce what "
			"they can, and cordon refuses the rest"),
		    none);
	if (p.inside != INSIDE_NOTHING)
		doctor_find(d, STR("kernel"), DOCTOR_NOTE,
		    SAY_PARTS(d, STR("this runs inside "),
			str_from_c(probe_inside_name(p.inside))),
		    none);
	check_fields(d, &p);
}

static void
check_policy(struct doctor *d)
{
	static struct loader loader;
	struct layers_request q = { .home = d->place.home, .root = d->place.root };
	const struct policy *policy;
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	q.now = t.tv_sec;
	if (!loader_init(&loader, d->cli))
		return;
	if (load_policy(&loader, &q, &policy)) {
		doctor_find(d, STR("policy"), DOCTOR_FAULT,
		    SAY_PARTS(d,
			STR("a rules file is broken, so every command is denied: "),
			buf_str(&loader.message)),
		    STR("correct the file; `cordon policy lint` checks it"));
		return;
	}
	doctor_find(d, STR("policy"), DOCTOR_FINE, STR("the rules are valid"), none);
	if (pause_active(d->cli, d->place.home, t.tv_sec, NULL))
		doctor_find(d, STR("policy"), DOCTOR_WARN, STR("cordon is paused"),
		    STR("cordon pause off"));
}

static void
check_journal(struct doctor *d)
{
	static struct keep k;

	k.cli = d->cli;
	if (keep_ready(&k))
		doctor_find(d, STR("journal"), DOCTOR_FAULT, SAY_PARTS(d, k.why),
		    STR("make the directory writable for you and for nobody else"));
	else
		doctor_find(d, STR("journal"), DOCTOR_FINE,
		    SAY_PARTS(d, STR("decisions are recorded in "), k.dir), none);
}

void
doctor_machine(struct doctor *d)
{
	check_kernel(d);
	check_policy(d);
	check_journal(d);
}
