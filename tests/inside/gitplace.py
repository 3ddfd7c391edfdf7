"""A place with all kinds of repositories: for tests of git in the sandbox."""

# Times are fixed: equal work gives equal names of commits.
HEAD = """
export GIT_AUTHOR_DATE='2026-01-02T03:04:05Z' GIT_COMMITTER_DATE='2026-01-02T03:04:05Z' GIT_EDITOR=: GIT_PAGER=cat
export HOME=/nonexistent
f() { git -c protocol.file.allow=always "$@"; }
commit() { echo "$2" > "$1"; git add "$1"; git commit -qm "$2"; }
"""

SETUP = HEAD + """
set -e
git init -q -b main .
git config user.name u; git config user.email u@x; git config gc.auto 0
git config core.pager less
printf '%s\\n' far.git lib.git /wt /vendor /sep /sepgit > .gitignore
git init -q -b main --bare lib.git
git clone -q lib.git lib 2>/dev/null; (cd lib; git config user.name u; git config user.email u@x; git checkout -q -b main; commit x 1; git push -q origin main); rm -rf lib
git -C lib.git symbolic-ref HEAD refs/heads/main
printf '#!/bin/sh\\ntrue\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
f submodule --quiet add "$PWD/lib.git" sm; git commit -qm sm
for i in 1 2 3 4; do echo "line $i" >> a; mkdir -p dir; echo $i > dir/f$i; git add .; git commit -qm c$i; done
git tag v1
git checkout -q -b side HEAD~2; sed -i 's/line 2/side 2/' a; git commit -qam side
git checkout -q -b topic main~1; commit t1 t1; commit t2 t2
git checkout -q -b other main~1; commit o o
git checkout -q main; f submodule --quiet update
sed -i 's/line 2/main 2/' a; git commit -qam main2
git clone -q --bare . far.git; git remote add origin "$PWD/far.git"; git fetch -q; git branch -q -u origin/main
git worktree add -q wt -b wtb
git init -q -b main vendor/n; cd vendor/n; git config user.name u; git config user.email u@x; commit n n; cd ../..
git init -q -b main --separate-git-dir=sepgit sep; cd sep; git config user.name u; git config user.email u@x; commit s s; cd ..
rm -f .git/gc.pid
"""
