#include "gate/rules/layers.h"
#include "journal/files.h"
#include "policy/builtin.h"
#include <errno.h>

/* Two changes within one tick of the file system clock have the same timestamps. */
#define FRESH_NS 50000000

const char *
own_dir(struct arena *a, const struct process *cli, struct str home, enum own_dir which,
    struct str name)
{
	static const struct {
		const char *variable;
		struct str below;
	} dirs[] = {
		[DIR_CONFIG] = { "XDG_CONFIG_HOME", STR_INIT("/.config") },
		[DIR_CACHE] = { "XDG_CACHE_HOME", STR_INIT("/.cache") },
		[DIR_STATE] = { "XDG_STATE_HOME", STR_INIT("/.local/state") },
	};
	struct str base = process_env(cli, dirs[which].variable);

	/* The XDG specification says to ignore relative paths. */
	if (base.n && base.p[0] == '/')
		return STORE_NAME(a, base, STR("/cordon"), name);
	if (home.n == 0)
		return NULL;
	return STORE_NAME(a, home, dirs[which].below, STR("/cordon"), name);
}

static int
refuse(struct buf *why, const char *path, const char *cause, const char *next)
{
	buf_puts(why, "cannot use '");
	buf_puts(why, path);
	buf_puts(why, "': ");
	buf_puts(why, cause);
	buf_puts(why, next);
	return EXIT_POLICY;
}

/* ---- finding files */

static void
add(struct layers *l, enum layer layer, const char *path, bool must)
{
	struct identity id;

	if (!path)
		return;
	id = identity_find(path);
	if (id.there || must)
		l->files[l->n++] = (struct layer_file){ layer, path, id };
}

const char *
session_path(struct arena *a, const struct process *cli, const struct layers_request *q)
{
	const char *dir;

	if (!session_is_name(q->session))
		return STORE_NAME(a, q->session);
	dir = own_dir(a, cli, q->home, DIR_STATE, STR("/sessions/"));
	return dir ? STORE_NAME(a, str_from_c(dir), q->session, STR(".rules")) : NULL;
}

static bool
has_ended(int64_t ends, int64_t now)
{
	return ends && ends <= now;
}

static int
find_below_admin(
    struct arena *a, const struct process *cli, struct layers *l, struct buf *why)
{
	const struct layers_request *q = l->q;
	const char *path;

	if (q->policy.p) {
		path = STORE_NAME(a, q->policy);
		if (!path)
			return refuse(why, "--policy", "not a valid file name", "");
		add(l, LAYER_USER, path, true);
		return 0;
	}
	l->builtin = true;
	if (q->root.p)
		add(l, LAYER_PROJECT, STORE_NAME(a, q->root, STR("/.cordon/rules")), false);
	add(l, LAYER_USER, own_dir(a, cli, q->home, DIR_CONFIG, STR("/rules")), false);
	return 0;
}

int
layers_find(struct arena *a, const struct process *cli, const struct layers_request *q,
    struct layers *ret, struct buf *why)
{
	struct layers l = { .q = q };
	int err = find_below_admin(a, cli, &l, why);

	if (err)
		return err;
	if (q->session.p) {
		const char *path = session_path(a, cli, q);

		if (!path)
			return refuse(why, "--session", "not a valid file name", "");
		add(&l, LAYER_SESSION, path, true);
		l.session_ended = has_ended(session_file_ends(path), q->now);
	}
	add(&l, LAYER_ADMIN, ADMIN_RULES, false);
	l.admin = l.n && l.files[l.n - 1].layer == LAYER_ADMIN;
	l.trust_path = own_dir(a, cli, q->home, DIR_STATE, STR("/trust"));
	if (l.trust_path && l.n)
		l.trust = identity_find(l.trust_path);
	/* The administrator's rules bind the user, so the user must not be able to write
	 * the image. */
	l.cache = l.admin ? ADMIN_CACHE : own_dir(a, cli, q->home, DIR_CACHE, STR(""));
	*ret = l;
	return 0;
}

/* ---- reading files */

static bool
is_fresh(const struct identity *id)
{
	return id->there &&
	       clock_now_ns() - id->ctime * 1000000000 - id->ctime_ns < FRESH_NS;
}

static bool
is_trusted(struct arena *a, struct layers *l, struct str text)
{
	struct str records = { NULL, 0 };

	if (l->q->untrusted || !l->trust_path || !l->q->root.p)
		return false;
	if (store_read(a, l->trust_path, STORE_OWN, TRUST_MAX, &records, &l->trust))
		return false;
	return trust_has(records, l->q->root, text);
}

static const char *
what_to_do(enum layer layer)
{
	switch (layer) {
	case LAYER_ADMIN:
		return "\nhint: as root: chown root " ADMIN_RULES
		       " && chmod go-w " ADMIN_RULES;
	case LAYER_SESSION:
		return "\nhint: start a new session: cordon session new";
	case LAYER_USER:
	case LAYER_PROJECT:
	case LAYER_BUILTIN:
	case LAYERS:
		break;
	}
	return "";
}

static int
read_one(struct arena *a, struct layers *l, struct layer_file *f, struct policy_source *s,
    struct buf *why)
{
	static const enum store_trust trust[LAYERS] = {
		[LAYER_PROJECT] = STORE_ANY,
		[LAYER_USER] = STORE_OWN,
		[LAYER_SESSION] = STORE_OWN,
		[LAYER_ADMIN] = STORE_ADMIN,
	};
	/* A person named the --policy file: accept any owner. */
	enum store_trust need =
	    l->q->policy.p && f->layer == LAYER_USER ? STORE_ANY : trust[f->layer];
	enum store_result r =
	    store_read(a, f->path, need, POLICY_SOURCE_BYTES, &s->text, &f->id);

	if (r)
		return refuse(why, f->path, store_why(r, need), what_to_do(f->layer));
	s->layer = f->layer;
	s->file = str_from_c(f->path);
	if (f->layer == LAYER_PROJECT)
		s->trusted = is_trusted(a, l, s->text);
	if (f->layer == LAYER_SESSION) {
		l->session_ended = has_ended(session_ends(s->text), l->q->now);
		if (l->session_ended)
			s->text = session_remains(a, s->text);
		if (!s->text.p)
			return refuse(why, f->path, strerror(ENOMEM), "");
	}
	return 0;
}

int
layers_read(struct arena *a, struct layers *l, struct policy_source *ret, size_t *ret_n,
    bool *ret_fresh, struct buf *why)
{
	size_t n = 0;

	*ret_fresh = false;
	if (l->builtin)
		ret[n++] = (struct policy_source){ .layer = LAYER_BUILTIN,
			.trusted = true,
			.file = STR("builtin.rules"),
			.text = policy_builtin() };
	for (size_t i = 0; i < l->n; i++) {
		int err;

		ret[n] = (struct policy_source){ 0 };
		err = read_one(a, l, &l->files[i], &ret[n], why);
		if (err)
			return err;
		*ret_fresh |= is_fresh(&l->files[i].id);
		n++;
	}
	*ret_fresh |= is_fresh(&l->trust);
	*ret_n = n;
	return 0;
}
