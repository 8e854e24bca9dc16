"""Find the files that a script needs, which are those in its folder that its text imports or names."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_SCRIPTS: Final = {".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".lua", ".pl", ".pm", ".php", ".sh"}
_LARGEST: Final = 1 << 20
"""The most bytes of a script that is searched."""

_WORD: Final = re.compile(r"[\w./-]+")
"""What may be a path in a script, if it has a suffix or a folder."""

_IMPORT: Final = re.compile(r"\b(?:import|from|require|use|source|load)\b[\s(\"'<]*([\w.:/, -]+)")
"""The start of an import in many languages, with the names of the modules."""


def needed_by(script: Path) -> Iterator[Path]:
    """Yield the files and folders that a script names and that are in its folder, or below it.

    A module is named without its suffix. Of a package, only its topmost folder is yielded.
    """
    if script.suffix not in _SCRIPTS or script.stat().st_size > _LARGEST:
        return
    text = script.read_text("utf-8", "replace")
    siblings = {path.name for path in script.parent.iterdir()} - {script.name}
    for word in dict.fromkeys(word for word in _WORD.findall(text) if "." in word or "/" in word):
        parts = [part for part in word.split("/") if part not in {"", "."}]
        if parts and parts[0] in siblings and not word.startswith("/"):
            path = script.parent.joinpath(*parts)
            if path.is_file() or (path.is_dir() and word.endswith("/")):
                yield path
    for words in dict.fromkeys(_IMPORT.findall(text)):
        for name in words.split(","):
            module = re.split(r"\.(?!/)|::|/", name.strip().removeprefix("./").split(" ")[0].lstrip("."))[0]
            for path in (
                script.parent / module,
                script.parent / f"{module}{script.suffix}",
                script.parent / f"{module}.pm",
            ):
                if module and path.name in siblings:
                    yield path
