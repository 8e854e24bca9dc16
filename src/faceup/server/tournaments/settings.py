"""What the host of a tournament chooses, and the tables that follow from it."""

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from faceup.core import Malformed, find_game
from faceup.core.observation import ObservationSpec
from faceup.server.rooms.config import TableConfig
from faceup.server.rooms.names import normalize_optional_name
from faceup.tournament import MAX_ROUNDS, TournamentRules
from faceup.tournament.tournament import Format

BREAK_RANGE: Final = (0, 3_600_000)
"""The minimum and maximum time between two rounds, in milliseconds."""

ROUND_RANGE: Final = (60_000, 14_400_000)
"""The minimum and maximum length of a round, in milliseconds."""

Admission: TypeAlias = Literal["anyone", "account", "approval"]
"""Who can join a tournament."""


class TournamentSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a tournament.

    Attributes:
        name: the name of the tournament; "" after the erasure of the player who gave it.
        table: the configuration of the tables, which must have a clock. Its number of seats is the one that most tables
            get. `bots` fill the seats that are left, if there are any bots; otherwise tables differ in size, or some
            players have a bye.
        format: "swiss" draws players of similar points; "mixed" lets everyone meet as many others as possible.
        rounds: the number of rounds.
        join_until: the last round in which players can still join.
        late_half: whether players who join late get half a point, instead of none, for each round before.
        break_time: the time from the end of a round to the start of the next one, in milliseconds.
        round_time: the time after which tables that are still playing are closed, in milliseconds. The places at that
            moment count.
        starts_at: when the first round starts, in milliseconds since 1970; None if the host starts it.
        admission: whether "anyone" can join, or only players with an "account", or with the "approval" of the host.

    Raises:
        Malformed: a number is out of range, or the tables cannot be those of a tournament.
    """

    name: Annotated[str, msgspec.Meta(max_length=200)]
    table: TableConfig
    format: Format = "swiss"
    rounds: Annotated[int, msgspec.Meta(ge=1, le=MAX_ROUNDS)] = 5
    join_until: Annotated[int, msgspec.Meta(ge=1, le=MAX_ROUNDS)] = 1
    late_half: bool = False
    break_time: int = 60_000
    round_time: int = 1_800_000
    starts_at: Annotated[int, msgspec.Meta(ge=0, le=2**53)] | None = None
    admission: Admission = "anyone"

    def __post_init__(self) -> None:
        """Normalize the name, and check the tables and the times."""
        msgspec.structs.force_setattr(self, "name", normalize_optional_name(self.name))
        terms = self.table.terms
        if terms is None or terms.clock is None:
            raise Malformed("the tables of a tournament must have a clock, so that every round ends", where="clock")
        if self.table.correspondence:
            raise Malformed("the clock of a tournament's tables must be in seconds, not in days", where="clock")
        if terms.fair:
            raise Malformed("the tables of a tournament must have no fair deals", what=True, where="fair")
        if self.table.listed or self.table.reserved:
            raise Malformed("the tables of a tournament must be neither listed nor reserved", where="listed")
        for name, (least, most) in (("break_time", BREAK_RANGE), ("round_time", ROUND_RANGE)):
            if not least <= (value := getattr(self, name)) <= most:
                raise Malformed(f"{name} must be {least} to {most} milliseconds; got {value}", what=value, where=name)
        self.rules()

    def rules(self) -> TournamentRules:
        """Return the rules for draws and standings. Raises `Malformed`."""
        fewest, most = find_game(self.table.game).variant(self.table.variant).seats
        return TournamentRules(
            format=self.format,
            rounds=self.rounds,
            seats=self.table.rules().seats,
            fewest=max(2, fewest),
            most=most,
            bots=bool(self.table.bots),
            join_until=self.join_until,
            late_half=self.late_half,
            better=_better(self.table.game),
        )

    def table_config(self, seats: int) -> TableConfig:
        """Return the configuration of a table with this number of seats."""
        if seats == self.table.rules().seats:
            return self.table
        options = {**self.table.options, "seats": seats}
        return msgspec.structs.replace(self.table, options=options, bots=self.table.bots[:seats])


def _better(game: str) -> Literal[-1, 0, 1]:
    """Return whether higher (1) or lower (-1) scores are better in a game; 0 if that is unknown."""
    spec = find_game(game).formats.get("observation")
    return spec.points.better if isinstance(spec, ObservationSpec) else 0
