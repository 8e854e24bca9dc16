"""Bundle the page's JavaScript modules into an entry file and one file for each dynamic import.

Bundles load faster: over HTTP/1.1 on a mobile network, some sixty single modules take a second or more. In a bundle, a
module is a function that `module-loader.js` calls when the module is first used, so each module runs only once. The
parser supports the syntax that this project and its libraries use. It rejects import cycles, mutable exports
(`export let`), and top-level `await` in a module that another module imports statically.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from posixpath import dirname, normpath
from posixpath import join as path_join
from types import MappingProxyType
from typing import Final

START: Final = "main.js"
"""The entry module of the page."""

COMMON: Final = ("ui/controllers.js", "ui/styles.js")
"""Modules that all entry files contain with their imports, so that the files of dynamic imports need not."""

_IMPORT: Final = re.compile(r"""(?<![\w$.])import\s*(?:([\w$*{][^"'();]*?)\s*from\s*)?["'](\.{1,2}/[^"']+)["'];?""")
_REEXPORT: Final = re.compile(r"""(?<![\w$.])export\s*(?:\*|\{([^}]*)\})\s*from\s*["'](\.{1,2}/[^"']+)["'];?""")
_NAMED: Final = re.compile(r"(?<![\w$.])export\s*\{([^}]*)\};?")
_DECLARED: Final = re.compile(r"^export ((?:async )?(?:function\*?|class|const) ([\w$]+))", re.MULTILINE)
_DEFAULT: Final = re.compile(r"^export default ", re.MULTILINE)
_DYNAMIC_IMPORT: Final = re.compile(r"""(?<![\w$.])import\(((["'`])(\.{1,2}/[^"'`]+)\2)\)""")
_VALUE: Final = re.compile(r"\$\{[^}]*\}")
_TOP_LEVEL_AWAIT: Final = re.compile(r"^(?:const [^=]+= |if \(.*\) )?await ", re.MULTILINE)
_UNSUPPORTED: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_COMMENT: Final = re.compile(
    r"^[ \t]*//[^\n]*\n"
    r"|^[ \t]*/\*\*(?!\s*\* @license)(?:[^*]|\*(?!/))*\*/[ \t]*\n"
    r"|/\*\*(?!\s*\* @license)(?:[^*]|\*(?!/))*\*/ ?",
    re.MULTILINE,
)
"""Comments, except licences. Comments are removed because the types in them contain `import(...)`."""

_ROOT: Final = 'new URL(".", document.querySelector("[rel=icon]").href).href'
"""The base URL of all files. Entry files cannot derive it from their own address, because pages may contain them."""

_COMPILE_HINT: Final = "//# allFunctionsCalledOnLoad"
"""Makes Chromium compile all functions of a script when it arrives, those of a file in another thread."""

SCRIPT_SIZE: Final = 24_000
"""Characters that the modules in one script of a page have at most, if there are several."""

_READ_STORAGE: Final = "try { localStorage.length; sessionStorage.length } catch {}"
"""Reads the browser's storage from the disk, for which modules would wait at their first access."""


class ModuleGraph:
    """The modules of the page and their imports.

    Args:
        texts: the source text of each module, by path.
        minified: minified text of the values of `functions`, by the digest of the value.
    """

    def __init__(self, texts: Mapping[str, str], minified: Mapping[str, str] = MappingProxyType({})) -> None:
        self._texts = {path: _COMMENT.sub("", text) for path, text in texts.items()}
        self._minified = minified
        self._always = (START, *(shared for shared in COMMON if shared in texts))
        self._imported: dict[str, tuple[str, ...]] = {}
        self._made: dict[str, str] = {}
        self._found_importers: dict[str, list[str]] = {}

    def static_imports(self, *entries: str) -> list[str]:
        """Return the entry modules and all their static imports. Each module comes after the modules that it imports.

        Raises:
            ValueError: there is an import cycle.
        """
        imported_paths: dict[str, None] = {}

        def add(path: str, way: tuple[str, ...]) -> None:
            if path in way:
                raise ValueError(f"modules must not form an import cycle: {' -> '.join((*way, path))}")
            if path not in imported_paths:
                for target in self._imports(path):
                    add(target, (*way, path))
                imported_paths[path] = None

        for entry in entries:
            add(entry, ())
        return list(imported_paths)

    def dynamic_imports(self, path: str) -> list[str]:
        """Return the modules that a module imports dynamically. A template literal imports all modules that match."""
        targets: list[str] = []
        for _, _, target in _DYNAMIC_IMPORT.findall(self._texts[path]):
            pattern = _VALUE.sub("*", resolve(path, target))
            targets += [text_path for text_path in sorted(self._texts) if fnmatchcase(text_path, pattern)]
        return targets

    def parts(self) -> list[str]:
        """Return all modules that are imported dynamically. Each of them gets a bundle file."""
        return sorted(self._importers())

    def _importers(self) -> Mapping[str, list[str]]:
        """Return the modules that import each module dynamically."""
        if not self._found_importers:
            for path in self._texts:
                for target in self.dynamic_imports(path):
                    self._found_importers.setdefault(target, []).append(path)
        return self._found_importers

    def functions(self) -> dict[str, str]:
        """Return the text of the function that each module becomes in a bundle, by the module's path."""
        return {path: self._function(path) for path in self._texts}

    def start(self, *parts: str) -> str:
        """Return the text of the entry file, which also contains the dynamically imported modules `parts`."""
        return self.bundle(START, _ROOT, self.static_imports(*self._always, *parts))

    def inline_scripts(self, *parts: str) -> list[str]:
        """Return the scripts by which a page contains the entry file, of which the last one is a module.

        Browsers compile a script of a page when all of it has arrived. So the other scripts only define the modules,
        which are compiled while the rest of the page arrives.
        """
        groups: list[list[str]] = []
        size = SCRIPT_SIZE
        for path in self.static_imports(*self._always, *parts):
            size += len(self._maker(path))
            if size > SCRIPT_SIZE:
                groups.append([])
                size = len(self._maker(path))
            groups[-1].append(path)
        makers = (f"Object.assign((globalThis.bundledModules ??= {{}}), {self._makers(group)});\n" for group in groups)
        scripts = [f'{_COMPILE_HINT}\n"use strict";\n{text}' for text in makers]
        return [_READ_STORAGE, *scripts, self._entry_script(START, _ROOT, "bundledModules")]

    def part(self, entry: str) -> str:
        """Return the text of the file for a dynamic import.

        A module that runs has all its static imports. So the file leaves out what every module that imports `entry`
        dynamically imports statically, directly or not, and what all entry files contain.
        """
        importers = self._importers()[entry]
        there = set.intersection(*(set(self.static_imports(*self._always, importer)) for importer in importers))
        return f"export default {self._makers(path for path in self.static_imports(entry) if path not in there)};\n"

    def bundle(self, entry: str, root: str, paths: Iterable[str]) -> str:
        """Return the text of a file that contains modules and runs the entry module.

        Args:
            entry: path of the entry module.
            root: JavaScript expression for the base URL of all files.
            paths: paths of the modules in the file. All other modules are loaded from `root`.
        """
        return self._entry_script(entry, root, self._makers(paths))

    def _entry_script(self, entry: str, root: str, makers: str) -> str:
        """Return the text of a script that runs the entry module.

        Args:
            entry: as in `bundle`.
            root: as in `bundle`.
            makers: JavaScript expression for the functions of the modules by path.
        """
        loading = _DECLARED.sub(r"\1", self._texts["module-loader.js"])
        use = f"export const use = createLoader({root}, {makers});"
        return f'{_COMPILE_HINT}\n{loading}\n{use}\nawait use("{entry}");\n'

    def _imports(self, path: str) -> tuple[str, ...]:
        if path not in self._imported:
            targets = (target for pattern in (_IMPORT, _REEXPORT) for _, target in pattern.findall(self._texts[path]))
            self._imported[path] = tuple(resolve(path, target) for target in targets)
        return self._imported[path]

    def _makers(self, paths: Iterable[str]) -> str:
        return "".join(("{\n", *(f'"{path}": {self._maker(path)},\n' for path in paths), "}"))

    def _maker(self, path: str) -> str:
        """Return the function of a module, minified if it was minified before."""
        if path not in self._made:
            function = self._function(path)
            self._made[path] = self._minified.get(digest(function.encode()), function)
        return self._made[path]

    def _function(self, path: str) -> str:
        """Return the JavaScript text of a function that runs a module and returns its exports."""
        text = self._texts[path]
        exports = []

        def imported(match: re.Match[str]) -> str:
            what, used = match[1], f'$use("{resolve(path, match[2])}");'
            return f"const {_pattern(what)} = {used}" if what else used

        def reexported(match: re.Match[str]) -> str:
            used = f'$use("{resolve(path, match[2])}")'
            if match[1] is None:
                exports.append(f"...{used}")
            else:
                exports.extend(f"{name}: {used}.{own}" for own, name in _name_pairs(match[1]))
            return ""

        def named(match: re.Match[str]) -> str:
            exports.extend(f"{name}: {own}" for own, name in _name_pairs(match[1]))
            return ""

        def declared(match: re.Match[str]) -> str:
            exports.append(match[2])
            return match[1]

        text = _IMPORT.sub(imported, text)
        text = _REEXPORT.sub(reexported, text)
        text = _NAMED.sub(named, text)
        text = _DECLARED.sub(declared, text)
        if _DEFAULT.search(text):
            exports.append("default: $default")
            text = _DEFAULT.sub("const $default = ", text)
        text = _DYNAMIC_IMPORT.sub(rf'$use.load(\1, "{path}")', text).replace("import.meta.url", f'$use.url("{path}")')
        if left := _UNSUPPORTED.search(text):
            raise ValueError(f"{path} cannot be bundled, because the bundler does not support this syntax: {left[0]}")
        waits = "async " if self._has_top_level_await(path) else ""
        # The parentheses make browsers compile the function early, while the file is still loading.
        return f"({waits}function ($use) {{\n{text.strip()}\nreturn {{ {', '.join(exports)} }};\n}})"

    def _has_top_level_await(self, path: str) -> bool:
        if not _TOP_LEVEL_AWAIT.search(self._texts[path]):
            return False
        if importers := [importer for importer in self._texts if path in self._imports(importer)]:
            raise ValueError(f"{importers[0]} cannot import {path} statically, because {path} has a top-level await")
        return True


def digest(content: bytes) -> str:
    """Return a digest of content."""
    return hashlib.sha256(content).hexdigest()[:32]


def resolve(path: str, target: str) -> str:
    """Return the path of the module that the module `path` imports as `target`."""
    return normpath(path_join(dirname(path), target))


def _name_pairs(names: str) -> Iterator[tuple[str, str]]:
    """Yield the two names of each part of a list such as `a, b as c`: ("a", "a") and ("b", "c")."""
    for pair in names.split(","):
        if name := pair.strip():
            own, _, other = name.partition(" as ")
            yield own, other or own


def _pattern(what: str) -> str:
    """Convert an import clause (`{ a, b as c }`, `all`, `* as all`) to a destructuring pattern."""
    if what.startswith("{"):
        return f"{{ {', '.join(f'{own}: {name}' for own, name in _name_pairs(what.strip('{} ')))} }}"
    return what.removeprefix("* as ") if what.startswith("*") else f"{{ default: {what} }}"
