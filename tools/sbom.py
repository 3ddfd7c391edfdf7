#!/usr/bin/env python3
"""tools/sbom.py OUT VERSION NAME=FILE=MAP...: list the libraries linked into the programs, as SPDX 2.3.

MAP is the link map (-Map): the loaded objects, and the archives with used members.  Files outside
the build belong to Debian packages, whose name, version and licence are looked up.  An unknown
package is an error, so that no library is missed.  The same inputs give the same bytes.
"""
import datetime
import email.utils
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The licence of each source package, and a word of it that the package's copyright file must
# have.
LICENCES = {
    "musl": ("MIT", "MIT"),
    "gcc": ("GPL-3.0-or-later WITH GCC-exception-3.1", "GCC Runtime Library Exception"),
    "glibc": ("LGPL-2.1-or-later", "Lesser General Public"),
    "protobuf-c": ("BSD-2-Clause", "Redistributions of source code"),
    "sqlite3": ("blessing", "public-domain"),
    "libsodium": ("ISC", "ISC"),
    "libevent": ("BSD-3-Clause", "BSD"),
}


def linked(path, own):
    """(static, shared) files outside the folder `own` that the linker used."""
    text = path.read_text(encoding="utf-8", errors="replace")
    members = text.split("\nDiscarded input sections", 1)[0]
    members = members.split("\nAs-needed library", 1)[0].split("\nAllocating common", 1)[0]
    static = set(re.findall(r"^(/\S+\.a)\(", members, re.M))
    loaded = set(re.findall(r"^LOAD (/\S+)$", text, re.M))
    static |= {name for name in loaded if name.endswith(".o")}
    shared = {name for name in loaded if re.search(r"\.so(\.[0-9]+)*$", name)}
    return {n for n in static if outside(n, own)}, {n for n in shared if outside(n, own)}


def outside(name, own):
    return not pathlib.Path(name).resolve().is_relative_to(own)


def needed(program):
    done = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True)
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", done.stdout))


def query(*words):
    done = subprocess.run(["dpkg-query", *words], capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def names_of(path):
    """The possible names of a file in dpkg: below /usr, and as before the merge of /usr."""
    real = str(pathlib.Path(path).resolve())
    return real, re.sub(r"^/usr", "", real), path


def packages_of(files):
    """(name, version, source, its version) of the packages that the files belong to."""
    if not files:
        return []
    found = {}
    # One call for all files, because dpkg reads the list of every package.
    for line in query("-S", *(name for path in files for name in names_of(path))):
        package, path = line.rsplit(": ", 1)
        found[path] = package.split(",")[0]
    packages = set()
    for path in files:
        owner = [found[name] for name in names_of(path) if name in found]
        if not owner:
            sys.exit(f"tools/sbom.py: {path} belongs to no package")
        packages.add(owner[0])
    form = "${binary:Package}\t${Version}\t${source:Package}\t${source:Version}\n"
    return sorted(tuple(line.split("\t")) for line in query("-W", "-f", form, *packages))


def licence_of(package, source):
    known = LICENCES.get(re.sub(r"-[0-9]+$", "", source))
    if not known:
        sys.exit(f"tools/sbom.py: {package} (source {source}) is linked, and its licence is "
                 "not in LICENCES")
    name = package.split(":")[0]
    for place in (name, source, f"{source}-base"):
        path = pathlib.Path(f"/usr/share/doc/{place}/copyright")
        if path.exists():
            if known[1].lower() not in path.read_text(encoding="utf-8", errors="replace").lower():
                sys.exit(f"tools/sbom.py: {path} does not say {known[1]}")
            break
    return known[0]


def spdx_id(*parts):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", "-".join(parts))


def moment():
    """SOURCE_DATE_EPOCH, or the date of the newest entry of the changelog."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        log = (ROOT / "packaging/debian/changelog").read_text(encoding="utf-8")
        date = re.search(r"^ -- .*>  (.*)$", log, re.M)[1]
        epoch = email.utils.parsedate_to_datetime(date).timestamp()
    when = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc)
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


def describe(document, name, path, map_path, version):
    """One program: itself, and each package that it links."""
    own = spdx_id("Package", name)
    document["packages"].append({
        "name": name, "SPDXID": own, "versionInfo": version, "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False, "licenseConcluded": "MIT", "licenseDeclared": "MIT",
        "copyrightText": "2026 The cordon authors", "primaryPackagePurpose":
        "LIBRARY" if ".so" in name else "APPLICATION"})
    yield ("SPDXRef-DOCUMENT", "DESCRIBES", own)
    static, shared = linked(map_path, ROOT)
    shared = {s for s in shared if pathlib.Path(s).resolve().name in sonames(path, shared)}
    for files, how in ((static, "STATIC_LINK"), (shared, "DYNAMIC_LINK")):
        for package, package_version, source, source_version in packages_of(files):
            ident = spdx_id("Package", package, package_version)
            entry = {
                "name": package.split(":")[0], "SPDXID": ident, "versionInfo": package_version,
                "sourceInfo": f"Debian source package {source} {source_version}",
                "supplier": "Organization: Debian", "downloadLocation": "NOASSERTION",
                "filesAnalyzed": False, "licenseConcluded": licence_of(package, source),
                "licenseDeclared": licence_of(package, source), "copyrightText": "NOASSERTION",
                "externalRefs": [{
                    "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                    "referenceLocator":
                    f"pkg:deb/debian/{package.split(':')[0]}@{package_version}"}]}
            if entry not in document["packages"]:
                document["packages"].append(entry)
            yield (own, how, ident)


def sonames(program, shared):
    """The file names of the shared objects that are really needed."""
    wanted = needed(program)
    for path in shared:
        real = pathlib.Path(path).resolve()
        done = subprocess.run(["readelf", "-d", real], capture_output=True, text=True,
                              check=False)
        soname = re.search(r"\(SONAME\).*\[(.*)\]", done.stdout)
        if soname and soname[1] in wanted:
            yield real.name


def main():
    if len(sys.argv) < 4:
        sys.exit("usage: tools/sbom.py OUT VERSION NAME=FILE=MAP...")
    version = sys.argv[2]
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"cordon-{version}", "documentNamespace": "",
        "creationInfo": {"created": moment(), "creators": ["Tool: cordon-tools-sbom"]},
        "packages": [], "relationships": []}
    links = []
    for word in sys.argv[3:]:
        name, path, map_path = word.split("=")
        links += describe(document, name, pathlib.Path(path), pathlib.Path(map_path), version)
    document["relationships"] = [
        {"spdxElementId": a, "relationshipType": how, "relatedSpdxElement": b}
        for a, how, b in links]
    digest = hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
    document["documentNamespace"] = f"urn:sha256:{digest}"
    pathlib.Path(sys.argv[1]).write_text(json.dumps(document, indent=1) + "\n", encoding="ascii")


main()
