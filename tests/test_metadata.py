"""What the package index shows of a release, and what its source archive holds."""

import email
import json
import os
import re
import subprocess
import tarfile
import tomllib
import zipfile
from email.message import Message
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
TAG = f"v{PROJECT['version']}"
FILES = f"https://github.com/faceup-games/faceup/blob/{TAG}/"
PICTURES = f"https://raw.githubusercontent.com/faceup-games/faceup/{TAG}/"

pytestmark = pytest.mark.slow


def run(*command: str | Path) -> str:
    """Return what the command prints; it sees no environment of ours."""
    environ = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    done = subprocess.run(command, env=environ, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the source archive, and of the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("release")
    run("uv", "build", "--quiet", "--out-dir", folder, ROOT)
    return folder


@pytest.fixture(scope="module")
def archived(release: Path) -> dict[str, int]:
    """The size in bytes of each file of the source archive."""
    [path] = release.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        return {member.name.partition("/")[2]: member.size for member in archive if member.isfile()}


@pytest.fixture(scope="module")
def metadata(release: Path) -> Message:
    """The metadata of the wheel."""
    [path] = release.glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        [name] = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
        return email.message_from_bytes(wheel.read(name))


def targets(text: str) -> set[str]:
    """Return where the links and pictures of a Markdown text lead."""
    links = re.findall(r"\]\(([^)\s]+)", text) + re.findall(r"^\[[^\]]+\]: *(\S+)", text, re.MULTILINE)
    links += [link.split()[0] for link in re.findall(r'\b(?:href|src|srcset)="([^"]+)"', text)]
    return set(links)


@pytest.mark.long
def test_links_and_pictures_of_the_description_lead_to_files_of_this_version(metadata: Message) -> None:
    text = str(metadata.get_payload())
    links = targets(text)
    assert text.startswith("# faceup")
    assert len(links) == len(targets((ROOT / "README.md").read_text("utf-8"))) > 10
    assert [target for target in links if not target.startswith(("https://", "#"))] == []
    pictures = {target for target in links if target.endswith((".svg", ".png", ".jpg", ".gif", ".webp"))}
    ours = {target.removeprefix(prefix).partition("#")[0] for prefix in (FILES, PICTURES) for target in links}
    assert pictures
    assert all(target.startswith("https://") and FILES not in target for target in pictures)
    assert [path for path in ours if not path.startswith("https://") and not (ROOT / path).exists()] == []


def test_the_metadata_say_which_pythons_there_are_and_where_the_project_is(metadata: Message) -> None:
    pythons = re.findall(r"Python :: (3\.\d+)", "\n".join(metadata.get_all("Classifier", [])))
    assert metadata["Requires-Python"] == f">={pythons[0]}"
    labels = {label.partition(",")[0] for label in metadata.get_all("Project-URL", [])}
    assert {"Homepage", "Documentation", "Source", "Issues", "Security", "Changelog"} <= labels
    assert metadata["License-Expression"] == "MIT AND BSD-3-Clause AND OFL-1.1"
    assert metadata["Summary"].startswith("Choose in secret. Reveal together.")


def test_every_licence_of_the_package_is_in_the_metadata_and_in_the_wheel(release: Path, metadata: Message) -> None:
    files = [ROOT / "LICENSE", *(ROOT / "src").rglob("LICENSE"), *(ROOT / "src").rglob("OFL.txt")]
    licences = {path.relative_to(ROOT).as_posix() for path in files}
    assert {*metadata.get_all("License-File", [])} == licences
    [path] = release.glob("*.whl")
    assert {f"{metadata['Name']}-{metadata['Version']}.dist-info/licenses/{licence}" for licence in licences} <= {
        *zipfile.ZipFile(path).namelist()
    }
    vendored = json.loads((ROOT / "src" / "faceup" / "web" / "vendor" / "vendor.json").read_text("utf-8"))["packages"]
    assert {package["licence"] for package in vendored.values()} == {"BSD-3-Clause"}


def test_the_licences_for_tools_are_those_of_the_files() -> None:
    """`REUSE.toml` and `LICENSES` say the same again in the form that tools read."""
    source = ROOT / "src" / "faceup"
    originals = {
        "MIT": ROOT / "LICENSE",
        "BSD-3-Clause": source / "web" / "vendor" / "lit" / "LICENSE",
        "OFL-1.1": source / "server" / "pictures" / "fonts" / "OFL.txt",
    }
    assert PROJECT["license"] == " AND ".join(originals)
    for name, path in originals.items():
        assert (ROOT / "LICENSES" / f"{name}.txt").read_text("utf-8") == path.read_text("utf-8")
    annotations = tomllib.loads((ROOT / "REUSE.toml").read_text("utf-8"))["annotations"]
    assert [annotation["SPDX-License-Identifier"] for annotation in annotations] == [*originals]
    assert all((ROOT / annotation["path"].removesuffix("**")).is_dir() for annotation in annotations)


def test_every_file_names_the_same_site() -> None:
    site = PROJECT["urls"]["Homepage"]
    assert PROJECT["urls"]["Documentation"] == site
    assert re.findall(r"^url: (\S+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE) == [site]
    assert f"url: {site}\n" in (ROOT / ".github" / "ISSUE_TEMPLATE" / "config.yml").read_text("utf-8")
    pages = [*(ROOT / "src" / "faceup" / "web").rglob("*.html"), *(ROOT / "src" / "faceup" / "web").rglob("*.js")]
    names = {
        url
        for page in pages
        for url in re.findall(r"https://[\w.-]*(?:readthedocs|github)\.io[^/\"]*", page.read_text("utf-8"))
    }
    assert names <= {site}
    assert not (ROOT / ".github" / "workflows" / "docs.yml").exists()


def test_the_source_archive_holds_the_tests_and_what_they_read(archived: dict[str, int]) -> None:
    expected = {"PKG-INFO", "LICENSE", "README.md", "pyproject.toml", "uv.lock", "package.json", "script/test"}
    assert expected <= archived.keys()
    ours = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("*.py")}
    assert ours <= archived.keys()


def test_a_wheel_built_from_the_source_archive_has_the_whole_package(release: Path) -> None:
    [path] = release.glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        files = {name for name in wheel.namelist() if ".dist-info/" not in name}
    ours = (path for path in (ROOT / "src" / "faceup").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    assert files == {path.relative_to(ROOT / "src").as_posix() for path in ours}


def test_the_source_archive_holds_nothing_else_and_is_small(archived: dict[str, int]) -> None:
    folders = {name.partition("/")[0] for name in archived if "/" in name}
    assert folders <= {
        ".ci",
        ".github",
        "LICENSES",
        "benchmarks",
        "deploy",
        "docs",
        "examples",
        "script",
        "src",
        "tests",
    }
    caches = re.compile(r"(^|/)(__pycache__|node_modules|\.venv|\.\w+_cache)/|\.(pyc|nbi|nbc)$")
    assert [name for name in archived if caches.search(name)] == []
    assert sum(archived.values()) < 26 << 20


@pytest.mark.long
def test_the_package_index_accepts_the_release(release: Path) -> None:
    twine = ("uv", "tool", "run", "--from", "twine>=6.1", "twine")
    output = run(*twine, "check", "--strict", *release.glob("*.whl"), *release.glob("*.tar.gz"))
    assert output.count("PASSED") == 2
