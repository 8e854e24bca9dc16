"""Draw the pictures in docs/explanation/architecture.md as Mermaid text: `./script/architecture` updates them.

The first is the graph of imports; `call_paths` draws the others.

Nodes are the packages of `src/faceup`, those of the server one by one, its features by role, and the page's folders.
An arrow is an import. An arrow that a longer path implies is left out. Folders that import each other are one node.
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
EXPANDED: Final = ("server", "web")
"""Folders that are drawn folder by folder. Files directly in them belong to no node."""

JS_IMPORT: Final = re.compile(r"""^import\s(?:[^"']*\sfrom\s)?["'](\.[^"']+)["']""", re.MULTILINE)

Graph = dict[str, set[str]]


APART: Final[Mapping[str, str]] = {
    "http/app": "http/app",
    "http/pages": "http/app",
    "process/access_log": "process/serve",
    "process/periodic": "process/periodic",
    "process/serve": "process/serve",
    "process/uvicorn_server": "process/serve",
    "store/feature": "FEATURE/routes",
}
"""Modules of the server with nodes of their own: those that assemble others, or are used below the rest of a folder."""


def node_of(path: Path) -> str | None:
    """Return the node of a file or folder; None if it belongs to none.

    The features of the server are drawn together, by the roles of their files.
    """
    parts = path.relative_to(PACKAGE).parts
    length = 2 if parts[0] in EXPANDED else 1
    if len(parts) <= length:
        return None
    if parts[0] == "server":
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


def read_graph() -> Graph:
    """Return each node with the nodes that it imports."""
    graph: Graph = {}
    for path in sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.js")]):
        if (node := node_of(path)) is None or node == "web/vendor":
            continue
        imports = python_imports(path) if path.suffix == ".py" else js_imports(path)
        targets = {node_of(target) for target in imports if target.is_relative_to(PACKAGE)}
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


def draw(graph: Mapping[str, set[str]]) -> str:
    """Return the graph as a fenced Mermaid block."""
    lines = ["```mermaid", "flowchart TD"]
    for group in EXPANDED:
        lines.append(f'  subgraph {group}["{group}/"]')
        lines += [f'    {_id(node)}["{node}"]' for node in sorted(graph) if node.startswith(f"{group}/")]
        lines.append("  end")
    lines.append("  web_api <-. HTTP and WebSocket .-> server_http_app")
    lines += [f"  {_id(node)} --> {_id(target)}" for node in sorted(graph) for target in sorted(graph[node])]
    return "\n".join([*lines, "```\n"])


def _id(node: str) -> str:
    return node.replace("/", "_").replace(" ", "_")


def current() -> dict[Path, str]:
    """Return the page with the current pictures."""
    page = replace_section(PAGE.read_text("utf-8"), "architecture", draw(reduce_graph(merge_cycles(read_graph()))))
    for part, steps in (("choice", CHOICE), ("party", PARTY)):
        page = replace_section(page, "architecture", draw_steps(steps), part)
    return {PAGE: page}


def main() -> int:
    """Update the pictures, or with `--check` report whether they are up to date. Return the exit status."""
    return regenerate("architecture", "Draw the pictures in docs/explanation/architecture.md.", current)


if __name__ == "__main__":
    sys.exit(main())
