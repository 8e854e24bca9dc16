"""The release script refuses versions, dates and tags that disagree, and finds the notes of a release."""

import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT: dict[str, Any] = runpy.run_path(str(ROOT / "script" / "release.py"))
CITATION = "cff-version: 1.2.0\nversion: 1.2.0\ndate-released: 2027-01-31\n"
CHANGELOG = """# Changelog

## [1.3.0] - unreleased

New

## [1.2.0] - 2027-01-31

### Added

- One

## [1.1.0] - 2026-12-01
"""


def test_the_notes_are_the_section_of_the_version() -> None:
    assert SCRIPT["changelog_section"](CHANGELOG, "1.2.0") == ("2027-01-31", "### Added\n\n- One")
    assert SCRIPT["changelog_section"](CHANGELOG, "1.3.0") == ("unreleased", "New")


def test_links_of_the_notes_work_outside_the_repository() -> None:
    citation = "repository-code: https://example.org/faceup\n"
    notes = "[docs](docs/index.md), [elsewhere](https://example.com)"
    assert SCRIPT["with_absolute_links"](notes, "1.2.0", citation) == (
        "[docs](https://example.org/faceup/blob/v1.2.0/docs/index.md), [elsewhere](https://example.com)"
    )


def test_a_version_without_a_section_is_refused() -> None:
    with pytest.raises(SystemExit, match=r"needs the heading '## \[1\.2\] - YYYY-MM-DD'"):
        SCRIPT["changelog_section"](CHANGELOG, "1.2")


def test_files_that_agree_pass() -> None:
    SCRIPT["check_versions"]("1.2.0", "2027-01-31", CITATION, "v1.2.0", released=True)
    SCRIPT["check_versions"]("1.2.0", "2027-01-31", CITATION, None, released=True)
    SCRIPT["check_versions"]("1.2.0", "unreleased", CITATION.replace("date-released: 2027-01-31\n", ""), None)


@pytest.mark.parametrize(
    ("version", "date", "tag", "message"),
    [
        ("1.2.1", "2027-01-31", None, "CITATION.cff has version 1.2.0, but pyproject.toml has 1.2.1"),
        ("1.2.0", "2027-01-31", "1.2.0", "must be v1.2.0, but is 1.2.0"),
        ("1.2.0", "unreleased", "v1.2.0", "replace 'unreleased'"),
        ("1.2.0", "unreleased", None, "remove 'date-released'"),
        ("1.2.0", "2027-02-01", "v1.2.0", "needs 'date-released: 2027-02-01'"),
        ("1.2.0", "2027-02-01", None, "needs 'date-released: 2027-02-01'"),
    ],
)
def test_files_that_disagree_are_refused(version: str, date: str, tag: str | None, message: str) -> None:
    with pytest.raises(SystemExit, match=message):
        SCRIPT["check_versions"](version, date, CITATION, tag, released=True)


def test_a_release_whose_pages_install_from_the_source_is_refused() -> None:
    with pytest.raises(SystemExit, match=r"run \./script/install_commands --released first"):
        SCRIPT["check_versions"]("1.2.0", "2027-01-31", CITATION, "v1.2.0", released=False)


def test_the_files_of_this_version_agree() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    date, notes = SCRIPT["changelog_section"]((ROOT / "CHANGELOG.md").read_text("utf-8"), version)
    SCRIPT["check_versions"](version, date, (ROOT / "CITATION.cff").read_text("utf-8"), None)
    assert "### Added" in notes


def test_the_environment_of_a_release_has_what_builds_the_packages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    locked = {requirement for requirement in project["dependency-groups"]["release"] if isinstance(requirement, str)}
    assert set(project["build-system"]["requires"]) <= locked
