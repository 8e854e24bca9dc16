"""What is counted of each bot for the pictures of a report: its scores, its places, and how it went out."""

from collections import Counter
from collections.abc import Iterable

from faceup.arena.matches import Cause, Fault, Result


class Tally:
    """The counts of one bot over all matches that it sat in, and all seats that it had in each.

    Attributes:
        scores: how often it had each score, where it was not out.
        places: how often each place.
        faults: how often it went out, by cause.
        first: the first match in which it went out for each cause, and the fault.
    """

    def __init__(self) -> None:
        self.scores: Counter[int] = Counter()
        self.places: Counter[int] = Counter()
        self.faults: Counter[Cause] = Counter()
        self.first: dict[Cause, tuple[Result, Fault]] = {}

    @property
    def played(self) -> int:
        """How many seats it has filled."""
        return self.places.total()

    def add(self, result: Result, player: int) -> None:
        """Count a match that the bot was this player of."""
        self.places[result.places[player]] += 1
        fault = next((fault for fault in result.faults if fault.player == player), None)
        if fault is None:
            self.scores[result.scores[player]] += 1
        else:
            self.faults[fault.cause] += 1
            self.first.setdefault(fault.cause, (result, fault))


def tallies(results: Iterable[Result]) -> dict[str, Tally]:
    """The counts by the bot's name, in the order in which they first come."""
    found: dict[str, Tally] = {}
    for result in results:
        for player, name in enumerate(result.match.lineup):
            if name not in found:
                found[name] = Tally()
            found[name].add(result, player)
    return found
