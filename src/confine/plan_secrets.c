/*
 * Credentials are hidden while there is a network to send them to: what the built-in rules
 * call so (policy/builtin.rules), as an unreadable inode on each that exists.
 *
 * What a person opened by its own path, or works in, is not hidden.
 */
#define _GNU_SOURCE
#include "base/path.h"
#include "confine/fd.h"
#include "confine/plan.h"
#include <dirent.h>
#include <errno.h>

/* Texts behind each other, so that nothing is relocated at start.  A star in the last name
 * is any text. */
#define E(text) text "\0"
static const char in_home[] =
    /* keys */
    E(".ssh/id_*") E(".ssh/identity") E(".ssh/*.pem") E(".ssh/*.key") E(".ssh/*.ppk")
	E(".ssh/*_rsa") E(".ssh/*_ed25519") E(".ssh/*_ecdsa") E(".ssh/*_dsa")
	    E(".gnupg/private-keys-v1.d") E(".gnupg/openpgp-revocs.d")
		E(".gnupg/secring.gpg") E(".config/age") E(".config/sops/age") E(".age")
		    E(".minisign") E(".step/secrets") E(".signify")
    /* clouds */
    E(".aws/credentials") E(".aws/sso/cache") E(".aws/cli/cache") E(".aws/config")
	E(".config/gcloud") E(".azure") E(".oci") E(".aliyun") E(".bluemix")
	    E(".config/doctl") E(".config/hcloud") E(".config/scw") E(".config/linode-cli")
		E(".config/exoscale") E(".config/openstack") E(".config/rclone")
		    E(".config/s3cmd") E(".s3cfg") E(".boto") E(".passwd-s3fs")
			E(".terraform.d/credentials.tfrc.json") E(".terraformrc") E(
			    ".pulumi/credentials.json") E(".vault-token") E(".chef")
			    E(".ansible/vault_pass") E(".config/flyctl") E(".config/heroku")
				E(".config/vercel") E(".config/netlify")
				    E(".config/railway") E(".config/supabase")
					E(".config/wrangler") E(".config/.wrangler")
					    E(".fly") E(".vercel") E(".netlify")
						E(".wrangler") E(".databrickscfg")
						    E(".snowsql") E(".snowflake")
							E(".kaggle") E(".config/ngrok")
							    E(".ngrok2") E(".cloudflared")
    /* containers and clusters */
    E(".docker/config.json") E(".docker/contexts") E(".docker/.token_seed")
	E(".config/containers/auth.json") E(".kube")
    /* forges and package registries */
    E(".netrc") E(".git-credentials") E(".npmrc") E(".yarnrc") E(".yarnrc.yml") E(".pypirc")
	E(".gem/credentials") E(".bundle/config") E(".config/gh/hosts.yml")
	    E(".config/glab-cli") E(".config/hub") E(".config/git/credentials")
		E(".config/pip/pip.conf") E(".config/pypoetry/auth.toml")
		    E(".config/composer/auth.json") E(".cargo/credentials")
			E(".cargo/credentials.toml") E(".composer/auth.json")
			    E(".m2/settings.xml") E(".m2/settings-security.xml") E(
				".gradle/gradle.properties") E(".nuget/NuGet/NuGet.Config")
				E(".conda/tokens") E(".hex/hex.config") E(".cabal/config")
				    E(".pip/pip.conf") E(".ivy2/.credentials")
					E(".sbt/.credentials") E(".cache/huggingface/token")
					    E(".huggingface/token")
    /* agents */
    E(".claude/.credentials.json") E(".codex/auth.json") E(".gemini/oauth_creds.json")
	E(".gemini/google_accounts.json") E(".config/github-copilot")
	    E(".config/cursor/auth.json") E(".config/openai") E(".config/anthropic")
		E(".config/io.datasette.llm") E(".config/goose/secrets.yaml")
		    E(".local/share/opencode/auth.json") E(".pi/agent/auth.json")
			E(".copilot") E(".qwen/oauth_creds.json") E(".config/amp")
    /* data bases, mail, chats */
    E(".pgpass") E(".my.cnf") E(".mylogin.cnf") E(".mongorc.js") E(".dbshell")
	E(".rediscli_auth") E(".cassandra/credentials") E(".msmtprc") E(".fetchmailrc")
	    E(".mbsyncrc") E(".muttrc") E(".mutt") E(".authinfo") E(".authinfo.gpg")
		E(".fetchmail.netrc") E(".davfs2/secrets") E(".vnc/passwd")
		    E(".smbcredentials") E(".config/remmina") E(".local/share/remmina")
			E(".purple") E(".irssi") E(".weechat")
    /* password stores, wallets, key rings */
    E(".password-store") E(".local/share/keyrings") E(".local/share/kwalletd")
	E(".local/share/pass") E(".local/share/gopass") E(".kde/share/apps/kwallet")
	    E(".config/Bitwarden") E(".config/Bitwarden CLI") E(".config/1Password")
		E(".config/op") E(".config/keepassxc") E(".config/KeePass")
		    E(".config/lastpass") E(".config/Authy Desktop") E(".lastpass")
			E(".bitcoin") E(".ethereum") E(".electrum") E(".monero")
			    E(".config/solana") E(".config/Exodus") E(".config/Ledger")
    /* browsers */
    E(".mozilla") E(".thunderbird") E(".zen") E(".librewolf") E(".waterfox")
	E("snap/firefox") E(".var/app/org.mozilla.firefox") E(".config/google-chrome")
	    E(".config/google-chrome-beta") E(".config/google-chrome-unstable")
		E(".config/chromium") E(".config/BraveSoftware") E(".config/vivaldi")
		    E(".config/opera") E(".config/microsoft-edge")
			E(".config/microsoft-edge-dev") E(".config/yandex-browser")
			    E("snap/chromium") E("snap/brave")
    /* cordon's own records hold commands */
    E(".local/state/cordon");

static const char in_system[] = E("etc/shadow") E("etc/shadow-") E("etc/gshadow")
    E("etc/gshadow-") E("etc/sudoers") E("etc/sudoers.d") E("etc/security/opasswd")
	E("etc/krb5.keytab") E("etc/ppp/chap-secrets") E("etc/ssh/ssh_host_*_key")
	    E("etc/ssl/private") E("etc/pki/private") E("etc/letsencrypt/archive")
		E("etc/letsencrypt/live") E("etc/letsencrypt/keys")
		    E("etc/letsencrypt/accounts") E("etc/NetworkManager/system-connections")
			E("etc/wpa_supplicant") E("etc/wireguard") E("etc/openvpn")
			    E("etc/ipsec.secrets") E("etc/kubernetes") E("etc/rancher")
				E("var/lib/sss/secrets") E("var/lib/docker/containers")
				    E("var/lib/kubelet/pki") E("var/lib/rancher");

static bool
is_in(struct str outer, const struct sandbox_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (path_is_within(outer, list->v[i]))
			return true;
	return false;
}

/* Somebody works in it, or has named it. */
static bool
is_wanted(const struct planning *p, struct str path)
{
	const struct plan_input *in = p->in;

	for (size_t i = 0; i < in->roots_n; i++)
		if (path_is_within(path, in->roots[i]))
			return true;
	return path_is_within(path, in->cwd) || is_in(path, &in->policy->readwrite) ||
	       is_in(path, &in->policy->readonly);
}

/* It is not there, or closed to the command as well. */
static bool
is_out_of_reach(int error)
{
	return error == ENOENT || error == ENOTDIR || error == EACCES ||
	       error == ENAMETOOLONG;
}

/* False only when it is there and cannot be hidden. */
static bool
hide(struct planning *p, struct str path)
{
	struct str real;
	int error = 0;

	if (is_wanted(p, path) || plan_add(p, PLAN_HIDDEN, path, &error))
		return true;
	if (error != ELOOP)
		return is_out_of_reach(error);
	/* Through a link it is the same secret. */
	real = plan_real(p->a, path);
	return !real.p || is_wanted(p, real) || plan_add(p, PLAN_HIDDEN, real, &error) ||
	       is_out_of_reach(error);
}

static bool
hide_matches(struct planning *p, struct str folder, struct str name)
{
	size_t star = str_find(name, '*');
	struct str before = str_cut(name, 0, star), behind = str_skip(name, star + 1), path;
	const char *c = path_c(p->a, folder);
	DIR *d = c ? opendir(c) : NULL;
	const struct dirent *e;
	bool fine = d || (c && is_out_of_reach(errno));

	while (d && fine && (e = readdir(d))) {
		struct str entry = str_from_c(e->d_name);

		if (entry.n < before.n + behind.n || !str_starts(entry, before) ||
		    !str_ends(entry, behind) || str_ends(entry, STR(".pub")))
			continue;
		fine = path_join(p->a, folder, entry, &path, NULL) == 0 && hide(p, path);
	}
	if (d)
		(void)closedir(d);
	return fine;
}

static bool
hide_all(struct planning *p, struct str top, const char *list)
{
	for (size_t n; (n = strlen(list)) > 0; list += n + 1) {
		struct str entry = str_of(list, n), path;
		size_t slash = str_rfind(entry, '/');
		bool fine;

		if (path_join(p->a, top, entry, &path, NULL))
			return false;
		if (str_find(entry, '*') == entry.n)
			fine = hide(p, path);
		else
			fine = hide_matches(p, str_cut(path, 0, path.n - n + slash),
			    str_skip(entry, slash + 1));
		if (!fine)
			return false;
	}
	return true;
}

int
plan_add_secrets(struct planning *p)
{
	struct str home = p->in->home.p ? plan_real(p->a, p->in->home) : p->in->home;
	size_t before = p->n;

	if (!hide_all(p, STR("/"), in_system) ||
	    (home.p && !str_is(home, "/") && !hide_all(p, home, in_home)))
		return plan_refuse(
		    p, FIELD_NETWORK, "credentials cannot be hidden", STR(""));
	/* Who reaches for one is told of. */
	if (p->n > before)
		p->plan->watch_reads = true;
	return 0;
}
