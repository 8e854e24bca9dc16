"""One file made of parts of many modules: what some names need, and nothing else, in the words of its source.

From the modules of this package it takes the definitions that are used, one after the other as Python would run them,
and puts what they import from elsewhere at the top. Annotations are kept as text, and so need nothing.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from itertools import zip_longest
from pathlib import Path
from typing import Final

PACKAGE: Final = "faceup"
_FOR_CHECKERS: Final = re.compile(r"  # (noqa|type): .*$")


def assemble(names: Iterable[tuple[str, str]]) -> str:
    """The source of these definitions, given as (module, name), and of all that they use of this package.

    Raises:
        LookupError: a name that its module does not define; two definitions of one name; an import of a kind that
            cannot be carried over, such as of a module of this package as a whole.
    """
    parts = _Parts()
    for module, name in names:
        parts.need(module, name)
    imports = sorted(parts.imports, key=lambda line: (line.startswith("from"), line))
    return "\n".join([*imports, *parts.sections()]) + "\n"


class _Parts:
    """What is needed so far: definitions by module, modules in the order in which they would be run."""

    def __init__(self) -> None:
        self.imports: set[str] = set()
        self._modules: dict[str, _Module] = {}
        self._needed: dict[str, set[str]] = {}
        self._home: dict[str, str] = {}
        self._below: dict[str, dict[str, None]] = {}

    def need(self, module: str, name: str) -> None:
        source = self._modules.get(module) or self._modules.setdefault(module, _Module(module))
        if name in self._needed.setdefault(module, set()):
            return
        if name in source.imported:
            origin, original = source.imported[name]
            if origin.partition(".")[0] == PACKAGE:
                if original in {"", "*"} or original != name:
                    raise LookupError(f"{module} imports {name} in a way that cannot be carried over")
                self._below.setdefault(module, {})[origin] = None
                self.need(origin, name)
            else:
                self.imports.add(_import_line(origin, original, name))
            return
        if name not in source.definitions:
            raise LookupError(f"{module} defines no {name}")
        if self._home.setdefault(name, module) != module:
            raise LookupError(f"{name} is defined in {self._home[name]} and in {module}")
        self._needed[module].add(name)
        for used in source.uses(name):
            if used in source.definitions or used in source.imported:
                self.need(module, used)

    def sections(self) -> Iterator[str]:
        order: dict[str, None] = {}
        for module in list(self._needed):
            self._put(module, order)
        for module in order:
            if not self._needed[module] & self._modules[module].definitions.keys():
                continue
            yield f"\n\n# From {module}"
            source = self._modules[module]
            wanted = self._needed[module]
            yield from (source.text(name) for name in source.definitions if name in wanted)

    def _put(self, module: str, order: dict[str, None]) -> None:
        """Put the module into the order, behind those that it needs."""
        if module not in order:
            for other in self._below.get(module, ()):
                self._put(other, order)
            order[module] = None


class _Module:
    """A module's source, by the names that it defines and imports at its top level."""

    def __init__(self, name: str) -> None:
        self.name = name
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise LookupError(f"there is no module {name}")
        source = Path(spec.origin).read_text("utf-8")
        self.lines = source.splitlines()
        self.definitions: dict[str, ast.stmt] = {}
        self.imported: dict[str, tuple[str, str]] = {}
        self.ends: dict[str, int] = {}
        body = ast.parse(source).body
        for statement, after in zip_longest(body, body[1:]):
            for defined in _defined(statement):
                self.definitions[defined] = statement
                said = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
                self.ends[defined] = (after if after is not None and said else statement).end_lineno or 0
            self.imported |= _imported(statement)

    def uses(self, name: str) -> list[str]:
        """The names that a definition uses when it is run, annotations left out, in a stable order."""
        found = _Names(self.name)
        found.visit(self.definitions[name])
        return list(dict.fromkeys(found.names))

    def text(self, name: str) -> str:
        """The lines of a definition, with comments above it, what is said of it right below, and blank lines before."""
        statement = self.definitions[name]
        decorators = getattr(statement, "decorator_list", [])
        begin = min([statement.lineno, *(each.lineno for each in decorators)]) - 1
        while self.lines[begin - 1].startswith("#"):
            begin -= 1
        while begin and not self.lines[begin - 1]:
            begin -= 1
        return "\n".join(_FOR_CHECKERS.sub("", line) for line in self.lines[begin : self.ends[name]])


class _Names(ast.NodeVisitor):
    """Collects the names that are read, except in annotations."""

    def __init__(self, module: str) -> None:
        self.module = module
        self.names: list[str] = []

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if (node.module or "").partition(".")[0] == PACKAGE:
            raise LookupError(f"{self.module} imports {node.module} inside a definition, which cannot be carried over")

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.names.append(node.id)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        for part in (node.target, node.value):
            if part is not None:
                self.visit(part)

    def visit_arg(self, node: ast.arg) -> None:
        """An argument is a name and an annotation."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for part in (*node.decorator_list, node.args, *node.body):
            self.visit(part)


def _defined(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    targets = [statement.target] if isinstance(statement, ast.AnnAssign) else targets
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _imported(statement: ast.stmt) -> dict[str, tuple[str, str]]:
    """By name: the module that it comes from, and what it is called there; "" for a module."""
    if isinstance(statement, ast.Import):
        return {each.asname or each.name: (each.name, "") for each in statement.names}
    if isinstance(statement, ast.ImportFrom):
        return {each.asname or each.name: (statement.module or "", each.name) for each in statement.names}
    return {}


def _import_line(origin: str, original: str, name: str) -> str:
    source = original or origin
    said = source if source == name else f"{source} as {name}"
    return f"from {origin} import {said}" if original else f"import {said}"
