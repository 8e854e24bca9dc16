"""Save the games of these tests in a temporary folder."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the data folder of the test."""
    monkeypatch.setenv("FACEUP_DATA", str(tmp_path))
    return tmp_path
