"""Extras: the table of their modules, and the error for an extra that is not installed."""

import re
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from faceup import extras
from faceup.extras import LIBRARIES, MissingExtraError, is_installed, needs, require
from faceup.installation import install_command

PYPROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
EXTRAS: dict[str, list[str]] = PYPROJECT["project"]["optional-dependencies"]


def included(requirement: str) -> list[str]:
    """Return the extras that a requirement such as `faceup[fast,plot]` includes."""
    match = re.fullmatch(r"faceup\[([\w,-]+)\]", requirement)
    return match[1].split(",") if match else []


def packages(extra: str) -> set[str]:
    """Return the packages that an extra installs on every system, with those of the extras that it includes."""
    extras: set[str] = set()
    for requirement in EXTRAS[extra]:
        for other in included(requirement):
            extras |= packages(other)
        name = re.match(r"[\w.-]+", requirement)
        assert name
        if ";" not in requirement and name[0] != "faceup":
            extras.add(name[0].lower())
    return extras


@pytest.fixture
def nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every extra look like it is not installed."""
    monkeypatch.setattr(extras, "is_installed", lambda _: False)


@pytest.mark.sample(1)
@pytest.mark.parametrize("extra", LIBRARIES)
def test_the_modules_of_an_extra_are_those_of_its_packages(extra: str) -> None:
    distributions = packages_distributions()
    # A package with modules that share a top-level package with those of others has the name of its module.
    distribution_names = [library if "." in library else distributions[library][0] for library in LIBRARIES[extra]]
    assert {re.sub("[._]", "-", name.lower()) for name in distribution_names} == packages(
        "server-small" if extra == "server" else extra
    )


def test_every_extra_is_in_the_table() -> None:
    assert {*LIBRARIES, "all", "server-small", "train"} == {*EXTRAS}
    assert EXTRAS["server"] == ["faceup[fast,server-small]"]


def test_all_includes_every_extra_but_those_of_a_user_of_accelerators() -> None:
    everywhere, somewhere = EXTRAS["all"]
    assert {*included(everywhere)} == {*LIBRARIES} - {"jax", "openspiel"}
    assert included(somewhere.partition(";")[0]) == ["openspiel"]  # it has no wheels for Windows


def test_development_installs_all_extras() -> None:
    development = [str(requirement).partition(";")[0] for requirement in PYPROJECT["dependency-groups"]["dev"]]
    assert {"faceup[all]", "faceup[jax]"} <= {*development}
    assert all(map(is_installed, LIBRARIES))


def test_a_module_that_no_one_installed_is_found_to_be_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "LIBRARIES", {"nothing": ("faceup_has_no_such_module",)})
    assert not is_installed("nothing")


@pytest.mark.usefixtures("nothing")
def test_a_missing_extra_is_said_with_its_command() -> None:
    with pytest.raises(MissingExtraError) as raised, needs("server", "faceup serve"):
        import_module("faceup_has_no_such_module")
    assert str(raised.value) == f"faceup serve needs the server extra: {install_command('server')}"
    assert isinstance(raised.value.__cause__, ModuleNotFoundError)
    with pytest.raises(MissingExtraError, match=r"^x needs the plot extra"):
        require("plot", "x")


@pytest.mark.parametrize(
    ("installed", "extra", "missing"),
    [
        ({"fast", "server", "arena", "plot"}, "envs", ["server"]),
        ({"fast", "arena", "server"}, "cluster", ["server"]),
        ({"server", "plot"}, "s3", ["server-small"]),
        ({"server", "plot"}, "fast", ["server-small"]),
        ({"fast", "arena"}, "server", []),
        (set(), "fast", []),
    ],
)
def test_the_command_names_the_extras_that_would_be_lost(
    installed: set[str], extra: str, missing: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "is_installed", installed.__contains__)
    assert extras._installed(extra) == missing


@pytest.mark.usefixtures("nothing")
def test_the_outer_of_two_missing_extras_is_said() -> None:
    with pytest.raises(MissingExtraError, match=r"^outer needs the arena extra"), needs("arena", "outer"):
        require("fast", "inner")


def test_an_error_inside_an_installed_library_passes_through() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'faceup_has_no_such_module'$"), needs("fast", "x"):
        import_module("faceup_has_no_such_module")
    with pytest.raises(ImportError, match=r"^cannot import name"), needs("fast", "x"):
        exec("from numpy import faceup_has_no_such_name")  # noqa: S102 -- an import that type checkers reject


@pytest.mark.usefixtures("nothing")
def test_other_errors_pass_through_where_the_extra_is_absent() -> None:
    with pytest.raises(ImportError, match=r"^broken$"), needs("fast", "x"):
        raise ImportError("broken")
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'faceup\.nowhere'$"), needs("fast", "x"):
        import_module("faceup.nowhere")


@pytest.mark.parametrize(
    "module",
    [  # commands without an extra import these, in packages that need extras
        "faceup.server.rooms.replay_page",
        "faceup.server.rooms",
        "faceup.cli.main",
    ],
)
def test_module_is_imported_without_any_extra(module: str) -> None:
    libraries = sorted({library.partition(".")[0] for libraries in LIBRARIES.values() for library in libraries})
    program = f"import sys; sys.modules.update(dict.fromkeys({libraries})); import {module}"
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
