"""The files of the page, as browsers get them: read once, compressed once, at an address that changes with them.

`/static/STAMP/...` holds every file of `faceup/web` that a browser may ask for. The stamp is a hash of them all, so
that an answer may be kept for ever, and a page can tell that the server has become another.
"""

import gzip
import hashlib
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

KINDS: Final[Mapping[str, str]] = {
    "css": "text/css",
    "html": "text/html",
    "js": "text/javascript",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
"""What is served, by how its name ends; nothing else in the folder is."""

FOR_EVER: Final = "public, max-age=31536000, immutable"

_IMPORT: Final = re.compile(r"""(?:\bfrom|\bimport)\s*["'](\.{1,2}/[^"']+)["']""")

_COMMENT: Final = re.compile(r"/\*.*?\*/|^\s*//.*?$", re.DOTALL | re.MULTILINE)
"""Comments name modules for their types alone."""


class Asset(NamedTuple):
    """A file: its media type, its bytes, and those compressed (gzip)."""

    kind: str
    plain: bytes
    compressed: bytes


class Web(NamedTuple):
    """All files by their path, and their stamp."""

    stamp: str
    assets: Mapping[str, Asset]

    def imported(self, *entries: str) -> list[str]:
        """These modules and all that they import at once, each after who imports it."""
        found: dict[str, None] = {}
        waiting = list(entries)
        while waiting:
            path = waiting.pop(0)
            if path in found:
                continue
            found[path] = None
            code = _COMMENT.sub("", self.assets[path].plain.decode())
            waiting += [beside(path, target) for target in _IMPORT.findall(code)]
        return list(found)


@cache
def web() -> Web:
    """The files of the page."""
    assets = {}
    stamp = hashlib.sha256()
    for path, file in sorted(_files(files("faceup.web"), "")):
        plain = file.read_bytes()
        stamp.update(f"{path}:{len(plain)}:".encode() + plain)
        assets[path] = Asset(KINDS[path.rpartition(".")[2]], plain, gzip.compress(plain, 9, mtime=0))
    return Web(stamp.hexdigest()[:16], assets)


@cache
def page(base: str, *entries: str) -> Asset:
    """The page, for a server at the path `base`; the modules that `entries` import are named for loading early."""
    static = f"{base}/static/{web().stamp}"
    preloads = "\n".join(
        f'<link rel="modulepreload" href="{static}/{path}">' for path in web().imported("main.js", *entries)
    )
    text = web().assets["index.html"].plain.decode()
    plain = text.replace("PRELOADS", preloads).replace("STATIC", static).encode()
    return Asset(KINDS["html"], plain, gzip.compress(plain, 9, mtime=0))


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for each in folder.iterdir():
        if each.is_dir():
            yield from _files(each, f"{path}{each.name}/")
        elif each.name.rpartition(".")[2] in KINDS:
            yield f"{path}{each.name}", each


def beside(path: str, target: str) -> str:
    """The path that an import of `target` in the module `path` means."""
    parts = path.split("/")[:-1]
    for part in target.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
