"""Run the installed command in a subprocess."""

import os
import subprocess
import sys
from pathlib import Path


def faceup(*words: str, stdin: str = "", data: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run `faceup` with the given arguments and input; saved games go to `data`."""
    return subprocess.run(
        [sys.executable, "-m", "faceup", *words],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, **({"FACEUP_DATA": str(data)} if data else {})},
    )
