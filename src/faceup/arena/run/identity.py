"""The identity of a bot program, which is its command, its own files, and a digest of the command and the files."""

import os
import re
import shutil
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import file_digest, sha256
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path, PurePath
from tempfile import mkstemp
from typing import Final

import msgspec

from faceup.arena.match.terms import Bot
from faceup.arena.process.shell_script import is_shell_script, script_words
from faceup.arena.run.script_files import needed_by
from faceup.core import Malformed

_OUTSIDE: Final = "outside"
"""The name of the folder in the copy that gets files from outside the bot's folder."""


class BotFiles(msgspec.Struct, frozen=True):
    """A bot and the location of its files.

    Attributes:
        bot: the bot. Its command names its own files relative to the folder of its copy, such as `./bot` or `bot.py`.
        files: the paths of the bot's own files, by their names in the copy.
        outputs: the names of the files that the program writes, from its command.
    """

    bot: Bot
    files: Mapping[str, Path] = {}
    outputs: tuple[str, ...] = ()


def built_in(name: str) -> BotFiles:
    """Return the built-in bot with this name. Its digest depends on the version of faceup."""
    return BotFiles(Bot(name, player=name, digest=_digest(["player", name, version("faceup")])))


def identify(
    name: str,
    command: Sequence[str],
    folder: Path,
    *,
    files: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    phase_last: bool = False,
    alive: bool = False,
) -> BotFiles:
    """Identify the program that a command runs, and the bot's own files.

    The bot's own files are the program, every word of the command that names a file, the files that `files` names, and
    the files in the folder of a script that its text imports or names. They include the files of every folder that the
    command names, also in `-cp DIR:FILE`, `-IDIR`, `-m MODULE` and `--option=FILE`, and the files in the folder that
    the script of `sh -c "..."` names. A file that the program writes is not one of them: it follows a `>` or an option
    such as `--log`, or ends in `.log`.

    An installed program is not one of them, either, and runs where it is. A program is installed if the command names
    it without a folder, or it is in a folder of `PATH`, of a virtual environment, or in a folder `bin` next to a folder
    `lib`, like the programs of a JDK and of conda. The digest covers the command, the content of the bot's own files
    and of an installed program, and all settings that change how the program runs, but not where the files are.

    Args:
        name: name of the bot.
        command: the program and its arguments.
        folder: base folder of relative paths.
        files: paths of more files, or of folders with content that belongs to the bot.
        environment: as in `Bot`.
        phase_last: as in `Bot`.
        alive: as in `Bot`.

    Raises:
        Malformed: the program or a file is missing or cannot be read, or the program is a folder or not executable.
    """
    if not command:
        message = f"{name}: the command is empty; it must contain the program and its arguments"
        raise Malformed(message, what=name, where="command")
    for word in (*(environment or {}).values(), *command):
        if _as_text(word) != word and not _resolve(folder, word).is_file():
            message = f"{name}: {_as_text(word)!r} is neither a file nor text in UTF-8"
            raise Malformed(message, what=_as_text(word), where="command")
    program, is_own = _find_program(name, command[0], folder)
    words, own_files = _own_files(name, command, folder, [program] if is_own else [])
    if not is_own and "/" in command[0]:
        words[0] = str(program)
    for listed in files:
        for path in _expand(name, listed, folder):
            _add(own_files, path, folder)
    variables = dict(sorted((environment or {}).items()))
    try:
        installed = [] if is_own else [_as_text(program.name), _content(program)]
        contents = [
            (name_in_copy, os.access(path, os.X_OK), _content(path)) for name_in_copy, path in sorted(own_files.items())
        ]
    except OSError as error:
        raise Malformed(
            f"{name}: {error.filename} cannot be read: {error.strerror}", what=name, where="files"
        ) from None
    digest = _digest([words if is_own else words[1:], installed, contents, [*variables.items()], phase_last, alive])
    bot = Bot(name, tuple(words), environment=variables, phase_last=phase_last, alive=alive, digest=digest)
    return BotFiles(bot, own_files, tuple(dict.fromkeys(_outputs(command, folder))))


def install_bot(entrant: BotFiles, store: Path) -> Bot:
    """Copy a bot's own files to a folder in `store`, if they are not there yet, and return the bot as it runs there.

    The name of the folder is the start of the bot's digest. Next to it is a folder to which the program may write. The
    files that its command names as output are links into this folder, because a sandbox makes the copy read-only.

    Raises:
        Malformed: the folder cannot be written, or a file cannot be read.
    """
    bot = entrant.bot
    if bot.player:
        return bot
    installed = installed_bot(bot, store)
    folder, output = Path(installed.folder), Path(installed.output)
    try:
        for made in (folder, output):
            made.mkdir(parents=True, exist_ok=True)
        for name, path in entrant.files.items():
            _copy(path, folder / name)
        for name in entrant.outputs:
            _link(folder / name, output / name)
    except OSError as error:
        raise Malformed(
            f"{bot.name} cannot be copied to {folder}: {error.strerror}", what=bot.name, where="--log"
        ) from None
    return installed


def installed_bot(bot: Bot, store: Path) -> Bot:
    """Return the bot as it runs from its existing copy in `store`."""
    if bot.player:
        return bot
    folder = (store / bot.digest[:16]).absolute()
    program, *rest = bot.command
    executable = str(folder / program) if program.startswith("./") else shutil.which(program) or program
    output = folder.with_name(f"{folder.name}.output")
    return msgspec.structs.replace(bot, command=(executable, *rest), folder=str(folder), output=str(output))


def stored_bot(bot: Bot, store: Path) -> BotFiles:
    """Return a bot with the files of its existing copy in `store`."""
    folder = store / bot.digest[:16]
    paths = (
        [] if bot.player else [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    )
    return BotFiles(bot, {path.relative_to(folder).as_posix(): path for path in paths})


def _find_program(name: str, word: str, folder: Path) -> tuple[Path, bool]:
    """Return the path of the program that a command's first word names, and whether it is one of the bot's own files.

    Args:
        name: the bot's name, for messages.
        word: the first word of the command.
        folder: base folder of a relative path.
    """
    path = _resolve(folder, word)
    if "/" not in word and os.sep not in word:
        if executable := shutil.which(word):
            return Path(executable), False
        problem = f"there is no program {word!r}, either installed or in {folder}"
        if path.exists():
            problem = f"no program {word!r} is installed; {_how_to_run(path, word)}"
    elif path.is_dir():
        problem = f"{path} is a folder, not a program"
    elif not path.exists():
        problem = f"there is no program {path}"
    elif not os.access(path, os.X_OK):
        problem = f"{path} is not executable; {_how_to_run(path, word)}"
    else:
        return path, not _is_installed(path, folder)
    raise Malformed(f"{name}: {problem}", what=word, where="command")


def _own_files(
    name: str, command: Sequence[str], folder: Path, program: Sequence[Path]
) -> tuple[list[str], dict[str, Path]]:
    """Return a command as it runs in the copy, and the bot's own files that it names, with the program if it is own."""
    own_files: dict[str, Path] = {}
    words = [f"./{_add(own_files, path, folder)}" for path in program] or [command[0]]
    for before, word in pairwise(command):
        path = _resolve(folder, word)
        is_file = word and not word.startswith("-") and path.is_file() and not _is_written(before, path)
        words.append(_add(own_files, path, folder) if is_file else word)
        for path_inside in () if is_file else _named_inside(before, word, folder):
            for inside in _expand(name, str(path_inside), folder, whole=False):
                _add(own_files, inside, folder)
    for path in _script_files(command, folder):
        for inside in _expand(name, str(path), folder, whole=False):
            _add(own_files, inside, folder)
    scripts = [*own_files.items()]
    for name_in_copy, script in scripts:  # the list grows during the loop
        for path in needed_by(script):
            for needed in _expand(name, str(path), folder, whole=False):
                path_in_copy = Path(name_in_copy).parent / needed.relative_to(script.parent)
                if path_in_copy.as_posix() not in own_files and _is_needed(needed.relative_to(script.parent)):
                    own_files[_as_text(path_in_copy.as_posix())] = needed
                    scripts.append((_as_text(path_in_copy.as_posix()), needed))
    shell_script = command[2] if is_shell_script(command) else None
    ends = {word: r":\s\"'" if word == shell_script else ":" for word in words[1:]}
    return [words[0], *(_relative(word, folder, own_files, ends[word]) for word in words[1:])], own_files


def _relative(word: str, folder: Path, own_files: Iterable[str], ends: str) -> str:
    """Return a word in which full paths of copied files are relative, so that they name the copy.

    >>> _relative("-I/home/ann/lib:/home/ann/new:/home/ann", Path("/home/ann"), ["lib/a.pm"], ":")
    '-I./lib:/home/ann/new:/home/ann'

    Args:
        word: the word.
        folder: the bot's folder.
        own_files: the names of the bot's own files in the copy.
        ends: characters that end a path.
    """
    base = os.path.normpath(folder.absolute())
    copied = {str(part) for name in own_files for part in (PurePath(name), *PurePath(name).parents)} - {"."}

    def replace(match: re.Match[str]) -> str:
        name = os.path.normpath(match[2].rstrip("*"))
        return f"{match[1]}./{match[2]}" if name in copied else match[0]

    return re.sub(rf"""(^|[\s"'=:]|(?<!\w)-[A-Za-z]){re.escape(base)}/([^{ends}]+)""", replace, word)


_CLASS_PATHS: Final = {"-cp", "-classpath", "--class-path", "-p", "--module-path"}
_OUTPUT: Final = re.compile(r"-+([\w-]*[-_])?(log|logs|logfile|o|out|output|trace|dump)([-_]?(file|path))?")


def _is_written(before: str, path: Path) -> bool:
    """Return whether a program writes a file that its command names, judging by the word before it and its suffix."""
    return path.suffix == ".log" or before in {">", ">>", ">|"} or _OUTPUT.fullmatch(before) is not None


def _outputs(command: Sequence[str], folder: Path) -> Iterator[str]:
    """Yield the names, relative to the bot's folder, of the files in it that a command names as output."""
    for before, word in (*pairwise(command), *script_words(command)):
        option, _, value = word.partition("=") if word.startswith("-") else (before, "", word)
        path = _resolve(folder, value)
        if value and _is_written(option, path) and not path.is_dir() and path.is_relative_to(_resolve(folder, ".")):
            yield _as_text(path.relative_to(_resolve(folder, ".")).as_posix())


def _named_inside(before: str, word: str, folder: Path) -> Iterator[Path]:
    """Yield the files and folders in the bot's folder that a word names otherwise than as a single file."""
    option, equals, value = word.partition("=")
    if before in _CLASS_PATHS or option in _CLASS_PATHS:
        names = [name.removesuffix("*") for name in (value if equals else word).split(os.pathsep)]
    elif before == "-m":
        names = [word.replace(".", "/"), f"{word.replace('.', '/')}.py"]
    elif word.startswith("-I"):
        names = [word.removeprefix("-I")]
    elif word.startswith("-"):
        names = [value] if equals and not _is_written(option, _resolve(folder, value)) else []
    else:
        names = [word] if _resolve(folder, word).is_dir() and not _is_written(before, Path(word)) else []
    for name in filter(None, names):
        path = _resolve(folder, name)
        if path.exists() and path.is_relative_to(_resolve(folder, ".")):
            yield path


def _script_files(command: Sequence[str], folder: Path) -> Iterator[Path]:
    """Yield the files and folders in the bot's folder that the script of `sh -c "..."` names and does not write."""
    for before, word in script_words(command):
        path = _resolve(folder, word)
        if not _is_written(before, path) and path.is_file() and path.is_relative_to(_resolve(folder, ".")):
            yield path
        yield from _named_inside(before, word, folder)


def _how_to_run(path: Path, word: str) -> str:
    """Say how to write the command for a file that is not an installed program."""
    if path.suffix == ".py":
        return f'to run the script, write "python3 {word}", in quotes'
    if not os.access(path, os.X_OK):
        return f'run chmod +x {path}, or start the command with its interpreter, such as "node {word}", in quotes'
    return f"to run the one in this folder, write ./{word}"


def _is_installed(path: Path, folder: Path) -> bool:
    """Return whether a program is installed on the machine, like an interpreter, which cannot run as a copy."""
    root = path.parent.parent
    if (root / "pyvenv.cfg").is_file() or (path.parent.name == "bin" and (root / "lib").is_dir()):
        return True
    own_folder = folder.resolve()
    installed = {
        Path(folder_on_path).resolve() for folder_on_path in os.get_exec_path() if Path(folder_on_path).is_absolute()
    } - {own_folder}
    return path.parent.resolve() in installed or path.resolve().parent in installed


def _resolve(folder: Path, word: str) -> Path:
    return Path(os.path.normpath(folder.absolute() / Path(word).expanduser()))


def _expand(name: str, word: str, folder: Path, *, whole: bool = True) -> Iterator[Path]:
    """Yield a file, or the files in a folder; unless `whole`, leave out those that programs do not need."""
    path = _resolve(folder, word)
    if path.is_file():
        yield path
    elif path.is_dir():
        count = 0
        for file in sorted(path.rglob("*")):
            if not file.is_file() or "__pycache__" in file.parts or not (whole or _is_needed(file.relative_to(path))):
                continue
            count += 1
            if count > _MOST_FILES:
                message = f"{name}: {path} has more than {_MOST_FILES:,} files; name those that the program needs"
                raise Malformed(message, what=word, where="files")
            yield file
    else:
        raise Malformed(f"{name}: there is no file {path}", what=word, where="files")


_MOST_FILES: Final = 10_000


def _is_needed(path: Path) -> bool:
    """Return whether a program may need a file in a folder, which is neither hidden nor a log."""
    logs = (".sqlite", ".sqlite-wal", ".sqlite-shm", ".sqlite-journal", ".log")
    return not path.name.endswith(logs) and not any(
        part.startswith(".") or part.endswith(".sqlite.files") for part in path.parts
    )


def _add(own_files: dict[str, Path], path: Path, folder: Path) -> str:
    """Add a file to the bot's own files and return the file's name in the copy."""
    base = Path(os.path.normpath(folder.absolute()))
    if path.is_relative_to(base):
        name = _as_text(path.relative_to(base).as_posix())
    else:
        name = f"{_OUTSIDE}/{_as_text(path.name)}"
        if own_files.get(name, path) != path:
            name = f"{_OUTSIDE}/{len(own_files)}/{_as_text(path.name)}"
    own_files[name] = path
    return name


def _as_text(name: str) -> str:
    """Return a file name in which bytes that are not UTF-8 are written as escapes, because a log contains only text."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _content(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _digest(identity: Iterable[object]) -> str:
    return sha256(msgspec.json.encode(list(identity))).hexdigest()


def _link(path: Path, to: Path) -> None:
    """Create a link to a file that a program writes later, unless the path exists."""
    for folder in (path.parent, to.parent):
        folder.mkdir(parents=True, exist_ok=True)
    if not (path.exists() or path.is_symlink()):
        path.symlink_to(os.path.relpath(to, path.parent))


def _copy(path: Path, to: Path) -> None:
    """Copy a file atomically, unless an equal copy exists already."""
    if to.is_file() and _content(to) == _content(path):
        return
    to.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = mkstemp(dir=to.parent)
    os.close(handle)
    try:
        shutil.copyfile(path, temporary)
        with path.open("rb") as file:
            if file.read(5) == BOM_UTF8 + b"#!":  # with the mark, the system would not find the interpreter's name
                Path(temporary).write_bytes(path.read_bytes().removeprefix(BOM_UTF8))
        Path(temporary).chmod(0o555 if os.access(path, os.X_OK) else 0o444)
        Path(temporary).replace(to)
    finally:
        Path(temporary).unlink(missing_ok=True)
