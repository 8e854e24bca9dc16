"""Draw a game of War as plain text."""

from textwrap import wrap

from faceup.core import plural
from faceup.games.war.cards import Pile, named
from faceup.games.war.rules import War
from faceup.games.war.state import WarView

_NAMES = ("Seat 1", "Seat 2")


def draw_text(view: WarView, names: tuple[str, ...] = (), *, rules: War) -> str:
    """Return the table, the size of each draw pile, and the result of the last round.

    >>> from faceup.games.war import War
    >>> rules = War(per_suit=3)
    >>> state = rules.from_text(
    ...     "due=flip rounds=1 wars=1 redeals=0 by=- table=2C/2D draw=4c3d3s2H4D/2s4h3h4s3C members=-/- log=4D3C"
    ... )
    >>> print(draw_text(rules.view(state, 0), ("Ann", "Bob"), rules=rules))
    Round 2, 1 war so far
      Ann: 5 cards in the draw pile; on the table the 2 of clubs
      Bob: 5 cards in the draw pile; on the table the 2 of diamonds
    Last round: the 4 of diamonds against the 3 of clubs, for Ann.
    """
    called = (*names, *_NAMES[len(names) :])
    lines = [f"Round {view.rounds + (view.due in {'flip', 'collect'})}, {plural(view.wars, 'war')} so far"]
    for seat in (0, 1):
        line = f"{called[seat]}: {plural(len(view.draw[seat]), 'card')} in the draw pile"
        if view.table[seat]:
            line += f"; on the table {_table(view, seat)}"
        lines += wrap(line, 79, initial_indent="  ", subsequent_indent="    ")
    if view.log:
        lines.append(_last_round(view.log[-1], called))
    if view.due == "over":
        lines.append(_ending(view, called))
    elif view.due == "deal":
        lines.append("The deck is dealt next.")
    elif view.due == "reshuffle":
        lines.append("Both draw piles are reshuffled next.")
    elif view.rounds >= rules.cap:
        lines.append("Sudden death: the winner of this round wins the game.")
    return "\n".join(lines)


def _table(view: WarView, seat: int) -> str:
    """Return the cards in the order played; face-down cards are given by their number."""
    words: list[str] = []
    down = 0
    for card in view.table[seat]:
        if card is None or card not in view.turned:
            down += 1
            continue
        words += [f"{down} face down"] * (down > 0)
        words.append(named(card))
        down = 0
    return ", ".join(words)


def _last_round(turned: Pile, names: tuple[str, ...]) -> str:
    card0, card1 = turned[-2:]
    if card0 >> 2 == card1 >> 2:
        return f"Last round: {named(card0)} against {named(card1)}, undecided."
    return f"Last round: {named(card0)} against {named(card1)}, for {names[0 if card0 > card1 else 1]}."


def _ending(view: WarView, names: tuple[str, ...]) -> str:
    count0, count1 = map(len, view.draw)
    if view.by == "draw":
        return "The game is a draw."
    how = {"all cards": "with all the cards", "cap": "with the larger draw pile", "sudden death": "in sudden death"}
    return f"{names[0 if count0 > count1 else 1]} wins the game {how[view.by]}."
