"""Checks of the whole project: import costs, file sizes, import contracts, docstrings, and the documentation's maps."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import grimp
from packaging.requirements import Requirement
from packaging.version import Version

from faceup.core.laws import CATALOG
from faceup.server.features import FEATURES
from faceup.translations import LANGUAGES

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
PACKAGE = SOURCE / "faceup"
MODULES = sorted(SOURCE.rglob("*.py"))
SETTINGS: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CONTRACTS: dict[str, dict[str, Any]] = {
    contract["name"]: contract for contract in SETTINGS["tool"]["importlinter"]["contracts"]
}


def modules_after(program: str) -> set[str]:
    """Return the names of the modules loaded in a new interpreter after it ran the program."""
    program += "\nimport sys; print('\\n' + ' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def third_party(modules: set[str]) -> set[str]:
    """Return the top-level packages of the modules, except faceup, the standard library and what any program loads."""
    return {name.partition(".")[0] for name in modules - modules_after("pass")} - sys.stdlib_module_names - {"faceup"}


def test_importing_faceup_needs_msgspec_and_the_standard_library_alone() -> None:
    assert third_party(modules_after("import faceup.core")) == third_party(modules_after("import msgspec"))


def test_importing_faceup_loads_no_slow_part_of_the_standard_library() -> None:
    slow = {"asyncio", "difflib", "email", "importlib.metadata", "json", "logging", "pathlib", "random", "secrets"}
    slow |= {"socket", "subprocess", "tempfile", "threading", "unittest", "urllib"}
    loaded = modules_after("import faceup.core") - modules_after("import msgspec")
    assert not loaded & slow


def test_a_server_starts_without_what_few_requests_need() -> None:
    """Every import makes a restart longer."""
    loaded = modules_after("import faceup.server.process.serve")
    needless = {"faceup.coach", "faceup.games.nimmt", "segno", "resvg_py", "alembic", "openskill", "numpy"}
    assert not loaded & {*needless, "sqlalchemy.dialects.postgresql"}


def test_the_list_of_bots_loads_no_compiled_code() -> None:
    """Otherwise the process of a server takes twice the memory. Bots play in worker processes."""
    program = "from faceup.server.http import server_info; server_info._playable_games(server_info.SITE.get())"
    assert not modules_after(program) & {"numba", "numpy"}


def test_help_loads_no_framework_and_no_settings() -> None:
    program = "import sys; sys.argv = ['faceup', '--help']\nfrom faceup.cli import main\n"
    program += "try: main()\nexcept SystemExit as end: assert not end.code"
    loaded = modules_after(program)
    assert not third_party(loaded) & {"hypothesis", "numba", "numpy", "rich", "textual"}
    assert "faceup.server.process.settings" not in loaded


def layers_of(contract: str) -> set[str]:
    """Return the modules that a layer contract lists."""
    return {name.strip(" ()") for line in CONTRACTS[contract]["layers"] for name in line.split(":")}


def packages_in(folder: Path) -> set[str]:
    """Return the names of the packages directly in a folder."""
    return {path.parent.name for path in folder.glob("*/__init__.py")}


def test_every_package_and_module_has_its_place_in_the_layers() -> None:
    modules = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    assert {f"faceup.{name}" for name in packages_in(PACKAGE) | modules} <= layers_of("Imports point one way")


def test_every_package_of_the_server_has_its_place_in_the_layers() -> None:
    packages = {path.parent.name for path in (PACKAGE / "server").glob("*/feature.py")}
    layers = {layer.partition(".")[0] for layer in layers_of("Packages of the server import one way")}
    assert packages_in(PACKAGE / "server") <= packages | layers | {"client"}


def test_every_folder_with_a_feature_is_listed() -> None:
    folders = {path.parent.name for path in (PACKAGE / "server").glob("*/feature.py")}
    listed = {feature.name for feature in FEATURES}
    assert folders == listed


def test_every_package_of_the_arena_has_its_place_in_the_layers() -> None:
    layers = {layer.split(".")[2] for layer in layers_of("Packages of the arena import one way")}
    assert packages_in(PACKAGE / "arena") <= layers


def test_modules_import_each_other_in_no_circle() -> None:
    """Imports for type checkers count, too: a module can be read only after those whose types it uses."""
    graph = grimp.build_graph("faceup", cache_dir=None)
    for module in graph.find_descendants("faceup.server"):
        graph.remove_module(module)
    TopologicalSorter({module: graph.find_modules_directly_imported_by(module) for module in graph.modules}).prepare()


def test_rules_and_tables_may_not_do_input_or_output() -> None:
    pure = {"faceup.core", "faceup.games", "faceup.table", "faceup.tournament"}
    [contract] = [contract for name, contract in CONTRACTS.items() if name.startswith("Rules and tables do no I/O")]
    assert set(contract["source_modules"]) == {name for name in pure if (SOURCE / name.replace(".", "/")).is_dir()}
    assert {"os", "pathlib", "random", "socket", "time", "numpy"} <= set(contract["forbidden_modules"])


@cache
def parse_module(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def test_every_module_has_a_docstring() -> None:
    assert [path for path in MODULES if not ast.get_docstring(parse_module(path))] == []


def test_no_module_has_more_than_500_lines() -> None:
    generated = PACKAGE / "server" / "store" / "migrations" / "versions" / "initial.py"
    lines = {path: len(path.read_text("utf-8").splitlines()) for path in MODULES if path != generated}
    assert {path: count for path, count in lines.items() if count > 500} == {}


def test_no_module_has_a_vague_name() -> None:
    vague = {"common", "helper", "helpers", "manager", "misc", "util", "utils"}
    assert not [path for path in MODULES if vague & {path.stem, path.parent.name}]


REPEATED: Final = {
    "State": "the type of a game's states: of any game, of 6 nimmt!, and as arrays for JAX",
    "View": "the type of a game's views: of any game, and of 6 nimmt!",
    "Rules": "the rules: of any game, and of 6 nimmt!",
    "Request": "what a command for scripts reads: `faceup.cli.scripts` finds it by this name in the command's module",
}
"""Names of public classes that have the same role wherever they occur."""


def test_public_classes_have_different_names() -> None:
    """A search for a name finds one class."""
    places: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in parse_module(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(str(path.relative_to(PACKAGE)))
    assert {name: paths for name, paths in places.items() if len(paths) > 1 and name not in REPEATED} == {}


def test_only_versions_of_uvicorn_that_were_tried_are_installed() -> None:
    """The server's `WebSocketProtocol` derives from a private class, which may change in any minor version."""
    lines = [line for extra in SETTINGS["project"]["optional-dependencies"].values() for line in extra]
    [allowed] = {requirement.specifier for requirement in map(Requirement, lines) if requirement.name == "uvicorn"}
    installed = Version(version("uvicorn"))
    assert installed in allowed
    assert f"{installed.major}.{installed.minor + 1}.0" not in allowed
    assert "0.52.0" not in allowed  # games fail at the first message


def test_the_changelog_has_a_section_for_this_version() -> None:
    version = SETTINGS["project"]["version"]
    assert f"\n## [{version}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_no_file_of_the_page_has_merge_conflict_markers() -> None:
    files = [path for path in (PACKAGE / "web").rglob("*") if path.suffix in {".js", ".css", ".html", ".md"}]
    assert files
    assert [path for path in files if any(mark * 7 + " " in path.read_text("utf-8") for mark in "<>")] == []


# docs/contributing: the tables of folders and of tests.

CONTRIBUTING = "".join(path.read_text("utf-8") for path in sorted((ROOT / "docs" / "contributing").glob("*.md")))
LISTED = set(re.findall(r"^\| `([\w./]+/)`", CONTRIBUTING, re.MULTILINE))
DATA_FOLDERS = {"vendor", "migrations", "versions", "guides"} | set(LANGUAGES)
"""Folders inside a listed one that hold third-party code, generated code or translations."""


def source_folders() -> Iterator[str]:
    """Return every folder of code in `src/faceup`, as the table of folders writes it.

    A package of one module inside another package counts as a module.
    """
    for path in sorted(PACKAGE.rglob("*")):
        parts = path.relative_to(PACKAGE).parts
        files = [*path.glob("*.py"), *path.glob("*.js")]
        if files and not DATA_FOLDERS & set(parts) and (len(files) > 1 or len(parts) == 1):
            yield f"{path.relative_to(ROOT).as_posix()}/"


def test_contributing_is_a_short_page_with_links_to_the_others() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert len(page.encode()) <= 6_000
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs" / "contributing").glob("*.md")}
    assert {path for path in pages if f"({path})" not in page} == set()


def test_contributing_lists_every_source_folder() -> None:
    folders = set(source_folders())
    assert len(folders) > 40
    assert folders <= LISTED


def test_contributing_lists_no_folder_that_does_not_exist() -> None:
    assert LISTED
    assert [folder for folder in LISTED if not (ROOT / folder).is_dir()] == []


def test_contributing_says_what_every_folder_of_tests_proves() -> None:
    own = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and any(path.glob("*.py"))}
    missing = {f"tests/{name}/" for name in own - packages_in(PACKAGE) - {"web"}} - LISTED
    assert not missing


def test_contributing_lists_every_test_file_of_the_whole_project() -> None:
    paths = set(re.findall(r"`(tests/\w+\.py)`", CONTRIBUTING))
    assert {f"tests/{path.name}" for path in (ROOT / "tests").glob("test_*.py")} <= paths


# tests/README.md: promises and the tests that hold them.

PROMISES = (ROOT / "tests" / "README.md").read_text("utf-8")


def test_the_tests_that_hold_promises_exist() -> None:
    tests = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PROMISES)
    assert len(tests) > 50
    for path, name in tests:
        assert re.search(rf"^(?:async )?def {name}\(", (ROOT / path).read_text("utf-8"), re.MULTILINE), (path, name)


def test_every_promise_has_a_test() -> None:
    security, stability = [
        (ROOT / page).read_text("utf-8").partition(start)[2].partition(end)[0]
        for page, start, end in (
            ("SECURITY.md", "## What faceup guarantees", "## Not vulnerabilities"),
            ("docs/reference/stability.md", "## What holds across all versions", "## What may change"),
        )
    ]
    promises = re.findall(r"^\*\*([^*]+?)[.,]?\*\*", security + stability, re.MULTILINE)
    assert len(promises) == 19
    assert [promise for promise in promises if f"\n| {promise.replace(chr(10), ' ')} |" not in PROMISES] == []
    laws = re.findall(r"^\| ([\d, ]+) \|", PROMISES, re.MULTILINE)
    assert {int(law) for row in laws for law in row.split(", ")} == {law.number for law in CATALOG}


# docs/explanation/architecture.md: paths, names and pictures.

ARCHITECTURE = ROOT / "docs" / "explanation" / "architecture.md"
NAMED = re.compile(r"\[`([\w./-]+)`\]\(\.\./\.\./(src/faceup/[\w./-]+)\)((?:[ ,:]*(?:and )?`[\w.#]+`)*)")


def named_functions() -> list[tuple[str, str, str]]:
    """Return what the page links: the text of each link, its path, and each name written after it."""
    named_symbols = NAMED.findall(ARCHITECTURE.read_text("utf-8"))
    return [
        (text, path, name) for text, path, names in named_symbols for name in re.findall(r"`([\w.#]+)`", names) or [""]
    ]


def test_architecture_names_enough_to_follow_a_choice() -> None:
    assert len(named_functions()) >= 30


def test_architecture_names_files_and_functions_that_exist() -> None:
    for text, path, name in named_functions():
        check_named(text, path, name)


def check_named(text: str, path: str, name: str) -> None:
    """Check that a link leads to a file, and that the file defines the name after the link."""
    file = ROOT / path
    assert file.is_file(), path
    assert path.endswith(f"/{text}")
    if not name:
        return
    source = file.read_text("utf-8")
    if file.suffix == ".py":
        assert defines(ast.parse(source).body, name.split(".")), f"{path} does not define {name}"
    else:
        *owner, member = map(re.escape, name.split("."))
        method = rf"^  (?:async |static |get )*{member}(?: = )?\("
        assert all(re.search(rf"\bclass {class_name}\b", source) for class_name in owner), (
            f"{path} does not define {name}"
        )
        assert re.search(rf"\b(?:class|function) {member}\b|{method}", source, re.MULTILINE), f"{path} lacks {name}"


def defines(body: list[ast.stmt], names: list[str]) -> bool:
    """Return whether the statements define the first name, as a class or function, and the next one inside it."""
    definitions = [node for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
    return not names or any(node.name == names[0] and defines(node.body, names[1:]) for node in definitions)


def test_every_path_that_architecture_links_is_checked() -> None:
    links = re.findall(r"\]\(\.\./\.\./(src/[^)#]+)\)", ARCHITECTURE.read_text("utf-8"))
    assert set(links) == {path for _, path, _ in named_functions()}


def test_the_pictures_in_architecture_are_current() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "script" / "architecture.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_numbers_on_command_lines_are_compared_with_none() -> None:
    """`options.steps or 60`, and `if options.steps`, would take 0 for the default."""
    folders = (PACKAGE, *(ROOT / name for name in ("benchmarks", "examples", "script")))
    paths = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    assert [place for path in paths for place in _numbers_as_truths(path)] == []


def _numbers_as_truths(path: Path) -> Iterator[str]:
    text = path.read_text("utf-8")
    if "add_argument" not in text:
        return
    tree = ast.parse(text)
    calls = [
        node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func)[-12:] == "add_argument"
    ]
    options, numbers = {"arguments", "asked", "options"}, set[str]()
    for call in calls:
        keywords = {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords}
        if keywords.get("type") in {"int", "float"} and not {"default", "nargs"} & keywords.keys():
            flags = [str(flag.value) for flag in call.args if isinstance(flag, ast.Constant)]
            name = next((flag for flag in flags if flag.startswith("--")), flags[0] if flags else "")
            numbers.add(keywords.get("dest", "").strip("'\"") or name.lstrip("-").replace("-", "_"))
    for node in ast.walk(tree):
        truths = [node.test] if isinstance(node, ast.If | ast.IfExp | ast.While) else []
        truths += node.values if isinstance(node, ast.BoolOp) else []
        truths += [node.operand] if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else []
        for truth in truths:
            if isinstance(truth, ast.Attribute) and truth.attr in numbers and ast.unparse(truth.value) in options:
                yield f"{path.relative_to(ROOT)}:{truth.lineno}: {ast.unparse(truth)}"
