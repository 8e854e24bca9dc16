"""What became of a game, from the log of its room: who played, who won, and whether it counts for ratings."""

from collections.abc import Iterable
from typing import Final

import msgspec

from faceup.bots import is_pure_chance
from faceup.core import Malformed, Seat, State
from faceup.core.record import Applied, Joined, Left, Returned, applied_move
from faceup.core.registry import OptionValue
from faceup.server.rooms import PERSON, Append, RoomOpened, Seated

_BOT: Final = "bot "
"""No player's id has a space."""


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One seat at the end.

    Attributes:
        who: the player's id, or `bot_id` of the bot's kind.
        score: the game's own points.
        place: 1 is the best; equal seats share one.
        away: the person was not there at the end.
    """

    who: str
    score: int
    place: int
    away: bool = False


class Finished(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was played to its end; `sides` are by seat."""

    game: str
    variant: str
    options: dict[str, OptionValue]
    sides: tuple[Side, ...]

    @property
    def rated(self) -> bool:
        """Whether it says who plays better.

        Not if nobody decides anything in the game, if an option but the number of seats is another than the variant's,
        if all were the same bot, or if it was abandoned: there were people, and none of them was there at the end. One
        who leaves before gets what the seat got.
        """
        people = [side for side in self.sides if bot_kind(side.who) is None]
        abandoned = bool(people) and all(side.away for side in people)
        alike = len({side.who for side in self.sides}) < 2
        return not (abandoned or alike or set(self.options) - {"seats"} or is_pure_chance(self.game))


def finished(log: Iterable[Append]) -> Finished:
    """The result of a room's log.

    Raises:
        Malformed: this is not the log of a finished game.
    """
    entries = [entry for append in log for entry in append]
    if not entries or not isinstance(entries[0], RoomOpened):
        raise Malformed("the log of a room begins with its opening", where="entry 0")
    opening = entries[0].opening
    rules = opening.rules()
    state: State = rules.start()
    owners: dict[Seat, str] = {}
    who: dict[Seat, str] = {}
    away: set[Seat] = set()
    for entry in entries:
        match entry:
            case Seated(seat=seat, player=player):
                owners[seat] = player
            case Joined(seat=seat, kind=kind):
                who[seat] = owners.get(seat, "") if kind == PERSON else bot_id(kind)
                away.discard(seat)
            case Left(seat=seat):
                away.add(seat)
            case Returned(seat=seat):
                away.discard(seat)
            case Applied():
                state = rules.apply(state, applied_move(rules, entry)).state
    if rules.to_act(state) or len(who) != rules.seats:
        raise Malformed("this game is not over", where="entries")
    seats = zip(range(rules.seats), rules.scores(state), rules.ranks(state), strict=True)
    sides = tuple(Side(who=who[seat], score=score, place=place, away=seat in away) for seat, score, place in seats)
    return Finished(game=opening.game, variant=opening.variant, options=opening.options, sides=sides)


def bot_id(kind: str) -> str:
    """Under which a bot of this kind has results and ratings."""
    return _BOT + kind


def bot_kind(who: str) -> str | None:
    """The kind of the bot; None for a person.

    >>> bot_kind(bot_id("mc")), bot_kind("NpWVb1mcTdCz1ZuHOMhsyg")
    ('mc', None)
    """
    return who.removeprefix(_BOT) if who.startswith(_BOT) else None
