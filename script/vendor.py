"""What the page is made with and is not ours: `./script/vendor` writes src/faceup/web/vendor anew.

Lit's modules name each other as npm does ("lit-html"), which browsers cannot follow without an import map, and a map
would be a script in the page. So each is rewritten to name the file beside it. `vendor.json` says what every file was
before and is after (SHA-256), and `./script/vendor --check` that they still are.
"""

import hashlib
import json
import posixpath
import re
import shutil
import sys
from collections.abc import Iterator
from typing import Final

from npm import ROOT, lock, package

VENDOR: Final = ROOT / "src" / "faceup" / "web" / "vendor"

ENTRIES: Final = (
    "lit",
    "lit/directives/class-map.js",
    "lit/directives/keyed.js",
    "lit/directives/live.js",
    "lit/directives/ref.js",
    "lit/directives/repeat.js",
    "lit/async-directive.js",
)
"""What our own modules import; the rest follows from what these import."""

IMPORT: Final = re.compile(r"""(\bfrom\s*|\bimport\s*\(?\s*|declare\s+module\s+)(["'])([^"']+)\2""")
LEFT_ALONE: Final = ("@lit-labs/ssr-dom-shim", "trusted-types")
"""The first is for servers that render, the second names types alone."""


def main() -> int:
    """Write the files, or check them."""
    if sys.argv[1:] == ["--check"]:
        return check()
    shutil.rmtree(VENDOR, ignore_errors=True)
    files, licences = {}, {}
    for name, path in sorted(everything()):
        source = package(name) / path
        before = source.read_bytes()
        after = rewritten(before.decode(), name, path).encode()
        target = VENDOR / name / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(after)
        if name not in licences:
            licences[name] = {"version": lock(name)["version"], "licence": lock(name)["license"]}
            shutil.copy(package(name) / "LICENSE", VENDOR / name / "LICENSE")
        files[f"{name}/{path}"] = {"before": digest(before), "after": digest(after)}
    known = {"packages": licences, "files": files}
    (VENDOR / "vendor.json").write_text(json.dumps(known, indent=2) + "\n", "utf-8")
    print(f"{len(files)} files of", ", ".join(f"{name} {each['version']}" for name, each in licences.items()))
    return 0


def check() -> int:
    """Whether every file is what was written."""
    known = json.loads((VENDOR / "vendor.json").read_text("utf-8"))["files"]
    wrong = [path for path, sums in known.items() if digest((VENDOR / path).read_bytes()) != sums["after"]]
    for path in wrong:
        print(f"src/faceup/web/vendor/{path} is not what ./script/vendor wrote")
    return 1 if wrong else 0


def everything() -> set[tuple[str, str]]:
    """The modules that the entries lead to, and their types: package and path."""
    found: set[tuple[str, str]] = set()
    waiting = [resolved(entry) for entry in ENTRIES]
    while waiting:
        name, path = waiting.pop()
        for each in (path, path.removesuffix(".js") + ".d.ts"):
            if (name, each) in found or not (package(name) / each).is_file():
                continue
            found.add((name, each))
            waiting += targets((package(name) / each).read_text("utf-8"), name, each)
    return found


def targets(text: str, name: str, path: str) -> Iterator[tuple[str, str]]:
    """What a module imports."""
    for _, _, target in IMPORT.findall(text):
        if target.startswith("."):
            yield name, posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        elif not target.startswith(LEFT_ALONE):
            yield resolved(target)


def resolved(target: str) -> tuple[str, str]:
    """The package of a bare import, and the file in it, as browsers are meant to have it."""
    parts = target.split("/")
    name = "/".join(parts[: 2 if target.startswith("@") else 1])
    exports = json.loads((package(name) / "package.json").read_text("utf-8"))["exports"]
    found = exports["./" + target[len(name) + 1 :] if target != name else "."]
    return name, found["default"].removeprefix("./")


def rewritten(text: str, name: str, path: str) -> str:
    """The text with relative imports, and without the address of a source map that is not there."""

    def relative(match: re.Match[str]) -> str:
        before, quote, target = match.groups()
        if target.startswith((".", *LEFT_ALONE)):
            return match[0]
        other = "/".join(resolved(target))
        return f"{before}{quote}{posixpath.relpath(other, posixpath.dirname(f'{name}/{path}'))}{quote}"

    text = IMPORT.sub(relative, text)
    return re.sub(r"\n?//# sourceMappingURL=\S+", "", text).rstrip("\n") + "\n"


def digest(content: bytes) -> str:
    """SHA-256 in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
