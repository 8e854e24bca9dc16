"""The events of War, and a sentence for each. All are public: no event names a face-down card."""

from collections.abc import Sequence

from faceup.core import Event, Seat, plural
from faceup.games.war.cards import Card, named
from faceup.games.war.state import Ending


class DeckDealt(Event, frozen=True, tag="dealt"):
    """The deck was shuffled and halved; `redeal` is the number of the redeal, from 1, or 0 for the first deal."""

    each: int
    redeal: int

    def words(self, names: Sequence[str]) -> str:
        again = f" again (redeal {self.redeal})" if self.redeal else ""
        return f"The deck is dealt{again}: {plural(self.each, 'card')} to {names[0]}, {self.each} to {names[1]}."


class Turned(Event, frozen=True, tag="turned", gc=False):
    """Both seats played, and the two `cards` are compared.

    `added` is the number of cards that each seat put down, of which only the last is face up.
    """

    cards: tuple[Card, Card]
    added: tuple[int, int]

    def words(self, names: Sequence[str]) -> str:
        parts = (_turned(*part) for part in zip(names[:2], self.cards, self.added, strict=True))
        return f"{'; '.join(parts)}."


def _turned(name: str, card: Card, added: int) -> str:
    if added == 0:
        return f"{name} has no card left, and {named(card)} is compared again"
    down = f"adds {added - 1} face down and " if added > 1 else ""
    return f"{name} {down}turns up {named(card)}"


class WarDeclared(Event, frozen=True, tag="war", gc=False):
    """The compared cards are equal. `number` counts the wars of this game."""

    number: int

    def words(self, names: Sequence[str]) -> str:
        del names
        return f"The cards are equal: war number {self.number}!"


class Collected(Event, frozen=True, tag="collected", gc=False):
    """The round's winner took all cards played in it."""

    seat: Seat
    count: int

    def words(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} collects {plural(self.count, 'card')}."


class Undecided(Event, frozen=True, tag="undecided"):
    """The compared cards are equal, and neither seat has another card to add."""

    def words(self, names: Sequence[str]) -> str:
        return f"{names[0]} and {names[1]} have no cards left and equal cards up: the round is undecided."


class Reshuffled(Event, frozen=True, tag="reshuffled"):
    """Each seat's draw pile was reshuffled after `rounds` rounds."""

    rounds: int

    def words(self, names: Sequence[str]) -> str:
        are = "is" if self.rounds == 1 else "are"
        return f"{plural(self.rounds, 'round')} {are} played: {names[0]} and {names[1]} reshuffle their draw piles."


class SuddenDeath(Event, frozen=True, tag="sudden_death"):
    """The piles are equal at the cap: the winner of the next round wins the game."""

    rounds: int

    def words(self, names: Sequence[str]) -> str:
        return (
            f"Sudden death after {plural(self.rounds, 'round')}: {names[0]} and {names[1]} hold equally many cards, "
            f"and the winner of the next round wins the game."
        )


class GameWon(Event, frozen=True, tag="won"):
    """A seat won the game."""

    seat: Seat
    by: Ending
    rounds: int

    def words(self, names: Sequence[str]) -> str:
        how = {
            "all cards": f"with all the cards after {plural(self.rounds, 'round')}",
            "cap": f"with the larger draw pile after {plural(self.rounds, 'round')}",
            "sudden death": f"in sudden death, in round {self.rounds}",
        }
        return f"{names[self.seat]} wins the game {how[self.by]}."


class Drawn(Event, frozen=True, tag="drawn"):
    """The game ended in a draw."""

    rounds: int

    def words(self, names: Sequence[str]) -> str:
        return f"The game of {names[0]} and {names[1]} is a draw after {plural(self.rounds, 'round')}."


def reveal_time(events: Sequence[Event]) -> int:
    """Return how long the page shows these events, in milliseconds: the times of `games/war/battle.js`, and frames.

    >>> reveal_time([Turned((48, 3), (1, 1)), Collected(0, 2)])
    2250
    """
    return sum(map(_time, events))


def _time(event: Event) -> int:
    match event:
        case Turned(added=added):
            down = max(0, *added) - 1
            return 1600 + (550 + 240 * down if down > 0 else 0)
        case WarDeclared():
            return 850
        case Collected():
            return 650
        case DeckDealt(redeal=0):  # no turn precedes the first deal
            return 0
        case DeckDealt() | Reshuffled():
            return 950
        case _:
            return 0
