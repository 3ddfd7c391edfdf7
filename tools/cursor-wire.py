#!/usr/bin/env python3
"""tools/cursor-wire.py CORDOND: compare the wire format of SandboxPolicy with protoc.

protoc reads and writes messages with the original's own schema, which has `optional` and `string`,
and with ours; both must agree with `CORDOND policy convert`, byte for byte.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

ROUNDS = 60
PROTO = pathlib.Path(__file__).resolve().parents[1] / "proto"
ORIGINAL = """syntax = "proto3";
package agent.v1;
message SandboxPolicy {
  Type type = 1;
  optional bool network_access = 2;
  repeated string additional_readwrite_paths = 3;
  repeated string additional_readonly_paths = 4;
  optional string debug_output_dir = 5;
  optional bool block_git_writes = 6;
  optional bool disable_tmp_write = 7;
}
enum Type {
  TYPE_UNSPECIFIED = 0;
  TYPE_INSECURE_NONE = 1;
  TYPE_WORKSPACE_READWRITE = 2;
  TYPE_WORKSPACE_READONLY = 3;
}
"""
TYPES = ["UNSPECIFIED", "INSECURE_NONE", "WORKSPACE_READWRITE", "WORKSPACE_READONLY"]


def protoc(what, data, folder, name):
    done = subprocess.run(["protoc", f"--{what}=agent.v1.SandboxPolicy", f"--proto_path={folder}",
                           name], input=data, capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(f"protoc: {done.stderr.decode()}")
    return done.stdout


def convert(cordond, to, data):
    done = subprocess.run([cordond, "policy", "convert", "--to", to], input=data,
                          capture_output=True, check=False)
    return done.returncode, done.stdout


def policy(rng):
    paths = ["/a", "/a/b c", "/opt/é", "/x\"y"]
    p = {"type": rng.choice(TYPES), "networkAccess": rng.random() < 0.5}
    if not p["networkAccess"]:
        p["networkAllow"] = []
    p["additionalReadwritePaths"] = rng.sample(paths, rng.randrange(4))
    p["additionalReadonlyPaths"] = rng.sample(paths, rng.randrange(4))
    p["blockGitWrites"] = rng.random() < 0.5
    p["disableTmpWrite"] = rng.random() < 0.5
    p["ignoreMappingJson"] = None
    p["debugOutputDir"] = rng.choice([None, "/var/debug"])
    return p


def as_text(p):
    """The message as protoc writes it."""
    quote = lambda s: json.dumps(s, ensure_ascii=False)
    flag = lambda name, value: [f"{name}: {'true' if value else 'false'}"]
    lines = [] if p["type"] == "UNSPECIFIED" else [f"type: TYPE_{p['type']}"]
    lines += flag("network_access", p["networkAccess"])
    lines += [f"additional_readwrite_paths: {quote(x)}" for x in p["additionalReadwritePaths"]]
    lines += [f"additional_readonly_paths: {quote(x)}" for x in p["additionalReadonlyPaths"]]
    if p["debugOutputDir"]:
        lines.append(f"debug_output_dir: {quote(p['debugOutputDir'])}")
    lines += flag("block_git_writes", p["blockGitWrites"])
    lines += flag("disable_tmp_write", p["disableTmpWrite"])
    return "".join(line + "\n" for line in lines).encode()


def round_trips(cordond, folder):
    rng = random.Random(71)
    for _ in range(ROUNDS):
        p = policy(rng)
        text = as_text(p)
        wire = protoc("encode", text, folder, "original.proto")
        status, ours = convert(cordond, "wire", json.dumps(p).encode())
        if status or ours != wire:
            yield f"to wire: {p}: {ours!r}, protoc {wire!r}"
        if protoc("encode", text, PROTO, "sandbox_policy.proto") != wire:
            yield f"the two schemas differ: {p}"
        if protoc("decode", ours, folder, "original.proto") != \
                protoc("decode", wire, folder, "original.proto"):
            yield f"protoc reads something else: {p}"
        status, back = convert(cordond, "json", wire)
        if status or json.loads(back) != p:
            yield f"to JSON: {p}: {back!r}"


def refusals(cordond):
    bad = {
        "unknown type": ("json", b"\x08\x04"),
        "negative type": ("json", b"\x08" + b"\xff" * 9 + b"\x01"),
        "unknown field": ("json", b"\x40\x01"),
        "unknown field behind known ones": ("json", b"\x08\x02\x10\x01\x4a\x01x"),
        "cut off": ("json", b"\x08\x02\x1a\x05/a"),
        "relative path": ("json", b"\x1a\x01a"),
        "open path": ("json", b"\x1a\x07/a/../b"),
        "NUL in a path": ("json", b"\x1a\x03/a\x00"),
        "empty debug directory": ("json", b"\x2a\x00"),
        "ignore mapping": ("wire", b'{"ignoreMappingJson":"{\\"/w\\":[\\"a\\"]}"}'),
        "hosts": ("wire", b'{"networkAllow":["a.org"]}'),
        "unknown key": ("wire", b'{"readBoundary":"workspace"}'),
        "no JSON": ("wire", b"{"),
        "nothing": ("wire", b""),
    }
    for name, (to, data) in bad.items():
        status, out = convert(cordond, to, data)
        if status != 65 or out:
            yield f"not refused: {name}: status {status}, {out!r}"
    status, out = convert(cordond, "json", b"")
    if status or json.loads(out)["additionalReadwritePaths"] != []:
        yield "an empty message is a policy without grants"
    if convert(cordond, "text", b"")[0] != 64:
        yield "an unknown form is a usage error"
    odd = b'{"additionalReadwritePaths":["/a\\udc80"]}'
    status, wire = convert(cordond, "wire", odd)
    if status or b"/a\x80" not in wire or b"/a\\udc80" not in convert(cordond, "json", wire)[1]:
        yield "a path that is not UTF-8 does not survive"


def main(cordond):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "original.proto").write_text(ORIGINAL, encoding="utf-8")
        problems = list(round_trips(cordond, folder)) + list(refusals(cordond))
    for problem in problems:
        print(problem)
    print(f"not ok cursor-wire {len(problems)} problems" if problems
          else f"ok cursor-wire {ROUNDS} policies and the refusals")
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
