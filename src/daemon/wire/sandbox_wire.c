#include "daemon/wire/sandbox_wire.h"
#include "sandbox_policy.pb-c.h"

typedef Agent__V1__SandboxPolicy message;

#define HAS(field, name) AGENT__V1__SANDBOX_POLICY__HAS_##field##_##name

/* ---- memory of the library comes from our arena, and is never freed alone */

static void *
take(void *arena, size_t n)
{
	return arena_alloc(arena, n);
}

static void
leave(void *arena, void *p)
{
	(void)arena;
	(void)p;
}

/* ---- message → policy */

static bool
copy_text(struct arena *a, ProtobufCBinaryData from, struct str *ret)
{
	*ret = arena_copy(a, str_of(from.data ? (const char *)from.data : "", from.len));
	return ret->p != NULL;
}

static bool
copy_list(
    struct arena *a, const ProtobufCBinaryData *from, size_t n, struct sandbox_list *ret)
{
	struct str *v = arena_array(a, n, sizeof *v);

	if (!v)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!copy_text(a, from[i], &v[i]))
			return false;
	*ret = (struct sandbox_list){ .given = true, .v = v, .n = n };
	return true;
}

static bool
copy_policy(struct arena *a, const message *m, struct sandbox_policy *p)
{
	*p = (struct sandbox_policy){
		.type = (enum sandbox_type)m->type,
		.network_access =
		    m->has_network_access_case == HAS(NETWORK_ACCESS, NETWORK_ACCESS) &&
		    m->network_access,
		.block_git_writes = m->has_block_git_writes_case ==
					HAS(BLOCK_GIT_WRITES, BLOCK_GIT_WRITES) &&
				    m->block_git_writes,
		.disable_tmp_write = m->has_disable_tmp_write_case ==
					 HAS(DISABLE_TMP_WRITE, DISABLE_TMP_WRITE) &&
				     m->disable_tmp_write,
	};
	/* The message knows no hosts: without network it gives none of them. */
	p->network_allow.given = !p->network_access;
	if (m->has_debug_output_dir_case == HAS(DEBUG_OUTPUT_DIR, DEBUG_OUTPUT_DIR) &&
	    !copy_text(a, m->debug_output_dir, &p->debug_output_dir))
		return false;
	return copy_list(a, m->additional_readwrite_paths, m->n_additional_readwrite_paths,
		   &p->readwrite) &&
	       copy_list(a, m->additional_readonly_paths, m->n_additional_readonly_paths,
		   &p->readonly);
}

int
sandbox_unpack(
    struct arena *a, struct str bytes, struct sandbox_policy *ret, struct err *reterr)
{
	ProtobufCAllocator from_arena = {
		.alloc = take, .free = leave, .allocator_data = a
	};
	struct sandbox_policy p;
	const message *m;
	int r;

	if (bytes.n > LIMIT_WIRE)
		return err_at(reterr, CORDON_ELIMIT, LIMIT_WIRE, "the message is too long");
	m = agent__v1__sandbox_policy__unpack(
	    &from_arena, bytes.n, (const uint8_t *)(bytes.p ? bytes.p : ""));
	if (!m)
		return err_at(reterr, CORDON_EINVAL, 0, "not a SandboxPolicy message");
	if (m->base.n_unknown_fields)
		return err_at(reterr, CORDON_EINVAL, 0,
		    "the message has a field that is not known, and what it restricts "
		    "would be lost");
	if (!protobuf_c_enum_descriptor_get_value(
		&agent__v1__sandbox_policy__type__descriptor, (int)m->type))
		return err_at(
		    reterr, CORDON_EINVAL, 0, "the type of the policy is not known");
	if (!copy_policy(a, m, &p))
		return err_at(reterr, CORDON_ENOMEM, 0, "out of memory");
	r = sandbox_check(a, &p, reterr);
	if (!r)
		*ret = p;
	return r;
}

/* ---- policy → message */

static bool
lend_list(struct arena *a, const struct sandbox_list *from, ProtobufCBinaryData **ret,
    size_t *ret_n)
{
	ProtobufCBinaryData *v = arena_array(a, from->n, sizeof *v);

	if (!v)
		return false;
	for (size_t i = 0; i < from->n; i++) {
		struct str copy = arena_copy(a, from->v[i]);

		if (!copy.p)
			return false;
		v[i].data = (uint8_t *)(uintptr_t)copy.p;
		v[i].len = copy.n;
	}
	*ret = v;
	*ret_n = from->n;
	return true;
}

static bool
lend_policy(struct arena *a, const struct sandbox_policy *p, message *m)
{
	struct str dir =
	    p->debug_output_dir.p ? arena_copy(a, p->debug_output_dir) : STR("");

	m->type = (Agent__V1__SandboxPolicy__Type)p->type;
	m->has_network_access_case = HAS(NETWORK_ACCESS, NETWORK_ACCESS);
	m->network_access = p->network_access;
	m->has_block_git_writes_case = HAS(BLOCK_GIT_WRITES, BLOCK_GIT_WRITES);
	m->block_git_writes = p->block_git_writes;
	m->has_disable_tmp_write_case = HAS(DISABLE_TMP_WRITE, DISABLE_TMP_WRITE);
	m->disable_tmp_write = p->disable_tmp_write;
	if (p->debug_output_dir.p) {
		m->has_debug_output_dir_case = HAS(DEBUG_OUTPUT_DIR, DEBUG_OUTPUT_DIR);
		m->debug_output_dir.data = (uint8_t *)(uintptr_t)dir.p;
		m->debug_output_dir.len = dir.n;
	}
	return dir.p != NULL &&
	       lend_list(a, &p->readwrite, &m->additional_readwrite_paths,
		   &m->n_additional_readwrite_paths) &&
	       lend_list(a, &p->readonly, &m->additional_readonly_paths,
		   &m->n_additional_readonly_paths);
}

int
sandbox_pack(
    struct arena *a, const struct sandbox_policy *p, struct buf *out, struct err *reterr)
{
	message m = AGENT__V1__SANDBOX_POLICY__INIT;
	int r = sandbox_check(a, p, reterr);
	uint8_t *bytes;
	size_t n;

	if (r)
		return r;
	if (p->ignore_mapping.p)
		return err_at(reterr, CORDON_EINVAL, 0,
		    "the ignore mapping has no field in the message, and would be lost");
	if (p->network_allow.n)
		return err_at(reterr, CORDON_EINVAL, 0,
		    "networkAllow has no field in the message, and would be lost");
	if (!lend_policy(a, p, &m))
		return err_at(reterr, CORDON_ENOMEM, 0, "out of memory");
	n = agent__v1__sandbox_policy__get_packed_size(&m);
	bytes = arena_alloc(a, n);
	if (!bytes)
		return err_at(reterr, CORDON_ENOMEM, 0, "out of memory");
	agent__v1__sandbox_policy__pack(&m, bytes);
	buf_put(out, str_of((const char *)bytes, n));
	return out->full ? err_at(reterr, CORDON_ENOMEM, 0, "out of memory") : 0;
}
