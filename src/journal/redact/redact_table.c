/*
 * Arrays, not pointers: relocating them at each start would cost more than most rows are
 * worth.
 */
#include "journal/redact/redact_table.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define WORD(text)                                                                         \
	{                                                                                  \
		sizeof(text) - 1, text                                                     \
	}

/* Sorted by first byte. */
const struct token_rule token_rules[] = {
	{ WORD("AGE-SECRET-KEY-1"), TOKEN_UPPER, 40, false, false },
	{ WORD("AIza"), TOKEN_URL, 35, false, false },
	{ WORD("AKIA"), TOKEN_UPPER, 16, false, false },
	{ WORD("ASIA"), TOKEN_UPPER, 16, false, false },
	{ WORD("ATATT3"), TOKEN_URL, 40, false, false },
	{ WORD("PMAK-"), TOKEN_URL, 30, true, false },
	{ WORD("SG."), TOKEN_DOTS, 40, true, false },
	{ WORD("dckr_pat_"), TOKEN_URL, 16, false, false },
	{ WORD("dop_v1_"), TOKEN_ALNUM, 32, false, false },
	{ WORD("eyJ"), TOKEN_DOTS, 20, false, true },
	{ WORD("figd_"), TOKEN_URL, 30, false, false },
	{ WORD("gho_"), TOKEN_ALNUM, 20, false, false },
	{ WORD("ghp_"), TOKEN_ALNUM, 20, false, false },
	{ WORD("ghr_"), TOKEN_ALNUM, 20, false, false },
	{ WORD("ghs_"), TOKEN_ALNUM, 20, false, false },
	{ WORD("ghu_"), TOKEN_ALNUM, 20, false, false },
	{ WORD("github_pat_"), TOKEN_WORD, 20, false, false },
	{ WORD("gldt-"), TOKEN_URL, 16, false, false },
	{ WORD("glpat-"), TOKEN_URL, 16, false, false },
	{ WORD("glptt-"), TOKEN_URL, 16, false, false },
	{ WORD("glrt-"), TOKEN_URL, 16, false, false },
	{ WORD("glsa_"), TOKEN_WORD, 32, false, false },
	{ WORD("gsk_"), TOKEN_ALNUM, 32, false, false },
	{ WORD("hf_"), TOKEN_ALNUM, 30, false, false },
	{ WORD("hvs."), TOKEN_URL, 20, false, false },
	{ WORD("lin_api_"), TOKEN_ALNUM, 30, false, false },
	{ WORD("npm_"), TOKEN_ALNUM, 30, false, false },
	{ WORD("nvapi-"), TOKEN_URL, 40, false, false },
	{ WORD("pypi-AgE"), TOKEN_URL, 40, false, false },
	{ WORD("r8_"), TOKEN_ALNUM, 30, false, false },
	{ WORD("rk_live_"), TOKEN_ALNUM, 10, false, false },
	{ WORD("sbp_"), TOKEN_ALNUM, 40, false, false },
	{ WORD("shpat_"), TOKEN_ALNUM, 32, false, false },
	{ WORD("sk-"), TOKEN_URL, 20, true, false },
	{ WORD("sk_live_"), TOKEN_ALNUM, 10, false, false },
	{ WORD("sk_test_"), TOKEN_ALNUM, 10, false, false },
	{ WORD("tskey-"), TOKEN_URL, 16, true, false },
	{ WORD("whsec_"), TOKEN_ALNUM, 20, false, false },
	{ WORD("xai-"), TOKEN_ALNUM, 40, false, false },
	{ WORD("xapp-"), TOKEN_URL, 16, true, false },
	{ WORD("xoxa-"), TOKEN_URL, 10, true, false },
	{ WORD("xoxb-"), TOKEN_URL, 10, true, false },
	{ WORD("xoxe-"), TOKEN_URL, 10, true, false },
	{ WORD("xoxo-"), TOKEN_URL, 10, true, false },
	{ WORD("xoxp-"), TOKEN_URL, 10, true, false },
	{ WORD("xoxr-"), TOKEN_URL, 10, true, false },
	{ WORD("xoxs-"), TOKEN_URL, 10, true, false },
	{ WORD("ya29."), TOKEN_URL, 20, false, false },
};
const size_t token_rules_n = COUNT(token_rules);
_Static_assert(COUNT(token_rules) <= TOKEN_RULES, "TOKEN_RULES is too small");

/* Index of the first row for each first byte, plus one; a test compares it with the
 * table. */
const uint8_t token_first[128] = {
	['A'] = 1,
	['P'] = 6,
	['S'] = 7,
	['d'] = 8,
	['e'] = 10,
	['f'] = 11,
	['g'] = 12,
	['h'] = 24,
	['l'] = 26,
	['n'] = 27,
	['p'] = 29,
	['r'] = 30,
	['s'] = 32,
	['t'] = 37,
	['w'] = 38,
	['x'] = 39,
	['y'] = 48,
};

const struct redact_word secret_endings[] = {
	WORD("accesskey"),
	WORD("apikey"),
	WORD("authkey"),
	WORD("bearer"),
	WORD("credential"),
	WORD("credentials"),
	WORD("encryptionkey"),
	WORD("keypass"),
	WORD("masterkey"),
	WORD("passphrase"),
	WORD("passwd"),
	WORD("password"),
	WORD("privatekey"),
	WORD("secret"),
	WORD("secretkey"),
	WORD("secretkeybase"),
	WORD("signingkey"),
	WORD("storepass"),
	WORD("token"),
};
const size_t secret_endings_n = COUNT(secret_endings);

const struct redact_word secret_words[] = {
	WORD("pass"),
	WORD("pwd"),
	WORD("pw"),
};
const size_t secret_words_n = COUNT(secret_words);

const struct redact_word harmless_names[] = {
	WORD("bostoken"),
	WORD("continuationtoken"),
	WORD("endtoken"),
	WORD("eostoken"),
	WORD("maxtoken"),
	WORD("nexttoken"),
	WORD("nextpagetoken"),
	WORD("oldpwd"),
	WORD("padtoken"),
	WORD("pagetoken"),
	WORD("pertoken"),
	WORD("pwd"),
	WORD("startingtoken"),
	WORD("stoptoken"),
	WORD("unktoken"),
};
const size_t harmless_names_n = COUNT(harmless_names);

const struct redact_word header_endings[] = {
	WORD("authorization"),
	WORD("cookie"),
};
const size_t header_endings_n = COUNT(header_endings);

const struct redact_word harmless_values[] = {
	WORD("true"),
	WORD("false"),
	WORD("null"),
	WORD("none"),
	WORD("None"),
	WORD("nil"),
	WORD("undefined"),
};
const size_t harmless_values_n = COUNT(harmless_values);

const struct redact_word harmless_prefixes[] = {
	WORD("no-"),
	WORD("with-"),
	WORD("without-"),
	WORD("show-"),
	WORD("print-"),
	WORD("ask-"),
	WORD("prompt-"),
	WORD("use-"),
};
const size_t harmless_prefixes_n = COUNT(harmless_prefixes);

#define ROW(program, flag, form)                                                           \
	{                                                                                  \
		WORD(program), WORD(flag), form                                            \
	}

/* Sorted by program, rows for any program last.  Options with a telling name (--password,
 * -storepass ...) need no row. */
const struct flag_rule flag_rules[] = {
	ROW("7z", "-p", FLAG_ATTACHED),
	ROW("7za", "-p", FLAG_ATTACHED),
	ROW("curl", "-U", FLAG_COLON),
	ROW("curl", "-b", FLAG_PAIR),
	ROW("curl", "--cookie", FLAG_PAIR),
	ROW("curl", "--proxy-user", FLAG_COLON),
	ROW("curl", "-u", FLAG_COLON),
	ROW("curl", "--user", FLAG_COLON),
	ROW("gh", "--body", FLAG_VALUE),
	ROW("gh", "-b", FLAG_VALUE),
	ROW("http", "-a", FLAG_COLON),
	ROW("http", "--auth", FLAG_COLON),
	ROW("https", "-a", FLAG_COLON),
	ROW("https", "--auth", FLAG_COLON),
	ROW("kubectl", "--from-literal", FLAG_PAIR),
	ROW("ldapmodify", "-w", FLAG_VALUE),
	ROW("ldapsearch", "-w", FLAG_VALUE),
	/* docker login, podman login, az login ... */
	ROW("login", "-p", FLAG_VALUE),
	ROW("mariadb", "-p", FLAG_ATTACHED),
	ROW("mongo", "-p", FLAG_VALUE),
	ROW("mongodump", "-p", FLAG_VALUE),
	ROW("mongosh", "-p", FLAG_VALUE),
	ROW("mysql", "-p", FLAG_ATTACHED),
	ROW("mysqladmin", "-p", FLAG_ATTACHED),
	ROW("mysqldump", "-p", FLAG_ATTACHED),
	ROW("openssl", "-k", FLAG_VALUE),
	ROW("openssl", "-pass", FLAG_PASS),
	ROW("openssl", "-passin", FLAG_PASS),
	ROW("openssl", "-passout", FLAG_PASS),
	ROW("redis-cli", "-a", FLAG_VALUE),
	ROW("sqlcmd", "-P", FLAG_VALUE),
	ROW("smbclient", "-U", FLAG_PERCENT),
	ROW("sshpass", "-p", FLAG_VALUE),
	ROW("unzip", "-P", FLAG_VALUE),
	ROW("wget", "--user", FLAG_COLON),
	ROW("zip", "-P", FLAG_VALUE),
	ROW("", "-a", FLAG_VALUE),
	ROW("", "-k", FLAG_VALUE),
	ROW("", "-P", FLAG_VALUE),
	ROW("", "-p", FLAG_VALUE),
	ROW("", "-s", FLAG_VALUE),
	ROW("", "-t", FLAG_VALUE),
	ROW("", "-u", FLAG_COLON),
	ROW("", "-w", FLAG_VALUE),
	ROW("", "--auth", FLAG_VALUE),
	ROW("", "--key", FLAG_VALUE),
	ROW("", "--user", FLAG_COLON),
};
const size_t flag_rules_n = COUNT(flag_rules);
/* One bit per row, and one for `config`. */
_Static_assert(COUNT(flag_rules) < 64, "more rows than bits");

const uint8_t program_first[128] = {
	['7'] = 1,
	['c'] = 3,
	['g'] = 9,
	['h'] = 11,
	['k'] = 15,
	['l'] = 16,
	['m'] = 19,
	['o'] = 26,
	['r'] = 30,
	['s'] = 31,
	['u'] = 34,
	['w'] = 35,
	['z'] = 36,
};
