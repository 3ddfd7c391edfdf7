/* SandboxPolicy: seed 003's schema, levels, merge and enrichment; rows 3.1 to 3.3 and 3.14.
 */
#include "sandbox_help.h"

/* ---- gDs: row 3.2 */

static void
test_gDs_levels(void **state)
{
	static const struct {
		const char *text;
		int want;
	} cases[] = {
		{ "{\"type\":\"WORKSPACE_READONLY\"}", 0 },
		{ "{\"type\":\"WORKSPACE_READONLY\",\"networkAccess\":true}", 5 },
		{ "{\"type\":\"WORKSPACE_READWRITE\"}", 10 },
		{ "{\"type\":\"WORKSPACE_READWRITE\",\"networkAccess\":true}", 20 },
		{ "{\"type\":\"INSECURE_NONE\"}", 30 },
		{ "{\"type\":\"INSECURE_NONE\",\"networkAccess\":false}", 30 },
		{ "{\"type\":\"UNSPECIFIED\"}", 30 },
		{ "{}", 30 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct sandbox_policy p = policy(cases[i].text);

		assert_int_equal(sandbox_level(&p), cases[i].want);
	}
}

/* ---- schema: row 3.1 */

#define ALL                                                                                \
	"{\"type\":\"WORKSPACE_READWRITE\",\"networkAccess\":false,"                       \
	"\"networkAllow\":[\"github.com\",\"*.example.org:443\"],"                         \
	"\"additionalReadwritePaths\":[\"/b\",\"/a/\\udc80\"],"                            \
	"\"additionalReadonlyPaths\":[\"/opt/\"],\"blockGitWrites\":true,"                 \
	"\"disableTmpWrite\":true,\"ignoreMappingJson\":\"{\\\"/"                          \
	"ws\\\":[\\\"*.key\\\"]}\","                                                       \
	"\"debugOutputDir\":\"/var/debug\"}"

static void
test_json_round_trip(void **state)
{
	static const char *texts[] = {
		ALL,
		"{\"type\":\"UNSPECIFIED\",\"networkAccess\":false,\"blockGitWrites\":"
		"false,"
		"\"disableTmpWrite\":false,\"ignoreMappingJson\":null,\"debugOutputDir\":"
		"null}",
		"{\"type\":\"WORKSPACE_READONLY\",\"networkAccess\":true,\"networkAllow\":["
		"],"
		"\"additionalReadonlyPaths\":[],\"blockGitWrites\":false,"
		"\"disableTmpWrite\":true,\"ignoreMappingJson\":null,\"debugOutputDir\":"
		"null}",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct sandbox_policy p = policy(texts[i]), again;
		const struct json *v = NULL;
		struct str text = printed(&p);
		static const struct json_opts how = { .surrogate_bytes = true };

		assert_str(given(&p), str_from_c(texts[i]));
		assert_int_equal(json_read(arena, text, &how, &v, NULL), 0);
		assert_int_equal(sandbox_read(arena, v, &again, NULL), 0);
		assert_str(printed(&again), text);
	}
}

/* The contract's object, each key in its place; a list without an opinion is none. */
static void
test_Z4f_prints_every_key(void **state)
{
	struct sandbox_policy p = policy("{\"type\":\"WORKSPACE_READWRITE\"}");

	(void)state;
	assert_str(printed(&p),
	    STR("{\"type\":\"WORKSPACE_READWRITE\",\"networkAccess\":false,"
		"\"networkAllow\":[],"
		"\"additionalReadwritePaths\":[],\"additionalReadonlyPaths\":[],"
		"\"blockGitWrites\":false,\"disableTmpWrite\":false,\"ignoreMappingJson\":"
		"null,"
		"\"debugOutputDir\":null}"));
}

static void
test_types(void **state)
{
	static const struct {
		const char *name;
		int want; /* -1: refused */
	} cases[] = {
		{ "UNSPECIFIED", SANDBOX_UNSPECIFIED },
		{ "TYPE_UNSPECIFIED", SANDBOX_UNSPECIFIED },
		{ "insecure_none", SANDBOX_INSECURE_NONE },
		{ "TYPE_INSECURE_NONE", SANDBOX_INSECURE_NONE },
		{ "workspace_readwrite", SANDBOX_WORKSPACE_READWRITE },
		{ "type_workspace_readwrite", SANDBOX_WORKSPACE_READWRITE },
		{ "WORKSPACE_READONLY", SANDBOX_WORKSPACE_READONLY },
		{ "Workspace_Readonly", -1 },
		{ "TYPE_workspace_readonly", -1 },
		{ "type_WORKSPACE_READONLY", -1 },
		{ "WORKSPACE", -1 },
		{ "TYPE_", -1 },
		{ "", -1 },
		{ "3", -1 },
		{ "WORKSPACE_READONLY ", -1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		enum sandbox_type type = SANDBOX_INSECURE_NONE;
		bool ok = sandbox_type_read(str_from_c(cases[i].name), &type);

		assert_int_equal(ok, cases[i].want >= 0);
		if (ok)
			assert_int_equal(type, cases[i].want);
	}
	/* The numbers of the wire. */
	assert_int_equal(SANDBOX_UNSPECIFIED, 0);
	assert_int_equal(SANDBOX_INSECURE_NONE, 1);
	assert_int_equal(SANDBOX_WORKSPACE_READWRITE, 2);
	assert_int_equal(SANDBOX_WORKSPACE_READONLY, 3);
}

/* MUST 4 */
static void
test_refused(void **state)
{
	static const char *texts[] = {
		"[]",
		"null",
		"\"WORKSPACE_READONLY\"",
		"{\"type\":2}",
		"{\"type\":null}",
		"{\"type\":\"WORKSPACE\"}",
		"{\"readBoundary\":\"workspace\"}",
		"{\"network_access\":true}",
		"{\"networkAccess\":1}",
		"{\"networkAccess\":null}",
		"{\"networkAccess\":\"true\"}",
		"{\"networkAllow\":\"github.com\"}",
		"{\"networkAllow\":null}",
		"{\"networkAllow\":[1]}",
		"{\"networkAllow\":[\"\"]}",
		"{\"networkAllow\":[\"a b\"]}",
		"{\"networkAllow\":[\"https://a.org\"]}",
		"{\"networkAllow\":[\"a.*.org\"]}",
		"{\"networkAllow\":[\"a.org:0\"]}",
		"{\"networkAllow\":[\"a.org:65536\"]}",
		"{\"networkAllow\":[\"a..org\"]}",
		"{\"additionalReadwritePaths\":[\"a\"]}",
		"{\"additionalReadwritePaths\":[\"\"]}",
		"{\"additionalReadwritePaths\":[\"~/x\"]}",
		"{\"additionalReadwritePaths\":[\"/a/../etc\"]}",
		"{\"additionalReadonlyPaths\":{}}",
		"{\"blockGitWrites\":0}",
		"{\"disableTmpWrite\":\"\"}",
		"{\"ignoreMappingJson\":{}}",
		"{\"ignoreMappingJson\":\"\"}",
		"{\"ignoreMappingJson\":\"[{}]\"}",
		"{\"ignoreMappingJson\":\"{\"}",
		"{\"ignoreMappingJson\":\"{\\\"/w\\\":\\\"a\\\"}\"}",
		"{\"ignoreMappingJson\":\"{\\\"/w\\\":[1]}\"}",
		"{\"ignoreMappingJson\":\"{\\\"/w\\\":[\\\"a\\\",[\\\"b\\\"]]}\"}",
		"{\"ignoreMappingJson\":\"{\\\"/w\\\":[[[]]]}\"}",
		"{\"debugOutputDir\":\"\"}",
		"{\"debugOutputDir\":\"out\"}",
		"{\"debugOutputDir\":false}",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct sandbox_policy p = { .block_git_writes = true };
		struct err e = { 0 };

		if (try_read(texts[i], &p, &e) != CORDON_EINVAL)
			fail_msg("taken: %s", texts[i]);
		assert_non_null(e.why);
		assert_true(p.block_git_writes); /* untouched */
	}
}

static void
test_limits(void **state)
{
	struct sandbox_policy p = { .network_access = true };
	struct str *v = arena_array(arena, SANDBOX_LIST_MAX + 1, sizeof *v);

	(void)state;
	assert_non_null(v);
	for (size_t i = 0; i <= SANDBOX_LIST_MAX; i++) {
		struct buf b;

		buf_init(&b, arena);
		buf_puts(&b, "/p");
		buf_putu(&b, i);
		v[i] = buf_str(&b);
	}
	p.readwrite = (struct sandbox_list){ true, v, SANDBOX_LIST_MAX };
	assert_int_equal(sandbox_check(arena, &p, NULL), 0);
	assert_int_equal(sandbox_meet(arena, &p, &p, &p), 0);
	assert_int_equal(p.readwrite.n, SANDBOX_LIST_MAX);
	p.readwrite = (struct sandbox_list){ true, v, SANDBOX_LIST_MAX + 1 };
	assert_int_equal(sandbox_check(arena, &p, NULL), CORDON_EINVAL);
	assert_int_equal(sandbox_meet(arena, &p, &p, &p), CORDON_ELIMIT);
	p.type = SANDBOX_WORKSPACE_READWRITE;
	assert_int_equal(sandbox_add_folders(arena, v, 2, &p, &p), CORDON_ELIMIT);
	p.type = (enum sandbox_type)4;
	assert_int_equal(sandbox_check(arena, &p, NULL), CORDON_EINVAL);
}

/* Out of memory is an error everywhere, never half a policy. */
static void
test_no_memory(void **state)
{
	struct sandbox_policy p = policy(ALL), m = p, done = { 0 };
	static char mem[1 << 14];
	int r = -1;

	(void)state;
	for (size_t n = 0; n < sizeof mem && r; n += 16) {
		struct arena small;

		arena_init(&small, mem, n);
		m = done;
		r = sandbox_meet(&small, &p, &p, &m);
		if (r) {
			assert_int_equal(r, CORDON_ENOMEM);
			assert_false(m.block_git_writes);
		}
	}
	assert_int_equal(r, 0);
}

/* ---- H4c, the merge: row 3.3 */

/* An ignore mapping of one file without a name, inside a JSON string. */
#define MAP(root, patterns)                                                                \
	"{\\\"version\\\":1,\\\"root\\\":\\\"" root                                        \
	"\\\",\\\"files\\\":[{\\\"dir\\\":\\\"\\\","                                       \
	"\\\"name\\\":\\\"\\\",\\\"patterns\\\":\\\"" patterns "\\\"}]}"

static const struct {
	const char *x, *y, *want;
} merges[] = {
	/* The seed's own defect: the less restrictive one won. */
	{ "{\"type\":\"WORKSPACE_READWRITE\"}",
	    "{\"type\":\"INSECURE_NONE\",\"networkAccess\":true}",
	    "{\"type\":\"WORKSPACE_READWRITE\",\"networkAccess\":false,\"blockGitWrites\":"
	    "false,"
	    "\"disableTmpWrite\":false,\"ignoreMappingJson\":null,\"debugOutputDir\":"
	    "null}" },
	/* And read-only lost every comparison. */
	{ "{\"type\":\"WORKSPACE_READONLY\",\"networkAccess\":true}",
	    "{\"type\":\"WORKSPACE_READWRITE\",\"networkAccess\":true}",
	    "{\"type\":\"WORKSPACE_READONLY\",\"networkAccess\":true,\"blockGitWrites\":"
	    "false,"
	    "\"disableTmpWrite\":false,\"ignoreMappingJson\":null,\"debugOutputDir\":"
	    "null}" },
	{ "{\"additionalReadwritePaths\":[\"/a\",\"/c/d/\",\"/"
	  "e\"],\"blockGitWrites\":true}",
	    "{\"type\":\"INSECURE_NONE\",\"additionalReadwritePaths\":[\"/a/b\",\"/c\",\"/"
	    "ab\"],"
	    "\"additionalReadonlyPaths\":[\"/z\",\"/z/y\"],\"disableTmpWrite\":true}",
	    "{\"type\":\"INSECURE_NONE\",\"networkAccess\":false,"
	    "\"additionalReadwritePaths\":[\"/a/b\",\"/c/d\"],"
	    "\"additionalReadonlyPaths\":[\"/z\"],\"blockGitWrites\":true,"
	    "\"disableTmpWrite\":true,\"ignoreMappingJson\":null,\"debugOutputDir\":"
	    "null}" },
	{ "{\"additionalReadwritePaths\":[]}", "{\"additionalReadwritePaths\":[\"/a\"]}",
	    "{\"type\":\"UNSPECIFIED\",\"networkAccess\":false,"
	    "\"additionalReadwritePaths\":[],\"blockGitWrites\":false,"
	    "\"disableTmpWrite\":false,\"ignoreMappingJson\":null,\"debugOutputDir\":"
	    "null}" },
	{ "{\"networkAllow\":[\"*.B.org\",\"c.org\",\"d.org.:443\",\"[::1]:80\"]}",
	    "{\"networkAllow\":[\"a.b.ORG:443\",\"c.org:80\",\"*.d.org\",\"d.org\",\"[::1]"
	    "\"]}",
	    "{\"type\":\"UNSPECIFIED\",\"networkAccess\":false,"
	    "\"networkAllow\":[\"[::1]:80\",\"a.b.org:443\",\"c.org:80\",\"d.org:443\"],"
	    "\"blockGitWrites\":false,\"disableTmpWrite\":false,\"ignoreMappingJson\":null,"
	    "\"debugOutputDir\":null}" },
	{ "{\"debugOutputDir\":\"/d\",\"ignoreMappingJson\":\"{\\\"/"
	  "w\\\":[\\\"b\\\",\\\"a\\\"]}\"}",
	    "{\"debugOutputDir\":\"/e\",\"ignoreMappingJson\":\"{\\\"/"
	    "w\\\":[\\\"c\\\",\\\"!a\\\"],"
	    "\\\"/v\\\":[\\\"d\\\"],\\\"/u\\\":[]}\"}",
	    "{\"type\":\"UNSPECIFIED\",\"networkAccess\":false,\"blockGitWrites\":false,"
	    "\"disableTmpWrite\":false,\"ignoreMappingJson\":\"[" MAP(
		"/v", "d\\\\n") "," MAP("/w", "a\\\\nb\\\\n") "," MAP("/w",
		"c\\\\n!a\\\\n") "]\",\"debugOutputDir\":null}" },
};

static void
test_H4c_meet(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(merges); i++) {
		struct sandbox_policy x = policy(merges[i].x), y = policy(merges[i].y);
		struct sandbox_policy m = meet(&x, &y), n = meet(&y, &x);

		assert_str(given(&m), str_from_c(merges[i].want));
		assert_str(given(&n), str_from_c(merges[i].want));
	}
}

static void
test_debug_dir_kept_if_equal(void **state)
{
	struct sandbox_policy x = policy("{\"debugOutputDir\":\"/d\"}"),
			      none = policy("{}");
	struct sandbox_policy m = meet(&x, &x);

	(void)state;
	assert_str(m.debug_output_dir, STR("/d"));
	m = meet(&x, &none);
	assert_null(m.debug_output_dir.p);
}

static void
test_host_order(void **state)
{
	static const struct {
		const char *outer, *inner;
		bool want;
	} cases[] = {
		{ "*", "a.org", true },
		{ "*", "*.org", true },
		{ "*", "[::1]", true },
		{ "*.org", "*", false },
		{ "*:443", "a.org", false },
		{ "*:443", "a.org:443", true },
		{ "*.a.org", "a.org", false },
		{ "*.a.org", "b.a.org", true },
		{ "*.a.org", "ba.org", false },
		{ "*.a.org", "bba.org", false },
		{ "*.a.org", "*.b.a.org", true },
		{ "*.b.a.org", "*.a.org", false },
		{ "a.org", "a.org:443", true },
		{ "a.org:443", "a.org", false },
		{ "a.org", "*.a.org", false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(sandbox_host_within(str_from_c(cases[i].outer),
				     str_from_c(cases[i].inner)),
		    cases[i].want);
}

/* ---- addWorkspaceFoldersToPolicy, enrichPolicyWithCursorIgnore: row 3.14 */

/* MUST 3: the seed's copy forgets disableTmpWrite. */
static void
test_addWorkspaceFoldersToPolicy(void **state)
{
	static const struct str folders[] = { STR_INIT("/b"), STR_INIT("/w"),
		STR_INIT("/w") };
	struct sandbox_policy p = policy(ALL), got;
	struct sandbox_list before = p.readwrite;

	(void)state;
	assert_int_equal(sandbox_add_folders(arena, folders, 3, &p, &got), 0);
	assert_int_equal(got.readwrite.n, 3);
	assert_str(got.readwrite.v[0], STR("/b"));
	assert_str(got.readwrite.v[1], STR("/a/\x80"));
	assert_str(got.readwrite.v[2], STR("/w"));
	got.readwrite = before;
	assert_str(given(&got), STR(ALL));

	assert_int_equal(sandbox_add_folders(arena, folders + 1, 1, &p, &got), 0);
	assert_str(given(&got), STR(ALL));
	for (int type = 0; type < 4; type++) {
		p.type = (enum sandbox_type)type;
		assert_int_equal(sandbox_add_folders(arena, folders, 3, &p, &got), 0);
		assert_int_equal(
		    got.readwrite.n, type == SANDBOX_WORKSPACE_READWRITE ? 3 : 2);
	}
}

#define V1 "{\"version\":1,\"root\":"
static const struct {
	const char *text, *why;
} no_mappings[] = {
	{ "3", "an ignore mapping must be an object" },
	{ "{\"ws\":[]}", "a folder of an ignore mapping must be absolute" },
	{ "[{}]", "an ignore mapping has version 1, root and files" },
	{ "[" V1 "3,\"files\":[]}]", "an ignore mapping lacks a string" },
	{ "[" V1 "\"ws\",\"files\":[]}]",
	    "the root of an ignore mapping must be absolute" },
	{ "[" V1 "\"/ws\",\"files\":[3]}]",
	    "a file of an ignore mapping has dir, name and patterns" },
	{ "[" V1 "\"/ws\",\"files\":[{\"dir\":\"\",\"name\":3,\"patterns\":\"\"}]}]",
	    "an ignore mapping lacks a string" },
	{ "{\"/ws\":[3]}", "an ignore pattern must be a string" },
};

static void
test_enrichPolicyWithCursorIgnore(void **state)
{
	struct sandbox_policy p = policy(ALL), got;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(
	    sandbox_add_ignore(arena, STR("{\"/ws\":[\".env\"]}"), &p, &got, &e), 0);
	assert_str(got.ignore_mapping,
	    STR("{\"version\":1,\"root\":\"/ws\",\"files\":[{\"dir\":\"\",\"name\":\"\","
		"\"patterns\":\"*.key\\n.env\\n\"}]}"));
	got.ignore_mapping = p.ignore_mapping;
	assert_str(given(&got), STR(ALL));
	/* The seed warns and continues; here it is refused. */
	assert_int_equal(
	    sandbox_add_ignore(arena, STR("{\"/ws\":"), &p, &got, &e), CORDON_EINVAL);
	assert_non_null(e.why);
	for (size_t i = 0; i < COUNT(no_mappings); i++) {
		e = (struct err){ 0 };
		assert_int_equal(sandbox_add_ignore(
				     arena, str_from_c(no_mappings[i].text), &p, &got, &e),
		    CORDON_EINVAL);
		assert_string_equal(e.why, no_mappings[i].why);
	}
	p.type = SANDBOX_INSECURE_NONE;
	assert_int_equal(sandbox_add_ignore(arena, STR("nonsense"), &p, &got, &e), 0);
	assert_str(got.ignore_mapping, p.ignore_mapping);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gDs_levels),
		cmocka_unit_test(test_json_round_trip),
		cmocka_unit_test(test_Z4f_prints_every_key),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_H4c_meet),
		cmocka_unit_test(test_debug_dir_kept_if_equal),
		cmocka_unit_test(test_host_order),
		cmocka_unit_test(test_addWorkspaceFoldersToPolicy),
		cmocka_unit_test(test_enrichPolicyWithCursorIgnore),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
