"""The world outside, for tests of the network list: name server, web, git, ssh, postgres.

    net_server.py HITS FOLDER UPLINK

It runs in a network namespace of its own, whose loopback has "public" addresses.  What
reaches it is written to HITS, one JSON line each.  Names and addresses are in ZONE.
"""
import json
import os
import socket
import ssl
import struct
import sys
import threading
import time

PUBLIC, OTHER, WILD, OWN = "93.184.216.34", "93.184.216.35", "93.184.216.36", "93.184.216.99"
PUBLIC6 = "2606:2800:220::34"
PRIVATE, METADATA = "10.99.0.1", "169.254.169.254"
ADDRESSES = [PUBLIC, OTHER, WILD, PRIVATE, METADATA, "8.8.8.8"]

ZONE = {
    "allowed.example": [PUBLIC, PUBLIC6],
    "other.example": [OTHER],
    "wild.example": [OTHER],
    "a.wild.example": [WILD],
    "b.a.wild.example": [WILD],
    "never.wild.example": [WILD],
    "private.example": [PRIVATE],
    "loop.example": ["127.0.0.1"],
    "zero.example": ["0.0.0.0"],
    "meta.example": [METADATA],
    "rebind.allowed.example": [METADATA],
    "mapped.example": ["::ffff:127.0.0.1", "::ffff:10.99.0.1"],
    "six.example": ["::1", "fe80::1", "fc00::1", "64:ff9b::7f00:1", "2002:7f00:1::1"],
    "mixed.example": [PRIVATE, PUBLIC, "127.0.0.1"],
    "own.example": [OWN],
    "alias.example": "allowed.example",
    "loopalias.example": "loop.example",
    "port.example": [PUBLIC],
    "listed.example": [PRIVATE],
    "long.example": [PUBLIC] * 60,
    "six-only.example": [PUBLIC6],
    **{f"h{i}.wild.example": [WILD] for i in range(65)},
}
lock = threading.Lock()
asked = {}


def note(**what):
    with lock, open(sys.argv[1], "a", encoding="ascii") as out:
        out.write(json.dumps(what) + "\n")


# ---- names

def put_name(name):
    return b"".join(bytes([len(p)]) + p.encode() for p in name.split(".")) + b"\0"


def records(name, kind):
    """(status, list of records); turning.example is public at first and private then."""
    if name == "turning.example":
        asked[kind] = asked.get(kind, 0) + 1
        values = [PUBLIC if asked[kind] == 1 else "127.0.0.1"]
    else:
        values = ZONE.get(name)
    if values is None:
        return 3, []
    found = []
    if isinstance(values, str):
        found.append(put_name(name) + struct.pack("!HHIH", 5, 1, 0, len(put_name(values))) + put_name(values))
        return 0, found + records(values, kind)[1]
    for value in values:
        six = ":" in value
        if kind == (28 if six else 1):
            data = socket.inet_pton(socket.AF_INET6 if six else socket.AF_INET, value)
            found.append(put_name(name) + struct.pack("!HHIH", kind, 1, 0, len(data)) + data)
    return 0, found


def answer(query, stream):
    at, parts = 12, []
    while query[at]:
        parts.append(query[at + 1:at + 1 + query[at]].decode("latin-1"))
        at += query[at] + 1
    name = ".".join(parts).lower()
    kind = struct.unpack("!H", query[at + 1:at + 3])[0]
    note(dns=name, kind=kind, stream=stream)
    status, found = records(name, kind)
    cut = not stream and len(found) > 20
    head = query[:2] + bytes([0x81 | (2 if cut else 0), 0x80 | status]) + \
        struct.pack("!HHHH", 1, 0 if cut else len(found), 0, 0)
    return head + query[12:at + 5] + (b"" if cut else b"".join(found))


def names_udp(s):
    while True:
        query, peer = s.recvfrom(4096)
        reply = answer(query, False)
        # An answer that is not to the question, and one with another number, come first.
        s.sendto(bytes([reply[0] ^ 1]) + reply[1:], peer)
        s.sendto(reply[:12] + b"\3bad\0" + reply[12:], peer)
        s.sendto(reply, peer)


def exactly(c, n):
    data = b""
    while len(data) < n:
        more = c.recv(n - len(data))
        if not more:
            raise OSError
        data += more
    return data


def names_tcp(c, _):
    n = struct.unpack("!H", exactly(c, 2))[0]
    reply = answer(exactly(c, n), True)
    c.sendall(struct.pack("!H", len(reply)) + reply)


# ---- services

def web(c, where):
    """One request at a time; the body is the path, a file of the folder, or a redirection."""
    data = b""
    while True:
        while b"\r\n\r\n" not in data:
            more = c.recv(65536)
            if not more:
                return
            data += more
        head, data = data.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        fields = dict(line.lower().split(":", 1) for line in lines[1:])
        length = int(fields.get("content-length", "0"))
        if "chunked" in fields.get("transfer-encoding", ""):
            while not data.endswith(b"0\r\n\r\n"):
                data += c.recv(65536)
            body, data = data, b""
        else:
            while len(data) < length:
                data += c.recv(65536)
            body, data = data[:length], data[length:]
        path = lines[0].split()[1]
        note(web=where, path=path, host=fields.get("host", "").strip(), body=len(body))
        respond(c, path, body)
        if "close" in fields.get("connection", ""):
            return


def respond(c, path, body):
    name = os.path.realpath(os.path.join(sys.argv[2], path.lstrip("/").split("?")[0]))
    if path.startswith("/to/"):
        c.sendall(b"HTTP/1.1 302 Found\r\nLocation: http://" + path[4:].encode() +
                  b"\r\nContent-Length: 0\r\n\r\n")
    elif os.path.isfile(name) and name.startswith(os.path.realpath(sys.argv[2]) + "/"):
        with open(name, "rb") as f:
            text = f.read()
        c.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(text) + text)
    elif path.startswith("/repo"):
        c.sendall(b"HTTP/1.1 404 None\r\nContent-Length: 0\r\n\r\n")
    else:
        text = b"REACHED " + path.encode() + b" %d\n" % len(body)
        c.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(text) + text)


def secure(c, where):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2] + "/cert.pem", sys.argv[2] + "/key.pem")
    with context.wrap_socket(c, server_side=True) as wrapped:
        web(wrapped, where)


def shell(c, where):
    c.sendall(b"SSH-2.0-world_outside\r\n")
    note(ssh=where, text=c.recv(64).decode("latin-1"))


def postgres(c, where):
    exactly(c, 8)
    c.sendall(b"N")
    n = struct.unpack("!I", exactly(c, 4))[0]
    text = exactly(c, n - 4)
    note(postgres=where, text=text[4:].decode("latin-1"))
    field = b"SFATAL\0C28000\0MREACHED postgres\0\0"
    c.sendall(b"E" + struct.pack("!I", len(field) + 4) + field)


def echo(c, where):
    note(echo=where)
    while True:
        data = c.recv(65536)
        if not data:
            return
        c.sendall(data)


def serve_one(handler, c):
    try:
        handler(c, c.getsockname()[0])
    except OSError:
        pass
    finally:
        c.close()


def listen(port, handler):
    s = socket.socket(socket.AF_INET6)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind(("::", port))
    s.listen(64)

    def loop():
        while True:
            c, _ = s.accept()
            threading.Thread(target=serve_one, args=(handler, c), daemon=True).start()
    threading.Thread(target=loop, daemon=True).start()


def datagrams(port):
    s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    s.bind(("::", port))

    def loop():
        while True:
            s.recv(4096)
            note(udp=port)
    threading.Thread(target=loop, daemon=True).start()


def main():
    u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for _ in range(500):  # until the interface is there
        try:
            u.bind((sys.argv[3], 53))
            break
        except OSError:
            time.sleep(0.01)
    threading.Thread(target=names_udp, args=(u,), daemon=True).start()
    for port, handler in ((53, names_tcp), (80, web), (8080, web), (443, secure), (22, shell),
                          (5432, postgres), (7, echo)):
        listen(port, handler)
    datagrams(443)
    print("ready", flush=True)
    sys.stdin.read()


main()
