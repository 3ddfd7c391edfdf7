"""Runs inside the sandbox: makes one attempt after the other, and waits for the host's look after each.

inside.py ATTEMPTS: a JSON list of {id, way, path, text, plant}.  After each attempt one line of JSON goes to standard
output, and one line is read from standard input: `go`, or `stop`.
"""
import base64
import ctypes
import errno
import fcntl
import json
import mmap
import os
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import time

libc = ctypes.CDLL(None, use_errno=True)
CWD, FOLLOW, EMPTY, EXCHANGE, NOREPLACE, WHITEOUT = -100, 0x400, 0x1000, 2, 1, 4
REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS)
WAYS = {"file": {}, "name": {}, "folder": {}, "read": {}, "other": {}}


def way(*kinds):
    def keep(f):
        for kind in kinds:
            WAYS[kind][f.__name__] = f
        return f
    return keep


def check(got):
    if got < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return got


def raw(number, *args):
    return check(libc.syscall(number, *args))


def linkat(fd, name, to, flags):
    check(libc.linkat(fd, os.fsencode(name), CWD, os.fsencode(to), flags))


def renameat2(a, b, flags):
    check(libc.renameat2(CWD, os.fsencode(a), CWD, os.fsencode(b), flags))


def openat2(fd, name, flags, mode, resolve):
    how = struct.pack("QQQ", flags, mode, resolve)
    return raw(437, fd, os.fsencode(name), how, len(how))


class Attempt:
    """One attempt: the object, what to plant in it, a directory of its own, and how the calls ended."""

    def __init__(self, row):
        self.row, self.id, self.path, self.plant = row, row["id"], row["path"], row.get("plant", "")
        self.text = row.get("text", "PWN\n").encode()
        self.base, self.dir = os.path.basename(self.path), os.path.dirname(self.path) or "."
        self.scratch = "scratch/" + str(row["number"])
        self.let, self.refused, self.perhaps, self.errors, self.data = [], 0, 0, [], b""

    def do(self, what, call, *args, counts=True):
        """Makes a call; None if it fails."""
        try:
            got = call(*args)
            self.let.append(what)
            return True if got is None else got
        except OSError as e:
            self.errors.append(f"{what} {errno.errorcode.get(e.errno, e.errno)}")
            self.refused += counts and e.errno in REFUSED
            self.perhaps += not counts and e.errno in (*REFUSED, errno.ENOENT, errno.EINVAL, errno.EXDEV)
            return None

    def write(self, path, flags=os.O_WRONLY | os.O_TRUNC, dir_fd=None, what="open", **more):
        fd = self.do(what, lambda: os.open(path, flags, 0o755, dir_fd=dir_fd), **more)
        if fd is not None:
            self.put(fd)

    def put(self, fd):
        try:
            os.write(fd, self.text)
        except OSError:
            pass
        os.close(fd)

    def own(self, name="own", text=None):
        """A file of the run's own."""
        path = f"{self.scratch}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(self.text if text is None else text)
        os.chmod(path, 0o755)
        return path

    def there(self):
        with open(self.path, "rb") as f:
            return f.read()

    def parents(self):
        """Each directory above the object, the nearest first, that is below the workspace."""
        here = self.dir
        while here not in ("", "."):
            yield here, os.path.relpath(self.path, here)
            here = os.path.dirname(here)


def quiet(call, *args):
    try:
        return call(*args)
    except OSError:
        return None


# By name.

@way("file")
def open_truncate(a):
    a.write(a.path)


@way("file", "name")
def open_create(a):
    a.write(a.path, os.O_WRONLY | os.O_CREAT)


@way("file")
def open_append(a):
    a.write(a.path, os.O_WRONLY | os.O_APPEND)


@way("file")
def open_read_truncate(a):
    a.write(a.path, os.O_RDONLY | os.O_TRUNC)


@way("file", "name")
def creat(a):
    fd = a.do("creat", lambda: check(libc.creat(a.path.encode(), 0o755)))
    if fd is not None:
        a.put(fd)


@way("file", "name")
def from_directory(a):
    fd = quiet(os.open, a.dir, os.O_RDONLY | os.O_DIRECTORY)
    if fd is not None:
        a.write(a.base, os.O_RDWR | os.O_CREAT, dir_fd=fd)
        os.close(fd)


@way("file", "name")
def from_directory_path_only(a):
    fd = quiet(os.open, a.dir, os.O_PATH | os.O_DIRECTORY)
    if fd is not None:
        a.write(a.base, os.O_RDWR | os.O_CREAT, dir_fd=fd)
        a.write(f"/proc/self/fd/{fd}/{a.base}", os.O_RDWR | os.O_CREAT)
        os.close(fd)


@way("file", "name")
def openat2_ways(a):
    top = os.open(".", os.O_RDONLY)
    for resolve, name in ((0, a.path), (0x08, a.path), (0x10, "/" + a.path), (0x02, a.path), (0x04, a.path), (0x01, a.path)):
        fd = a.do(f"openat2 {resolve}", lambda r=resolve, n=name: openat2(top, n, os.O_WRONLY | os.O_CREAT, 0o755, r))
        if fd is not None:
            a.put(fd)
    os.close(top)


@way("file", "name")
def odd_spellings(a):
    for name in (f"./{a.path}", f"{a.dir}//.//{a.base}", f"sub/../{a.path}", f"{a.dir}/../{a.dir}/{a.base}", os.path.abspath(a.path)):
        a.write(name, os.O_WRONLY | os.O_CREAT)


@way("file", "name")
def from_inside_directory(a):
    here = os.open(".", os.O_RDONLY)
    if quiet(os.chdir, a.dir) is None and os.path.realpath(a.dir) != os.getcwd():
        pass
    try:
        a.write(a.base, os.O_WRONLY | os.O_CREAT)
    finally:
        os.fchdir(here)
        os.close(here)


@way("file")
def truncate(a):
    a.do("truncate", os.truncate, a.path, 0)


@way("file")
def unlink(a):
    a.do("unlink", os.unlink, a.path)


@way("file")
def unlink_and_make(a):
    a.do("unlink", os.unlink, a.path)
    a.write(a.path, os.O_WRONLY | os.O_CREAT)


# Symlinks.

@way("file", "name")
def symlink_to_it(a):
    os.symlink(os.path.abspath(a.path), f"{a.scratch}/l")
    a.write(f"{a.scratch}/l", os.O_WRONLY | os.O_CREAT)


@way("file", "name")
def symlink_to_parent(a):
    os.symlink(os.path.abspath(a.dir), f"{a.scratch}/l")
    a.write(f"{a.scratch}/l/{a.base}", os.O_WRONLY | os.O_CREAT)


@way("file", "name")
def symlink_chain(a):
    os.symlink(os.getcwd(), f"{a.scratch}/1")
    os.symlink("1", f"{a.scratch}/2")
    a.write(f"{a.scratch}/2/{a.path}", os.O_WRONLY | os.O_CREAT)


@way("file")
def symlink_truncate_and_modes(a):
    os.symlink(os.path.abspath(a.path), f"{a.scratch}/l")
    a.do("truncate", os.truncate, f"{a.scratch}/l", 0)
    a.do("chmod", os.chmod, f"{a.scratch}/l", 0o777)


@way("file")
def symlink_in_its_place(a):
    own = a.own()
    a.do("unlink", os.unlink, a.path)
    a.do("symlink", os.symlink, os.path.abspath(own), a.path)


# Hard links and descriptors.

@way("file")
def hard_link(a):
    if a.do("link", os.link, a.path, f"{a.scratch}/h"):
        a.write(f"{a.scratch}/h", os.O_WRONLY | os.O_APPEND)


@way("file")
def hard_link_of_symlink(a):
    os.symlink(os.path.abspath(a.path), f"{a.scratch}/l")
    if a.do("linkat", linkat, CWD, f"{a.scratch}/l", f"{a.scratch}/h", FOLLOW):
        a.write(f"{a.scratch}/h", os.O_WRONLY | os.O_APPEND)


def link_descriptor(a, fd):
    for n, (name, flags) in enumerate(((f"/proc/self/fd/{fd}", FOLLOW), (f"/proc/thread-self/fd/{fd}", FOLLOW),
                                       (f"/dev/fd/{fd}", FOLLOW), (f"/proc/{os.getpid()}/fd/{fd}", FOLLOW))):
        if a.do("linkat " + name.split("/")[2], linkat, CWD, name, f"{a.scratch}/h{n}", flags):
            a.write(f"{a.scratch}/h{n}", os.O_WRONLY | os.O_APPEND)
            quiet(os.unlink, f"{a.scratch}/h{n}")
    if a.do("linkat empty", linkat, fd, "", f"{a.scratch}/e", EMPTY, counts=False):
        a.write(f"{a.scratch}/e", os.O_WRONLY | os.O_APPEND)


@way("file")
def hard_link_of_descriptor(a):
    fd = quiet(os.open, a.path, os.O_RDONLY)
    if fd is not None:
        link_descriptor(a, fd)
        os.close(fd)


@way("file")
def hard_link_of_path_descriptor(a):
    fd = quiet(os.open, a.path, os.O_PATH)
    if fd is not None:
        link_descriptor(a, fd)
        os.close(fd)


@way("file")
def hard_link_over_itself(a):
    """A link of the descriptor that is renamed over its own name: nothing is left but one more writable name."""
    fd = quiet(os.open, a.path, os.O_PATH)
    if fd is None:
        return
    if a.do("linkat", linkat, CWD, f"/proc/self/fd/{fd}", f"{a.scratch}/h", FOLLOW):
        a.do("rename", os.rename, f"{a.scratch}/h", f"{a.scratch}/i")
        a.write(f"{a.scratch}/i", os.O_WRONLY | os.O_APPEND)
    os.close(fd)


@way("file")
def reopen_descriptor(a):
    for flags in (os.O_RDONLY, os.O_PATH):
        fd = quiet(os.open, a.path, flags)
        if fd is not None:
            for name in (f"/proc/self/fd/{fd}", f"/dev/fd/{fd}", f"/proc/thread-self/fd/{fd}", f"/proc/{os.getpid()}/fd/{fd}",
                         f"/proc/self/task/{os.getpid()}/fd/{fd}"):
                a.write(name, os.O_WRONLY | os.O_APPEND, what=name)
            a.do("truncate", os.truncate, f"/proc/self/fd/{fd}", 0)
            os.close(fd)


@way("file")
def descriptor_of_sibling(a):
    """Another process has it open; its table is a directory of /proc."""
    r, w = os.pipe()
    child = os.fork()
    if child == 0:
        fd = quiet(os.open, a.path, os.O_RDONLY)
        os.write(w, str(-1 if fd is None else fd).encode())
        time.sleep(60)
        os._exit(0)
    fd = int(os.read(r, 20))
    if fd >= 0:
        a.write(f"/proc/{child}/fd/{fd}", os.O_WRONLY | os.O_APPEND)
        a.do("chmod", os.chmod, f"/proc/{child}/fd/{fd}", 0o777)
        if a.do("linkat", linkat, CWD, f"/proc/{child}/fd/{fd}", f"{a.scratch}/h", FOLLOW):
            a.write(f"{a.scratch}/h", os.O_WRONLY | os.O_APPEND)
        got = a.do("pidfd_getfd", lambda: raw(438, raw(434, child, 0), fd, 0), counts=False)
        if got is not None:
            a.write(f"/proc/self/fd/{got}", os.O_WRONLY | os.O_APPEND)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


@way("file", "name")
def through_proc(a):
    whole = os.path.abspath(a.path)
    child = os.fork()
    if child == 0:
        quiet(os.chdir, a.dir)
        time.sleep(60)
        os._exit(0)
    for name in (f"/proc/self/cwd/{a.path}", f"/proc/self/root{whole}", f"/proc/{os.getpid()}/root{whole}",
                 f"/proc/thread-self/cwd/{a.path}", f"/proc/{child}/root{whole}"):
        a.write(name, os.O_WRONLY | os.O_CREAT, what=name)
    until = time.monotonic() + 1
    while os.path.isdir(a.dir) and quiet(os.readlink, f"/proc/{child}/cwd") != os.path.realpath(a.dir) and time.monotonic() < until:
        time.sleep(0.001)
    if quiet(os.readlink, f"/proc/{child}/cwd") == os.path.realpath(a.dir):
        a.write(f"/proc/{child}/cwd/{a.base}", os.O_WRONLY | os.O_CREAT, what="cwd of a child")
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


@way("file")
def passed_descriptor(a):
    left, right = socket.socketpair()
    fd = quiet(os.open, a.path, os.O_RDONLY)
    if fd is not None:
        socket.send_fds(left, [b"x"], [fd])
        got = socket.recv_fds(right, 1, 1)[1][0]
        a.write(f"/proc/self/fd/{got}", os.O_WRONLY | os.O_APPEND)
        a.do("fchmod", os.fchmod, got, 0o777)
        os.close(got)
        os.close(fd)
    left.close()
    right.close()


@way("file")
def data_calls_on_descriptor(a):
    """Calls that move data into a file that is open for reading only."""
    own = os.open(a.own(), os.O_RDONLY)
    r, w = os.pipe()
    os.write(w, a.text)
    fd = quiet(os.open, a.path, os.O_RDONLY)
    if fd is not None:
        a.do("copy_file_range", os.copy_file_range, own, fd, 4, 0, 0, counts=False)
        a.do("splice", lambda: os.splice(r, fd, 4, offset_dst=0), counts=False)
        a.do("sendfile", os.sendfile, fd, own, 0, 4, counts=False)
        a.do("pwrite", os.pwrite, fd, a.text, 0, counts=False)
        a.do("ftruncate", os.ftruncate, fd, 0, counts=False)
        a.do("fallocate", os.posix_fallocate, fd, 0, 9, counts=False)
        a.do("clone", fcntl.ioctl, fd, 0x40049409, own, counts=False)
        a.do("setfl", fcntl.fcntl, fd, fcntl.F_SETFL, os.O_RDWR | os.O_APPEND, counts=False)
        quiet(os.write, fd, a.text)
        os.close(fd)
    for n in (own, r, w):
        os.close(n)


@way("file")
def shared_mapping(a):
    fd = quiet(os.open, a.path, os.O_RDONLY)
    if fd is None:
        return
    size = max(os.fstat(fd).st_size, 1)
    try:
        with mmap.mmap(fd, size, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE) as m:
            m[:3] = b"PWN"[:size]
        a.let.append("mmap")
    except (OSError, ValueError, IndexError) as e:
        a.errors.append(f"mmap {e}")
    os.close(fd)


# Modes, owners, attributes.

@way("file", "folder")
def modes_by_name(a):
    a.do("chmod 0", os.chmod, a.path, 0)
    a.do("chmod 777", os.chmod, a.path, 0o777)
    a.do("fchmodat2", lambda: raw(452, CWD, a.path.encode(), 0o777, 0), counts=False)
    a.do("setxattr", os.setxattr, a.path, "user.pwn", b"1")
    a.do("setxattrat", lambda: raw(463, CWD, a.path.encode(), 0, b"user.pwn", 0, 0), counts=False)


@way("file", "folder")
def modes_by_descriptor(a):
    fd = quiet(os.open, a.path, os.O_RDONLY)
    if fd is not None:
        a.do("fchmod", os.fchmod, fd, 0o777)
        a.do("fchmod 0", os.fchmod, fd, 0)
        a.do("chmod proc", os.chmod, f"/proc/self/fd/{fd}", 0o777)
        a.do("fchmodat2 empty", lambda: raw(452, fd, b"", 0o777, EMPTY), counts=False)
        a.do("fsetxattr", os.setxattr, fd, "user.pwn", b"1")
        os.close(fd)


@way("file", "folder")
def modes_by_path_descriptor(a):
    fd = quiet(os.open, a.path, os.O_PATH)
    if fd is not None:
        a.do("chmod proc", os.chmod, f"/proc/self/fd/{fd}", 0o777)
        a.do("fchmodat2 empty", lambda: raw(452, fd, b"", 0o777, EMPTY), counts=False)
        a.do("setxattr proc", os.setxattr, f"/proc/self/fd/{fd}", "user.pwn", b"1")
        os.close(fd)


@way("file", "folder")
def owner(a):
    fd = quiet(os.open, a.path, os.O_RDONLY)
    for uid, gid in ((12345, 12345), (-1, 12345)):
        a.do("chown", os.chown, a.path, uid, gid, counts=False)
        a.do("lchown", os.lchown, a.path, uid, gid, counts=False)
        if fd is not None:
            a.do("fchown", os.fchown, fd, uid, gid, counts=False)
            a.do("fchownat", lambda u=uid, g=gid: check(libc.fchownat(fd, b"", u, g, EMPTY)), counts=False)
    if fd is not None:
        os.close(fd)


@way("file")
def inode_flags(a):
    """Append only, no dump: an owner may set some of these on a descriptor that is open for reading."""
    fd = quiet(os.open, a.path, os.O_RDONLY)
    if fd is not None:
        room = bytearray(8)
        if quiet(fcntl.ioctl, fd, 0x80086601, room) is not None:
            flags = struct.unpack("l", room)[0]
            for more in (0x20, 0x10):
                a.do(f"flags {more:x}", fcntl.ioctl, fd, 0x40086602, struct.pack("l", flags | more), counts=False)
            fcntl.ioctl(fd, 0x80086601, room)
            if struct.unpack("l", room)[0] != flags:
                a.data = b"FLAGS CHANGED"
        os.close(fd)


# Renames.

@way("file", "name")
def rename_over(a):
    a.do("rename", os.rename, a.own(text=(quiet(a.there) or b"") + a.text), a.path)


@way("file", "name")
def rename_over_by_directory(a):
    own = a.own()
    to = quiet(os.open, a.dir, os.O_RDONLY)
    if to is not None:
        a.do("renameat", lambda: os.rename(own, a.base, dst_dir_fd=to))
        os.close(to)
        os.symlink(os.path.abspath(a.dir), f"{a.scratch}/l")
        a.do("rename link", os.rename, a.own(), f"{a.scratch}/l/{a.base}")


@way("file")
def rename_exchange(a):
    a.do("exchange", renameat2, a.own(), a.path, EXCHANGE)
    a.do("exchange back", renameat2, a.path, a.own("other"), EXCHANGE)


@way("file")
def rename_away(a):
    if a.do("rename", os.rename, a.path, f"{a.scratch}/x"):
        a.write(f"{a.scratch}/x", os.O_WRONLY | os.O_APPEND)
        a.do("back", os.rename, f"{a.scratch}/x", a.path)


@way("file")
def rename_away_and_make(a):
    a.do("rename", os.rename, a.path, f"{a.scratch}/x")
    a.write(a.path, os.O_WRONLY | os.O_CREAT)


@way("file")
def rename_away_whiteout(a):
    a.do("rename", renameat2, a.path, f"{a.scratch}/x", WHITEOUT, counts=False)


@way("file", "name", "folder")
def parent_moved_and_back(a):
    for n, (parent, rest) in enumerate(a.parents()):
        aside = f"{a.scratch}/moved{n}"
        if a.do(f"rename {parent}", os.rename, parent, aside):
            a.write(f"{aside}/{rest}" + ("/" + a.plant if a.plant else ""), os.O_WRONLY | os.O_CREAT, what="inside")
            a.do("rename inside", os.rename, a.own("new"), f"{aside}/{rest}" + ("/" + a.plant if a.plant else ""))
            a.do("unlink inside", os.unlink, f"{aside}/{rest}")
            a.do("back", os.rename, aside, parent)


@way("file", "name", "folder")
def parent_moved_and_copied_back(a):
    for n, (parent, rest) in enumerate(a.parents()):
        aside = f"{a.scratch}/moved{n}"
        if a.do(f"rename {parent}", os.rename, parent, aside):
            quiet(lambda p=parent, s=aside: shutil.copytree(s, p, symlinks=True, dirs_exist_ok=True))
            planted = f"{parent}/{rest}" + ("/" + a.plant if a.plant else "")
            a.do("mkdir", lambda p=planted: os.makedirs(os.path.dirname(p), exist_ok=True))
            a.write(planted, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, what="copy")
            return


@way("file", "name", "folder")
def copy_of_parent_exchanged(a):
    for n, (parent, rest) in enumerate(a.parents()):
        copy = f"{a.scratch}/copy{n}"
        try:
            shutil.copytree(parent, copy, symlinks=True, ignore=shutil.ignore_patterns("objects"))
        except (OSError, shutil.Error):
            quiet(os.makedirs, copy)
        planted = f"{copy}/{rest}" + ("/" + a.plant if a.plant else "")
        quiet(lambda p=planted: os.makedirs(os.path.dirname(p), exist_ok=True))
        quiet(os.unlink, planted)
        fd = quiet(os.open, planted, os.O_WRONLY | os.O_CREAT, 0o755)
        if fd is not None:
            a.put(fd)
        a.do(f"exchange {parent}", renameat2, copy, parent, EXCHANGE)
        if a.do(f"rename {parent}", os.rename, parent, f"{a.scratch}/old{n}"):
            a.do("rename copy", os.rename, copy, parent)


@way("file", "name", "folder")
def parent_through_node_modules(a):
    """Packages can be renewed: what lies in their directory can be removed there."""
    os.makedirs(f"node_modules/{a.row['number']}", exist_ok=True)
    for n, (parent, rest) in enumerate(a.parents()):
        aside = f"node_modules/{a.row['number']}/p{n}"
        if a.do(f"rename {parent}", os.rename, parent, aside):
            planted = f"{aside}/{rest}" + ("/" + a.plant if a.plant else "")
            a.do("unlink", os.unlink, planted)
            a.write(planted, os.O_WRONLY | os.O_CREAT, what="inside")
            a.do("back", os.rename, aside, parent)
    if not a.plant and a.do("rename file", os.rename, a.path, f"node_modules/{a.row['number']}/f"):
        a.do("unlink", os.unlink, f"node_modules/{a.row['number']}/f")
        a.write(a.path, os.O_WRONLY | os.O_CREAT)


@way("file", "folder")
def directory_in_its_place(a):
    """The object goes away, deleted in a directory of packages, and another takes its name."""
    target = f"node_modules/gone{a.row['number']}"
    os.makedirs("node_modules", exist_ok=True)
    if a.do("rename", os.rename, a.path, target):
        quiet(lambda: shutil.rmtree(target) if os.path.isdir(target) else os.unlink(target))
        if a.plant:
            quiet(os.makedirs, a.path)
            a.write(f"{a.path}/{a.plant}", os.O_WRONLY | os.O_CREAT)
        else:
            a.write(a.path, os.O_WRONLY | os.O_CREAT)


# Names that are not there yet.

@way("name")
def make_directory(a):
    a.do("mkdir", os.mkdir, a.path)


@way("name")
def make_symlink(a):
    a.do("symlink", os.symlink, os.path.abspath(a.own()), a.path)


@way("name")
def make_link(a):
    a.do("link", os.link, a.own(), a.path)
    fd = os.open(a.own("two"), os.O_RDONLY)
    a.do("linkat", linkat, CWD, f"/proc/self/fd/{fd}", a.path, FOLLOW)
    a.do("linkat empty", linkat, fd, "", a.path, EMPTY, counts=False)
    os.close(fd)


@way("name")
def make_from_nameless(a):
    fd = quiet(os.open, a.scratch, os.O_TMPFILE | os.O_RDWR, 0o755)
    if fd is not None:
        os.write(fd, a.text)
        a.do("linkat", linkat, CWD, f"/proc/self/fd/{fd}", a.path, FOLLOW)
        a.do("linkat empty", linkat, fd, "", a.path, EMPTY, counts=False)
        os.close(fd)


@way("name")
def make_special(a):
    a.do("mkfifo", os.mkfifo, a.path)
    a.do("mknod file", os.mknod, a.path, stat.S_IFREG | 0o755)
    a.do("mknod socket", os.mknod, a.path, stat.S_IFSOCK | 0o755)


def bind(name):
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(name)


@way("name")
def make_socket(a):
    a.do("bind", bind, a.path)
    if os.path.isdir(a.dir):
        os.symlink(os.path.abspath(a.dir), f"{a.scratch}/l")
        a.do("bind link", bind, f"{a.scratch}/l/{a.base}")
        fd = os.open(a.dir, os.O_PATH)
        a.do("bind proc", bind, f"/proc/self/fd/{fd}/{a.base}")
        os.close(fd)


@way("name")
def make_by_rename(a):
    a.do("rename", renameat2, a.own(), a.path, NOREPLACE)
    os.mkdir(f"{a.scratch}/d")
    a.do("rename directory", os.rename, f"{a.scratch}/d", a.path)
    quiet(os.symlink, "/dev/null", f"{a.scratch}/s")
    a.do("rename symlink", os.rename, f"{a.scratch}/s", a.path)


@way("name")
def make_with_parents(a):
    """The directories above are made first, where they are missing."""
    a.do("mkdir", lambda: os.makedirs(a.dir, exist_ok=True))
    a.write(a.path, os.O_WRONLY | os.O_CREAT)


@way("name")
def make_parents_by_rename(a):
    """A whole directory, filled where it does no harm, takes the first name that is missing."""
    parts = a.path.split("/")
    for n in range(1, len(parts)):
        head, rest = "/".join(parts[:n]), "/".join(parts[n:])
        if not os.path.lexists(head):
            a.own("tree/" + rest)
            a.do("rename", os.rename, f"{a.scratch}/tree", head)
            return


# Protected directories: a file is planted in them.

def planters(a, name):
    a.write(name, os.O_WRONLY | os.O_CREAT, what=f"create {name}")


@way("folder")
def plant_by_name(a):
    planters(a, f"{a.path}/{a.plant}")


@way("folder")
def plant_from_descriptor(a):
    for flags in (os.O_RDONLY, os.O_PATH):
        fd = quiet(os.open, a.path, flags | os.O_DIRECTORY)
        if fd is not None:
            a.write(a.plant, os.O_WRONLY | os.O_CREAT, dir_fd=fd)
            planters(a, f"/proc/self/fd/{fd}/{a.plant}")
            a.do("mkdirat", lambda f=fd: os.mkdir(a.plant, dir_fd=f))
            a.do("symlinkat", lambda f=fd: os.symlink("/PWN", a.plant, dir_fd=f))
            os.close(fd)


@way("folder")
def plant_from_inside(a):
    here = os.open(".", os.O_RDONLY)
    inside = quiet(os.open, a.path, os.O_RDONLY)
    if inside is not None:
        os.fchdir(inside)
        planters(a, a.plant)
        planters(a, f"/proc/self/cwd/{a.plant}")
        os.fchdir(here)
        os.close(inside)
    os.close(here)


@way("folder")
def plant_nameless(a):
    fd = a.do("tmpfile", lambda: os.open(a.path, os.O_TMPFILE | os.O_RDWR, 0o755), counts=False)
    if fd is not None:
        os.write(fd, a.text)
        a.do("linkat", linkat, CWD, f"/proc/self/fd/{fd}", f"{a.path}/{a.plant}", FOLLOW)
        os.close(fd)


@way("folder")
def plant_by_rename(a):
    a.do("rename", os.rename, a.own(), f"{a.path}/{a.plant}")
    a.do("link", os.link, a.own("two"), f"{a.path}/{a.plant}")
    a.do("bind", bind, f"{a.path}/{a.plant}")


@way("folder")
def folder_renamed_or_removed(a):
    a.do("rmdir", os.rmdir, a.path, counts=False)
    if a.do("rename", os.rename, a.path, f"{a.scratch}/f"):
        planters(a, f"{a.scratch}/f/{a.plant}")
        a.do("back", os.rename, f"{a.scratch}/f", a.path)


@way("folder")
def folder_exchanged(a):
    a.own("mine/" + a.plant)
    a.do("exchange", renameat2, f"{a.scratch}/mine", a.path, EXCHANGE)
    if a.do("rename", os.rename, a.path, f"{a.scratch}/old"):
        a.do("rename in", os.rename, f"{a.scratch}/mine", a.path)


@way("folder")
def folder_symlink_in_its_place(a):
    a.own("mine/" + a.plant)
    if a.do("rename", os.rename, a.path, f"{a.scratch}/old"):
        a.do("symlink", os.symlink, os.path.abspath(f"{a.scratch}/mine"), a.path)


# Reading what is denied.

def take(a, path, flags=os.O_RDONLY, dir_fd=None, what="read"):
    fd = a.do(what, lambda: os.open(path, flags, dir_fd=dir_fd))
    if fd is not None:
        a.data += quiet(os.read, fd, 4096) or b""
        os.close(fd)


@way("read")
def read_name(a):
    take(a, a.path)
    take(a, a.path, os.O_RDWR)
    for name in (f"./{a.path}", os.path.abspath(a.path), f"/proc/self/cwd/{a.path}", f"/proc/self/root{os.path.abspath(a.path)}"):
        take(a, name)


@way("read")
def read_openat2(a):
    top = os.open(".", os.O_RDONLY)
    for resolve in (0, 8, 16, 4, 2):
        fd = a.do("openat2", lambda r=resolve: openat2(top, a.path, os.O_RDONLY, 0, r))
        if fd is not None:
            a.data += quiet(os.read, fd, 4096) or b""
            os.close(fd)
    os.close(top)


@way("read")
def read_symlink(a):
    os.symlink(os.path.abspath(a.path), f"{a.scratch}/l")
    take(a, f"{a.scratch}/l")
    os.symlink(os.path.abspath(a.dir), f"{a.scratch}/d")
    take(a, f"{a.scratch}/d/{a.base}")


@way("read")
def read_hard_link(a):
    if a.do("link", os.link, a.path, f"{a.scratch}/h"):
        take(a, f"{a.scratch}/h")


@way("read")
def read_path_descriptor(a):
    fd = a.do("path", lambda: os.open(a.path, os.O_PATH), counts=False)
    if fd is not None:
        for name in (f"/proc/self/fd/{fd}", f"/dev/fd/{fd}", f"/proc/thread-self/fd/{fd}"):
            take(a, name)
        for n, (name, flags) in enumerate(((f"/proc/self/fd/{fd}", FOLLOW), ("", EMPTY))):
            if a.do("linkat", linkat, fd if not name else CWD, name, f"{a.scratch}/p{n}", flags, counts=False):
                take(a, f"{a.scratch}/p{n}")
        os.close(fd)


@way("read")
def read_directory_descriptor(a):
    fd = os.open(a.dir, os.O_PATH | os.O_DIRECTORY)
    take(a, a.base, dir_fd=fd)
    take(a, f"/proc/self/fd/{fd}/{a.base}")
    os.close(fd)


@way("read")
def read_renamed(a):
    if a.do("rename", os.rename, a.path, f"{a.scratch}/r"):
        take(a, f"{a.scratch}/r")
        a.do("back", os.rename, f"{a.scratch}/r", a.path)


@way("read")
def read_exchanged(a):
    own = a.own()
    if a.do("exchange", renameat2, own, a.path, EXCHANGE):
        take(a, own)
        a.do("back", renameat2, own, a.path, EXCHANGE)


@way("read")
def read_parent_renamed(a):
    for n, (parent, rest) in enumerate(a.parents()):
        if a.do("rename", os.rename, parent, f"{a.scratch}/q{n}"):
            take(a, f"{a.scratch}/q{n}/{rest}")
            a.do("back", os.rename, f"{a.scratch}/q{n}", parent)


@way("read")
def read_parent_and_name_renamed(a):
    """Neither the name nor its directory says any more what it is."""
    for n, (parent, rest) in enumerate(a.parents()):
        if a.do("rename", os.rename, parent, f"{a.scratch}/q{n}"):
            if a.do("rename file", os.rename, f"{a.scratch}/q{n}/{rest}", f"{a.scratch}/plain{n}"):
                take(a, f"{a.scratch}/plain{n}")
                a.do("file back", os.rename, f"{a.scratch}/plain{n}", f"{a.scratch}/q{n}/{rest}")
            a.do("back", os.rename, f"{a.scratch}/q{n}", parent)


@way("read")
def read_by_programs(a):
    for argv in (["cat", a.path], ["cp", a.path, f"{a.scratch}/c"], ["git", "hash-object", "-w", a.path],
                 ["grep", "-rh", "PROMISE", a.dir], ["tar", "cf", f"{a.scratch}/t.tar", a.path], ["bash", "-c", f"echo $(<{a.path})"],
                 ["dd", f"if={a.path}", "status=none"]):
        done = subprocess.run(argv, capture_output=True, check=False)
        a.data += done.stdout + done.stderr
    for name in ("c", "t.tar"):
        take(a, f"{a.scratch}/{name}", what="copy")


@way("read")
def read_by_process(a):
    """Another process keeps a descriptor of the path."""
    r, w = os.pipe()
    child = os.fork()
    if child == 0:
        fd = quiet(os.open, a.path, os.O_PATH)
        os.write(w, str(-1 if fd is None else fd).encode())
        time.sleep(60)
        os._exit(0)
    fd = int(os.read(r, 20))
    if fd >= 0:
        take(a, f"/proc/{child}/fd/{fd}")
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


# Programs and mixed ways: `path` is the directory, `text` the line.

@way("other")
def shell(a):
    done = subprocess.run(["bash", "-c", a.text.decode()], cwd=a.path or ".", capture_output=True, check=False,
                          env=dict(os.environ, S=os.path.abspath(a.scratch), W=os.getcwd()), stdin=subprocess.DEVNULL, timeout=60)
    a.let.append(f"status {done.returncode}")
    a.data = done.stdout
    a.errors.append(done.stderr[-300:].decode("utf-8", "replace"))


@way("other")
def python(a):
    exec(a.text.decode(), {**globals(), "a": a})


def too_long(number, frame):
    raise TimeoutError(errno.ETIMEDOUT, "too long")


def run_one(row):
    a = Attempt(row)
    try:
        if row["way"] != "reported":
            os.makedirs(a.scratch, exist_ok=True)
        signal.alarm(30)  # a FIFO that an attempt made holds up whoever opens it
        WAYS[row["kind"]][row["way"]](a)
    except OSError as e:
        a.errors.append(f"stopped {e}")
    except Exception as e:  # pylint: disable=broad-except
        a.errors.append(f"fault {e!r}")
    signal.alarm(0)
    print(json.dumps({"id": a.id, "let": a.let, "refused": a.refused, "perhaps": a.perhaps, "errors": a.errors,
                      "data": base64.b64encode(a.data).decode()}), flush=True)


def main():
    signal.signal(signal.SIGALRM, too_long)
    with open(sys.argv[1], encoding="utf-8") as f:
        rows = json.load(f)
    for row in rows:
        if "wait" in row:
            print(json.dumps({"id": row["id"], "wait": True}), flush=True)
            sys.stdin.readline()
        run_one(row)
        if sys.stdin.readline().strip() != "go":
            break


if __name__ == "__main__":
    main()
