"""What `script/build_page` writes: complete, and compressed as well as possible unless the build is quick."""

from collections.abc import Mapping
from pathlib import Path

import brotli  # type: ignore[import-untyped]
import build_page
import pytest

from faceup.web.bundler import digest

CONTENTS = tuple(
    f"{number} ".encode() * 9 + b"cards of players at a table of six, " * number for number in range(1, 200, 9)
)


def smallest() -> dict[str, bytes]:
    return {f"{digest(content)}.br": build_page.compress(content) for content in CONTENTS}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    def keep(functions: Mapping[str, str]) -> Mapping[str, str]:
        return functions

    monkeypatch.setattr(build_page, "FOLDER", tmp_path)
    monkeypatch.setattr(build_page, "QUICK", tmp_path / "quick")
    monkeypatch.setattr(build_page, "minify", keep)
    monkeypatch.setattr(build_page, "contents", lambda: iter(CONTENTS))
    return tmp_path


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.br")}


def test_a_build_after_a_quick_one_compresses_all_files_again(folder: Path) -> None:
    build_page.main(quick=True)
    assert [brotli.decompress(file) for file in files(folder).values()] == [
        content for name in files(folder) for content in CONTENTS if name == f"{digest(content)}.br"
    ]
    assert files(folder) != smallest()
    build_page.main()
    assert files(folder) == smallest()
    assert not build_page.QUICK.exists()


def test_a_quick_build_keeps_files_and_deletes_unused_ones(folder: Path) -> None:
    build_page.main()
    (folder / "unused.br").touch()
    build_page.main(quick=True)
    assert files(folder) == smallest()
    assert not build_page.QUICK.exists()
