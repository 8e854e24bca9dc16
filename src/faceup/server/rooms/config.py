"""The public configuration of a table, chosen when the table is created."""

from contextlib import suppress
from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from faceup.bots import is_pure_chance, policy
from faceup.core import AnyRules, Malformed, find_game, make, plural
from faceup.core.record import Milliseconds, Terms
from faceup.core.registry import OptionValue
from faceup.extras import MissingExtraError
from faceup.table.table import default_terms

CLOCK_RANGE: Final = (5_000, 300_000)
"""The minimum and maximum clock, in milliseconds."""

DAY: Final = 86_400_000
"""A day in milliseconds."""

DAYS_PER_MOVE: Final = (1, 2, 3, 7)
"""The clocks of correspondence games, in days."""

MIN_PACE: Final = 500
"""The minimum clock of a game without decisions, in milliseconds. Such a game makes one move whenever it runs out."""

MAX_DECISIONS: Final = 100_000
"""The maximum number of decisions in a match. It limits the length of a log, which other processes may replay."""

MAX_DELAY: Final = 600_000
"""The maximum spectator delay and grace period, in milliseconds."""

Handle: TypeAlias = Annotated[str, msgspec.Meta(max_length=40)]

UnratedReason: TypeAlias = Literal["chance", "alone", "options"]
"""Why a game cannot be rated: it has no decisions, it has only one seat, or its options are not the default ones."""

_UNRATED_TEXT: Final[dict[UnratedReason, str]] = {
    "chance": "it has no decisions",
    "alone": "it has only one seat",
    "options": "its options, apart from the number of seats, must be the default ones",
}


def check_bot(game: str, kind: str) -> None:
    """Raise `Malformed` if the game has no bot of this kind.

    A bot that needs the extra `fast` passes without it, because the table may be older than this installation. Autoplay
    then chooses in its place.
    """
    with suppress(MissingExtraError):
        policy(game, kind)


class TableConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The configuration of a table.

    Attributes:
        game: name of the game.
        variant: name of the variant; "" means the game's first variant.
        options: options of the variant by name; a missing option has its default value.
        terms: clock, reveal and the other terms, by default those of the variant. The autoplay policy is always the
            game's own. A clock of 1, 2, 3 or 7 days makes the game a correspondence game, whose players need not be
            connected.
        listed: whether the table is in the public list. If it is not, players need its link or code.
        spectators: who may watch while the game is running, in addition to its players.
        spectator_delay: how late spectators see the game, in milliseconds.
        bots: the bots that fill the empty seats at the start, in order; the last bot also fills all remaining seats.
        grace: how long a player must be away before autoplay chooses for them, in milliseconds.
        reserved: for each seat, the handle of the player it is reserved for, or "" if it is not reserved; empty if
            no seat is reserved.
        rated: whether the game changes the ratings of its players. Only possible if `unrated_reason` is None.

    Raises:
        Malformed: the game, variant, an option or a bot is unknown, or a number is out of range, or a game is to be
            rated that cannot be, or a correspondence game has no decisions or fair deals.

    >>> TableConfig(game="nimmt", options={"seats": 3}).variant
    'cowheadking'
    >>> TableConfig(game="nimmt", terms=Terms(clock=3 * DAY)).correspondence
    True
    """

    game: str
    variant: str = ""
    options: dict[str, OptionValue] = {}
    terms: Terms | None = None
    listed: bool = False
    spectators: Literal["anyone", "nobody"] = "anyone"
    spectator_delay: Milliseconds = 0
    bots: tuple[str, ...] = ()
    grace: Milliseconds = 20_000
    reserved: tuple[Handle, ...] = ()
    rated: bool = False

    def __post_init__(self) -> None:
        """Fill in defaults and validate."""
        game = find_game(self.game)
        variant = game.variant(self.variant) if self.variant else game.variants[0]
        msgspec.structs.force_setattr(self, "variant", variant.name)
        rules = self.rules()
        if rules.bounds.decisions > MAX_DECISIONS:
            raise Malformed(
                f"a match on a server must have at most {MAX_DECISIONS} decisions; got {rules.bounds.decisions}",
                what=self.options,
                where="options",
            )
        terms = self.terms or default_terms(rules)
        msgspec.structs.force_setattr(self, "terms", msgspec.structs.replace(terms, autoplay=game.autoplay))
        self._check_clock(terms)
        for name in ("spectator_delay", "grace"):
            value = getattr(self, name)
            if not 0 <= value <= MAX_DELAY:
                raise Malformed(f"{name} must be 0 to {MAX_DELAY} milliseconds; got {value}", what=value, where=name)
        if len(self.bots) > rules.seats:
            raise Malformed(
                f"there must be at most one bot for each of {plural(rules.seats, 'seat')}; got {len(self.bots)} bots",
                what=self.bots,
                where="bots",
            )
        for kind in self.bots:
            check_bot(self.game, kind)
        if self.reserved and len(self.reserved) != rules.seats:
            raise Malformed(
                f"reserved must have one entry for each of {plural(rules.seats, 'seat')}; got {len(self.reserved)}",
                what=self.reserved,
                where="reserved",
            )
        if self.rated and (reason := unrated_reason(rules)) is not None:
            raise Malformed(f"this game cannot be rated: {_UNRATED_TEXT[reason]}", what=True, where="rated")

    def _check_clock(self, terms: Terms) -> None:
        shortest, longest = CLOCK_RANGE
        clock, chance = terms.clock, is_pure_chance(self.game)
        if clock is not None and clock >= DAY and not chance:
            self._check_days(terms, clock)
            return
        if chance:
            shortest = MIN_PACE
        if clock is not None and not shortest <= clock <= longest:
            days = "" if chance else ", 1, 2, 3 or 7 days"
            raise Malformed(
                f"the clock must be {shortest / 1000:g} to {longest / 1000:g} s{days}, or none; got {clock / 1000:g} s",
                what=clock,
                where="clock",
            )

    def _check_days(self, terms: Terms, clock: int) -> None:
        if clock not in {days * DAY for days in DAYS_PER_MOVE}:
            raise Malformed(
                f"a clock of days must be 1, 2, 3 or 7 days; got {clock / DAY:g} days", what=clock, where="clock"
            )
        if terms.fair:
            raise Malformed(
                "a game with days per move cannot have fair deals, because they need all players at the same time",
                what=True,
                where="fair",
            )

    @property
    def correspondence(self) -> bool:
        """Whether players have days for each choice, so that they need not be connected."""
        return self.terms is not None and self.terms.clock is not None and self.terms.clock >= DAY

    def rules(self) -> AnyRules:
        """Return the rules of the configured game. Raises `Malformed`."""
        return make(f"{self.game}:{self.variant}", **self.options)


def unrated_reason(rules: AnyRules) -> UnratedReason | None:
    """Return why a game with these rules cannot be rated; None if it can.

    >>> unrated_reason(make("nimmt seats=5")), unrated_reason(make("nimmt hand=3")), unrated_reason(make("war"))
    (None, 'options', 'chance')
    """
    if is_pure_chance(rules.game):
        return "chance"
    if rules.seats < 2:
        return "alone"
    return None if has_default_options(rules) else "options"


def has_default_options(rules: AnyRules) -> bool:
    """Return whether all options, apart from the number of seats, have their default values."""
    name = f"{rules.game}:{rules.variant}"
    usual = make(name)
    if usual.seats != rules.seats:
        usual = make(name, seats=rules.seats)
    return usual == rules
