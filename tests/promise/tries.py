"""Attempts that are more than one call on one object: programs, git's keys, races, several runs, names that others run."""
import world

# Keys that make git run code, follow a file or go elsewhere.  The value has the mark.
KEYS = """core.fsmonitor core.hooksPath core.pager core.editor core.sshCommand core.gitProxy core.askPass core.worktree
core.attributesFile core.alternateRefsCommand alias.st include.path includeIf.gitdir:/.path filter.x.clean
filter.x.smudge filter.x.process diff.external diff.x.command diff.x.textconv difftool.x.cmd merge.x.driver
mergetool.x.cmd gpg.program gpg.ssh.program gpg.ssh.defaultKeyCommand interactive.diffFilter
uploadpack.packObjectsHook sequence.editor credential.helper credential.https://x.helper http.proxy http.cookieFile
http.saveCookies http.sslVerify http.https://x.proxy http.sslCAInfo gc.recentObjectsHook url.PWN.insteadOf
url.PWN.pushInsteadOf remote.origin.pushurl remote.origin.proxy remote.origin.vcs remote.origin.uploadpack
remote.origin.receivepack submodule.mod.update pager.log web.browser browser.x.cmd man.x.cmd trailer.x.command
trailer.x.cmd tar.x.command sendemail.smtpserver sendemail.toCmd guitool.x.cmd init.templateDir protocol.ext.allow
lfs.customtransfer.x.path safe.directory core.excludesFile receive.procReceiveRefs instaweb.httpd imap.tunnel
svn-remote.x.url fetch.bundleURI""".split()

LOCK = """
g = a.path
there = open(f"{g}/config", "rb").read()
def lock(text):
    f = os.open(f"{g}/config.lock", os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o644)
    os.write(f, text)
    return f
good = there + b"[user]\\n\\temail = kept@x\\n"
evil = b"[core]\\n\\tfsmonitor = PWN\\n"
def move():
    a.do("rename", os.rename, f"{g}/config.lock", f"{g}/config")
"""
# The new configuration is judged when it takes its place: what still reaches it then must not change it.
LOCKS = {
    "kept-descriptor": "f = lock(good); move(); a.do('write', os.write, f, evil)",
    "kept-duplicate": "f = os.dup(lock(good)); move(); a.do('write', os.pwrite, f, evil, len(good))",
    "kept-mapping": "f = lock(good + b'#' * 60 + b'\\n'); m = mmap.mmap(f, 0); move(); m[len(good):len(good) + len(evil)] = evil; m.flush()",
    "kept-link": "f = lock(good); a.do('link', os.link, f'{g}/config.lock', f'{a.scratch}/x'); move(); a.write(f'{a.scratch}/x', os.O_WRONLY | os.O_APPEND)",
    "kept-path": "f = lock(good); p = os.open(f'{g}/config.lock', os.O_PATH); move(); a.write(f'/proc/self/fd/{p}', os.O_WRONLY | os.O_APPEND)",
    "kept-reopen": "f = lock(good); move(); a.write(f'/proc/self/fd/{f}', os.O_WRONLY | os.O_APPEND)",
    "linked-before": "open(f'{a.scratch}/o', 'wb').write(good); a.do('link', os.link, f'{a.scratch}/o', f'{g}/config.lock'); move(); a.write(f'{a.scratch}/o', os.O_WRONLY | os.O_APPEND)",
    "symlink-as-lock": "open(f'{a.scratch}/o', 'wb').write(good); a.do('symlink', os.symlink, os.path.abspath(f'{a.scratch}/o'), f'{g}/config.lock'); move(); a.write(f'{a.scratch}/o', os.O_WRONLY | os.O_APPEND)",
    "nameless-as-lock": "f = os.open(a.scratch, os.O_TMPFILE | os.O_RDWR, 0o644); os.write(f, good); a.do('linkat', linkat, CWD, f'/proc/self/fd/{f}', f'{g}/config.lock', FOLLOW); move(); a.do('write', os.write, f, evil)",
    "moved-in-lock": "open(f'{a.scratch}/o', 'wb').write(good); f = os.open(f'{a.scratch}/o', os.O_RDWR); a.do('in', os.rename, f'{a.scratch}/o', f'{g}/config.lock'); move(); a.do('write', os.write, f, evil)",
    "exchanged-lock": "f = lock(there + evil); a.do('exchange', renameat2, f'{g}/config.lock', f'{g}/config', EXCHANGE)",
    "child-keeps": "f = lock(good)\nr, w = os.pipe()\nif os.fork() == 0:\n os.read(r, 1); os.write(f, evil); os._exit(0)\nmove(); os.write(w, b'x'); os.wait()",
    "fifo-as-lock": "a.do('mkfifo', os.mkfifo, f'{g}/config.lock'); move()",
    "folder-as-lock": "a.do('mkdir', os.mkdir, f'{g}/config.lock'); move()",
    "changed-during-move": "import threading\nfor i in range(40):\n stop = []\n f = lock(good)\n"
                           " t = threading.Thread(target=lambda: [(os.pwrite(f, there + evil, 0), os.ftruncate(f, len(good)), os.pwrite(f, good, 0)) for _ in iter(lambda: bool(stop), True)])\n"
                           " t.start()\n try:\n  os.rename(f'{g}/config.lock', f'{g}/config')\n except OSError:\n  quiet(os.unlink, f'{g}/config.lock')\n"
                           " stop.append(1); t.join(); os.close(f)\n if b'PWN' in open(f'{g}/config', 'rb').read():\n  break",
}
# The same key in other spellings: whatever git would read must be judged.
SPELLINGS = {
    "one-line": b"[core]fsmonitor=PWN\n", "upper": b"[CORE]\n\tFSMONITOR = PWN\n", "crlf": b"[core]\r\n\tfsmonitor = PWN\r\n",
    "continued": b"[user]\n\tname = a\\\n b\n[core]\n\tfsmonitor = PWN\n", "after-comment": b"# x\n; y\n[core] ; z\n\tfsmonitor = PWN # c\n",
    "quoted": b"[core]\n\tfsmonitor = \"PWN\"\n", "no-newline": b"[core]\n\tfsmonitor = PWN", "tabs": b"[core]\t\n\t\tfsmonitor\t=\tPWN\n",
    "nul": b"[user]\n\tname = a\0\n[core]\n\tfsmonitor = PWN\n", "bom": b"\xef\xbb\xbf[core]\n\tfsmonitor = PWN\n",
    "dotted": b"[include \"x\"]\n[includeIf \"gitdir:/\"]\n\tpath = PWN\n", "comment-quote": b"[user]\n\tname = \"a # b\n[core]\n\tfsmonitor = PWN\n",
    "old-subsection": b"[diff.x]\n\ttextconv = PWN\n", "many": b"[user]\n" + b"\tname = a\n" * 20000 + b"[core]\n\tfsmonitor = PWN\n",
    "long-line": b"[user]\n\tname = " + b"a" * 70000 + b"\n[core]\n\tfsmonitor = PWN\n",
}

# Programs: (name, directory, line).  $S is a directory of the run's own, $W the workspace.
LINES = [
    ("sed-in-place", ".", "sed -i s/x/PWN/ .vscode/tasks.json .git/config .mcp.json"),
    ("cp-over", ".", "echo PWN > $S/f; cp $S/f .vscode/tasks.json; cp --remove-destination $S/f .mcp.json; cp -l $S/f .profile; cp -s $S/f .zshrc"),
    ("install", ".", "echo PWN > $S/f; install -m 755 $S/f .git/hooks/pre-commit; install -D $S/f sub/deep/.claude/settings.json"),
    ("ln-force", ".", "echo PWN > $S/f; ln -f $S/f .envrc; ln -sf $S/f .bashrc; ln -sfn $S .vscode; ln -sfT $S .idea"),
    ("ln-of-descriptor", ".", "exec 3<.git/config; ln -L /proc/self/fd/3 $S/x; echo PWN >> $S/x; rm $S/x"),
    ("ln-of-descriptor-rules", ".", "exec 3<.cordon/rules; ln -L /proc/self/fd/3 $S/x; echo PWN >> $S/x; rm $S/x"),
    ("tar", ".", "mkdir -p $S/t/.vscode $S/t/.git/hooks; echo PWN > $S/t/.vscode/tasks.json; echo PWN > $S/t/.git/hooks/post-merge; tar -C $S/t -cf $S/a.tar .; tar -xf $S/a.tar; tar --overwrite -xf $S/a.tar; tar --unlink-first -xf $S/a.tar; tar --recursive-unlink -xf $S/a.tar"),
    ("unzip", ".", "python3 -c 'import zipfile,sys; z=zipfile.ZipFile(sys.argv[1],\"w\"); z.writestr(\".mcp.json\",\"PWN\"); z.writestr(\".idea/x.xml\",\"PWN\")' $S/a.zip; unzip -qo $S/a.zip"),
    ("patch", ".", "printf -- '--- a/.vscode/tasks.json\\n+++ b/.vscode/tasks.json\\n@@ -1 +1 @@\\n-{}\\n+PWN\\n' > $S/p; patch -p1 < $S/p; git apply $S/p"),
    ("git-init-template", ".", "mkdir -p $S/tpl/hooks $S/tpl/info; echo PWN > $S/tpl/hooks/post-checkout; echo PWN > $S/tpl/config; echo PWN > $S/tpl/commondir; git init --template=$S/tpl; git init -q --template=$S/tpl vendor/lib; git init --bare --template=$S/tpl bare.git"),
    ("git-init-separate", ".", "mkdir -p $S/tpl/hooks; echo PWN > $S/tpl/hooks/post-checkout; git init -q --template=$S/tpl --separate-git-dir=$S/away vendor/lib"),
    ("git-checkout-new-commit", ".", "b=$(echo PWN | git hash-object -w --stdin); GIT_INDEX_FILE=$S/i git read-tree HEAD; GIT_INDEX_FILE=$S/i git update-index --add --cacheinfo 100755,$b,.vscode/tasks.json; c=$(git commit-tree -m x -p HEAD $(GIT_INDEX_FILE=$S/i git write-tree)); git checkout -q $c; git checkout $c -- .vscode/tasks.json; git restore --source=$c .vscode/tasks.json; git checkout -q -f main"),
    ("git-reset-new-commit", ".", "b=$(echo PWN | git hash-object -w --stdin); GIT_INDEX_FILE=$S/i git read-tree HEAD; GIT_INDEX_FILE=$S/i git update-index --add --cacheinfo 100644,$b,.envrc; GIT_INDEX_FILE=$S/i git update-index --add --cacheinfo 100644,$b,sub/deep/.mcp.json; c=$(git commit-tree -m x -p HEAD $(GIT_INDEX_FILE=$S/i git write-tree)); git reset -q --hard $c; git reset -q --hard main"),
    ("git-merge-new-commit", ".", "b=$(echo PWN | git hash-object -w --stdin); GIT_INDEX_FILE=$S/i git read-tree HEAD; GIT_INDEX_FILE=$S/i git update-index --add --cacheinfo 100644,$b,.vscode/launch.json; c=$(git commit-tree -m x -p HEAD $(GIT_INDEX_FILE=$S/i git write-tree)); git merge -q --no-edit $c; git cherry-pick $c; git merge --abort; git reset -q --hard main"),
    ("git-stash-new", ".", "b=$(echo PWN | git hash-object -w --stdin); git update-index --add --cacheinfo 100644,$b,.vscode/launch.json; git checkout-index -f .vscode/launch.json; git stash -q; git stash pop -q; git checkout-index -a -f; git reset -q"),
    ("git-rm", ".", "git rm -qf .vscode/tasks.json .mcp.json .cordonignore; git reset -q"),
    ("git-mv", ".", "git mv .vscode/tasks.json $S/x; git mv -f a.txt .vscode/tasks.json; git mv .vscode v2; git reset -q; git checkout -q a.txt"),
    ("git-clean", ".", "git clean -fdxq -e scratch -e vendor -e bare.git -e sepdir -e sep -e tree"),
    ("git-sparse", ".", "git sparse-checkout set sub; git sparse-checkout disable"),
    ("git-config-file", ".", "git config -f .git/modules/mod/config core.fsmonitor PWN; git config -f bare.git/config core.fsmonitor PWN; git config -f sepdir/config core.pager PWN; git config -f common.gitconfig core.fsmonitor PWN; git config --worktree core.fsmonitor PWN"),
    ("git-config-in-submodule", "mod", "git config core.fsmonitor PWN; git config --add core.hooksPath $S"),
    ("git-config-in-worktree", "tree", "git config core.fsmonitor PWN; git config extensions.worktreeConfig true; git config --worktree core.fsmonitor PWN"),
    ("git-config-in-separate", "sep", "git config core.fsmonitor PWN"),
    ("git-config-in-bare", "bare.git", "git config core.fsmonitor PWN; echo PWN > hooks/post-receive"),
    ("git-config-in-nested", "vendor/lib", "git config core.fsmonitor PWN"),
    ("git-config-rename-section", ".", "git config user.fsmonitor /x; git config --rename-section user core; git config core.fsmonitor && echo PLANTED-KEY"),
    ("git-submodule-url", ".", "git config -f .gitmodules submodule.mod.update '!PWN'; git submodule init; git submodule sync; git checkout -q .gitmodules"),
    ("git-submodule-add-hooks", ".", "git init -q $S/sm; git -C $S/sm commit -q --allow-empty -m x; git submodule add -q --name ../../x $S/sm scratch/sm2; git reset -q; git checkout -q .gitmodules"),
    ("git-worktree-add-over", ".", "git worktree add -f .vscode; git worktree add -f $S/../../.idea; git worktree move tree $S/t2; git worktree repair"),
    ("git-bundle-out", ".", "git bundle create .envrc HEAD; git archive -o .vscode/launch.json HEAD; git format-patch -o .claude -1; git diff --output=.mcp.json HEAD; git fast-export --export-marks=.cordonignore HEAD; git log --output=.bashrc"),
    ("git-alternates", ".", "git clone -q --shared vendor/lib $S/c; echo PWN > .git/objects/info/alternates; git -C vendor/lib repack -adq; GIT_OBJECT_DIRECTORY=.git/hooks git hash-object -w a.txt"),
    ("git-as-git-dir", ".", "GIT_DIR=.vscode git init -q; GIT_DIR=.claude/hooks git init -q; GIT_INDEX_FILE=.envrc git read-tree HEAD; GIT_INDEX_FILE=.git/hooks/post-merge git read-tree HEAD"),
    ("compiler-output", ".", "cc -o .git/hooks/post-merge main.c; cc -o .envrc main.c; cc -MD -MF .mcp.json -c -o $S/o main.c; gcc -save-temps -dumpdir .vscode/ -c -o $S/o main.c"),
    ("redirections", ".", "echo PWN > .envrc; echo PWN >> .git/config; : > .cordonignore; echo PWN >| .mcp.json; exec 4<>.cordon/rules && echo PWN >&4; echo PWN | tee -a .aiderignore sub/.cordonignore; echo PWN | dd of=.claude/settings.json conv=notrunc"),
    ("remove", ".", "rm -f .cordonignore .aiderignore .cursorignore .codeiumignore sub/.cordonignore .cordon/rules .github/hooks/cordon.json .clinerules/hooks/PreToolUse"),
    ("remove-trees", ".", "rm -rf .claude .cordon .github .clinerules .vscode .idea .cursor .codex .gemini .windsurf .opencode .pi"),
    ("move-trees", ".", "for d in .claude .cordon .github .clinerules .vscode .idea .cursor .codex .gemini .windsurf .opencode .pi .husky tools sub; do mv $d $S/; done"),
    ("move-aside-and-copy", ".", "for d in .github .clinerules .opencode .pi tools/hooks tools .git/modules .git/modules/mod .git/worktrees/tree; do mv $d $S/x && cp -a $S/x $d && { find $d -type f -name 'c*' -exec sh -c 'echo PWN > \"$1\"' _ {} \\; ; }; rm -rf $S/x; done"),
    ("rebase-todo", ".", "mkdir -p .git/rebase-merge && printf 'exec touch PWN\\n' > .git/rebase-merge/git-rebase-todo; printf 'x touch PWN\\n' > .git/rebase-merge/git-rebase-todo.backup; echo refs/heads/main > .git/rebase-merge/head-name; git rev-parse HEAD > .git/rebase-merge/onto; cp .git/rebase-merge/onto .git/rebase-merge/orig-head"),
    ("rebase-todo-moved", ".", "mkdir -p $S/rebase-merge; printf 'exec touch PWN\\n' > $S/rebase-merge/git-rebase-todo; mv $S/rebase-merge .git/rebase-merge"),
    ("gitlink-pointer", ".", "echo gitdir: $S > mod/.git; echo gitdir: $S > tree/.git; echo gitdir: $S > sep/.git; echo $S > .git/worktrees/tree/commondir"),
    ("modes", ".", "chmod -x .git/hooks/pre-commit tools/hooks/pre-commit .clinerules/hooks/PreToolUse; chmod 000 .cordonignore .cordon/rules .claude/settings.json; chmod 777 .git .vscode; setfattr -n user.x -v 1 .mcp.json; chattr +a .mcp.json; setfacl -m u:1:rw .mcp.json"),
    ("set-group-id", ".", "cp /bin/true $S/t; chmod 2755 $S/t; chmod 4755 $S/t; test -g $S/t -o -u $S/t && echo PLANTED-MODE; python3 -c 'import os,sys; f=os.open(sys.argv[1],0); os.fchmod(f,0o2755)' $S/t; test -g $S/t && echo PLANTED-FCHMOD; chmod g+s .vscode"),
]

# Several runs: the state of one must hold in the next.  (name, [line of each run])
# git itself works on the list during the run; at its end the exec line is gone.
SEQUENCES = [("rebase-todo-by-git", ["echo 1 >> a.txt; git commit -qam one; echo 2 >> a.txt; git commit -qam two; GIT_SEQUENCE_EDITOR='sh -c \"printf \\\"break\\nexec touch PWN\\n\\\" > $1\" _' git rebase -q -i HEAD~2"])]
for _dir, _file in ((".vscode", "tasks.json"), (".claude", "settings.json"), (".cordon", "rules"), (".github", "hooks/cordon.json"),
                    (".clinerules", "hooks/PreToolUse"), (".git/modules", "mod/config"), (".git/modules/mod", "config"),
                    (".git/worktrees", "tree/commondir"), ("vendor/lib", ".git/config"), ("vendor", "lib/.git/config"),
                    ("vendor/lib/.git", "config"), ("bare.git", "config"), ("sepdir", "config"), ("tools", "hooks/pre-commit"), ("sub", ".mcp.json")):
    _text = "[core]\\n\\tfsmonitor = PWN\\n" if _file.endswith("config") else "PWN\\n"
    SEQUENCES += [
        (f"aside-then-made:{_dir}", [f"mv {_dir} scratch/aside", f"mkdir -p $(dirname {_dir}/{_file}); printf '{_text}' > {_dir}/{_file}"]),
        (f"copy-then-moved:{_dir}", [f"cp -a {_dir} scratch/evil; printf '{_text}' > scratch/evil/{_file} || {{ rm -f scratch/evil/{_file}; printf '{_text}' > scratch/evil/{_file}; }}",
                                     f"mv {_dir} scratch/old; mv -T scratch/evil {_dir}"]),
        (f"packages-then-made:{_dir}", [f"mkdir -p node_modules/x; mv {_dir} node_modules/x/d", "rm -rf node_modules/x/d",
                                        f"mkdir -p $(dirname {_dir}/{_file}); printf '{_text}' > {_dir}/{_file}"]),
        (f"aside-edited-back:{_dir}", [f"mv {_dir} scratch/aside", f"printf '{_text}' > scratch/aside/{_file}", f"mv scratch/aside {_dir}"]),
    ]
SEQUENCES += [
    ("ignore-removed-then-read", ["rm -f .aiderignore .cordonignore; mv .aiderignore scratch/a; mv .cordonignore scratch/b", "cat aider.txt hidden.txt"]),
    ("own-repository-next-run", ["git init -q scratch/own && git -C scratch/own commit -q --allow-empty -m x",
                                 "git -C scratch/own config core.fsmonitor PWN; mkdir -p scratch/own/.git/hooks; echo PWN > scratch/own/.git/hooks/post-merge; "
                                 "grep -rqs PWN scratch/own/.git/config scratch/own/.git/hooks && echo PLANTED-IN-NEXT-RUN"]),
    ("own-settings-moved-next-run", ["mkdir -p scratch/p/.idea scratch/p/.devcontainer; echo PWN > scratch/p/.idea/evil.xml",
                                     "mv scratch/p/.idea .idea2; rm -rf .idea; mv .idea2 .idea; mv -T scratch/p/.idea sub/.idea; cp scratch/p/.idea/evil.xml .idea/"]),
    ("link-kept-next-run", ["ln .git/config scratch/l; exec 3<.git/config; ln -L /proc/self/fd/3 scratch/m; ln -L /proc/self/fd/3 scratch/n.txt",
                            "echo PWN >> scratch/l; echo PWN >> scratch/m; echo PWN >> scratch/n.txt"]),
    ("denied-renamed-then-read", ["mv .env scratch/e; mv sub/deep scratch/deep; mv vault.kdbx scratch/v; mv keys scratch/k; ln .env scratch/hl",
                                  "cat scratch/e scratch/deep/v.kdbx scratch/deep/.env.local scratch/v scratch/k/.ssh/id_rsa scratch/hl"]),
]

# Names that other programs run or obey: refused, or in the report.
LATER = """.devcontainer.json .devcontainer/devcontainer.json .hg/hgrc .zed/settings.json .zed/tasks.json .helix/config.toml
.lvimrc .nvimrc .exrc .vimrc .nvim.lua .mvn/extensions.xml .mvn/jvm.config .mvn/maven.config rust-toolchain.toml
bunfig.toml tools/bazel .bazelrc ansible.cfg .pdbrc .lefthook.yml lefthook.yml .clangd eslint.config.js .eslintrc.js
.prettierrc.js .windsurfrules opencode.jsonc .pre-commit-config.yaml .npmrc .yarnrc.yml .pnpmfile.cjs .babelrc.js
jest.config.js vite.config.js conftest.py sitecustomize.py setup.py noxfile.py tox.ini .gdbinit .lldbinit
.cargo/config.toml build.rs Makefile CMakePresets.json .tool-versions .mise.toml .envrc.local .direnvrc .zshenv
.inputrc .screenrc .tmux.conf .sqliterc .psqlrc .irbrc .pryrc .Rprofile .gitmodules .gitattributes
.jj/repo/config.toml .dir-locals.el .fleet/run.json .run/x.run.xml .project .classpath .settings/x.prefs .gitpod.yml
.github/workflows/x.yml .gitlab-ci.yml .travis.yml Jenkinsfile justfile Taskfile.yml Rakefile Vagrantfile
docker-compose.yml Dockerfile .dockerignore compose.override.yaml gradle.properties gradlew mvnw build.gradle
settings.gradle .sbtopts package.json deno.json tsconfig.json webpack.config.js postcss.config.js .rspec .rubocop.yml
Gemfile .bundle/config pyproject.toml .pylintrc mypy.ini flake.nix shell.nix default.nix .terraformrc main.tf
.aider.conf.yml AGENTS.md CLAUDE.md GEMINI.md .factory/mcp.json""".split()

# Calls for the races, and names that each is tried on: (call, a name that is free, the protected one).
RACES = [(call, "scratch/free", target) for call, target in (
    ("open", ".vscode/tasks.json"), ("open", "sub/.envrc"), ("openat2", ".mcp.json"), ("openat2", ".git/hooks/post-merge"), ("truncate", ".cordonignore"),
    ("unlink", ".aiderignore"), ("unlink", ".claude/settings.json"), ("chmod", ".cordon/rules"), ("setxattr", ".mcp.json"),
    ("rename", ".git/config"), ("rename", ".envrc"), ("rename-away", ".vscode/tasks.json"), ("link", ".git/config"), ("link", ".cordonignore"),
    ("mkdir", "sub/.cordon"), ("symlink", ".profile"), ("mkfifo", ".zshrc"), ("bind", ".bash_profile"))]
EXCHANGES = [("open", ".vscode", "tasks.json"), ("open", ".git", "config"), ("openat2", ".git/hooks", "post-merge"), ("unlink", ".claude", "settings.json"),
             ("chmod", ".cordon", "rules"), ("rename", ".vscode", "tasks.json"), ("link", ".git", "config"), ("truncate", ".claude", "settings.json"),
             ("mkdir", "sub", ".idea"), ("symlink", ".git/objects/info", "alternates")]
READ_RACES = [("read", "a.txt", name) for name in (".env", "sub/.env", "vault.kdbx", "keys/.ssh/id_rsa", "secrets/key", "hidden.txt")]


def key_text(key):
    """The lines of a configuration file that set this key."""
    section, _, last = key.rpartition(".")
    head, _, sub = section.partition(".")
    return f'[{head} "{sub}"]\n\t{last} = PWN\n' if sub else f"[{head}]\n\t{last} = PWN\n"


def git_rows():
    """Every key in every git directory, by a new file that is renamed over the old one; and what is kept of it."""
    rows = []
    places = [d for p, d in world.GIT_DIRS.items() if p != "worktree"]
    for n, key in enumerate(KEYS):
        for folder in (places[0], places[1 + n % 4]):
            rows.append({"id": f"key {key}:{folder}", "kind": "other", "way": "python", "path": folder, "text": LOCK +
                         f"lock(there + {key_text(key).encode()!r}); move(); quiet(os.unlink, g + '/config.lock')"})
    for n, (name, text) in enumerate(SPELLINGS.items()):
        for folder in (places[n % 5], places[(n + 2) % 5]):
            rows.append({"id": f"spelling {name}:{folder}", "kind": "other", "way": "python", "path": folder, "text": LOCK +
                         f"lock(there + {text!r}); move(); quiet(os.unlink, g + '/config.lock')"})
    for name, code in LOCKS.items():
        for folder in places:
            rows.append({"id": f"{name}:{folder}", "kind": "other", "way": "python", "path": folder, "text": LOCK + code +
                         "\nquiet(os.unlink, g + '/config.lock')", "mark": True})
    return rows


def line_rows():
    return [{"id": name, "kind": "other", "way": "shell", "path": folder, "text": line, "config": name.startswith("git-"),
             "fresh": name.startswith("rebase")}
            for name, folder, line in LINES]


def race_rows(tool, ms):
    rows = [{"id": f"swap {call}:{target}", "kind": "other", "way": "shell", "path": ".", "text":
             f"echo > {free}; {tool} swap {call} {free} {target} {ms}"} for call, free, target in RACES]
    for call, folder, base in EXCHANGES:
        rows.append({"id": f"exchange {call}:{folder}/{base}", "kind": "other", "way": "shell", "path": ".", "text":
                     f"mkdir -p $S/a; echo > $S/a/{base}; ln -s $PWD/{folder} $S/b; {tool} exchange {call} $S/a $S/b {base} {ms}"})
    return rows


def read_race_rows(tool, ms):
    rows = [{"id": f"swap read:{target}", "kind": "other", "way": "shell", "path": ".", "text":
             f"{tool} swap read {free} {target} {ms}"} for _, free, target in READ_RACES]
    for folder, base in ((".", ".env"), ("sub/deep", "v.kdbx"), ("secrets", "key")):
        rows.append({"id": f"exchange read:{folder}/{base}", "kind": "other", "way": "shell", "path": ".", "text":
                     f"mkdir -p $S/a; echo > $S/a/{base}; ln -s $PWD/{folder} $S/b; {tool} exchange read $S/a $S/b {base} {ms}"})
    return rows
