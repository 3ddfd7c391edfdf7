/* tests/unit/approve/help.h: a question that a policy of a few lines asks. */
#pragma once
#include "../cm.h"
#include "analyse/analyse.h"
#include "approve/approve.h"

static char help_mem[48 << 20];

struct asked {
	struct arena a;
	struct effects effects;
	struct decide_input in;
	struct decision decision;
	struct approve_question q;
};

static inline void
ask_about(struct asked *x, struct str command, struct str rules)
{
	static const struct str root = STR_INIT("/ws");
	struct policy_source source = { .layer = LAYER_USER, .text = rules };
	struct analyse_opts opts = { root, STR("/home/u") };
	struct policy_error e;
	struct buf image;

	*x = (struct asked){ 0 };
	arena_init(&x->a, help_mem, sizeof help_mem);
	source.file = STR("rules");
	buf_init(&image, &x->a);
	assert_int_equal(policy_compile(&x->a, &source, 1, &image, &e), 0);
	assert_int_equal(policy_open(&x->a, buf_str(&image), &x->in.policy), 0);
	x->in.text = command;
	x->in.base = (struct pattern_base){ STR("/home/u"), &root, 1 };
	x->in.interactive = true;
	x->in.sandbox = true;
	x->in.hook = VERDICT_ALLOW;
	if (analyse(&x->a, command, &opts, &x->effects, &x->in.error) == 0) {
		effects_assume(&x->effects, &root, 1);
		x->in.effects = &x->effects;
	}
	decide(&x->a, &x->in, &x->decision);
	x->q = (struct approve_question){ .in = &x->in,
		.decision = &x->decision,
		.cwd = root,
		.digest = STR("d1"),
		.can_network = true,
		.can_path = true };
	x->q.files[APPROVE_USER] = STR("/home/u/.config/cordon/rules");
	x->q.files[APPROVE_PROJECT] = STR("/ws/.cordon/rules");
	for (unsigned i = 0; i < APPROVE_LEVELS; i++) {
		x->q.rules[APPROVE_USER][i] =
		    approve_rules(&x->a, &x->decision, (enum approve_level)i);
		x->q.rules[APPROVE_PROJECT][i].why = STR("not trusted");
	}
}
