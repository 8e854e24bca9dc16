"""The files of the page, which are read and compressed once.

`script/build_page` stores what takes too long at run time in the folder `build`: minified modules, and files compressed
by Brotli. Both are stored under a digest of what they were made from, so a file that was edited since is served
unminified and compressed by gzip, and everything works without the folder.
"""

import gzip
import hashlib
import html
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import chain
from typing import Final, NamedTuple

from faceup.translations import LANGUAGES, catalogue, guide, namespaces
from faceup.web.bundler import ModuleGraph, digest

KINDS: Final[Mapping[str, str]] = {
    "css": "text/css",
    "html": "text/html",
    "ico": "image/x-icon",
    "js": "text/javascript",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain",
    "webmanifest": "application/manifest+json",
}
"""The media types of files by extension. Files with other extensions are not served."""

COMMON: Final = ("bots", "ui", "errors", "table")
"""The namespaces of messages that every page needs, which are one module."""

SERVER: Final = (
    "actions",
    "admin",
    "cli",
    "coach",
    "document",
    "drawings",
    "mails",
    "privacy",
    "site",
    "terminal",
    "text_drawings",
)
"""The namespaces that the page does not use."""

GUIDES: Final = ("nimmt", "niuniu", "war")
"""The games with translated guides."""

BUILD: Final = "build"
"""The folder that `script/build_page` writes."""

MINIFIED: Final = "minified.json"
"""The file in `BUILD` with the minified modules by the digest of the module."""


class Asset(NamedTuple):
    """A file to serve.

    Attributes:
        kind: the media type.
        plain: the content.
        encoded: the compressed content by content coding, best first; empty if the response must not be compressed.
    """

    kind: str
    plain: bytes
    encoded: Mapping[str, bytes]

    def with_first_line(self, line: bytes, table: str) -> "Asset":
        """Return the page with the snapshot `line` of a table embedded as JSON data."""
        data = line.strip().replace(b"<", rb"\u003c")
        name = html.escape(table).encode()
        body = b'<body>\n<script type="application/json" id="first" data-table="%b">%b</script>' % (name, data)
        return Asset(self.kind, self.plain.replace(b"<body>", body, 1), {})

    def with_head(self, element: str) -> "Asset":
        """Return the page with a further element in its head."""
        return Asset(self.kind, self.plain.replace(b"</head>", b"%b</head>" % element.encode(), 1), {})

    def with_article(self, article: str) -> "Asset":
        """Return the page with an article instead of the text that browsers without JavaScript show."""
        return Asset(self.kind, _NOSCRIPT.sub(lambda _: article.encode(), self.plain, count=1), {})


_NOSCRIPT: Final = re.compile(rb"<h1>.*</pre>", re.DOTALL)
"""The text of `noscript.html` up to its links."""


class Web(NamedTuple):
    """The files of the page.

    Attributes:
        stamp: a hash of all files.
        assets: the files by path.
        modules: the JavaScript modules and their imports.
        parts: the paths of the modules that are imported dynamically.
    """

    stamp: str
    assets: Mapping[str, Asset]
    modules: ModuleGraph
    parts: frozenset[str]


@cache
def web() -> Web:
    """Load the files of the page."""
    assets = {}
    stamp = hashlib.sha256((files("faceup.web") / "bundler.py").read_bytes())  # all files of a version fit together
    for path, plain in sorted(chain(_files(files("faceup.web"), ""), _translations())):
        stamp.update(f"{path}:{len(plain)}:".encode() + plain)
        assets[path] = make_asset(path, plain)
    minified = files("faceup.web") / BUILD / MINIFIED
    modules = ModuleGraph(
        {path: asset.plain.decode() for path, asset in assets.items() if path.endswith(".js")},
        json.loads(minified.read_text("utf-8")) if minified.is_file() else {},
    )
    return Web(stamp.hexdigest()[:16], assets, modules, frozenset(modules.parts()))


def make_asset(path: str, plain: bytes) -> Asset:
    """Return a file to serve, and compress it."""
    encoded = {"gzip": gzip.compress(plain, 9, mtime=0)}
    if stream := brotli_stream(plain):
        encoded = {"br": stream, **encoded}
    return Asset(KINDS[path.rpartition(".")[2]], plain, encoded)


def brotli_stream(plain: bytes) -> bytes | None:
    """Return what `script/build_page` made of content, or None if it was not there."""
    stream = files("faceup.web") / BUILD / f"{digest(plain)}.br"
    return stream.read_bytes() if stream.is_file() else None


def with_uncompressed(stream: bytes, more: bytes) -> bytes:
    """Return a Brotli stream of `script/build_page`, with more content at its end, which is not compressed.

    `script/build_page` ends all streams on a byte boundary with an empty block, and the content goes before that block.
    The length of the stream depends only on the length of `more`, so it reveals no secrets in it.
    """
    blocks = [more[at : at + _BROTLI_BLOCK] for at in range(0, len(more), _BROTLI_BLOCK)]
    # The header of a meta-block (RFC 7932, 9.2): not the last one, 16 bits of length - 1, and "not compressed".
    stored = b"".join(((len(block) - 1) << 3 | 1 << 19).to_bytes(3, "little") + block for block in blocks)
    return stream[:-1] + stored + _BROTLI_END


_BROTLI_END: Final = b"\x03"
"""A last meta-block without content."""

_BROTLI_BLOCK: Final = 1 << 16


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name != BUILD:
            yield from _files(entry, f"{path}{entry.name}/")
        elif entry.name.rpartition(".")[2] in KINDS:
            yield f"{path}{entry.name}", entry.read_bytes()


def _translations() -> Iterator[tuple[str, bytes]]:
    """Yield the translations of the page as JavaScript modules, since not all supported browsers import JSON."""
    for language in LANGUAGES:
        common = {key: text for namespace in COMMON for key, text in catalogue(language, namespace).items()}
        yield f"i18n/{language}/common.js", _json_module(common)
        for namespace in namespaces():
            if namespace not in (*COMMON, *SERVER):
                yield f"i18n/{language}/{namespace}.js", _json_module(dict(catalogue(language, namespace)))
        for game in GUIDES if language != "en" else ():
            yield f"learn/guides/{language}/{game}.js", _json_module(guide(language, game))


def _json_module(value: object) -> bytes:
    return f"export default {json.dumps(value, ensure_ascii=False, separators=(',', ':'))};\n".encode()
