"""Puzzles: decisions of games in which one option is clearly the best.

A puzzle has the view of the seat that decides, and never the full state. `faceup.coach.find_puzzles` finds puzzles.

>>> puzzles = package_puzzles()
>>> len(puzzles) >= 60
True
>>> puzzles[0].best.behind.value, puzzles[0].lead >= 1
(0.0, True)
"""

import hashlib
from collections.abc import Iterable
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final

import msgspec

from faceup.bots.search import Estimate
from faceup.characters import remove_bom
from faceup.coach.causes import Explanation
from faceup.coach.registry import coach_for
from faceup.coach.themes import Theme
from faceup.core import AnyRules, Malformed, RulesError, View, read

FORMAT: Final = 1
"""The version of the format. It increases when a program for the previous version would misread a file."""

MAX_PUZZLES: Final = 10_000
"""Maximum number of puzzles in a file."""


class PuzzleOption(msgspec.Struct, frozen=True):
    """An option of a puzzle with its value.

    Attributes:
        action: the action in notation.
        heads: the expected heads of the seat until the end of the deal.
        win: the probability of winning the match.
        behind: how many expected heads the option is worse than the best one, in the same worlds; 0 for the best.
        risk: the probability of taking a row this turn.
        explanation: what the option does, and why it is worse than the best one.
    """

    action: str
    heads: Estimate
    win: Estimate
    behind: Estimate
    risk: float
    explanation: Explanation


class Source(msgspec.Struct, frozen=True, omit_defaults=True):
    """The game that a puzzle is from.

    Attributes:
        deal: the deal, from 1.
        turn: the turn in the deal, from 1.
        bots: the bots by seat; empty for a game from a record.
        seed: the seed of the game; None for a game from a record.
    """

    deal: int
    turn: int
    bots: tuple[str, ...] = ()
    seed: int | None = None


class Puzzle(msgspec.Struct, frozen=True, dict=True):
    """A decision with a clear best option.

    Attributes:
        id: the first 12 hexadecimal digits of the SHA-256 hash of the position.
        position: the rules and the view of the seat that decides, in notation.
        options: all legal options, the best one first.
        theme: what the puzzle trains.
        found: the share of choices of easy bots that were the best option, from 0 to 1.
        source: where the position is from.
    """

    id: str
    position: str
    options: tuple[PuzzleOption, ...]
    theme: Theme
    found: Annotated[float, msgspec.Meta(ge=0, le=1)]
    source: Source

    @cached_property
    def parsed(self) -> tuple[AnyRules, View]:
        """The rules and the view. Raises `Malformed` if the position is invalid."""
        return read(self.position)

    @property
    def best(self) -> PuzzleOption:
        """The best option."""
        return self.options[0]

    @property
    def is_basic(self) -> bool:
        """Whether it is for beginners: one deal of the base game with three or four players."""
        rules, _ = self.parsed
        return rules.variant == "cowheadking" and rules.seats in {3, 4}

    @property
    def lead(self) -> float:
        """How many expected heads the best option is better than the second one."""
        return self.options[1].behind.value

    def option(self, action: str) -> PuzzleOption:
        """Return the option of an action in notation. Raises `Malformed` if it is not an option."""
        for option in self.options:
            if option.action == action:
                return option
        choices = ", ".join(sorted(option.action for option in self.options))
        raise Malformed(f"{action[:40]!r} is not an option of this puzzle: {choices}", what=action, where="action")


class _File(msgspec.Struct, frozen=True):
    """A file of puzzles."""

    format: int
    puzzles: Annotated[tuple[Puzzle, ...], msgspec.Meta(max_length=MAX_PUZZLES)]


def id_of(position: str) -> str:
    """Return the id of the puzzle with this position.

    >>> id_of("nimmt:cowheadking | view=0")
    'faad17e0a80b'
    """
    return hashlib.sha256(position.encode()).hexdigest()[:12]


@cache
def package_puzzles() -> tuple[Puzzle, ...]:
    """Return the puzzles of the package."""
    return loads((files("faceup.coach") / "puzzles.json").read_bytes())


def load(file: Path) -> tuple[Puzzle, ...]:
    """Return the puzzles of a file. Raises `Malformed` if it cannot be read or is invalid."""
    try:
        return loads(file.read_bytes())
    except OSError as error:
        raise Malformed(f"{file} cannot be read: {error.strerror}", what=str(file), where="puzzles") from None
    except Malformed as error:
        raise Malformed(f"{file}: {error.message}", what=str(file), where="puzzles") from None


def served_puzzles(file: str = "") -> dict[str, Puzzle]:
    """Return the puzzles of the package and, if it is not empty, of a file, by id. Raises `Malformed`, as `load`."""
    by_id = {puzzle.id: puzzle for puzzle in package_puzzles()}
    further = load(Path(file).expanduser()) if file else ()
    return by_id | {puzzle.id: puzzle for puzzle in further if puzzle.id not in by_id}


def loads(text: bytes | str) -> tuple[Puzzle, ...]:
    """Parse puzzles from JSON, and check them.

    Raises:
        Malformed: the text is not a file of puzzles, or a puzzle does not fit its position.
    """
    try:
        file = msgspec.json.decode(remove_bom(text), type=_File)
    except msgspec.DecodeError as error:
        raise Malformed(f"this is not a file of puzzles: {error}") from None
    if file.format != FORMAT:
        raise Malformed(f"the format must be {FORMAT}; got {file.format}", what=file.format, where="format")
    ids: set[str] = set()
    for number, puzzle in enumerate(file.puzzles):
        try:
            _check(puzzle, ids)
        except RulesError as error:
            raise Malformed(f"puzzle {number}: {error}", what=puzzle.id, where=f"puzzle {number}") from None
        ids.add(puzzle.id)
    return file.puzzles


def dumps(puzzles: Iterable[Puzzle]) -> str:
    """Return puzzles as JSON, one on each line."""
    lines = ",\n".join(msgspec.json.encode(puzzle).decode() for puzzle in puzzles)
    return f'{{"format":{FORMAT},"puzzles":[\n{lines}\n]}}\n'


def _check(puzzle: Puzzle, ids: set[str]) -> None:
    rules, view = read(puzzle.position)
    coach_for(rules)
    if not isinstance(view, View) or len(view.legal) < 2:
        raise Malformed("the position must be the view of a seat that has a choice", where="position")
    if puzzle.id != id_of(puzzle.position) or puzzle.id in ids:
        raise Malformed(f"the id must be that of the position, and unique; got {puzzle.id!r}", where="id")
    if sorted(option.action for option in puzzle.options) != sorted(map(rules.describe, view.legal)):
        raise Malformed("the options must be the legal actions", where="options")
    behind = [option.behind.value for option in puzzle.options]
    if behind != sorted(behind) or behind[0] != 0 or not behind[1] > 0:
        raise Malformed("the options must be in order, the single best one first", where="options")
