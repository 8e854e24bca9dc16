"""The processes beside a server's own: who waits for a bot or a log does not wait for a database's library first."""

import subprocess
import sys

import pytest

HEAVY = {"sqlalchemy", "litestar", "uvicorn", "argon2", "numpy", "numba"}


@pytest.mark.parametrize("name", ["study", "thinker"])
def test_a_process_beside_the_server_loads_nothing_that_the_server_alone_needs(name: str) -> None:
    asked = f"import sys, faceup.server.beside.{name}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout.split()
    assert f"faceup.server.beside.{name}" in loaded
    assert not HEAVY & set(loaded)
