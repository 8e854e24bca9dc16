"""The result of a finished game, from its log."""

from collections.abc import Iterable

import msgspec

from faceup.core import Malformed, Seat, find_game
from faceup.core.record import PERSON, Joined, Left, Returned
from faceup.core.registry import OptionValue
from faceup.games.hand_scores import HandTotals, hand_scores_of
from faceup.server.results.standing_ids import bot_id, bot_kind
from faceup.server.rooms.entries import EntryBatch, ProgramDeclared, Seated
from faceup.server.rooms.logged_game import logged_game


class SeatResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one seat.

    Attributes:
        who: the id of the player, or the id of a bot from `bot_id`.
        score: the score of the seat in the game.
        place: the place of the seat; 1 is the best, and tied seats share a place.
        away: whether the player was away at the end.
        program: whether a program of the player played.
        hands: the totals of the seat's hands; None in games that do not score hands.
    """

    who: str
    score: int
    place: int
    away: bool = False
    program: bool = False
    hands: HandTotals | None = None


class GameResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a finished game.

    Attributes:
        sides: the results by seat.
        rated_table: whether the table was created as a rated one (`TableConfig.rated`).
        comparable: whether the hands of the game count for the statistics of players.
    """

    game: str
    variant: str
    options: dict[str, OptionValue]
    sides: tuple[SeatResult, ...]
    rated_table: bool = False
    comparable: bool = False

    @property
    def rated(self) -> bool:
        """Whether the game counts for ratings.

        Even at a rated table, a game in which one bot or player had all seats does not count. Players who are away at
        the end get the result of their seats, even if all are, because leaving must not avoid a defeat.
        """
        return self.rated_table and len({side.who for side in self.sides}) > 1

    @property
    def mixed(self) -> bool:
        """Whether both people and programs played."""
        return len({side.program for side in self.sides if bot_kind(side.who) is None}) > 1


def result_from_log(log: Iterable[EntryBatch]) -> GameResult:
    """Compute the result from a room's log.

    Raises:
        Malformed: the log is not the log of a finished game.
    """
    config, entries, state = logged_game(log)
    rules = config.rules()
    owners: dict[Seat, str] = {}
    who: dict[Seat, str] = {}
    away: set[Seat] = set()
    programs: set[str] = set()
    for entry in entries:
        match entry:
            case Seated(seat=seat, player=player):
                owners[seat] = player
            case ProgramDeclared(player=player):
                programs.add(player)
            case Joined(seat=seat, kind=kind):
                who[seat] = owners.get(seat, "") if kind == PERSON else bot_id(kind)
                away.discard(seat)
            case Left(seat=seat):
                away.add(seat)
            case Returned(seat=seat):
                away.discard(seat)
            case _:
                pass
    if rules.to_act(state) or len(who) != rules.seats:
        raise Malformed("the game in the log must be over, but is not", where="entries")
    scoring = hand_scores_of(find_game(config.game))
    hands = (None,) * rules.seats if scoring is None else scoring.totals(rules, state)
    seats = zip(range(rules.seats), rules.scores(state), rules.ranks(state), hands, strict=True)
    sides = tuple(
        SeatResult(
            who=who[seat], score=score, place=place, away=seat in away, program=who[seat] in programs, hands=thrown
        )
        for seat, score, place, thrown in seats
    )
    comparable = scoring is not None and scoring.comparable(rules)
    return GameResult(
        game=config.game,
        variant=config.variant,
        options=config.options,
        sides=sides,
        rated_table=config.rated,
        comparable=comparable,
    )
