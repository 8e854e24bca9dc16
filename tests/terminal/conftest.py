"""Saved games of these tests go where nobody else's are."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of this test's games."""
    monkeypatch.setenv("FACEUP_DATA", str(tmp_path))
    return tmp_path
