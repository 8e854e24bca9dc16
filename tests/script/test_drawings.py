import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_pictures_in_the_docs_are_what_the_command_draws() -> None:
    pictures = runpy.run_path(str(ROOT / "script" / "drawings.py"))["pictures"]()
    folder = ROOT / "docs" / "drawings"
    kept = {file.relative_to(folder).as_posix(): file.read_text("utf-8") for file in folder.rglob("*.svg")}
    stale = {name for name in {*pictures, *kept} if pictures.get(name) != kept.get(name)}
    assert not stale, f"run ./script/drawings, and look at {', '.join(sorted(stale))}"


def test_every_picture_is_on_a_page_of_the_reference() -> None:
    pages = "".join(file.read_text("utf-8") for file in (ROOT / "docs" / "reference").rglob("*.md"))
    for file in (ROOT / "docs" / "drawings").rglob("*.svg"):
        assert f"(../../{file.relative_to(ROOT / 'docs').as_posix()})" in pages
