"""Worker processes start quickly because they avoid heavy imports."""

import subprocess
import sys

import pytest

HEAVY = {"sqlalchemy", "litestar", "uvicorn", "argon2", "numpy", "numba"}


@pytest.mark.parametrize("name", ["replays.replay_worker", "workers.coach_worker", "workers.bot_worker"])
def test_worker_processes_avoid_heavy_imports(name: str) -> None:
    code = f"import sys, faceup.server.{name}; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert f"faceup.server.{name}" in modules
    assert not HEAVY & set(modules)
