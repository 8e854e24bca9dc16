"""Draw the pictures in docs/explanation/architecture.md as Mermaid text: `./script/architecture` updates them.

The first three are graphs of imports: the packages of `src/faceup`, the folders of the server with its features by
role, and the folders of the page. An arrow is an import. An arrow that a longer path implies is left out. Folders that
import each other are one node. `call_paths` draws the others.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from call_paths import CHOICE, PARTY, draw_steps
from regenerate import regenerate, replace_section

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGE: Final = ROOT / "src" / "faceup"
PAGE: Final = ROOT / "docs" / "explanation" / "architecture.md"
JS_IMPORT: Final = re.compile(r"""^import\s(?:[^"']*\sfrom\s)?["'](\.[^"']+)["']""", re.MULTILINE)

Graph = dict[str, set[str]]


APART: Final[Mapping[str, str]] = {
    "http/app": "http/app",
    "http/pages": "http/app",
    "http/websocket": "http/app",
    "process/access_log": "process/serve",
    "process/periodic": "process/periodic",
    "process/serve": "process/serve",
    "process/uvicorn_server": "process/serve",
    "store/feature": "FEATURE/routes",
}
"""Modules of the server with nodes of their own: those that assemble others, or are used below the rest of a folder."""


def node_of(path: Path, expanded: str = "") -> str | None:
    """Return the node of a file or folder; None if it belongs to none.

    Args:
        path: the file or folder.
        expanded: the package that is drawn folder by folder; "" for none. Files directly in it belong to no node. The
            features of the server are then drawn together, by the roles of their files.
    """
    parts = path.relative_to(PACKAGE).parts
    length = 2 if parts[0] == expanded else 1
    if len(parts) <= length:
        return None
    if parts[0] == expanded == "server":
        module = Path(parts[2]).stem
        if parts[1] != "store" and (PACKAGE / "server" / parts[1] / "feature.py").exists():
            return f"server/FEATURE/{role_of(module)}"
        if (apart := f"{parts[1]}/{module}") in APART:
            return f"server/{APART[apart]}"
    return "/".join(parts[:length])


def role_of(module: str) -> str:
    """Return the role of a module of a feature, which its name ends with. All others are queries and values."""
    ends = {"routes": "routes", "feature": "routes", "tasks": "tasks", "worker": "tasks"}
    return ends.get(module.rpartition("_")[2], "queries")


def python_imports(path: Path) -> Iterator[Path]:
    """Yield the files and packages of faceup that a Python module imports, including imports inside functions."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            if name.startswith("faceup."):
                yield PACKAGE.joinpath(*name.split(".")[1:], "name")


def js_imports(path: Path) -> Iterator[Path]:
    """Yield the files that a JavaScript module imports statically."""
    for match in JS_IMPORT.finditer(path.read_text("utf-8")):
        yield (path.parent / match[1]).resolve()


def read_graph(expanded: str = "") -> Graph:
    """Return each node with the nodes that it imports. A package may be expanded; see `node_of`."""
    graph: Graph = {}
    for path in sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.js")]):
        if (node := node_of(path, expanded)) is None or node == "web/vendor":
            continue
        imports = python_imports(path) if path.suffix == ".py" else js_imports(path)
        targets = {node_of(target, expanded) for target in imports if target.is_relative_to(PACKAGE)}
        graph.setdefault(node, set()).update(target for target in targets if target is not None)
    return {node: (targets & graph.keys()) - {node} for node, targets in graph.items()}


def reachable(graph: Mapping[str, set[str]], start: str) -> set[str]:
    """Return all nodes that a path of one or more arrows leads to."""
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph[waiting.pop()] - reached
        reached |= new
        waiting += new
    return reached


def merge_cycles(graph: Mapping[str, set[str]]) -> Graph:
    """Make one node of all nodes that import each other, named for all of them."""
    after = {node: reachable(graph, node) for node in graph}
    names = {
        node: " and ".join(sorted({node} | {other for other in after[node] if node in after[other]})) for node in graph
    }
    merged: Graph = {}
    for node, targets in graph.items():
        merged.setdefault(names[node], set()).update({names[target] for target in targets} - {names[node]})
    return merged


def reduce_graph(graph: Mapping[str, set[str]]) -> Graph:
    """Leave out every arrow that a longer path implies. The graph has no cycles."""
    return {
        node: {target for target in targets if not any(target in reachable(graph, other) for other in targets)}
        for node, targets in graph.items()
    }


def draw(expanded: str = "") -> str:
    """Return the graph of the packages, or of the folders of one, as a fenced Mermaid block."""
    graph = reduce_graph(merge_cycles(read_graph(expanded)))
    lines = ["```mermaid", "flowchart TD"]
    for node in sorted(graph):
        if node.startswith(expanded):
            label = node.replace(f"{expanded}/", "") if expanded else node
            lines.append(f'  {_id(node)}["{label}"]')
            lines += [f"  {_id(node)} --> {_id(target)}" for target in sorted(graph[node])]
    return "\n".join([*lines, "```\n"])


def _id(node: str) -> str:
    return node.replace("/", "_").replace(" ", "_")


def current() -> dict[Path, str]:
    """Return the page with the current pictures."""
    page = PAGE.read_text("utf-8")
    pictures = {
        "packages": draw(),
        "server": draw("server"),
        "page": draw("web"),
        "choice": draw_steps(CHOICE),
        "party": draw_steps(PARTY),
    }
    for part, picture in pictures.items():
        page = replace_section(page, "architecture", picture, part)
    return {PAGE: page}


def main() -> int:
    """Update the pictures, or with `--check` report whether they are up to date. Return the exit status."""
    return regenerate("architecture", "Draw the pictures in docs/explanation/architecture.md.", current)


if __name__ == "__main__":
    sys.exit(main())
