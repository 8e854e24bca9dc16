"""What the scripts that generate files of the repository share: generated sections and tables, and checks."""

import argparse
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from shlex import join
from typing import Any, Final

import msgspec

ROOT: Final = Path(__file__).resolve().parent.parent


def markers(script: str, part: str = "") -> tuple[str, str]:
    """Return the comments before and after the text that a script writes on a page, or one part of its output."""
    name = f"made by script/{script}{part and f', {part}'}"
    return f"<!-- {name}: start -->", f"<!-- {name}: end -->"


def replace_section(page: str, script: str, text: str, part: str = "") -> str:
    """Return a page with this text between the markers of a script; see `markers`.

    Raises:
        ValueError: the page does not have each marker once.
    """
    start, end = markers(script, part)
    before, rest = page.split(start)
    _, after = rest.split(end)
    return f"{before}{start}\n\n{text.rstrip()}\n\n{end}{after}"


def write_section(path: Path, script: str, text: str) -> None:
    """Write this text between the markers of a script on a page."""
    path.write_text(replace_section(path.read_text("utf-8"), script, text), "utf-8", newline="\n")


def arena_standings(command: Sequence[str], log: Path, *options: str) -> dict[str, dict[str, Any]]:  # Any: JSON
    """Run a command of the arena, or resume it from its log, and return the bots' standings by name.

    Args:
        command: the command, as it is shown to readers.
        log: the log of the matches.
        options: further options.

    Raises:
        SystemExit: the command failed or was interrupted.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    print(f"$ {join(command)}", file=sys.stderr)
    words = [sys.executable, "-m", *command, "--json", "--log", str(log), *options]
    try:
        done = subprocess.run(words, check=False, stdout=subprocess.PIPE, cwd=ROOT)
    except KeyboardInterrupt:
        done = None
    if done is None or done.returncode == 130:
        sys.exit("Stopped. Run the same command to resume.")
    if done.returncode:
        sys.exit(done.stdout.decode())
    return {bot["name"]: bot for bot in msgspec.json.decode(done.stdout)["bots"]}


def regenerate(script: str, description: str, texts: Callable[[], Mapping[Path, str]]) -> int:
    """Update files, or with the flag `--check` report those that are out of date. Return the exit status.

    Args:
        script: the name of the script, such as "reference".
        description: what the script does, for `--help`.
        texts: returns the current text of each file.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--check", action="store_true", help="change nothing, and fail if a file is out of date")
    check = parser.parse_args().check
    outdated = {path: text for path, text in texts().items() if not path.exists() or path.read_text("utf-8") != text}
    for path, text in outdated.items():
        if check:
            print(f"{path.relative_to(ROOT)} is out of date: run ./script/{script}", file=sys.stderr)
        else:
            path.write_text(text, encoding="utf-8", newline="\n")
            print(f"wrote {path}", file=sys.stderr)
    return 1 if check and outdated else 0
