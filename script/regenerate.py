"""What the scripts that generate files of the repository share: writing them, and checking that they are up to date."""

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent


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
    outdated = {path: text for path, text in texts().items() if path.read_text("utf-8") != text}
    for path, text in outdated.items():
        if check:
            print(f"{path.relative_to(ROOT)} is out of date: run ./script/{script}", file=sys.stderr)
        else:
            path.write_text(text, encoding="utf-8", newline="\n")
            print(f"wrote {path}", file=sys.stderr)
    return 1 if check and outdated else 0
