"""Programs in C and C++, built by the system's compiler, or by the one that a package brings."""

import os
import shutil
import subprocess
import tempfile
from functools import cache
from hashlib import sha256
from pathlib import Path

PEERS = Path(__file__).with_name("peers")


@cache
def built(source: Path, *flags: str) -> str:
    """The path of the program that is made from the source; it is made once, whichever process needs it first."""
    language = "c++" if source.suffix == ".cpp" else "cc"
    system = shutil.which(language)
    compiler = [system] if system else ["uv", "tool", "run", "--from", "ziglang", "python-zig", language]
    command = [*compiler, "-O2", *flags, str(source), "-o"]
    key = sha256(repr((command, source.read_bytes())).encode()).hexdigest()[:16]
    program = Path(tempfile.gettempdir()) / f"faceup-programs-{os.getuid()}" / f"{source.stem}-{key}"
    if not program.exists():
        program.parent.mkdir(exist_ok=True)
        made = program.with_suffix(f".{os.getpid()}")
        subprocess.run([*command, str(made)], check=True)
        made.replace(program)  # at one stroke, for whoever else looks
    return str(program)
