"""Tables of the public names of a module with their first sentences, for readers on GitHub and as an overview."""

import importlib
import inspect
import re
from pathlib import Path
from typing import Final

from docs.extensions.cli_reference import cell
from docs.extensions.python_api import imports
from sphinx.pycode import ModuleAnalyzer

ROOT: Final = Path(__file__).resolve().parents[2]


def python_names(module: str) -> str:
    """Return the table of a module's public names, each with a link to the file that defines it."""
    package = importlib.import_module(module)
    origins = dict(imports(package))
    names = [*getattr(package, "__all__", ())] or [name for name in vars(package) if is_public(package, name)]
    rows = [row(name, origins.get(name, module), getattr(package, name)) for name in names if name != "GAME"]
    return "\n".join(["| name | |", "| --- | --- |", *rows])


def is_public(module: object, name: str) -> bool:
    """Return whether autodoc documents a name of a module without `__all__`: what the module itself defines."""
    value = vars(module)[name]
    own = getattr(value, "__module__", None) == getattr(module, "__name__", "")
    return not name.startswith("_") and own and (inspect.isclass(value) or inspect.isfunction(value))


def row(name: str, module: str, value: object) -> str:
    """Return the row of one name."""
    file = Path(inspect.getfile(importlib.import_module(module))).resolve().relative_to(ROOT).as_posix()
    return f"| [`{name}`](../../../{file}) | {cell(first_sentence(name, module, value))} |"


def first_sentence(name: str, module: str, value: object) -> str:
    """Return the first sentence about a function, class, constant or type alias."""
    comment = ModuleAnalyzer.for_module(module).find_attr_docs().get(("", name), [])
    text = "\n".join(comment) or inspect.getdoc(value) or ""
    line = " ".join(text.partition("\n\n")[0].split())
    return re.split(r"(?<=[.])\s+(?=[A-Z`])", line)[0]
