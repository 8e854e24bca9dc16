"""What the one who opens a table says about it; all of it is public."""

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from faceup.bots import is_pure_chance, policy
from faceup.core import AnyRules, Malformed, find_game, make
from faceup.core.record import Milliseconds, Terms
from faceup.core.registry import OptionValue
from faceup.table import usual_terms

CLOCK: Final = (5_000, 300_000)
"""The shortest and the longest clock, in milliseconds."""

SHORTEST_PACE: Final = 500
"""The shortest clock of a game in which nobody has anything to decide: the pace at which it goes on by itself."""

MOST_DECISIONS: Final = 100_000
"""The most decisions that a match may have: its log is kept, and read again by whoever takes it over."""

LONGEST_DELAY: Final = 600_000
"""Ten minutes: the longest delay of spectators, and the longest grace."""

Handle: TypeAlias = Annotated[str, msgspec.Meta(max_length=40)]


class Opening(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table as it is to be.

    Attributes:
        game: its name.
        variant: its name; "" is the game's first.
        options: of the variant, by name; those left out are as usual.
        terms: clock and reveal; the variant's usual ones if none are given. The stand-in is always the game's own.
        listed: whether it is shown among the open tables; if not, one needs its link or its code.
        watch: who may look on while the game is on, beside those who play.
        watch_delay: by how many milliseconds what they see is late.
        bots: kinds that fill the seats which are empty when the host starts; the last one named fills the rest.
        grace: milliseconds before the table plays for a person who is away.
        kept: handles of those for whom a seat is kept, by seat, "" for nobody; empty if none is.

    Raises:
        Malformed: no such game, variant, option or bot, or a number that is out of range.

    >>> Opening(game="nimmt", options={"seats": 3}).variant
    'cowheadking'
    """

    game: str
    variant: str = ""
    options: dict[str, OptionValue] = {}
    terms: Terms | None = None
    listed: bool = False
    watch: Literal["anyone", "nobody"] = "anyone"
    watch_delay: Milliseconds = 0
    bots: tuple[str, ...] = ()
    grace: Milliseconds = 20_000
    kept: tuple[Handle, ...] = ()

    def __post_init__(self) -> None:
        """Fill in what was left open, and refuse what cannot be."""
        game = find_game(self.game)
        variant = game.variant(self.variant) if self.variant else game.variants[0]
        msgspec.structs.force_setattr(self, "variant", variant.name)
        rules = self.rules()
        if rules.bounds.decisions > MOST_DECISIONS:
            raise Malformed(
                f"this match could have {rules.bounds.decisions} decisions; {MOST_DECISIONS} are the most on a server",
                what=self.options,
                where="options",
            )
        terms = self.terms or usual_terms(rules)
        msgspec.structs.force_setattr(self, "terms", msgspec.structs.replace(terms, stand_in=game.stand_in))
        self._check_clock(terms.clock)
        for name in ("watch_delay", "grace"):
            value = getattr(self, name)
            if not 0 <= value <= LONGEST_DELAY:
                raise Malformed(f"{name} is 0 to {LONGEST_DELAY} milliseconds, not {value}", what=value, where=name)
        if len(self.bots) > rules.seats:
            raise Malformed(f"{len(self.bots)} bots do not fit {rules.seats} seats", what=self.bots, where="bots")
        for kind in self.bots:
            policy(self.game, kind)
        if self.kept and len(self.kept) != rules.seats:
            raise Malformed(f"kept names {rules.seats} seats, not {len(self.kept)}", what=self.kept, where="kept")

    def _check_clock(self, clock: int | None) -> None:
        shortest, longest = CLOCK
        if is_pure_chance(self.game):
            shortest = SHORTEST_PACE
        if clock is not None and not shortest <= clock <= longest:
            raise Malformed(
                f"the clock of a table is {shortest / 1000:g} to {longest / 1000:g} s, or none, not {clock / 1000:g} s",
                what=clock,
                where="clock",
            )

    def rules(self) -> AnyRules:
        """The rules that will be played. Raises `Malformed`."""
        return make(f"{self.game}:{self.variant}", **self.options)
