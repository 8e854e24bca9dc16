"""Let autodoc show the source as its authors wrote it.

Signatures keep the names of type aliases (`Seat`, not `int`), and constants and aliases that a package exports keep the
docstrings that follow them in the module that defines them. A class that a package exports by another name, such as
`single_env`, is documented under that name; an entry that says nothing but "alias of" is an error.
"""

import ast
import importlib
import inspect
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any, Final

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util import logging

import faceup.core

EXPORTING: Final = ("faceup.core", "faceup.envs", "faceup.bots", "faceup.arena", "faceup.jax", "faceup.server.client")
"""The packages that export constants, type aliases, or classes by other names of their modules."""

_LOG: Final = logging.getLogger(__name__)

FUNCTIONS: Final = {"function", "method"}


@cache
def tree_of(module: str) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(inspect.getsource(importlib.import_module(module)))


def definition(what: Any) -> ast.AST | None:  # Any: a function or a class
    """Return the definition of a function or class of faceup; None if it has no source there."""
    module, name = getattr(what, "__module__", ""), getattr(what, "__qualname__", "")
    if not str(module).startswith("faceup") or "<locals>" in name:
        return None
    node: ast.AST = tree_of(module)
    for part in name.split("."):
        inner = [
            each
            for each in ast.walk(node)
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and each.name == part
        ]
        if not inner:
            return None
        node = inner[0]
    return node


def function_signature(node: ast.FunctionDef | ast.AsyncFunctionDef, *, bound: bool) -> tuple[str, str | None]:
    """Return the arguments and the type of the result as in the source, without `self` and `cls`."""
    arguments = node.args
    if bound and arguments.posonlyargs:
        arguments.posonlyargs = arguments.posonlyargs[1:]
    elif bound:
        arguments.args = arguments.args[1:]
    for each in ast.walk(arguments):
        if isinstance(each, ast.arg) and each.annotation:
            each.annotation = without_quotes(each.annotation)
    return f"({ast.unparse(arguments)})", ast.unparse(without_quotes(node.returns)) if node.returns else None


def without_quotes(annotation: ast.expr) -> ast.expr:
    """Return the type that a quoted annotation holds."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return ast.parse(annotation.value, mode="eval").body
    return annotation


def class_signature(what: type) -> str | None:
    """Return the fields of a class as arguments, with the types as in the source; None if it has no fields."""
    written: dict[str, str] = {}
    for base in reversed(what.__mro__):
        node = definition(base)
        if isinstance(node, ast.ClassDef):
            fields = (each for each in node.body if isinstance(each, ast.AnnAssign))
            written |= {ast.unparse(each.target): ast.unparse(without_quotes(each.annotation)) for each in fields}
    try:
        parameters = inspect.signature(what).parameters.values()
    except (TypeError, ValueError):
        return None
    if not written or any(parameter.name not in written for parameter in parameters):
        return None
    shown, starred = [], False
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            starred = True
            shown.append("*")
        default = "" if parameter.default is parameter.empty else f"={default_text(parameter.default)}"
        shown.append(f"{parameter.name}: {written[parameter.name]}{default}")
    return f"({', '.join(shown)})"


def default_text(value: object) -> str:
    """Return a default value as it can be written; `...` for values that cannot."""
    text = repr(value)
    return text if text.isprintable() and not text.startswith("<") and len(text) < 60 else "..."


def _on_signature(
    _app: Sphinx, kind: str, _name: str, what: Any, _options: object, signature: str | None, result: str | None
) -> tuple[str | None, str | None]:
    if kind in {"class", "exception"} and isinstance(what, type):
        start = definition(what.__init__)  # type: ignore[misc]  # of this class
        if isinstance(start, ast.FunctionDef):
            [copy] = ast.parse(ast.unparse(start)).body
            assert isinstance(copy, ast.FunctionDef)  # noqa: S101 -- it was one
            return function_signature(copy, bound=True)[0], None
        fields = class_signature(what)
        return fields or ("" if fields is None and getattr(what, "_is_protocol", False) else signature), None
    node = definition(inspect.unwrap(what)) if kind in FUNCTIONS and callable(what) else None
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        decorators = {ast.unparse(each) for each in node.decorator_list}
        bound = kind == "method" and "staticmethod" not in decorators
        copy = ast.parse(ast.unparse(node)).body[0]
        assert isinstance(copy, ast.FunctionDef | ast.AsyncFunctionDef)  # noqa: S101 -- it was one
        return function_signature(copy, bound=bound)
    return signature, result


def imports(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Yield the names that a package imports from modules of faceup, each with its module."""
    for node in ast.walk(tree_of(module.__name__)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("faceup."):
            for alias in node.names:
                yield alias.asname or alias.name, node.module


def _share_docstrings(_app: Sphinx, *_: object) -> None:
    """Give packages the docstrings of the constants and aliases that they export from their modules."""
    for name in EXPORTING:
        module = importlib.import_module(name)
        analyzer = ModuleAnalyzer.for_module(name)
        analyzer.analyze()
        for exported, origin in imports(module):
            docs = ModuleAnalyzer.for_module(origin).find_attr_docs()
            if exported in module.__all__ and ("", exported) in docs:
                analyzer.attr_docs["", exported] = docs["", exported]


def _name_classes(*_: object) -> None:
    """Give classes the names by which packages export them; autodoc shows nothing but "alias of" for other names."""
    for package in EXPORTING:
        module = importlib.import_module(package)
        for name in module.__all__:
            value = getattr(module, name)
            if isinstance(value, type) and value.__module__.startswith("faceup."):
                value.__name__ = name


def _refuse_bare_aliases(_app: Sphinx, doctree: nodes.document) -> None:
    for entry in doctree.findall(addnodes.desc):
        signature, text = entry[0].astext(), entry[-1].astext()
        if text.startswith("alias of") and "\n" not in text:
            _LOG.warning("%s has no text but %r", signature, text, location=entry, type="api")


def _qualify(_app: Sphinx, doctree: nodes.document) -> None:
    """Make names of types lead to the one that the module of the text imports: each game has its `State`."""
    for node in doctree.findall(addnodes.pending_xref):
        if node.get("refdomain") == "py" and node.get("py:module"):
            name, dot, rest = node["reftarget"].partition(".")
            if found := qualified(node["py:module"], name):
                node["reftarget"] = f"{found}{dot}{rest}"


@cache
def qualified(module: str, name: str) -> str | None:
    """Return the full name of what a module defines or imports by this name; None if it has no such name."""
    found = importlib.import_module(module)
    origin = dict(imports(found)).get(name)
    if origin is None and name in vars(found):
        return f"{module}.{name}"
    if origin is None:  # the text is in a module of the package
        return f"faceup.core.{name}" if name in faceup.core.__all__ else None
    package = next((each for each in EXPORTING if origin.startswith(f"{each}.")), None)
    exported = package is not None and name in importlib.import_module(package).__all__
    return f"{package if exported else origin}.{name}"


def _skip(_app: Sphinx, _kind: str, _name: str, what: object, skip: bool, _options: object) -> bool | None:
    """Skip the fields of named tuples that have no text of their own; the class describes them."""
    return True if str(getattr(what, "__doc__", "")).startswith("Alias for field number") else skip or None


def setup(app: Sphinx) -> dict[str, Any]:  # Any: what Sphinx defines
    """Connect to Sphinx."""
    app.connect("autodoc-process-signature", _on_signature)
    app.connect("autodoc-skip-member", _skip)
    app.connect("doctree-read", _qualify)
    app.connect("doctree-read", _refuse_bare_aliases)
    app.connect("env-before-read-docs", _share_docstrings)
    app.connect("env-before-read-docs", _name_classes)
    return {"parallel_read_safe": True}
