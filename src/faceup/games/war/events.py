"""What happens in a game of War. All of it is public: no event names a face-down card."""

from collections.abc import Sequence

from faceup.core import Event, Seat
from faceup.games.war.cards import Card, named
from faceup.games.war.state import By


class Dealt(Event, frozen=True, tag="dealt"):
    """The deck was shuffled and halved; `redeal` counts from 1, 0 is the first deal."""

    each: int
    redeal: int

    def words(self, names: Sequence[str]) -> str:
        """The fact as one sentence."""
        again = f" anew (redeal {self.redeal})" if self.redeal else ""
        return f"The deck is dealt{again}: {self.each} cards to {names[0]}, {self.each} to {names[1]}."


class Turned(Event, frozen=True, tag="turned", gc=False):
    """Both seats played; `cards` are compared, and `added` is how many each seat put down, the last of them face up."""

    cards: tuple[Card, Card]
    added: tuple[int, int]

    def words(self, names: Sequence[str]) -> str:
        """The fact as one sentence."""
        parts = (_turned(*part) for part in zip(names[:2], self.cards, self.added, strict=True))
        return f"{'; '.join(parts)}."


def _turned(name: str, card: Card, added: int) -> str:
    if added == 0:
        return f"{name} has no card left, and {named(card)} stands again"
    down = f"adds {added - 1} face down and " if added > 1 else ""
    return f"{name} {down}turns up {named(card)}"


class WarDeclared(Event, frozen=True, tag="war", gc=False):
    """The compared cards are equal, for the `number`-th time in this game."""

    number: int

    def words(self, names: Sequence[str]) -> str:
        """The fact as one sentence."""
        del names
        return f"The cards are equal: war number {self.number}!"


class Collected(Event, frozen=True, tag="collected", gc=False):
    """The round's winner took all cards played in it."""

    seat: Seat
    count: int

    def words(self, names: Sequence[str]) -> str:
        """The fact as one sentence."""
        return f"{names[self.seat]} collects {self.count} cards."


class Undecided(Event, frozen=True, tag="undecided"):
    """Equal cards are up, and neither seat has another to add."""

    def words(self, names: Sequence[str]) -> str:
        """The fact as one sentence."""
        return f"{names[0]} and {names[1]} have no cards left and equal cards up: the round is undecided."


class Reshuffled(Event, frozen=True, tag="reshuffled"):
    """Each seat's draw pile was reshuffled, after this many rounds."""

    rounds: int

    def words(self, names: Sequence[str]) -> str:
        """The fact as one sentence."""
        return f"{self.rounds} rounds are played: {names[0]} and {names[1]} reshuffle their draw piles."


class SuddenDeath(Event, frozen=True, tag="sudden_death"):
    """The last round is played and nothing is decided: the winner of the next wins the game."""

    rounds: int

    def words(self, names: Sequence[str]) -> str:
        """The fact as one sentence."""
        return (
            f"Sudden death after {self.rounds} rounds: {names[0]} and {names[1]} hold equally many cards, "
            f"and whoever wins the next round wins the game."
        )


class Won(Event, frozen=True, tag="won"):
    """A seat won the game."""

    seat: Seat
    by: By
    rounds: int

    def words(self, names: Sequence[str]) -> str:
        """The fact as one sentence."""
        how = {
            "all cards": f"with all the cards after {self.rounds} rounds",
            "cap": f"with the larger draw pile after {self.rounds} rounds",
            "sudden death": f"in sudden death, in round {self.rounds}",
        }
        return f"{names[self.seat]} wins the game {how[self.by]}."


class Drawn(Event, frozen=True, tag="drawn"):
    """Nobody won the game."""

    rounds: int

    def words(self, names: Sequence[str]) -> str:
        """The fact as one sentence."""
        return f"The game of {names[0]} and {names[1]} is a draw after {self.rounds} rounds."
