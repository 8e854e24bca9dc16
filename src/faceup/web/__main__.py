"""Write the files of the page, with its translations as modules, into a new folder: `python -m faceup.web FOLDER`."""

import sys
from pathlib import Path

from faceup.web.assets import web


def main(words: list[str]) -> None:
    """Write the files. Existing files are kept, and then it is an error."""
    if len(words) != 1 or words[0].startswith("-"):
        sys.exit("usage: python -m faceup.web FOLDER")
    folder = Path(words[0])
    if folder.exists():
        sys.exit(f"{folder} exists already: name a new folder")
    for path, asset in web().assets.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(asset.plain)


if __name__ == "__main__":
    main(sys.argv[1:])
