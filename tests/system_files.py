"""System files that are copies of other machines'."""

from pathlib import Path


def put(root: Path, files: dict[str, str]) -> Path:
    """Write these files below a folder, and return the folder."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root
