"""What must go on working: (name, shell text); exit status 0 is expected, and OK printed.

Run in the workspace, with its own copy of things; READONLY ones also where nothing may be
written but /tmp.
"""

READONLY = [
    ("echo", "echo OK"),
    ("pipe", "printf 'b\\na\\n' | sort | head -1 | grep -q a && echo OK"),
    ("here-document", "cat <<E\nOK\nE"),
    ("here-string", "cat <<<OK"),
    ("process-substitution", "diff <(echo a) <(echo a) && echo OK"),
    ("process-substitution-out", "echo OK > >(cat); wait $!"),
    ("background-job", "(sleep 0.1; true) & wait $! && echo OK"),
    ("job-status", "false & wait $!; test $? = 1 && echo OK"),
    ("private-tmp", "echo OK > /tmp/x && cat /tmp/x"),
    ("mktemp", "f=$(mktemp) && echo OK > $f && cat $f && rm $f"),
    ("var-tmp", "echo OK > /var/tmp/x && cat /var/tmp/x"),
    ("dev-null", "echo x > /dev/null && echo OK"),
    ("dev-stdout", "(echo OK > /dev/stdout) | cat"),
    ("dev-stderr", "(echo OK > /dev/stderr) 2>&1 | cat"),
    ("dev-fd", "echo OK | cat /dev/fd/0"),
    ("dev-urandom", "head -c 4 /dev/urandom | wc -c | grep -q 4 && echo OK"),
    ("dev-shm", "echo OK > /dev/shm/x && cat /dev/shm/x"),
    ("shared-memory", "python3 -c 'from multiprocessing import shared_memory as s; "
     "m=s.SharedMemory(create=True,size=10); m.unlink(); print(\"OK\")'"),
    ("semaphores", "python3 -c 'import multiprocessing as m; l=m.Lock(); l.acquire(); "
     "print(\"OK\")'"),
    ("pool", "python3 -c 'import multiprocessing as m\nwith m.Pool(2) as p: "
     "print(\"OK\" if p.map(abs,[-1,2])==[1,2] else 1)'"),
    ("threads", "python3 -c 'import threading as t; x=t.Thread(target=print,args=(\"OK\",)); "
     "x.start(); x.join()'"),
    ("asyncio", "python3 -c 'import asyncio; asyncio.run(asyncio.sleep(0)); print(\"OK\")'"),
    ("socketpair", "python3 -c 'import socket; socket.socketpair(); print(\"OK\")'"),
    ("unix-socket-in-tmp", "python3 -c 'import socket as s; a=s.socket(s.AF_UNIX); "
     "a.bind(\"/tmp/u\"); a.listen(1); b=s.socket(s.AF_UNIX); b.connect(\"/tmp/u\"); "
     "print(\"OK\")'"),
    ("loopback-server", "python3 -c 'import socket as s; a=s.create_server((\"127.0.0.1\",0)); "
     "b=s.create_connection(a.getsockname(),3); print(\"OK\")'"),
    ("loopback-six", "python3 -c 'import socket as s; a=s.create_server((\"::1\",0),"
     "family=s.AF_INET6); b=s.create_connection(a.getsockname()[:2],3); print(\"OK\")'"),
    ("http-server", "python3 -m http.server 18999 --bind 127.0.0.1 >/dev/null 2>&1 & p=$!; "
     "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.3; python3 -c 'import urllib.request as u; "
     "u.urlopen(\"http://127.0.0.1:18999/\")' 2>/dev/null && echo OK && break; done; kill $p"),
    ("udp-loopback", "python3 -c 'import socket as s; a=s.socket(s.AF_INET,s.SOCK_DGRAM); "
     "a.bind((\"127.0.0.1\",0)); a.sendto(b\"OK\",a.getsockname()); print(a.recv(9).decode())'"),
    ("signals", "trap 'echo OK' USR1; kill -USR1 $$; true"),
    ("kill-child", "sleep 9 & kill $!; wait $!; test $? = 143 && echo OK"),
    ("setsid", "setsid echo OK; sleep 0.2"),
    ("git-status", "git status --short >/dev/null && echo OK"),
    ("git-log", "git log --oneline | grep -q first && echo OK"),
    ("git-diff", "git diff >/dev/null && echo OK"),
    ("git-show", "git show --stat >/dev/null && echo OK"),
    ("find", "find . -name main.c | grep -q main && echo OK"),
    ("ps", "ps aux | grep -q ps && echo OK"),
    ("proc-self", "test -r /proc/self/maps && echo OK"),
    ("meminfo", "grep -q MemTotal /proc/meminfo && echo OK"),
    ("locale", "LC_ALL=C.UTF-8 python3 -c 'print(\"OK\")'"),
    ("time-zone", "TZ=Europe/Berlin date >/dev/null && echo OK"),
    ("user-name", "id -u >/dev/null && echo OK"),
    ("strace", "command -v strace >/dev/null || { echo OK; exit; }; "
     "strace -f -o /tmp/t true && grep -q exit /tmp/t && echo OK"),
    ("gdb", "command -v gdb >/dev/null || { echo OK; exit; }; "
     "gdb -q -batch -ex run -ex quit /bin/true 2>&1 | grep -q 'exited normally' && echo OK"),
    ("memfd", "python3 -c 'import os; f=os.memfd_create(\"x\"); os.write(f,b\"y\"); "
     "print(\"OK\")'"),
    ("timeout-tool", "timeout 5 echo OK"),
    ("xargs", "echo OK | xargs echo"),
    ("pty", "python3 -c 'import pty,os; p,f=pty.fork()\nif p==0: os.execvp(\"echo\",[\"echo\","
     "\"x\"])\nos.read(f,9); print(\"OK\")'"),
    ("script-tty", "command -v script >/dev/null || { echo OK; exit; }; "
     "script -qec 'tty; stty size' /dev/null | grep -q /dev/pts && echo OK"),
    ("node", "command -v node >/dev/null || { echo OK; exit; }; node -e 'console.log(\"OK\")'"),
    ("perl", "perl -e 'print \"OK\\n\"'"),
    ("exit-status", "sh -c 'exit 3'; test $? = 3 && echo OK"),
    ("large-output", "head -c 300000 /dev/zero | wc -c | grep -q 300000 && echo OK"),
    ("environment", "test -n \"$PATH\" && test -n \"$HOME\" && echo OK"),
]

READWRITE = [
    ("create", "echo OK > w1 && cat w1"),
    ("append", "echo O > w2; echo K >> w2; tr -d '\\n' < w2"),
    ("overwrite", "echo no > w3; echo OK > w3; cat w3"),
    ("umask", "umask 027; touch w4; mkdir w4d; test $(stat -c %a w4)$(stat -c %a w4d) = 640750 "
     "&& echo OK"),
    ("mode", "python3 -c 'import os; os.close(os.open(\"w5\",os.O_CREAT|os.O_WRONLY,0o700))'; "
     "test $(stat -c %a w5) = 700 && echo OK"),
    ("owner", "touch w6; test $(stat -c %u w6) = $(id -u) && echo OK"),
    ("exclusive", "set -C; echo a > w7 && ! echo b > w7 2>/dev/null; echo OK"),
    ("mkdir-p", "mkdir -p d1/d2/d3 && rmdir d1/d2/d3 && rm -r d1 && echo OK"),
    ("rename", "echo OK > r1; mv r1 r2 && cat r2"),
    ("rename-over", "echo no > r3; echo OK > r4; mv r4 r3; cat r3"),
    ("rename-directory", "mkdir -p r5/x; mv r5 r6; test -d r6/x && echo OK"),
    ("hard-link", "echo OK > k1; ln k1 k2; cat k2"),
    ("symlink", "ln -s a.txt k3; test -L k3 && echo hi > k4 && ln -sf k4 k5 && echo OK > k5 && "
     "cat k4"),
    ("delete", "touch q; rm q; test ! -e q && echo OK"),
    ("truncate", "echo xxxxx > t1; truncate -s 2 t1; test $(stat -c %s t1) = 2 && echo OK"),
    ("truncate-in-tmp", "echo xxxxx > /tmp/t3; python3 -c 'import os; os.truncate(\"/tmp/t3\",3); "
     "f=os.open(\"/dev/shm/t3\",os.O_CREAT|os.O_RDONLY|os.O_TRUNC)'; test $(stat -c %s /tmp/t3) = 3 && "
     "echo OK"),
    ("truncate-call", "echo xxxxx > t2; python3 -c 'import os; os.truncate(\"t2\",1)'; "
     "test $(stat -c %s t2) = 1 && echo OK"),
    ("fifo", "mkfifo p1; (echo OK > p1 &) ; cat p1"),
    ("chmod", "touch c1; chmod 755 c1; test -x c1 && echo OK"),
    ("touch-time", "touch -d 2001-01-01 c2; test $(stat -c %Y c2) -lt 1000000000 && echo OK"),
    ("xattr", "python3 -c 'import os; open(\"c3\",\"w\"); os.setxattr(\"c3\",\"user.a\",b\"1\"); "
     "print(\"OK\")'"),
    ("tmpfile", "python3 -c 'import os,tempfile; f=tempfile.TemporaryFile(dir=\".\"); "
     "f.write(b\"x\"); print(\"OK\")'"),
    ("mmap-write", "python3 -c 'import mmap; f=open(\"m1\",\"w+b\"); f.truncate(4096); "
     "m=mmap.mmap(f.fileno(),4096); m[0:2]=b\"OK\"; m.flush(); print(open(\"m1\").read(2))'"),
    ("lock", "flock l1 echo OK"),
    ("sed-in-place", "echo no > s1; sed -i s/no/OK/ s1; cat s1"),
    ("tar", "mkdir ta; echo OK > ta/f; tar cf t.tar ta; rm -r ta; tar xf t.tar; cat ta/f"),
    ("cp-recursive", "mkdir -p ca/b; echo OK > ca/b/f; cp -a ca cb; cat cb/b/f"),
    ("file-in-link-from-tmp", "ln -s $PWD /tmp/here; echo OK > /tmp/here/fl; cat fl"),
    ("cd-and-relative", "mkdir -p e/f; cd e/f; echo OK > ../../rel; cat ../../rel"),
    ("unix-socket", "python3 -c 'import socket as s; a=s.socket(s.AF_UNIX); a.bind(\"us\"); "
     "a.listen(1); b=s.socket(s.AF_UNIX); b.connect(\"us\"); print(\"OK\")'; rm us"),
    ("make", "make -s && ./main && echo OK"),
    ("gcc", "echo 'int main(){return 0;}' > g.c; gcc -O2 -g g.c -o g.out && ./g.out && echo OK"),
    ("sanitizer", "echo 'int main(){return 0;}' > g2.c; "
     "gcc -fsanitize=address g2.c -o g2.out && ./g2.out && echo OK"),
    ("cmake", "command -v cmake >/dev/null || { echo OK; exit; }; mkdir cm; "
     "printf 'cmake_minimum_required(VERSION 3.5)\\nproject(x C)\\n"
     "add_executable(x x.c)\\n' > cm/CMakeLists.txt; echo 'int main(){return 0;}' > cm/x.c; "
     "cmake -S cm -B cm/b >/dev/null && cmake --build cm/b >/dev/null && cm/b/x && echo OK"),
    ("npm-offline", "command -v npm >/dev/null || { echo OK; exit; }; mkdir np; cd np; "
     "echo '{\"name\":\"x\",\"version\":\"1.0.0\",\"scripts\":{\"t\":\"echo OK\"}}' > "
     "package.json; npm_config_cache=/tmp/npm npm run -s t"),
    ("git-commit", "echo x > gc; git add gc; git commit -qm second && echo OK"),
    ("git-branch", "git branch b1 && git checkout -q b1 && git checkout -q main && echo OK"),
    ("git-stash", "echo y >> a.txt; git stash -q && git stash pop -q && echo OK"),
    ("git-init-subfolder", "git init -q newrepo && git -C newrepo config user.x y && "
     "git -C newrepo commit -q --allow-empty -m x && echo OK"),
    ("git-clone-local", "git clone -q . cl && test -f cl/main.c && echo OK"),
    ("git-gc", "git gc -q && echo OK"),
    ("git-worktree-add", "git worktree add -q wt2 -b wt2 && git -C wt2 status >/dev/null && "
     "echo OK"),
    ("sqlite", "python3 -c 'import sqlite3; d=sqlite3.connect(\"x.db\"); "
     "d.execute(\"create table t(a)\"); d.commit(); print(\"OK\")'"),
    ("python-venv", "python3 -m venv --without-pip ve && ve/bin/python -c 'print(\"OK\")'"),
    ("many-files", "mkdir mf; i=0; while [ $i -lt 300 ]; do echo x > mf/$i; i=$((i+1)); done; "
     "test $(ls mf | wc -l) = 300 && rm -r mf && echo OK"),
    ("parallel-make", "mkdir pm; cd pm; for i in 1 2 3 4 5 6; do echo \"int f$i;\" > $i.c; done; "
     "printf 'all: 1.o 2.o 3.o 4.o 5.o 6.o\\n' > Makefile; make -s -j4 && ls 6.o >/dev/null && "
     "echo OK"),
    # Bug 215: a trailing slash was dropped: unlink("file/") removed the file.
    ("names-with-a-slash", "python3 -c '"
     "import os,errno as e\nopen(\"sf\",\"w\").close(); os.symlink(\"sf\",\"sl\"); os.mkdir(\"sd\"); "
     "os.symlink(\"sd\",\"sdl\")\ndef no(f,*a):\n try: f(*a)\n except OSError as x: return e.errorcode[x.errno]\n "
     "return \"made\"\nC=os.O_CREAT|os.O_WRONLY\n"
     "got=[no(os.unlink,\"sf/\"),no(os.unlink,\"sl/\"),no(os.open,\"sf/\",os.O_WRONLY),no(os.open,\"sn/\",C),"
     "no(os.open,\"sd/\",C),no(os.rename,\"sf/\",\"sx\"),no(os.rename,\"sf\",\"sx/\"),no(os.rmdir,\"sdl/\"),"
     "no(os.mknod,\"sn/\"),no(os.symlink,\"x\",\"sn/\"),no(os.link,\"sf\",\"sn/\"),no(os.truncate,\"sf/\",0),"
     "no(os.chmod,\"sf/\",0o600),no(os.mkdir,\"sm/\"),no(os.rename,\"sm/\",\"so/\"),no(os.rmdir,\"so/\")]\n"
     "N=\"ENOTDIR\"; E=\"ENOENT\"; M=\"made\"\n"
     "print(\"OK\" if got==[N]*3+[\"EISDIR\"]*2+[N]*3+[E]*3+[N]*2+[M]*3 else got)'; rm -rf sf sl sd sdl"),
    ("no-devices", "mknod dv c 1 3 2>/dev/null && ls -l dv || { mknod dv c 0 0 2>/dev/null && ls -l dv; } || echo OK"),
    ("by-way-of-proc", "mkdir -p pw; cd /proc/self && echo O > cwd/no 2>/dev/null; cd \"$OLDPWD\"; "
     "echo OK > /proc/self/cwd/pw/../pw/./f; cat /proc/$$/cwd/pw/f"),
    ("openat2", "for r in 1 2 4 8 16; do $B/try_files make2 o2.$r $r || exit; done; cat o2.16; ls o2.1 o2.2 o2.4 o2.8 "
     ">/dev/null && $B/try_files make2 o2.1 8 && ! $B/try_files make2 ../o2.9 8 && rm o2.* && echo OK"),
    ("editor-save", "echo a > ed; echo OK > .ed.swp; mv .ed.swp ed; cat ed"),
    ("dot-files", "echo OK > .eslintrc; cat .eslintrc"),
]
