"""cordon: what a shell command would do, and whether it may; over libcordon.

    import cordon
    with cordon.Policy() as policy:
        answer = policy.check("git push", cwd="/work", home="/home/me")
        answer.verdict        # "ask"
        answer["reason"]      # a sentence

A handle belongs to one thread at a time; a Policy may be shared, each thread takes a handle
of its own.  Everything that goes wrong is a cordon.Error: there is no answer that means yes
by accident.
"""
import ctypes
import ctypes.util
import json
import os
import threading
import time

VERDICTS = ("deny", "ask", "confine", "allow")
LAYERS = {"project": 1, "user": 2, "session": 3, "admin": 4}
MODES = {None: 0, "ask_every_time": 1, "use_allowlist": 2, "run_everything": 3}
HEADLESS, EXPLICIT_ROOT, NO_SANDBOX, BY_NAME, TRACE = 1, 2, 4, 8, 16


class Error(Exception):
    """cordon could not answer: treat the command as denied."""


class _AnalyseOpts(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("reserved", ctypes.c_uint32),
                ("cwd", ctypes.c_char_p), ("cwd_len", ctypes.c_size_t),
                ("home", ctypes.c_char_p), ("home_len", ctypes.c_size_t)]


class _Source(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("layer", ctypes.c_uint32),
                ("trusted", ctypes.c_uint32), ("reserved", ctypes.c_uint32),
                ("name", ctypes.c_char_p), ("name_len", ctypes.c_size_t),
                ("text", ctypes.c_char_p), ("text_len", ctypes.c_size_t)]


class _PolicyOpts(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("flags", ctypes.c_uint32),
                ("sources", ctypes.POINTER(_Source)), ("sources_n", ctypes.c_size_t)]


class _CheckOpts(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("flags", ctypes.c_uint32),
                ("cwd", ctypes.c_char_p), ("cwd_len", ctypes.c_size_t),
                ("home", ctypes.c_char_p), ("home_len", ctypes.c_size_t),
                ("roots", ctypes.POINTER(ctypes.c_char_p)), ("roots_n", ctypes.c_size_t),
                ("now", ctypes.c_int64), ("mode", ctypes.c_uint32),
                ("reserved", ctypes.c_uint32)]


def _load():
    name = os.environ.get("LIBCORDON") or ctypes.util.find_library("cordon")
    if not name:
        raise Error("libcordon is not installed; LIBCORDON may name its file")
    lib = ctypes.CDLL(name)
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    text = ctypes.POINTER(ctypes.c_void_p)
    lib.cordon_version.restype = ctypes.c_char_p
    lib.cordon_new.restype = pointer
    lib.cordon_free.argtypes = [pointer]
    lib.cordon_free.restype = None
    lib.cordon_error.argtypes = [pointer]
    lib.cordon_error.restype = ctypes.c_char_p
    lib.cordon_analyse.argtypes = [pointer, ctypes.c_char_p, size, ctypes.POINTER(_AnalyseOpts),
                                   text, ctypes.POINTER(size)]
    lib.cordon_policy_new.argtypes = [pointer, ctypes.POINTER(_PolicyOpts), text]
    lib.cordon_policy_free.argtypes = [pointer]
    lib.cordon_policy_free.restype = None
    lib.cordon_check.argtypes = [pointer, pointer, ctypes.c_char_p, size,
                                 ctypes.POINTER(_CheckOpts), ctypes.POINTER(ctypes.c_int), text,
                                 ctypes.POINTER(size)]
    return lib


_lib = None
_own = threading.local()


def _library():
    global _lib
    if _lib is None:
        _lib = _load()
    return _lib


class _Handle:
    def __init__(self):
        self.lib = _library()
        self.at = self.lib.cordon_new()
        if not self.at:
            raise Error("no memory for cordon")

    def __del__(self):
        if getattr(self, "at", None):
            self.lib.cordon_free(self.at)

    def fail(self, result):
        why = self.lib.cordon_error(self.at).decode("utf-8", "surrogateescape")
        raise Error(why or f"cordon failed with {result}")


def _handle():
    """This thread's own."""
    if not hasattr(_own, "handle"):
        _own.handle = _Handle()
    return _own.handle


def _bytes(text):
    return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else os.fsencode(text)


def _place(opts, cwd, home):
    for name, value in (("cwd", cwd), ("home", home)):
        if value is not None:
            raw = _bytes(value)
            setattr(opts, name, raw)
            setattr(opts, name + "_len", len(raw))


def _answer(at, n):
    return json.loads(ctypes.string_at(at.value, n.value))


def version():
    return _library().cordon_version().decode()


def analyse(command, cwd=None, home=None):
    """What `cordon analyse --json` prints, as a dict."""
    handle, raw = _handle(), _bytes(command)
    opts = _AnalyseOpts(size=ctypes.sizeof(_AnalyseOpts))
    _place(opts, cwd, home)
    at, n = ctypes.c_void_p(), ctypes.c_size_t()
    result = handle.lib.cordon_analyse(handle.at, raw, len(raw), opts, at, n)
    if result:
        handle.fail(result)
    return _answer(at, n)


class Answer(dict):
    """What `cordon check --json` prints, and its verdict: deny, ask, confine or allow."""
    verdict = "deny"


class Policy:
    """Rules, compiled once.  `sources`: (layer, text) or (layer, text, name), lowest first."""

    def __init__(self, sources=(), builtin=True, trusted=False):
        handle = _handle()
        self.lib, self.at = handle.lib, None
        rows = (_Source * max(len(sources), 1))()
        for row, source in zip(rows, sources):
            layer, text, name = (*source, source[0])[:3]
            if layer not in LAYERS:
                raise Error(f"unknown layer {layer!r}: one of {', '.join(LAYERS)}")
            row.size, row.layer = ctypes.sizeof(_Source), LAYERS[layer]
            row.trusted = bool(trusted)
            row.name, row.text = _bytes(name), _bytes(text)
            row.name_len, row.text_len = len(row.name), len(_bytes(text))
        opts = _PolicyOpts(ctypes.sizeof(_PolicyOpts), 0 if builtin else 1, rows, len(sources))
        at = ctypes.c_void_p()
        result = self.lib.cordon_policy_new(handle.at, opts, at)
        if result:
            handle.fail(result)
        self.at = at.value

    def close(self):
        if self.at:
            self.lib.cordon_policy_free(self.at)
            self.at = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if hasattr(self, "at"):
            self.close()

    def check(self, command, cwd=None, home=None, roots=(), mode=None, flags=0, now=None):
        """An Answer; cordon.Error when there is none, which means no."""
        if not self.at:
            raise Error("this policy is closed")
        if mode not in MODES:
            raise Error(f"unknown mode {mode!r}")
        handle, raw = _handle(), _bytes(command)
        names = (ctypes.c_char_p * max(len(roots), 1))(*map(_bytes, roots))
        opts = _CheckOpts(size=ctypes.sizeof(_CheckOpts), flags=flags, roots=names,
                          roots_n=len(roots), mode=MODES[mode],
                          now=int(time.time() if now is None else now))
        _place(opts, cwd, home)
        verdict, at, n = ctypes.c_int(0), ctypes.c_void_p(), ctypes.c_size_t()
        result = handle.lib.cordon_check(handle.at, self.at, raw, len(raw), opts, verdict, at, n)
        if result:
            handle.fail(result)
        answer = Answer(_answer(at, n))
        answer.verdict = VERDICTS[verdict.value]
        return answer
