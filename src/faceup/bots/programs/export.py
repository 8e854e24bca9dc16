"""Export of a bot as a single-file program that does not need this package.

The bundler collects the definitions that the bot uses from the modules of faceup, in import order, and puts imports of
other packages at the top. Annotations are not evaluated, so definitions that only annotations use are left out. Kernels
(`faceup.games.lanes.kernel`) are exported as the plain Python functions that they are.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from faceup.bots.registry import GENERIC_POLICIES, policies
from faceup.bots.search import searches
from faceup.core import Game, Malformed
from faceup.core.registry import nearest
from faceup.extras import require

PLAIN: Final = "mc"
"""The name of the only search that has a plain Python form."""

MOST_CHARACTERS: Final = 100_000
"""The greatest length of a program in CodinGame's arena."""

HEAD: Final = '''\
"""{title}, played by {name} in the protocol of CodinGame's arena, on standard input and output.

Made by `faceup export {name}`, version {version}, out of the source of faceup, under its MIT licence. It needs Python
3.11 or newer{needs}.
"""

from __future__ import annotations

'''

WEIGHTS: Final = """

# The weights of the network; `unpack` reads them.
WEIGHTS = '''
{text}
'''
"""
_LINE: Final = 120

FOOT: Final = """

if __name__ == "__main__":
    sys.exit(play_match({run_client}, {player}, "{name}"))
"""


def export_player(game: Game, name: str) -> str:
    """Return the source of a program that plays a game in CodinGame's arena.

    `name` is a policy that needs no search, a network, or `PLAIN`. The program of a network has no comments, to leave
    room for its weights.

    Raises:
        Malformed: the bot is unknown (the message suggests the closest name) or cannot be exported.
    """
    protocol: Any = game.formats["codingame"]  # Any: each game has its own protocol
    programs, terms = "faceup.bots.programs", _split(protocol.terms)
    imports = [
        (f"{programs}.match", "play_match"),
        (protocol.run_client.__module__, protocol.run_client.__name__),
        terms,
    ]
    imports += [(f"{programs}.players", "os_seeded_generator"), (f"{programs}.match", "sys")]
    simple = {**GENERIC_POLICIES, **game.policies}
    if name in simple:
        function: Any = simple[name]  # Any: a function, but `Policy` has no __name__
        imports += [(f"{programs}.players", "PolicyPlayer"), (function.__module__, function.__name__)]
        player = f"PolicyPlayer({function.__name__}, {terms[1]}, os_seeded_generator())"
    elif name == PLAIN:
        plain = _split(protocol.plain)
        imports += [(f"{programs}.players", "SearchPlayer"), plain]
        player = f"SearchPlayer({plain[1]}, {terms[1]}, os_seeded_generator())"
    elif name in protocol.networks:
        plain, pack = map(_split, protocol.networks[name])
        imports += [(f"{programs}.players", "PolicyPlayer"), plain]
        player = f"PolicyPlayer({plain[1]}(WEIGHTS), {terms[1]}, os_seeded_generator())"
    else:
        raise _export_error(game, name, [*simple, PLAIN, *protocol.networks])
    from importlib.metadata import version  # noqa: PLC0415 -- slow to load

    source = bundle_source(imports, compact=name in protocol.networks)
    head = HEAD.format(
        title=game.title,
        name=name,
        version=version("faceup"),
        needs=", and numpy" if "import numpy" in source else "",
    )
    foot = FOOT.format(run_client=protocol.run_client.__name__, player=player, name=name)
    if name in protocol.networks:
        require("fast", f"faceup export {name}")
        room = MOST_CHARACTERS - len(head) - len(source) - len(WEIGHTS) - len(foot)
        text = getattr(import_module(pack[0]), pack[1])(room * _LINE // (_LINE + 1))
        lines = [text[start : start + _LINE] for start in range(0, len(text), _LINE)]
        source += WEIGHTS.format(text="\n".join(lines))
    return head + source + foot


def _export_error(game: Game, name: str, players: list[str]) -> Malformed:
    base = name.partition("@")[0]
    if base != name and base in policies(game.name):
        message = f"an exported player always uses all of its time, so write {base} instead of {name}"
    elif name in searches(game.name):
        message = f"{name} has no plain Python form; {PLAIN} has one"
    else:
        message = f"{game.name} has no player {name!r} to export{nearest(name, players)}"
    return Malformed(message, what=name, where="player")


def _split(location: str) -> tuple[str, str]:
    module, _, name = location.partition(":")
    return module, name


PACKAGE: Final = "faceup"
_CHECKER_COMMENT: Final = re.compile(r"  # (noqa|type): .*$")


def bundle_source(names: Iterable[tuple[str, str]], *, compact: bool = False) -> str:
    """Return the source of these definitions, given as (module, name), and of everything in faceup that they use.

    Args:
        names: the definitions.
        compact: whether to leave out comments, docstrings, and annotations of functions.

    Raises:
        LookupError: a module does not define the name, two modules define the same name, or an import cannot be
            bundled, for example because it imports a complete module of faceup.
    """
    bundle = _Bundle(compact=compact)
    for module, name in names:
        bundle.add(module, name)
    imports = sorted(bundle.imports, key=lambda line: (line.startswith("from"), line))
    return "\n".join([*imports, *bundle.sections()]) + "\n"


class _Bundle:
    """The definitions that have been collected so far, by module, with the modules in import order."""

    def __init__(self, *, compact: bool) -> None:
        self.compact = compact
        self.imports: set[str] = set()
        self._modules: dict[str, _Module] = {}
        self._needed: dict[str, set[str]] = {}
        self._defined_in: dict[str, str] = {}
        self._imports_of: dict[str, dict[str, None]] = {}

    def add(self, module: str, name: str) -> None:
        source = self._modules.get(module) or self._modules.setdefault(module, _Module(module))
        if name in self._needed.setdefault(module, set()):
            return
        if name in source.imported:
            origin, original = source.imported[name]
            if origin.partition(".")[0] == PACKAGE:
                if original in {"", "*"} or original != name:
                    raise LookupError(f"{module} imports {name} in a way that cannot be bundled")
                self._imports_of.setdefault(module, {})[origin] = None
                self.add(origin, name)
            else:
                self.imports.add(_import_line(origin, original, name))
            return
        if name not in source.definitions:
            raise LookupError(f"{module} does not define {name}")
        if self._defined_in.setdefault(name, module) != module:
            raise LookupError(f"{name} is defined in {self._defined_in[name]} and in {module}")
        self._needed[module].add(name)
        for used in source.uses(name):
            if used in source.definitions or used in source.imported:
                self.add(module, used)

    def sections(self) -> Iterator[str]:
        order: dict[str, None] = {}
        for module in list(self._needed):
            self._append(module, order)
        for module in order:
            if not self._needed[module] & self._modules[module].definitions.keys():
                continue
            yield f"\n\n# From {module}"
            source = self._modules[module]
            needed = self._needed[module]
            text = source.compact_text if self.compact else source.text
            yield from (text(name) for name in source.definitions if name in needed)

    def _append(self, module: str, order: dict[str, None]) -> None:
        """Append the module's dependencies to `order`, and then the module itself."""
        if module not in order:
            for other in self._imports_of.get(module, ()):
                self._append(other, order)
            order[module] = None


class _Module:
    """A module's source, indexed by the names that the module defines and imports at top level."""

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
            if isinstance(statement, ast.FunctionDef):
                statement.decorator_list = [
                    decorator for decorator in statement.decorator_list if not _is_kernel(decorator)
                ]
            for defined in _defined(statement):
                self.definitions[defined] = statement
                documented = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
                self.ends[defined] = (after if after is not None and documented else statement).end_lineno or 0
            self.imported |= _imported(statement)

    def uses(self, name: str) -> list[str]:
        """Return the names that a definition uses outside annotations, in the order of their first use."""
        visitor = _Names(self.name)
        visitor.visit(self.definitions[name])
        return list(dict.fromkeys(visitor.names))

    def text(self, name: str) -> str:
        """Return the lines of a definition with its docstring, and with the comments and blank lines before it."""
        statement = self.definitions[name]
        decorators = getattr(statement, "decorator_list", [])
        start = min([statement.lineno, *(decorator.lineno for decorator in decorators)]) - 1
        while self.lines[start - 1].startswith("#"):
            start -= 1
        while start and not self.lines[start - 1]:
            start -= 1
        return "\n".join(_CHECKER_COMMENT.sub("", line) for line in self.lines[start : self.ends[name]])

    def compact_text(self, name: str) -> str:
        """Return a definition without docstrings, comments, and annotations of functions, indented by single spaces."""
        text = ast.unparse(_Compacted().visit(self.definitions[name]))
        return re.sub("^ +", lambda spaces: " " * (len(spaces[0]) // 4), text, flags=re.MULTILINE)


class _Compacted(ast.NodeTransformer):
    """Remove docstrings and annotations of functions."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.visit_ClassDef(node)

    def visit_ClassDef(self, node: ast.ClassDef | ast.FunctionDef) -> ast.AST:
        if ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node


class _Names(ast.NodeVisitor):
    """A visitor that collects the names that are read outside annotations."""

    def __init__(self, module: str) -> None:
        self.module = module
        self.names: list[str] = []

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if (node.module or "").partition(".")[0] == PACKAGE:
            raise LookupError(f"{self.module} imports {node.module} inside a definition, which cannot be bundled")

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.names.append(node.id)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        for part in (node.target, node.value):
            if part is not None:
                self.visit(part)

    def visit_arg(self, node: ast.arg) -> None:
        """Skip the annotation of an argument."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for part in (*node.decorator_list, node.args, *node.body):
            self.visit(part)


def _is_kernel(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Name) and decorator.id == "kernel"


def _defined(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    targets = [statement.target] if isinstance(statement, ast.AnnAssign) else targets
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _imported(statement: ast.stmt) -> dict[str, tuple[str, str]]:
    """Return, for each name that is imported, the module and the name in this module ("" for the module itself)."""
    if isinstance(statement, ast.Import):
        return {alias.asname or alias.name: (alias.name, "") for alias in statement.names}
    if isinstance(statement, ast.ImportFrom):
        return {alias.asname or alias.name: (statement.module or "", alias.name) for alias in statement.names}
    if isinstance(statement, ast.With):  # such as `with needs("fast", ...)`
        return {name: origin for inner in statement.body for name, origin in _imported(inner).items()}
    return {}


def _import_line(origin: str, original: str, name: str) -> str:
    source = original or origin
    alias = source if source == name else f"{source} as {name}"
    return f"from {origin} import {alias}" if original else f"import {alias}"
