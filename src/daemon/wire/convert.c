/* A policy from JSON to the wire and back. */
#include "daemon/wire/sandbox_wire.h"

int
convert_to_wire(struct arena *a, struct str json, struct buf *out, struct err *reterr)
{
	static const struct json_opts how = { .surrogate_bytes = true };
	struct sandbox_policy p;
	const struct json *v = NULL;
	int r;

	if ((r = json_read(a, json, &how, &v, reterr)) ||
	    (r = sandbox_read(a, v, &p, reterr)))
		return r;
	return sandbox_pack(a, &p, out, reterr);
}

int
convert_to_json(struct arena *a, struct str bytes, struct buf *out, struct err *reterr)
{
	struct sandbox_policy p;
	int r = sandbox_unpack(a, bytes, &p, reterr);

	if (r)
		return r;
	sandbox_print_given(&p, out);
	return out->full ? err_at(reterr, CORDON_ENOMEM, 0, "out of memory") : 0;
}
