"""The page's types and the documentation's tables of messages follow from the server's types."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_generated_message_types_are_current() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "script" / "wire_types.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_requests_repeat_no_type_of_a_response() -> None:
    modules = sorted((ROOT / "src/faceup/web").glob("*/*requests.js"))
    assert modules
    assert [str(module) for module in modules if "@typedef" in module.read_text("utf-8")] == []
