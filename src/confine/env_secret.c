/* Recognise secrets in the environment by the names and the values of variables. */
#include "confine/env.h"

/* Parts that match anywhere in the name, at its end, or the whole name.  No pointers: each
 * would be a relocation at every start. */
static const char parts[][18] = { "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE",
	"PASSCODE", "CREDENTIAL", "APIKEY", "API_KEY", "ACCESS_KEY", "PRIVATE_KEY",
	"PRIVATEKEY", "AUTHORIZATION", "BEARER", "WEBHOOK", "CONNECTION_STRING", "__AUTH" };
static const char endings[][8] = { "_KEY", "_PAT", "_PASS", "_PWD", "_AUTH", "_DSN",
	"_CERT", "_JWT", "_CRED", "_CREDS", "_PSK", "_OTP", "_SAS", "COOKIE" };
static const char names[][8] = { "SSHPASS", "JWT", "PASS", "CREDS", "DSN", "AUTH" };
/* Names that only look like one. */
static const char harmless[][24] = { "OLDPWD", "TOKENIZERS_PARALLELISM" };
static const char counts[][18] = { "MAX_TOKENS", "OUTPUT_TOKENS", "THINKING_TOKENS" };

/* Keys of connection strings and queries: "password=x", after a separator. */
static const char keys[][20] = { "PASSWORD=", "PASSWD=", "PWD=", "TOKEN=", "ACCESS_TOKEN=",
	"SECRET=", "API_KEY=", "APIKEY=", "ACCOUNTKEY=", "SHAREDACCESSKEY=" };

#define COUNT_OF(table) (sizeof(table) / sizeof *(table))
/* A longer user name in a URL is a token. */
#define USER_MOST 20

static char
upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

bool
env_holds_at(struct str text, size_t at, struct str part)
{
	if (text.n < part.n || at > text.n - part.n)
		return false;
	for (size_t i = 0; i < part.n; i++)
		if (upper(text.p[at + i]) != part.p[i])
			return false;
	return true;
}

static bool
ends_in(struct str name, struct str end)
{
	return name.n >= end.n && env_holds_at(name, name.n - end.n, end);
}

static bool
is_harmless(struct str name)
{
	for (size_t i = 0; i < COUNT_OF(harmless); i++)
		if (str_is(name, harmless[i]))
			return true;
	for (size_t i = 0; i < COUNT_OF(counts); i++)
		if (ends_in(name, str_from_c(counts[i])))
			return true;
	return false;
}

bool
env_is_secret(struct str name)
{
	for (size_t i = 0; i < COUNT_OF(endings); i++)
		if (ends_in(name, str_from_c(endings[i])))
			return !is_harmless(name);
	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (name.n == strlen(names[i]) && ends_in(name, str_from_c(names[i])))
			return true;
	for (size_t at = 0; at < name.n; at++) {
		char c = upper(name.p[at]);

		for (size_t i = 0; i < COUNT_OF(parts); i++)
			if (parts[i][0] == c &&
			    env_holds_at(name, at, str_from_c(parts[i])))
				return !is_harmless(name);
	}
	return false;
}

/* ---- values */

static bool
is_authority_end(char c)
{
	return c == '/' || c == '?' || c == '#' || c == ' ' || c == '\t' || c == '\n' ||
	       c == '"' || c == '\'' || c == '\\';
}

/* Check what follows "://" up to the end of the host: a user with a password, or a user
 * that is too long to be a name.  A password may contain an at sign. */
static bool
has_password(struct str rest, bool web)
{
	size_t end = 0, at = rest.n, colon = rest.n;

	for (; end < rest.n && !is_authority_end(rest.p[end]); end++) {
		if (rest.p[end] == '@')
			at = end;
		if (rest.p[end] == ':' && colon == rest.n)
			colon = end;
	}
	if (at == rest.n)
		return false;
	return colon < at ? at - colon > 1 : web && at > USER_MOST;
}

static bool
is_key_start(struct str value, size_t at)
{
	char before = at ? value.p[at - 1] : ';';

	return before == ';' || before == '?' || before == '&' || before == ' ';
}

static bool
has_key(struct str value, size_t at)
{
	if (!is_key_start(value, at))
		return false;
	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		struct str key = str_from_c(keys[i]);

		if (env_holds_at(value, at, key) && at + key.n < value.n &&
		    !is_key_start(value, at + key.n + 1))
			return true;
	}
	return false;
}

bool
env_has_secret(struct str value)
{
	static const struct str mark = STR_INIT("://"), pem = STR_INIT("PRIVATE KEY-----");

	for (size_t at = 0; at < value.n; at++) {
		char c = value.p[at];

		if (c == ':' && str_starts(str_skip(value, at), mark) &&
		    has_password(str_skip(value, at + mark.n),
			ends_in(str_cut(value, 0, at), STR("HTTP")) ||
			    ends_in(str_cut(value, 0, at), STR("HTTPS"))))
			return true;
		if (c == 'P' && str_starts(str_skip(value, at), pem))
			return true;
		if (has_key(value, at))
			return true;
	}
	return false;
}
