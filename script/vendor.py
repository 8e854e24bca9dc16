"""Vendor the page's third-party libraries in src/faceup/web/vendor. See `script/vendor`.

Lit's modules import each other by package name, which browsers resolve only with an import map, an inline script.
So imports are rewritten to relative paths. `./script/vendor --check` verifies the SHA-256 digests in `vendor.json`.
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
    "lit/directives/guard.js",
    "lit/directives/keyed.js",
    "lit/directives/live.js",
    "lit/directives/ref.js",
    "lit/directives/repeat.js",
    "lit/async-directive.js",
)
"""The modules that the page imports; their dependencies follow."""

IMPORT: Final = re.compile(r"""(\bfrom\s*|\bimport\s*\(?\s*|declare\s+module\s+)(["'])([^"']+)\2""")
LEFT_ALONE: Final = ("@lit-labs/ssr-dom-shim", "trusted-types")
"""Modules to skip: server-side rendering, and types only."""


def main() -> int:
    """Write or check the files."""
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
    listing = {"packages": licences, "files": files}
    (VENDOR / "vendor.json").write_text(json.dumps(listing, indent=2) + "\n", "utf-8")
    print(f"{len(files)} files of", ", ".join(f"{name} {package['version']}" for name, package in licences.items()))
    return 0


def check() -> int:
    """Return whether every file is unchanged."""
    files = json.loads((VENDOR / "vendor.json").read_text("utf-8"))["files"]
    wrong = [path for path, sums in files.items() if digest((VENDOR / path).read_bytes()) != sums["after"]]
    for path in wrong:
        print(f"src/faceup/web/vendor/{path} differs from the output of ./script/vendor")
    return 1 if wrong else 0


def everything() -> set[tuple[str, str]]:
    """Return all modules reachable from the entries, and their types, as (package, path)."""
    imports: set[tuple[str, str]] = set()
    waiting = [resolved(entry) for entry in ENTRIES]
    while waiting:
        name, path = waiting.pop()
        for target_path in (path, path.removesuffix(".js") + ".d.ts"):
            if (name, target_path) in imports or not (package(name) / target_path).is_file():
                continue
            imports.add((name, target_path))
            waiting += targets((package(name) / target_path).read_text("utf-8"), name, target_path)
    return imports


def targets(text: str, name: str, path: str) -> Iterator[tuple[str, str]]:
    """Yield the imports of a module."""
    for _, _, target in IMPORT.findall(text):
        if target.startswith("."):
            yield name, posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        elif not target.startswith(LEFT_ALONE):
            yield resolved(target)


def resolved(target: str) -> tuple[str, str]:
    """Return the package of a bare import and the browser file in it."""
    parts = target.split("/")
    name = "/".join(parts[: 2 if target.startswith("@") else 1])
    exports = json.loads((package(name) / "package.json").read_text("utf-8"))["exports"]
    target_file = exports["./" + target[len(name) + 1 :] if target != name else "."]
    return name, target_file["default"].removeprefix("./")


def rewritten(text: str, name: str, path: str) -> str:
    """Return the text with relative imports and without the missing source map."""

    def relative(match: re.Match[str]) -> str:
        before, quote, target = match.groups()
        if target.startswith((".", *LEFT_ALONE)):
            return match[0]
        other = "/".join(resolved(target))
        return f"{before}{quote}{posixpath.relpath(other, posixpath.dirname(f'{name}/{path}'))}{quote}"

    text = IMPORT.sub(relative, text)
    return re.sub(r"\n?//# sourceMappingURL=\S+", "", text).rstrip("\n") + "\n"


def digest(content: bytes) -> str:
    """Return the SHA-256 hex digest."""
    return hashlib.sha256(content).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
