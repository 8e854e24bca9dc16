"""What a program is: its command, its own files, and a digest by which another program is never taken for it."""

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import file_digest, sha256
from importlib.metadata import version
from pathlib import Path
from tempfile import mkstemp
from typing import Final

import msgspec

from faceup.arena.bots import Bot
from faceup.core import Malformed

_OUTSIDE: Final = "outside"
"""The folder, in the copy, of files that do not stand in the bot's folder."""


class Entrant(msgspec.Struct, frozen=True):
    """A bot and where its own files are now.

    Attributes:
        bot: its command calls its own files as they lie in the copy, from the copy's folder: `./bot`, `bot.py`.
        files: those files, by the names that they have in the copy.
    """

    bot: Bot
    files: Mapping[str, Path] = {}


def built_in(name: str) -> Entrant:
    """One of our own players, as this version of faceup has it."""
    return Entrant(Bot(name, player=name, digest=_digest(["player", name, version("faceup")])))


def identify(
    name: str,
    command: Sequence[str],
    folder: Path,
    *,
    files: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    phase_last: bool = False,
    alive: bool = False,
) -> Entrant:
    """Find the program that a command runs and the files that are the bot's own.

    Its own are the program, unless it is installed on the machine (found by its name alone, or in a folder of `PATH` or
    of a virtual environment), every word of the command that names a file, and what `files` lists: files, or folders
    with all that is in them. The digest is over the words, over what is in those files and in an installed program, and
    over all else that changes how it runs; not over where they are.

    Args:
        name: of the bot.
        command: the program and its arguments.
        folder: where relative names begin.
        files: what it needs besides.
        environment: variables that it gets.
        phase_last: whether it reads the phase last.
        alive: whether it plays one match after another.

    Raises:
        Malformed: the program or a file is not there, is a folder, or may not be run or read.
    """
    if not command:
        raise Malformed(
            f"{name}: the command is empty; write the program and its arguments", what=name, where="command"
        )
    own: dict[str, Path] = {}
    program, is_own = _find_program(name, command[0], folder)
    words = [f"./{_add(own, program, folder)}" if is_own else command[0]]
    for word in command[1:]:
        path = _under(folder, word)
        words.append(_add(own, path, folder) if word and not word.startswith("-") and path.is_file() else word)
    for listed in files:
        for path in _listed(name, listed, folder):
            _add(own, path, folder)
    bot = Bot(
        name,
        tuple(words),
        environment=dict(sorted((environment or {}).items())),
        phase_last=phase_last,
        alive=alive,
    )
    try:
        installed = [] if is_own else [program.name, _content(program)]
        contents = [(called, os.access(path, os.X_OK), _content(path)) for called, path in sorted(own.items())]
    except OSError as error:
        raise Malformed(
            f"{name}: {error.filename} cannot be read: {error.strerror}", what=name, where="files"
        ) from None
    told = [words if is_own else words[1:], installed, contents, list(bot.environment.items()), phase_last, alive]
    return Entrant(msgspec.structs.replace(bot, digest=_digest(told)), own)


def settle(entrant: Entrant, store: Path) -> Bot:
    """The bot as it is run: from a copy of its own files in the folder `store/DIGEST`, which is made if need be.

    Raises:
        Malformed: there is no writing there, or a file has changed since it was identified.
    """
    bot = entrant.bot
    if bot.player:
        return bot
    folder = (store / bot.digest[:16]).absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for called, path in entrant.files.items():
            _copy(path, folder / called)
    except OSError as error:
        raise Malformed(
            f"{bot.name} cannot be copied to {folder}: {error.strerror}", what=bot.name, where="--log"
        ) from None
    return placed(bot, store)


def placed(bot: Bot, store: Path) -> Bot:
    """The bot as it is run from its copy, which is there already."""
    if bot.player:
        return bot
    folder = (store / bot.digest[:16]).absolute()
    program, *rest = bot.command
    found = str(folder / program) if program.startswith("./") else shutil.which(program) or program
    return msgspec.structs.replace(bot, command=(found, *rest), folder=str(folder))


def _find_program(name: str, word: str, folder: Path) -> tuple[Path, bool]:
    """The program, and whether it is the bot's own."""
    if "/" not in word and os.sep not in word:
        found = shutil.which(word)
        if found:
            return Path(found), False
        if _under(folder, word).exists():
            raise Malformed(
                f"{name}: no program {word!r} is installed; if the one in {folder} is meant, write ./{word}",
                what=word,
                where="command",
            )
        raise Malformed(
            f"{name}: there is no program {word!r}, neither installed nor in {folder}", what=word, where="command"
        )
    path = _under(folder, word)
    if path.is_dir():
        raise Malformed(f"{name}: {path} is a folder, not a program", what=word, where="command")
    if not path.exists():
        raise Malformed(f"{name}: there is no program {path}", what=word, where="command")
    if not os.access(path, os.X_OK):
        how = f"chmod +x {path}"
        raise Malformed(
            f"{name}: {path} may not be run; make it a program ({how}), or begin with what runs it, such as python3",
            what=word,
            where="command",
        )
    return path, not _is_installed(path, folder)


def _is_installed(path: Path, folder: Path) -> bool:
    """Whether it belongs to the machine, and would not run as a copy: an interpreter needs what is beside it."""
    if (path.parent.parent / "pyvenv.cfg").is_file():
        return True
    here = folder.resolve()
    installed = {Path(each).resolve() for each in os.get_exec_path() if Path(each).is_absolute()} - {here}
    return path.parent.resolve() in installed or path.resolve().parent in installed


def _under(folder: Path, word: str) -> Path:
    return Path(os.path.normpath(folder.absolute() / Path(word).expanduser()))


def _listed(name: str, word: str, folder: Path) -> Iterator[Path]:
    path = _under(folder, word)
    if path.is_file():
        yield path
    elif path.is_dir():
        yield from (each for each in sorted(path.rglob("*")) if each.is_file() and "__pycache__" not in each.parts)
    else:
        raise Malformed(f"{name}: there is no file {path}", what=word, where="files")


def _add(own: dict[str, Path], path: Path, folder: Path) -> str:
    """Count the file among the bot's own, and give the name that it has in the copy."""
    base = Path(os.path.normpath(folder.absolute()))
    if path.is_relative_to(base):
        called = path.relative_to(base).as_posix()
    else:
        called = f"{_OUTSIDE}/{path.name}"
        if own.get(called, path) != path:
            called = f"{_OUTSIDE}/{len(own)}/{path.name}"
    own[called] = path
    return called


def _content(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _digest(told: Iterable[object]) -> str:
    return sha256(msgspec.json.encode(list(told))).hexdigest()


def _copy(path: Path, to: Path) -> None:
    """Copy the file unless its copy is there already; nobody ever sees half of it."""
    if to.is_file() and _content(to) == _content(path):
        return
    to.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = mkstemp(dir=to.parent)
    os.close(handle)
    try:
        shutil.copyfile(path, beside)
        Path(beside).chmod(0o555 if os.access(path, os.X_OK) else 0o444)
        Path(beside).replace(to)
    finally:
        Path(beside).unlink(missing_ok=True)
