"""Attempts to do what a confined command must not do.

Each is (name, shell text, what the report must name or None).  The text sees WS, OUT, HOST
(a process outside), B (the helpers), TCP, UDP, ABSTRACT, SHM, POSIX.  An attempt that has
succeeded prints SUCCEEDED or the secret, or changes something that the fixture watches.
"""

# ---- In both types, with the network off and on.

WRITES = [
    ("write-outside", "echo PWN > $OUT/f", "$OUT/f"),
    ("write-dotdot", "echo PWN > ../out/f", "$OUT/f"),
    ("write-new-symlink", "ln -s $OUT/f l.$$; echo PWN > l.$$", None),
    ("write-old-symlink", "echo PWN > outlink", "$OUT/f"),
    ("write-through-dirlink", "echo PWN > outdir/f", "$OUT/f"),
    ("write-proc-cwd", "echo PWN > /proc/self/cwd/../out/f", None),
    ("write-proc-root", "echo PWN > /proc/self/root$OUT/f", "$OUT/f"),
    ("append-outside", "echo PWN >> $OUT/f", "$OUT/f"),
    ("create-outside", "echo PWN > $OUT/new", "$OUT/new"),
    ("mkdir-outside", "mkdir $OUT/newdir", "$OUT/newdir"),
    ("rename-outside", "echo PWN > x.$$; mv x.$$ $OUT/moved", None),
    ("exchange-outside", "echo PWN > x.$$; $B/try_files exchange x.$$ $OUT/f", None),
    ("link-outside-in", "ln $OUT/f hard.$$ && echo PWN > hard.$$", None),
    ("link-inside-out", "ln a.txt $OUT/hard", None),
    ("symlink-outside", "ln -s /etc $OUT/link", "$OUT/link"),
    ("fifo-outside", "mkfifo $OUT/fifo", "$OUT/fifo"),
    ("unlink-outside", "rm -f $OUT/f", "$OUT/f"),
    ("rmdir-outside", "rmdir $OUT/dir", "$OUT/dir"),
    ("truncate-outside", "$B/try_files truncate $OUT/f", "$OUT/f"),
    ("empty-outside", "$B/try_files empty $OUT/f 0", "$OUT/f"),
    ("empty-outside-no-mode", "$B/try_files empty $OUT/f 3", "$OUT/f"),
    ("chmod-outside", "$B/try_files chmod $OUT/f", "$OUT/f"),
    ("fchmodat2-outside", "$B/try_files chmod2 $OUT/f", "$OUT/f"),
    ("fchmod-outside", "$B/try_files fchmod $OUT/f", None),
    ("utimes-outside", "$B/try_files utime $OUT/f", "$OUT/f"),
    ("xattr-outside", "$B/try_files setxattr $OUT/f", "$OUT/f"),
    ("openat2-outside", "$B/try_files openat2 $OUT/f 0", "$OUT/f"),
    ("openat2-resolve", "$B/try_files openat2 $OUT/f 4", None),
    ("reopen-by-descriptor", "$B/try_files reopen $OUT/f", "$OUT/f"),
    ("mmap-shared", "$B/try_files mmap $OUT/f", None),
    ("block-device", "$B/try_files mknod /tmp/disk.$$", None),
    ("by-handle", "$B/try_files handle $OUT/f $OUT", None),
    ("io-uring", "$B/try_files io_uring", None),
    ("home-rc", "echo PWN >> ~/.bashrc", "$HOME/.bashrc"),
    ("home-bin", "mkdir -p ~/.local/bin", "$HOME/.local"),
    ("home-gitconfig", "git config --global core.fsmonitor PWN", None),
    ("etc-preload", "echo PWN > /etc/ld.so.preload && echo SUCCEEDED", "/etc/ld.so.preload"),
    ("etc-profile", "echo PWN > /etc/profile.d/x.sh && echo SUCCEEDED", "/etc/profile.d/x.sh"),
    ("crontab", "echo '* * * * * x' | crontab - && echo SUCCEEDED", None),
    ("move-root", "mv $WS $WS.old && echo SUCCEEDED", None),
    ("host-tmp", "echo PWN > $HOSTTMP && test -e $HOSTTMP.seen && echo SUCCEEDED", None),
]

KERNEL_FILES = [
    ("core-pattern", "cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern && "
     "echo SUCCEEDED", None),
    ("sysrq", "echo h > /proc/sysrq-trigger && echo SUCCEEDED", None),
    ("sys-write", "for f in /sys/kernel/mm/transparent_hugepage/enabled /sys/power/state; do "
     "test -w $f && echo SUCCEEDED; done", None),
    ("raw-disk", "ls /dev/vda /dev/sda /dev/mem /dev/kmsg 2>/dev/null | grep -q . && "
     "echo SUCCEEDED", None),
    ("other-terminals", "for t in /dev/pts/[0-9]*; do echo PWN > $t && echo SUCCEEDED; done",
     None),
    ("oom-of-reaper", "echo -1000 > /proc/1/oom_score_adj && echo SUCCEEDED", None),
]

NAMESPACES = [
    ("unshare-user", "$B/try_kernel unshare 0x10000000", None),
    ("unshare-mount", "$B/try_kernel unshare 0x20000", None),
    ("unshare-tool", "unshare -Ur true && echo SUCCEEDED", None),
    ("clone-user", "$B/try_kernel clone 0x10000000", None),
    ("clone-net", "$B/try_kernel clone 0x40000000", None),
    ("clone3-user", "$B/try_kernel clone3 0x10000000", None),
    ("setns-mount", "$B/try_kernel setns $HOST mnt", None),
    ("setns-user", "$B/try_kernel setns 1 user", None),
    ("mount-tmpfs", "$B/try_kernel mount /tmp", None),
    ("remount-root", "$B/try_kernel remount /", None),
    ("umount-root", "$B/try_kernel umount $WS", None),
    ("umount-proc-sys", "$B/try_kernel umount /proc/sys", None),
    ("chroot", "$B/try_kernel chroot /usr", None),
    ("open-tree", "$B/try_kernel open_tree /", None),
    ("fsopen-proc", "$B/try_kernel fsopen proc", None),
    ("pivot-root", "$B/try_kernel call 155 0 0", None),
]

PRIVILEGES = [
    ("no-new-privileges", "$B/try_kernel privileges", None),
    ("setuid-other", "$B/try_kernel setuid 4242", None),
    ("setuid-program", "su -c 'id -u' </dev/null && echo SUCCEEDED", None),
    ("keyring", "$B/try_kernel key cordon-test", None),
    ("keyctl-user", "$B/try_kernel keyctl", None),
    ("perf", "$B/try_kernel perf", None),
    ("bpf", "$B/try_kernel bpf", None),
    ("userfaultfd", "$B/try_kernel call 323 0", None),
    ("kexec", "$B/try_kernel call 246 0 0", None),
    ("module", "$B/try_kernel call 175 0 0", None),
    ("swapoff", "$B/try_kernel call 168 0", None),
    ("acct", "$B/try_kernel call 163 0", None),
    ("settime", "$B/try_kernel call 164 0 0", None),
    ("hostname", "$B/try_kernel call 170 4194304 0", None),
    ("syslog", "$B/try_kernel call 103 10 0", None),
    ("personality", "$B/try_kernel personality 0x0400000", None),
    ("x32-table", "$B/try_kernel x32", None),
    ("i386-table", "$B/try_kernel int80", None),
    ("tiocsti", "$B/try_kernel sti 0", None),
    ("tiocsti-high-bits", "$B/try_kernel sti 1", None),
]

PROCESSES = [
    ("signal-host", "$B/try_kernel signal $HOST", None),
    ("ptrace-host", "$B/try_kernel ptrace $HOST", None),
    ("memory-host", "$B/try_kernel memory $HOST", None),
    ("environ-host", "cat /proc/$HOST/environ", None),
    ("mem-file-host", "$B/try_kernel proc $HOST mem", None),
    ("cwd-host", "ls /proc/$HOST/cwd/ && echo SUCCEEDED", None),
    ("pidfd-host", "$B/try_kernel pidfd $HOST", None),
    ("ptrace-reaper", "$B/try_kernel ptrace 1", None),
    ("memory-of-reaper", "$B/try_kernel proc 1 mem", None),
    ("environment-secrets", "env; cat /proc/1/environ", None),
]

SOCKETS = [
    ("vsock", "$B/try_net socket 40 1 0", None),
    ("packet", "$B/try_net socket 17 3 0", None),
    ("alg", "$B/try_net socket 38 5 0", None),
    ("raw-icmp", "$B/try_net socket 2 3 1", None),
    ("netlink-audit", "$B/try_net socket 16 3 9", None),
    ("bluetooth", "$B/try_net socket 31 1 3", None),
    ("unix-socket-outside", "$B/try_net unix $OUT/s.sock", "$OUT/s.sock"),
    ("unix-socket-by-link", "ln -s $OUT/s.sock k.$$; $B/try_net unix outdir/s.sock", "$OUT/s.sock"),
    ("unix-socket-in-workspace", "$B/try_net unix $WS/s.sock", "$WS/s.sock"),
    # Bug 210: after a chmod or rename a host's socket counted as made by the run, and connect succeeded.
    ("unix-socket-chmod", "chmod 755 s.sock; $B/try_net unix $WS/s.sock", "$WS/s.sock"),
    ("unix-socket-touch", "touch s.sock; $B/try_net unix $WS/s.sock", "$WS/s.sock"),
    ("unix-socket-rename", "mv s.sock moved.sock; $B/try_net unix moved.sock; mv moved.sock s.sock; "
     "$B/try_net unix $WS/s.sock", "$WS/s.sock"),
    ("unix-socket-linked", "ln s.sock l.$$; $B/try_net unix l.$$; $B/try_net unix s.sock", "$WS/s.sock"),
    ("unix-datagram", "$B/try_net datagram $OUT/d.sock", None),
    ("unix-abstract", "$B/try_net unix @$ABSTRACT", None),
    ("descriptor-from-host", "$B/try_files take_fd $WS/s.sock", "$WS/s.sock"),
    ("docker-socket", "$B/try_net unix /var/run/docker.sock", None),
    ("system-bus", "$B/try_net unix /run/dbus/system_bus_socket", None),
    ("sysv-shm", "$B/try_net shm $SHM", None),
    ("posix-shm", "$B/try_net posix_shm /$POSIX", None),
    ("posix-shm-file", "cat /dev/shm/$POSIX", None),
]

HIDDEN = [
    ("hidden-read", "cat .env", "$WS/.env"),
    ("hidden-deep", "cat sub/.env", "$WS/sub/.env"),
    ("hidden-directory", "cat secrets/key", None),
    ("hidden-list", "ls secrets | grep -q key && echo SUCCEEDED", None),
    ("hidden-old-hard-link", "cat envlink.txt", "$WS/envlink.txt"),
    ("hidden-new-hard-link", "ln .env n.$$ && cat n.$$", None),
    ("hidden-symlink", "ln -s .env m.$$; cat m.$$ .env", None),
    ("hidden-proc-cwd", "cat /proc/self/cwd/.env", None),
    ("hidden-move", "mv .env moved.$$; cat moved.$$", None),
    ("hidden-move-parent", "mv sub sub.$$ && cat sub.$$/.env; mv sub.$$ sub", None),
    ("hidden-umount", "$B/try_kernel umount $WS/.env; cat .env", None),
    ("hidden-replace", "rm -f .env; echo PWN > .env", None),
    ("hidden-chmod", "chmod 644 .env; cat .env", None),
    ("hidden-tar", "tar cf - . 2>/dev/null | grep -a TOPSECRET", None),
]

ALWAYS = WRITES + KERNEL_FILES + NAMESPACES + PRIVILEGES + PROCESSES + SOCKETS + HIDDEN

# With the network off.
OFFLINE = [
    ("tcp-host", "$B/try_net tcp 127.0.0.1 $TCP", None),
    ("udp-host", "$B/try_net udp 127.0.0.1 $UDP", None),
    ("mptcp-host", "$B/try_net tcp 127.0.0.1 $TCP 262", None),
    ("tcp-fast-open", "$B/try_net fast_open 127.0.0.1 $TCP", None),
    ("tcp-outside", "$B/try_net tcp 1.1.1.1 443", None),
    ("metadata", "$B/try_net tcp 169.254.169.254 80", None),
]

# Where the workspace may be written: names that must stay as they are.
PROTECTED = [
    # Bug 040: a command could rename a directory with hidden files; the next run did not hide them.
    ("rename-parent-of-hidden", "mv sub moved.$$", "$WS/sub"),
    ("hook", "echo PWN > .git/hooks/pre-commit", "$WS/.git/hooks/pre-commit"),
    ("hook-by-link", "ln -s .git/hooks h.$$; echo PWN > h.$$/pre-push", None),
    ("hook-tmpfile", "$B/try_files tmpfile .git/hooks/post-merge", None),
    ("hook-rename", "echo PWN > h2.$$; mv h2.$$ .git/hooks/pre-commit", None),
    ("hooks-directory", "mv .git/hooks .git/FETCH_HEAD; mkdir .git/hooks", "$WS/.git/hooks"),
    ("git-config", "echo '#PWN' >> .git/config", "$WS/.git/config"),
    ("git-config-tool", "git config core.fsmonitor PWN", "$WS/.git/config"),
    ("git-config-replace", "cp .git/config c.$$; mv c.$$ .git/config", "$WS/.git/config"),
    ("git-config-unlink", "rm -f .git/config", "$WS/.git/config"),
    ("git-move", "mv .git g.$$ && mkdir .git", "$WS/.git"),
    ("git-config-worktree", "echo PWN > .git/config.worktree; test -e .git/config.worktree && "
     "echo SUCCEEDED", "$WS/.git/config.worktree"),
    ("git-alternates", "echo /x > .git/objects/info/alternates; "
     "test -e .git/objects/info/alternates && echo SUCCEEDED", None),
    ("nested-hook", "echo PWN > vendor/lib/.git/hooks/pre-commit",
     "$WS/vendor/lib/.git/hooks/pre-commit"),
    ("nested-config", "git -C vendor/lib config core.fsmonitor PWN",
     "$WS/vendor/lib/.git/config"),
    ("nested-config-write", "echo '#PWN' >> vendor/lib/.git/config", "$WS/vendor/lib/.git/config"),
    ("vscode", "mkdir -p .vscode; echo PWN > .vscode/tasks.json", "$WS/.vscode"),
    ("vscode-rename", "mkdir v.$$; mv v.$$ .vscode", "$WS/.vscode"),
    ("vscode-exchange", "mkdir v2.$$ v3.$$; $B/try_files exchange v2.$$ .vscode", None),
    ("vscode-symlink", "ln -s v.$$ .vscode", "$WS/.vscode"),
    ("vscode-case", "mkdir .VSCODE", "$WS/.VSCODE"),
    ("vscode-deep", "mkdir sub/.vscode", "$WS/sub/.vscode"),
    ("mcp-json", "echo PWN > .mcp.json", "$WS/.mcp.json"),
    ("mcp-json-link", "echo PWN > t.$$; ln t.$$ .mcp.json", "$WS/.mcp.json"),
    ("mcp-json-tmpfile", "$B/try_files tmpfile .mcp.json", "$WS/.mcp.json"),
    ("mcp-json-by-cwd-link", "echo PWN > /proc/self/cwd/.mcp.json", "$WS/.mcp.json"),
    ("mcp-json-dotdot", "echo PWN > sub/../.mcp.json", "$WS/.mcp.json"),
    ("envrc", "echo PWN > .envrc", "$WS/.envrc"),
    ("agent-settings", "mkdir .claude; echo PWN > .claude/settings.json", "$WS/.claude"),
    ("agent-rules", "mkdir -p .cursor/rules", "$WS/.cursor"),
    ("own-rules", "mkdir .cordon", "$WS/.cordon"),
    ("ignore-file", "echo > .cordonignore", "$WS/.cordonignore"),
    ("ignore-file-delete", "rm -f .cordonignore", "$WS/.cordonignore"),
    ("ignore-file-truncate", "$B/try_files truncate .cordonignore", "$WS/.cordonignore"),
    ("ignore-file-empty", "$B/try_files empty .cordonignore 0", "$WS/.cordonignore"),
    ("ignore-file-empty-no-mode", "$B/try_files empty .cordonignore 3", "$WS/.cordonignore"),
    ("ignore-file-reopen", "$B/try_files reopen .cordonignore", "$WS/.cordonignore"),
    ("shell-rc", "echo PWN > .bashrc", "$WS/.bashrc"),
    ("set-user-id", "cp /bin/true su.$$; chmod 4755 su.$$; test -u su.$$ && echo SUCCEEDED", None),
    ("set-user-id-descriptor", "python3 -c 'import os; f=open(\"sf\",\"w\"); "
     "os.fchmod(f.fileno(),0o4755)'; test -u sf && echo SUCCEEDED", None),
    ("set-user-id-create", "python3 -c 'import os; os.open(\"sc\",os.O_CREAT|os.O_WRONLY,"
     "0o4755)'; test -u sc && echo SUCCEEDED", None),
    ("device-in-workspace", "$B/try_files mknod disk.$$", None),
    ("race-name", "$B/try_race open x1234567 .mcp.json 3000 | grep -v 'won 0 ' | grep won && "
     "echo SUCCEEDED", None),
    ("race-truncate", "$B/try_race truncate $OUT/f .git/config 3000 | grep -v 'won 0 ' | grep won && "
     "echo SUCCEEDED", None),
]

# Execs, with the gate on: a rule forbids `git push`, and the argument "forbidden".
GATE = [
    ("gate-shell", "git push", "push"),
    ("gate-make", "make push", "push"),
    ("gate-env", "env git push", "push"),
    ("gate-python", "python3 -c 'import os; os.execvp(\"/bin/echo\", [\"echo\", \"forbidden\"])'",
     "forbidden"),
    ("gate-spawn", "python3 -c 'import os; os.posix_spawn(\"/bin/echo\", [\"echo\", "
     "\"forbidden\"], {})'", "forbidden"),
    ("gate-fexecve", "python3 -c 'import os; f=os.open(\"/bin/echo\",0); os.execve(f, "
     "[\"echo\",\"forbidden\"], {})'", "forbidden"),
    ("gate-script", "printf '#!/bin/sh\\necho \"$@\"\\n' > s.$$; chmod +x s.$$; ./s.$$ forbidden",
     "forbidden"),
    ("gate-loader", "/lib64/ld-linux-x86-64.so.2 /bin/echo forbidden", "forbidden"),
    ("gate-xargs", "echo forbidden | xargs /bin/echo", "forbidden"),
    ("gate-nohup", "nohup /bin/echo forbidden", "forbidden"),
    ("gate-proc-exe", "python3 -c 'import os; os.execv(\"/proc/self/exe\", [\"python3\", "
     "\"forbidden\"])'", "forbidden"),
    ("gate-race", "$B/try_race exec harmless1 forbidden 300 | grep -v 'won 0 ' | grep won && "
     "echo forbidden", None),
]

# What a person would call them.
CLASSES = {
    "writing outside the workspace": WRITES,
    "/proc, /sys, /dev": KERNEL_FILES,
    "mounts and namespaces": NAMESPACES,
    "privileges, kernel interfaces": PRIVILEGES,
    "other processes": PROCESSES,
    "sockets, shared memory": SOCKETS,
    "the network": OFFLINE,
    "hidden files": HIDDEN,
    "planting code for later": PROTECTED,
}
