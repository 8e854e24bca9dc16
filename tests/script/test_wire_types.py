"""The page's types and the documentation's tables of messages follow from the server's message types."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_generated_message_types_are_current() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "script" / "wire_types.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
