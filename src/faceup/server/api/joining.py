"""Modules joined into few files, for browsers that are far away: one with which a page begins, one for each later need.

A page is some sixty modules; asked for one by one over HTTP/1.1 they cost a second and more on a phone's network.
Joined, a module is a function in a file with others, which `loading.js` calls when the module is first used: each is
made once, whichever files it came in. Modules are read as we and our libraries write them, and the rest is refused:
circles, exports that change (`export let`), and waiting (`await`) in a module that others import at once.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from posixpath import dirname, normpath
from posixpath import join as path_join
from typing import Final

START: Final = "main.js"
"""What our page begins with."""

_IMPORT: Final = re.compile(r"""(?<![\w$.])import\s*(?:([\w$*{][^"'();]*?)\s*from\s*)?["'](\.{1,2}/[^"']+)["'];?""")
_AGAIN: Final = re.compile(r"""(?<![\w$.])export\s*(?:\*|\{([^}]*)\})\s*from\s*["'](\.{1,2}/[^"']+)["'];?""")
_NAMED: Final = re.compile(r"(?<![\w$.])export\s*\{([^}]*)\};?")
_DECLARED: Final = re.compile(r"^export ((?:async )?(?:function\*?|class|const) ([\w$]+))", re.MULTILINE)
_DEFAULT: Final = re.compile(r"^export default ", re.MULTILINE)
_LATER: Final = re.compile(r"""(?<![\w$.])import\(((["'`])(\.{1,2}/[^"'`]+)\2)\)""")
_VALUE: Final = re.compile(r"\$\{[^}]*\}")
_WAITS: Final = re.compile(r"^(?:const [^=]+= |if \(.*\) )?await ", re.MULTILINE)
_LEFT: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_NOTES: Final = re.compile(
    r"^[ \t]*//[^\n]*\n"
    r"|^[ \t]*/\*\*(?!\s*\* @license)(?:[^*]|\*(?!/))*\*/[ \t]*\n"
    r"|/\*\*(?!\s*\* @license)(?:[^*]|\*(?!/))*\*/ ?",
    re.MULTILINE,
)
"""Notes name modules for their types alone; a licence is none."""


class Modules:
    """The modules of the page.

    Args:
        texts: by path, their texts.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = {path: _NOTES.sub("", text) for path, text in texts.items()}

    def at_once(self, *entries: str) -> list[str]:
        """These modules and all that they import, each behind what it imports.

        Raises:
            ValueError: modules import each other in a circle.
        """
        found: dict[str, None] = {}

        def add(path: str, way: tuple[str, ...]) -> None:
            if path in way:
                raise ValueError(f"modules import each other in a circle: {' -> '.join((*way, path))}")
            if path not in found:
                for each in self._imports(path):
                    add(each, (*way, path))
                found[path] = None

        for entry in entries:
            add(entry, ())
        return list(found)

    def later(self, path: str) -> list[str]:
        """The modules that one may load when it runs; where a value is part of the address, all that fit."""
        found: list[str] = []
        for _, _, target in _LATER.findall(self._texts[path]):
            pattern = _VALUE.sub("*", beside(path, target))
            found += [each for each in sorted(self._texts) if fnmatchcase(each, pattern)]
        return found

    def parts(self) -> list[str]:
        """What is loaded when it is needed: each gets a file of its own."""
        return sorted({each for path in self._texts for each in self.later(path)})

    def start(self, *parts: str) -> str:
        """The file with which our page begins, with these parts of it, which it needs at once."""
        return self.running(START, 'new URL("..", import.meta.url).href', self.at_once(START, *parts))

    def part(self, entry: str) -> str:
        """The file that adds this module, and what it needs besides what every page begins with."""
        there = set(self.at_once(START))
        return f"export default {self._makers(path for path in self.at_once(entry) if path not in there)};\n"

    def running(self, entry: str, root: str, paths: Iterable[str]) -> str:
        """Modules in one file, which begins with one of them.

        Args:
            entry: which.
            root: the address of all files, as JavaScript.
            paths: those in the file; the others are loaded from below `root`.
        """
        loading = _DECLARED.sub(r"\1", self._texts["loading.js"])
        return f'{loading}\nexport const use = loading({root}, {self._makers(paths)});\nawait use("{entry}");\n'

    def _imports(self, path: str) -> Iterator[str]:
        for statement in (_IMPORT, _AGAIN):
            for _, target in statement.findall(self._texts[path]):
                yield beside(path, target)

    def _makers(self, paths: Iterable[str]) -> str:
        return "".join(("{\n", *(f'"{path}": {self._maker(path)},\n' for path in paths), "}"))

    def _maker(self, path: str) -> str:
        """The function that makes a module, and returns its exports."""
        text = self._texts[path]
        exports = []

        def imported(found: re.Match[str]) -> str:
            what, used = found[1], f'$use("{beside(path, found[2])}");'
            return f"const {_pattern(what)} = {used}" if what else used

        def exported_again(found: re.Match[str]) -> str:
            used = f'$use("{beside(path, found[2])}")'
            if found[1] is None:
                exports.append(f"...{used}")
            else:
                exports.extend(f"{name}: {used}.{own}" for own, name in _pairs(found[1]))
            return ""

        def named(found: re.Match[str]) -> str:
            exports.extend(f"{name}: {own}" for own, name in _pairs(found[1]))
            return ""

        def declared(found: re.Match[str]) -> str:
            exports.append(found[2])
            return found[1]

        text = _IMPORT.sub(imported, text)
        text = _AGAIN.sub(exported_again, text)
        text = _NAMED.sub(named, text)
        text = _DECLARED.sub(declared, text)
        if _DEFAULT.search(text):
            exports.append("default: $default")
            text = _DEFAULT.sub("const $default = ", text)
        text = _LATER.sub(rf'$use.load(\1, "{path}")', text).replace("import.meta.url", f'$use.url("{path}")')
        if left := _LEFT.search(text):
            raise ValueError(f"{path} cannot be joined with others for: {left[0]}")
        waits = "async " if self._waits(path) else ""
        # In brackets it is taken for one that is called at once, and compiled while the file is still on its way.
        return f"({waits}function ($use) {{\n{text.strip()}\nreturn {{ {', '.join(exports)} }};\n}})"

    def _waits(self, path: str) -> bool:
        if not _WAITS.search(self._texts[path]):
            return False
        if importers := [each for each in self._texts if path in self._imports(each)]:
            raise ValueError(f"{path} waits for something, so that {importers[0]} cannot import it at once")
        return True


def beside(path: str, target: str) -> str:
    """The path that an import of `target` in the module `path` means."""
    return normpath(path_join(dirname(path), target))


def _pairs(names: str) -> Iterator[tuple[str, str]]:
    """`a, b as c`: each with what it is called elsewhere."""
    for each in names.split(","):
        if name := each.strip():
            own, _, other = name.partition(" as ")
            yield own, other or own


def _pattern(what: str) -> str:
    """What an import names, as the pattern of a declaration: `{ a, b as c }`, `all`, `* as all`."""
    if what.startswith("{"):
        return f"{{ {', '.join(f'{own}: {name}' for own, name in _pairs(what.strip('{} ')))} }}"
    return what.removeprefix("* as ") if what.startswith("*") else f"{{ default: {what} }}"
