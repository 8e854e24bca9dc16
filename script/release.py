"""Check that a release can be made, and build its packages. See `script/release`.

--tag v1.2.3   also check that the tag, the version and the dates agree
--notes        only print the section of the changelog for this version
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
DIST: Final = ROOT / "dist"
UNRELEASED: Final = "unreleased"
RELEASED: Final = "RELEASED: Final = True" in (ROOT / "src" / "faceup" / "installation.py").read_text("utf-8")
"""The switch for the commands that install faceup; the environment of this script does not have faceup itself."""

GAME: Final = ("watch", "nimmt", "--bots", "greedy,lowest", "--seats", "2", "--seed", "7", "--plain")


def main() -> None:
    """Run the checks in turn. Stop at the first failure, with a message."""
    parser = argparse.ArgumentParser(prog="./script/release", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tag", help="the tag of the release, such as v1.2.3; without it, the changelog needs no date")
    parser.add_argument("--notes", action="store_true", help="only print the section of the changelog")
    arguments = parser.parse_args()
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    date, notes = changelog_section((ROOT / "CHANGELOG.md").read_text("utf-8"), version)
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    if arguments.notes:
        print(with_absolute_links(notes, version, citation))
        return
    check_versions(version, date, citation, arguments.tag)
    if changed := run("git", "status", "--porcelain", "--untracked-files=no"):
        sys.exit(f"commit these changes first, because the packages are built from the last commit:\n{changed}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        build(folder)
        run("twine", "check", "--strict", *map(str, DIST.iterdir()))
        play(folder)
    for path in sorted(DIST.iterdir()):
        size = path.stat().st_size
        print(f"{path.relative_to(ROOT)}  {size:,} bytes  sha256 {hashlib.sha256(path.read_bytes()).hexdigest()}")


def changelog_section(changelog: str, version: str) -> tuple[str, str]:
    """Return the date of a version in the changelog (or "unreleased"), and the text of its section."""
    sections = re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]
    for section in sections:
        heading, _, text = section.partition("\n")
        if match := re.fullmatch(rf"\[{re.escape(version)}\] - (\d{{4}}-\d\d-\d\d|{UNRELEASED})", heading.strip()):
            return match[1], text.strip()
    sys.exit(f"CHANGELOG.md needs the heading '## [{version}] - YYYY-MM-DD' (or '- {UNRELEASED}')")


def with_absolute_links(notes: str, version: str, citation: str) -> str:
    """Replace links to files by links to the files of this version in the repository that the citation names."""
    [repository] = re.findall(r"^repository-code: (\S+)$", citation, re.MULTILINE)
    return re.sub(r"\]\((?!https?:|#)", f"]({repository}/blob/v{version}/", notes)


def check_versions(version: str, date: str, citation: str, tag: str | None, *, released: bool = RELEASED) -> None:
    """Check that all files have this version and this date, and the tag if there is one. Exit with a message if not."""
    fields = dict(re.findall(r"^(version|date-released): *['\"]?([^\s'\"]+)", citation, re.MULTILINE))
    if fields.get("version") != version:
        sys.exit(f"CITATION.cff has version {fields.get('version')}, but pyproject.toml has {version}")
    if tag is not None and tag != f"v{version}":
        sys.exit(f"the tag for version {version} of pyproject.toml must be v{version}, but is {tag}")
    if date == UNRELEASED:
        if tag is not None:
            sys.exit(f"CHANGELOG.md: replace '{UNRELEASED}' in the heading of {version} by the date")
        if "date-released" in fields:
            sys.exit(f"CITATION.cff: remove 'date-released', because CHANGELOG.md says that {version} is {UNRELEASED}")
        return
    if not released:
        sys.exit("run ./script/install_commands --released first: all pages still install faceup from its source")
    if fields.get("date-released") != date:
        sys.exit(f"CITATION.cff needs 'date-released: {date}', the date of {version} in CHANGELOG.md")


def build(folder: Path) -> None:
    """Build the packages from two clones in different folders, compare their bytes, and put them in `dist`.

    The wheel is built from the source package, so that the source package is complete.
    """
    os.environ["SOURCE_DATE_EPOCH"] = run("git", "log", "-1", "--format=%ct").strip()
    for name in ("first", "again"):
        run("git", "clone", "--quiet", str(ROOT), str(folder / name))
        run(sys.executable, str(folder / name / "script" / "build_page.py"))
        out = str(folder / f"{name}-dist")
        # Without build isolation, the locked hatchling of this environment builds the packages.
        run(
            "uv",
            "build",
            "--quiet",
            "--no-build-isolation",
            "--python",
            sys.executable,
            "--out-dir",
            out,
            str(folder / name),
        )
    first, again = (digests(folder / f"{name}-dist") for name in ("first", "again"))
    if first != again:
        sys.exit(f"two builds of the same commit differ:\n{first}\n{again}")
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    for name in first:
        shutil.copyfile(folder / "first-dist" / name, DIST / name)


def digests(folder: Path) -> dict[str, str]:
    """Return the digests of the packages in a folder by name."""
    files = sorted(path for path in folder.iterdir() if path.name.endswith((".whl", ".tar.gz")))
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def play(folder: Path) -> None:
    """Install the wheel alone in an empty environment, and play a game with it."""
    environment, home = folder / "environment", folder / "home"
    home.mkdir()
    [wheel] = DIST.glob("*.whl")
    run("uv", "venv", "--quiet", str(environment))
    run("uv", "pip", "install", "--quiet", "--python", str(environment), str(wheel))
    print(run(str(environment / "bin" / "faceup"), *GAME, home=home).rstrip().rpartition("\n")[2])


def run(*command: str, home: Path | None = None) -> str:
    """Return the output of a command. Exit with its output if it fails."""
    environ = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    if home is not None:
        environ |= {"HOME": str(home)}
    done = subprocess.run(
        command, cwd=home or ROOT, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}")
    return done.stdout


if __name__ == "__main__":
    main()
