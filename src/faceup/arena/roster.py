"""Who can play: the bots of a `bots.toml`, programs named on the command line, and our own players."""

import re
import shlex
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Final, Literal

import msgspec

from faceup.arena.identity import Entrant, built_in, identify
from faceup.bots import policies, policy
from faceup.core import Malformed
from faceup.core.registry import nearest

FILE: Final = "bots.toml"
"""The file that is read where no other is named."""

_NAME: Final = re.compile(r"[\w.+/-]{1,60}", re.ASCII)
_NAMED: Final = re.compile(rf"({_NAME.pattern})=(.*\S.*)", re.ASCII | re.DOTALL)


class Listed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One `[[bot]]` of a `bots.toml`.

    Attributes:
        name: by which it is called; letters, digits and `. _ + / -`.
        command: the program and its arguments, as a line or as a list of words.
        files: what it needs besides what the command names: files, or folders with all that is in them.
        folder: where relative names begin, seen from the `bots.toml`.
        environment: variables that it gets.
        phase: whether it reads the phase of a decision before the other lines or after them.
        alive: whether it plays one match after another without being started anew.
    """

    name: str
    command: str | tuple[str, ...]
    files: tuple[str, ...] = ()
    folder: str = "."
    environment: dict[str, str] = {}
    phase: Literal["first", "last"] = "first"
    alive: bool = False


class Roster(msgspec.Struct, frozen=True):
    """The bots of a file.

    Attributes:
        folder: in which the file is.
        bots: by name, in the order of the file.
    """

    folder: Path
    bots: Mapping[str, Listed] = {}

    def entrant(self, name: str) -> Entrant:
        """A bot of the file, with its files found. Raises `Malformed` as `identify`."""
        listed = self.bots[name]
        return identify(
            name,
            _words(listed.command, name) if isinstance(listed.command, str) else listed.command,
            self.folder / listed.folder,
            files=listed.files,
            environment=listed.environment,
            phase_last=listed.phase == "last",
            alive=listed.alive,
        )


def read_roster(path: Path | None = None) -> Roster:
    """The bots of a file; of `bots.toml` in this folder, if there is one, where none is named.

    Raises:
        Malformed: the file cannot be read, is no TOML (with the line), has an unknown key (with the nearest), or a name
            twice.
    """
    if path is None:
        path = Path(FILE)
        if not path.exists():
            return Roster(Path())
    try:
        with path.open("rb") as file:
            told = tomllib.load(file)
    except OSError as error:
        raise Malformed(f"{path} cannot be read: {error.strerror}", what=str(path), where="--bots") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Malformed(f"{path} is not TOML: {error}", what=str(path), where="--bots") from None
    _check_keys(told, ["bot"], str(path))
    many = told.get("bot", [])
    if not isinstance(many, list):
        raise Malformed(f"{path}: write [[bot]], with two brackets, above each bot", what="bot", where=str(path))
    bots: dict[str, Listed] = {}
    for number, entry in enumerate(many, 1):
        listed = _listed(entry, f"{path}, bot {number}")
        if listed.name in bots:
            raise Malformed(f"{path}: two bots are called {listed.name!r}", what=listed.name, where=str(path))
        bots[listed.name] = listed
    return Roster(path.parent, bots)


def enrol(
    words: Sequence[str],
    roster: Roster,
    game: str,
    *,
    phase_last: bool = False,
    alive: bool = False,
) -> tuple[Entrant, ...]:
    """The bots that words stand for: names of the roster, names of our own players, or commands.

    A command is split into words as a shell would, and run without one. It is called by the name of its own program or
    script without the ending, with its folder where two would have one name; `NAME=COMMAND` calls it otherwise.

    Args:
        words: one for each bot; equal words are one bot.
        roster: the bots that have been written down.
        game: which game's players are meant.
        phase_last: whether the commands read the phase last.
        alive: whether they play one match after another.

    Raises:
        Malformed: there is no such bot, with the nearest name, a program that `identify` refuses, or two of one name.
    """
    alone = tuple(dict.fromkeys(words))
    found = {word: _entrant(word, roster, game, phase_last=phase_last, alive=alive) for word in alone}
    times = Counter(each.bot.name for each in found.values())
    for word, each in found.items():
        if times[each.bot.name] > 1 and _NAMED.fullmatch(word) is None and _is_command(word, roster, game):
            found[word] = _renamed(each, _path_name(_words(word, word), each))
    seen: dict[str, str] = {}
    for word, each in found.items():
        if each.bot.name in seen:
            raise Malformed(
                f"two bots are called {each.bot.name!r}: {seen[each.bot.name]!r} and {word!r}; "
                f"write NAME=COMMAND to call one otherwise",
                what=each.bot.name,
                where="bots",
            )
        seen[each.bot.name] = word
    return tuple(found[word] for word in words)


def _entrant(word: str, roster: Roster, game: str, *, phase_last: bool, alive: bool) -> Entrant:
    if word in roster.bots:
        if _is_player(word, game):
            raise Malformed(
                f"{word!r} is one of our own players; call the one of {FILE} otherwise", what=word, where="bots"
            )
        return roster.entrant(word)
    if _is_player(word, game):
        policy(game, word)  # refuses a time or an amount of work that means nothing
        return built_in(word)
    named = _NAMED.fullmatch(word)
    command = _words(named[2] if named else word, word)
    if len(command) == 1 and "/" not in word and _is_unknown(command[0]):
        known = [*roster.bots, *policies(game)]
        raise Malformed(
            f"there is no bot {word!r}, and no program of that name{nearest(word, known)}", what=word, where="bots"
        )
    entrant = identify("bot", command, Path(), phase_last=phase_last, alive=alive)
    return _renamed(entrant, named[1] if named else _short_name(command, entrant))


def _is_player(word: str, game: str) -> bool:
    return word.partition("@")[0] in policies(game)


def _is_command(word: str, roster: Roster, game: str) -> bool:
    return word not in roster.bots and not _is_player(word, game)


def _is_unknown(program: str) -> bool:
    from shutil import which  # noqa: PLC0415 -- for a message

    return which(program) is None and not Path(program).exists()


def _words(line: str, name: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(line))
    except ValueError as error:
        raise Malformed(f"{name}: the command {line!r} is cut short: {error}", what=line, where="command") from None


def _renamed(entrant: Entrant, name: str) -> Entrant:
    fitted = re.sub(r"[^\w.+/-]", "-", name, flags=re.ASCII)[-60:] or "bot"
    return msgspec.structs.replace(entrant, bot=msgspec.structs.replace(entrant.bot, name=fitted))


def _short_name(command: Sequence[str], entrant: Entrant) -> str:
    """What a command is called: by its own program or script, else by what it runs."""
    return PurePath(next(iter(entrant.files), command[0])).stem


def _path_name(command: Sequence[str], entrant: Entrant) -> str:
    """The same with its folder."""
    first = next(iter(entrant.files), command[0])
    path = entrant.files.get(first, Path(first))
    if path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return path.with_suffix("").as_posix().lstrip("/")


def _listed(entry: object, where: str) -> Listed:
    if not isinstance(entry, dict):
        raise Malformed(f"{where}: write [[bot]], with two brackets, above each bot", where=where)
    if isinstance(entry.get("name"), str):
        where = f"{where} ({entry['name']})"
    _check_keys(entry, list(Listed.__struct_fields__), where)
    try:
        listed = msgspec.convert(entry, Listed)
    except msgspec.ValidationError as error:
        raise Malformed(f"{where}: {error}", where=where) from None
    if _NAME.fullmatch(listed.name) is None:
        raise Malformed(
            f"{where}: a name is 1 to 60 letters, digits and . _ + / -, not {listed.name!r}",
            what=listed.name,
            where=where,
        )
    return listed


def _check_keys(told: Mapping[str, object], known: list[str], where: str) -> None:
    for key in told:
        if key not in known:
            raise Malformed(f"{where}: there is no key {key!r}{nearest(key, known)}", what=key, where=where)
