"""The decisions of a record: what each seat saw and chose, and what its options were worth."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

import msgspec

from faceup.bots.search import Estimate, Option, judge
from faceup.coach.lessons import lesson_for
from faceup.coach.verdict import Word, verdict
from faceup.core import FORFEIT, Action, AnyRules, Malformed, Outcome, Seat, Seeded, View, write
from faceup.core.record import Applied, Frame, Record, TimedOut, applied_move

_USUAL: Final = {"mc": 50_000}
"""Guesses for each option, by who looks; a deal of four seats is then reviewed in a few seconds."""

_FEW: Final = 2_000
"""The same for all others, who think longer about each."""


class Situation(msgspec.Struct, frozen=True):
    """A decision as the seat met it.

    Attributes:
        number: of the joint decision, from 0.
        frame: of the replay, before the decision.
        deal: from 1.
        turn: of the deal, from 1.
        seat: whose it was.
        view: all that it could know.
        action: what it chose.
        by: who chose: the seat itself, or the clock for it.
    """

    number: int
    frame: int
    deal: int
    turn: int
    seat: Seat
    view: View
    action: Action
    by: Literal["seat", "clock"]


class Decision(Situation, frozen=True):
    """A decision and what was found out about it.

    Attributes:
        options: all that was legal, fewest expected heads first.
    """

    options: tuple[Option, ...]

    @property
    def chosen(self) -> Option:
        """The option that was chosen."""
        return next(option for option in self.options if option.action == self.action)

    @property
    def best(self) -> Option:
        """The option with the fewest heads to come."""
        return self.options[0]

    @property
    def cost(self) -> Estimate:
        """The heads that the choice cost against the best option, in the same worlds."""
        return self.chosen.behind

    @property
    def word(self) -> Word:
        """The word for it."""
        return verdict(self.chosen, len(self.options))


class Effort(msgspec.Struct, frozen=True):
    """How hard to look.

    Attributes:
        player: who looks, by name: "mc" or "deep".
        worlds: guesses of what could not be seen; the usual number if None and there are no seconds either.
        seconds: or for how long in all.
        seed: of the guesses; but for `seconds`, the same seed gives the same review.

    Raises:
        Malformed: worlds and seconds, none of either, or a seed out of range.
    """

    player: str = "mc"
    worlds: int | None = None
    seconds: float | None = None
    seed: int = 0

    @property
    def guesses(self) -> int:
        """The worlds, given or usual."""
        return self.worlds or _USUAL.get(self.player, _FEW)

    def __post_init__(self) -> None:
        if self.worlds is not None and self.seconds is not None:
            raise Malformed(
                "a review looks at so many worlds or for so many seconds: give one of them", where="seconds"
            )
        if self.worlds is not None and not 2 <= self.worlds <= _MOST_WORLDS:
            raise Malformed(f"worlds are 2 to {_MOST_WORLDS:,}, not {self.worlds}", what=self.worlds, where="worlds")
        if self.seconds is not None and not 0 < self.seconds <= _LONGEST:
            raise Malformed(
                f"seconds are more than 0, up to {_LONGEST:,}, not {self.seconds:g}", what=self.seconds, where="seconds"
            )
        Seeded(self.seed)


_MOST_WORLDS: Final = 50_000_000
_LONGEST: Final = 24 * 60 * 60


def situations(record: Record, frames: Sequence[Frame], seats: Sequence[Seat]) -> tuple[Situation, ...]:
    """The decisions of these seats, in the order in which they were made; a forfeit is none.

    Raises:
        Malformed: a game whose choices cannot be judged.
    """
    rules = record.rules()
    lesson = lesson_for(rules)
    found: list[Situation] = []
    number = 0
    for index, frame in enumerate(frames[1:]):
        entry = record.entries[frame.entry]
        assert isinstance(entry, Applied)  # noqa: S101 -- what frames are of
        move = applied_move(rules, entry)
        if isinstance(move, Outcome):
            continue
        since = record.entries[frames[index].entry + 1 : frame.entry]
        late = {each.seat for each in since if isinstance(each, TimedOut)}
        for seat, action in move.items():
            if seat in seats and action != FORFEIT:
                view = rules.view(frames[index].state, seat)
                by: Literal["seat", "clock"] = "clock" if seat in late else "seat"
                found.append(Situation(number, index, *lesson.turn_of(view), seat, view, action, by))
        number += 1
    return tuple(found)


def judged(rules: AnyRules, found: Sequence[Situation], effort: Effort) -> Iterator[Decision]:
    """Judge the decisions one after the other, each from its seat's view alone.

    Raises:
        Malformed: a player that there is not.
    """
    options = sum(len(each.view.legal) for each in found if len(each.view.legal) > 1)
    if effort.seconds is not None and found:  # what has to be loaded first is not to be taken from the first one's time
        judge(rules, found[0].view, player=effort.player, worlds=2, seed=0)
    for each in found:
        many = len(each.view.legal)
        timed = effort.seconds is not None and many > 1
        seconds = effort.seconds * many / options if effort.seconds is not None and timed else None
        options_found = judge(
            rules,
            each.view,
            player=effort.player,
            worlds=None if timed else effort.guesses,
            seconds=seconds,
            seed=seed_of(effort.seed, each),
            objective="heads",
            every=True,
            recognise=False,  # what a choice is worth among equals, as par is, whoever the others are
        ).options
        yield Decision(**msgspec.structs.asdict(each), options=options_found)


def seed_of(seed: int, situation: Situation) -> int:
    """The seed for one decision: its worlds have nothing to do with those of any other."""
    return Seeded(seed, situation.number << 8 | situation.seat).below(1 << 63)


def position(rules: AnyRules, situation: Situation) -> str:
    """What the seat knew, in text notation."""
    return write(rules, situation.view)
