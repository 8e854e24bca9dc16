"""The bots that can be named, which are entries of a `bots.toml`, commands on the command line, and built-in bots."""

import os
import re
import shlex
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Final, Literal

import msgspec

from faceup.arena.process.shell_script import is_shell_script
from faceup.arena.run.identity import BotFiles, built_in, identify
from faceup.bots import policies, policy
from faceup.characters import remove_bom
from faceup.core import Malformed
from faceup.core.registry import nearest

FILE: Final = "bots.toml"
"""The name of the roster file that is read by default."""

_MOST_LETTERS: Final = 60
_NAMED: Final = re.compile(r"([^\s=]+)=(.*\S.*)", re.DOTALL)

_SCRIPTS: Final = {".py", ".js", ".mjs", ".ts", ".rb", ".lua", ".pl", ".php", ".sh", ".jar"}
"""The suffixes of files that an interpreter runs."""

_PHASE: Final = re.compile(r"(.*\S)@(phase[^@/\s]*)", re.DOTALL)
_PHASES: Final = {"phase-first": False, "phase-last": True}
"""What can follow a program after an @, with the value of `Bot.phase_last`."""


class RosterEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One `[[bot]]` entry of a `bots.toml`.

    Attributes:
        name: the bot's name, which may contain letters, digits and `. _ + / -`.
        command: the program and its arguments, as a line or as a list of words.
        files: the bot's files besides those that the command names; a folder includes all files in it.
        folder: base folder of relative paths. The path of this folder is relative to the folder of the `bots.toml`.
        environment: environment variables for the program.
        phase: whether the program reads the phase before ("first") or after ("last") the other lines of a decision.
        alive: whether the program can play several matches without a restart.
    """

    name: str
    command: str | tuple[str, ...]
    files: tuple[str, ...] = ()
    folder: str = "."
    environment: dict[str, str] = {}
    phase: Literal["first", "last"] = "first"
    alive: bool = False


class Roster(msgspec.Struct, frozen=True):
    """The bots of a `bots.toml`.

    Attributes:
        folder: folder of the file.
        bots: the entries of the bots by name, in the order of the file.
    """

    folder: Path
    bots: Mapping[str, RosterEntry] = {}

    def entrant(
        self, name: str, *, phase_last: bool | None = None, environment: Mapping[str, str] | None = None
    ) -> BotFiles:
        """Identify the bot with this name in the file. Raises `Malformed` for the same reasons as `identify`.

        `phase_last` overrides the `phase` of the entry. The entry's own variables override `environment`.
        """
        listed = self.bots[name]
        return identify(
            name,
            _split_command(listed.command, name) if isinstance(listed.command, str) else listed.command,
            self.folder / listed.folder,
            files=listed.files,
            environment={**(environment or {}), **listed.environment},
            phase_last=listed.phase == "last" if phase_last is None else phase_last,
            alive=listed.alive,
        )


def read_roster(path: Path | None = None) -> Roster:
    """Read the bots of a file. By default, this is the `bots.toml` in the current folder, if it exists.

    Raises:
        Malformed: the file cannot be read or is not TOML, or an entry is invalid or has a name that another entry has.
            The message names the line or the entry, and suggests the nearest key for an unknown key.
    """
    if path is None:
        path = Path(FILE)
        if not path.exists():
            return Roster(Path())
    try:
        document = tomllib.loads(remove_bom(path.read_text("utf-8")))
    except OSError as error:
        raise Malformed(f"{path} cannot be read: {error.strerror}", what=str(path), where="--bots") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Malformed(f"{path} is not TOML: {error}", what=str(path), where="--bots") from None
    _check_keys(document, ["bot"], str(path))
    many = document.get("bot", [])
    if not isinstance(many, list):
        raise Malformed(f"{path}: write [[bot]], with two brackets, above each bot", what="bot", where=str(path))
    bots: dict[str, RosterEntry] = {}
    for number, entry in enumerate(many, 1):
        listed = _parse_entry(entry, f"{path}, bot {number}")
        if listed.name in bots:
            raise Malformed(f"{path}: two bots are called {listed.name!r}", what=listed.name, where=str(path))
        bots[listed.name] = listed
    return Roster(path.parent, bots)


def resolve_bots(
    words: Sequence[str],
    roster: Roster,
    game: str,
    *,
    phase_last: bool = False,
    alive: bool = False,
    environment: Mapping[str, str] | None = None,
) -> tuple[BotFiles, ...]:
    """Resolve words to bots. A word is a name in the roster, the name of a built-in bot, or a command.

    A command is split as in a shell, but run without a shell. Its bot is named after the program or script. If two
    names would be equal, they include the folder. `NAME=COMMAND` sets another name. `COMMAND@phase-last` and
    `COMMAND@phase-first` set whether this program reads the phase last. Equal words are the same bot.

    Args:
        words: the words.
        roster: the roster.
        game: name of the game; its built-in bots can be named.
        phase_last: as in `Bot`, for commands that do not set it themselves.
        alive: as in `Bot`, for commands.
        environment: variables for all programs; the variables of an entry of the roster override them.

    Raises:
        Malformed: there is no such bot, `identify` refused a program, two bots have the same name, or a word ends in
            another setting than these. The message suggests the nearest name for an unknown bot.
    """
    unique = tuple(dict.fromkeys(words))
    entrants = {
        word: _entrant(word, roster, game, phase_last=phase_last, alive=alive, environment=environment)
        for word in unique
    }
    counts = Counter(entrant.bot.name for entrant in entrants.values())
    for word, entrant in entrants.items():
        if counts[entrant.bot.name] > 1 and _split_name(word) is None and _is_command(word, roster, game):
            command = _split_phase(word)[0]
            entrants[word] = _renamed(entrant, _path_name(_split_command(command, command), entrant))
    seen: dict[str, str] = {}
    for word, entrant in entrants.items():
        if entrant.bot.name in seen:
            raise Malformed(
                f"two bots are called {entrant.bot.name!r}: {seen[entrant.bot.name]!r} and {word!r}; "
                f"write NAME=COMMAND to rename one of them",
                what=entrant.bot.name,
                where="bots",
            )
        seen[entrant.bot.name] = word
    return tuple(entrants[word] for word in words)


def _entrant(
    word: str, roster: Roster, game: str, *, phase_last: bool, alive: bool, environment: Mapping[str, str] | None
) -> BotFiles:
    word, own_phase = _split_phase(word)
    if word in roster.bots:
        if _is_player(word, game):
            raise Malformed(
                f"{word!r} is the name of a built-in bot; rename the bot in {FILE}", what=word, where="bots"
            )
        return roster.entrant(word, phase_last=own_phase, environment=environment)
    if _is_player(word, game):
        if own_phase is not None:
            raise Malformed(
                f"only a program can be followed by @phase-first or @phase-last; {word!r} is a built-in bot",
                what=word,
                where="bots",
            )
        policy(game, word)  # raises an error if the word contains an invalid time or amount of work
        return built_in(word)
    match = _split_name(word)
    command = _split_command(match[1] if match else word, word)
    if len(command) == 1 and "/" not in word and _is_unknown(command[0]):
        names = [*roster.bots, *policies(game)]
        raise Malformed(
            f"there is no bot {word!r}, and no program of that name{nearest(word, names)}", what=word, where="bots"
        )
    if missing := _missing_script(command):
        raise Malformed(f"{word!r}: there is no file {missing}", what=word, where="bots")
    last = phase_last if own_phase is None else own_phase
    entrant = identify(word, command, Path(), environment=environment, phase_last=last, alive=alive)
    return _renamed(entrant, match[0] if match else _short_name(command, entrant))


def _split_name(word: str) -> tuple[str, str] | None:
    """Split NAME=COMMAND; return None if the word has no name, as in `./rate=0.1/bot`.

    >>> _split_name("new=./bot --fast"), _split_name("./rate=0.1/bot")
    (('new', './bot --fast'), None)
    """
    match = _NAMED.fullmatch(word)
    if match is None or _fit_name(match[1]) != match[1] or match[1].startswith((".", "/", "~")):
        return None
    with suppress(ValueError, IndexError):
        if Path(shlex.split(word)[0]).is_file():
            return None
    return match[1], match[2]


def _fit_name(text: str) -> str:
    """Return a text with only letters, digits, marks and `. _ + / -`, and at most 60 of them, from its end.

    >>> _fit_name("m\u00fcller 2"), _fit_name("\u673a\u5668\u4eba")
    ('m\u00fcller-2', '\u673a\u5668\u4eba')
    """
    text = unicodedata.normalize("NFC", os.fsencode(text).decode("utf-8", "backslashreplace"))
    kept = [char if char.isalnum() or char in "._+/-" or unicodedata.category(char)[0] == "M" else "-" for char in text]
    return "".join(kept)[-_MOST_LETTERS:]


def _split_phase(word: str) -> tuple[str, bool | None]:
    """Split a word into the bot and the value of `phase_last` that it sets; None if it sets none.

    >>> _split_phase("python3 mine.py@phase-last"), _split_phase("python3 mine.py")
    (('python3 mine.py', True), ('python3 mine.py', None))
    """
    match = _PHASE.fullmatch(word)
    if match is None:
        return word, None
    if match[2] not in _PHASES:
        raise Malformed(
            f"{word!r} must end in @phase-first or @phase-last; got @{match[2]}", what=match[2], where="bots"
        )
    return match[1], _PHASES[match[2]]


def _is_player(word: str, game: str) -> bool:
    return word.partition("@")[0] in policies(game)


def _is_command(word: str, roster: Roster, game: str) -> bool:
    bot = _split_phase(word)[0]
    return bot not in roster.bots and not _is_player(bot, game)


def _is_unknown(program: str) -> bool:
    from shutil import which  # noqa: PLC0415 -- only needed for an error message

    return which(program) is None and not Path(program).exists()


def _missing_script(command: Sequence[str]) -> str:
    """Return the script of an interpreter that a command names but that does not exist; empty if there is none."""
    if is_shell_script(command):
        return ""
    first = next((word for word in command[1:] if not word.startswith("-")), "")
    return first if PurePath(first).suffix in _SCRIPTS and not Path(first).expanduser().exists() else ""


def _split_command(line: str, name: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(line))
    except ValueError as error:
        raise Malformed(f"{name}: the command {line!r} is incomplete: {error}", what=line, where="command") from None


def _renamed(entrant: BotFiles, name: str) -> BotFiles:
    fitted = _fit_name(name) or "bot"
    return msgspec.structs.replace(entrant, bot=msgspec.structs.replace(entrant.bot, name=fitted))


def _short_name(command: Sequence[str], entrant: BotFiles) -> str:
    """Return a short name for a bot, which is its first own file, or else its program, without folder and ending."""
    return PurePath(next(iter(entrant.files), command[0])).stem


def _path_name(command: Sequence[str], entrant: BotFiles) -> str:
    """Return a name for a bot that includes the folder of its program or script."""
    first = next(iter(entrant.files), command[0])
    path = entrant.files.get(first, Path(first))
    if path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return path.with_suffix("").as_posix().lstrip("/")


def _parse_entry(entry: object, where: str) -> RosterEntry:
    if not isinstance(entry, dict):
        raise Malformed(f"{where}: write [[bot]], with two brackets, above each bot", where=where)
    if isinstance(entry.get("name"), str):
        where = f"{where} ({entry['name']})"
    _check_keys(entry, list(RosterEntry.__struct_fields__), where)
    try:
        listed = msgspec.convert(entry, RosterEntry)
    except msgspec.ValidationError as error:
        raise Malformed(f"{where}: {error}", where=where) from None
    if not listed.name or _fit_name(listed.name) != unicodedata.normalize("NFC", listed.name):
        raise Malformed(
            f"{where}: a name must be 1 to 60 letters, digits and . _ + / -; got {listed.name!r}",
            what=listed.name,
            where=where,
        )
    return listed


def _check_keys(table: Mapping[str, object], accepted: list[str], where: str) -> None:
    for key in table:
        if key not in accepted:
            raise Malformed(f"{where}: there is no key {key!r}{nearest(key, accepted)}", what=key, where=where)
