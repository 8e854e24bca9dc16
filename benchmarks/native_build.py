"""Build C and C++ programs with the system's compiler, or the one of a package."""

import os
import shutil
import subprocess
import tempfile
from functools import cache
from hashlib import sha256
from pathlib import Path

PEERS = Path(__file__).with_name("peers")


@cache
def built(source: Path, *flags: str, libraries: tuple[str, ...] = ()) -> str:
    """Return the path of the compiled program; it is built once for all processes."""
    after = [f"-l{library}" for library in libraries]
    language = "c++" if source.suffix == ".cpp" else "cc"
    system = shutil.which(language)
    compiler = [system] if system else ["uv", "tool", "run", "--from", "ziglang", "python-zig", language]
    command = [*compiler, "-O2", *flags, str(source), *after, "-o"]
    key = sha256(repr((command, source.read_bytes())).encode()).hexdigest()[:16]
    program = Path(tempfile.gettempdir()) / f"faceup-programs-{os.getuid()}" / f"{source.stem}-{key}"
    if not program.exists():
        program.parent.mkdir(exist_ok=True)
        made = program.with_suffix(f".{os.getpid()}")
        subprocess.run([*command, str(made)], check=True)
        made.replace(program)  # atomic
    return str(program)
