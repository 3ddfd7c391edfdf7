/* cli/check/check.h: shared by `cordon check` and its batches. */
#pragma once
#include "base/buf.h"
#include "base/json/json.h"
#include "dialects/cursor/cursor.h"
#include "dialects/gemini/gemini.h"
#include "gate/judge.h"
#include "gate/place.h"

enum dialect {
	AS_CORDON,
	AS_GEMINI,
	AS_CURSOR,
};

struct check_job {
	const struct process *cli;
	struct loader loader;
	struct arena *arena; /* one request and its answer */
	size_t kept;         /* bytes of it that stay for all requests */
	struct arena *lines; /* one line of a batch as JSON */
	enum dialect as;
	bool json, trace, summary;
	struct judge_request base;
	struct gemini_list allowed, exclude; /* --allowed-tools, --exclude */
	/* Ids for --summary, as JSON. */
	struct arena *sums;
	struct buf allowed_ids, denied_ids;
};

/* check_request.c: parse one line of a batch.  Return NULL, or the reason why it is no
 * request.  `id` is raw JSON; .p == NULL if it could not be read. */
const char *check_read(struct arena *a, struct str line, const struct judge_request *base,
    struct judge_request *ret, struct str *ret_id);

/* check_dialect.c: print the answer in another system's format, without a newline. */
enum verdict check_gemini(struct check_job *job, struct str text, struct buf *out);
enum verdict check_gemini_line(struct check_job *job, struct str line, struct buf *out);
enum verdict check_cursor(struct check_job *job, struct str text, struct buf *out);
enum verdict check_cursor_line(struct check_job *job, struct str line, struct buf *out);

/* check_batch.c */
int check_batch(struct check_job *job);
void check_forget(struct check_job *job);
