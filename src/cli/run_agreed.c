#include "cli/run_agreed.h"
#include "base/err.h"
#include "look/file.h"

#define AGREED_MAX ((size_t)64)

struct agreed {
	struct str paths[AGREED_MAX];
	size_t paths_n;
	bool writes;
};

static void
see_files(const struct effects *e, struct agreed *to)
{
	for (const struct file_effect *f = e->files; f; f = f->next) {
		struct str path = f->fact.real.p ? f->fact.real : f->path;

		if (f->op == FILE_READ || f->op == FILE_EXEC ||
		    f->fact.where == WHERE_DEVICE)
			continue;
		to->writes = true;
		if (!f->known || f->fact.where != WHERE_OUTSIDE ||
		    to->paths_n == AGREED_MAX || path.n < 2)
			continue;
		/* A name that comes or goes changes the directory. */
		if (f->op == FILE_DELETE || f->op == FILE_CREATE || !f->fact.exists)
			path = path_parent(path);
		if (path.n > 1)
			to->paths[to->paths_n++] = path;
	}
}

int
run_agreed(struct arena *a, const struct effects *e, struct sandbox_policy *p)
{
	struct agreed *to = ARENA_NEW(a, struct agreed);
	struct sandbox_policy more = { 0 };

	if (!to)
		return CORDON_ENOMEM;
	see_files(e, to);
	more.readwrite = (struct sandbox_list){ true, to->paths, to->paths_n };
	if (to->writes && p->type == SANDBOX_WORKSPACE_READONLY)
		more.type = SANDBOX_WORKSPACE_READWRITE;
	return sandbox_add(a, p, &more, p);
}
