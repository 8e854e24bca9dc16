"""Minify the page's modules with esbuild, and compress all its files with Brotli. See `script/build_page`.

esbuild minifies the function that each module becomes in a bundle. It does not bundle: its code splitting would give a
table 38 files, and `faceup.web.bundler` gives it one. It is a native program for each system, so Node.js is not needed.
"""

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import brotli  # type: ignore[import-untyped]
from npm import ROOT, package
from tsc import MACHINES, SYSTEMS

sys.path.insert(0, str(ROOT / "src"))  # a release is built where faceup is not installed

from faceup.web.assets import BUILD, MINIFIED, web
from faceup.web.bundler import digest
from faceup.web.bundles import bundle, bundle_paths, compact_style, inline_names, opening

FOLDER: Final = ROOT / "src" / "faceup" / "web" / BUILD
_STYLES: Final = re.compile(r"(?<=\bcss`)[^`]*")


def main() -> None:
    """Write missing files, and delete unused ones."""
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / MINIFIED
    before = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    functions = {digest(text.encode()): text for text in web().modules.functions().values()}
    kept = {name: text for name, text in before.items() if name in functions}
    minified = kept | minify({name: text for name, text in functions.items() if name not in kept})
    if minified != before:
        write(path, json.dumps(minified, ensure_ascii=False, indent=0, sort_keys=True).encode())
    web.cache_clear()  # the bundles now have the minified modules
    current = {f"{digest(content)}.br": content for content in contents()}
    missing = {name: content for name, content in current.items() if not (FOLDER / name).is_file()}
    with ThreadPoolExecutor() as pool:
        list(pool.map(compress, missing.keys(), missing.values()))
    for compressed in FOLDER.glob("*.br"):
        if compressed.name not in current:
            compressed.unlink(missing_ok=True)


def minify(functions: Mapping[str, str]) -> dict[str, str]:
    """Return the functions without spaces, comments and long names, by the same keys."""
    if not functions:
        return {}
    esbuild = package(f"@esbuild/{SYSTEMS[platform.system()]}-{MACHINES[platform.machine()]}")
    program = esbuild / ("esbuild.exe" if platform.system() == "Windows" else "bin/esbuild")
    program.chmod(0o755)
    with tempfile.TemporaryDirectory() as temporary:
        before, after = Path(temporary, "before"), Path(temporary, "after")
        before.mkdir()
        for name, text in functions.items():
            styles = _STYLES.sub(lambda match: compact_style(match[0]), text)
            (before / f"{name}.js").write_text(f"$({styles})", "utf-8")
        options = ("--minify", "--charset=utf8", "--target=es2022", "--log-level=warning", f"--outdir={after}")
        subprocess.run([str(program), *options, *map(str, before.iterdir())], check=True)
        return {name: _unwrapped((after / f"{name}.js").read_text("utf-8")) for name in functions}


def _unwrapped(text: str) -> str:
    """Return the function in `$(function)`, in parentheses."""
    licences, opening, rest = text.partition("$(")
    function, closing, end = rest.rpartition(");")
    if not opening or not closing or end.strip():
        raise ValueError(f"esbuild wrote something else than a function: {text[:200]}")
    return f"{licences}({function})"


def contents() -> Iterator[bytes]:
    """Yield the content of all files that pages load."""
    yield from (bundle(path).encode() for path in bundle_paths())
    yield from (opening(name) for name in inline_names())
    yield from (asset.plain for path, asset in web().assets.items() if not path.endswith((".js", ".html")))


def compress(name: str, content: bytes) -> None:
    """Write a compressed file. The stream ends with an empty block, so it can be continued."""
    stream = brotli.Compressor(quality=11, lgwin=22)
    write(FOLDER / name, stream.process(content) + stream.flush() + stream.finish())


def write(path: Path, content: bytes) -> None:
    """Write a file completely or not at all, because a server may start, or another build run, at the same time."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_bytes(content)
    part.replace(path)


if __name__ == "__main__":
    main()
