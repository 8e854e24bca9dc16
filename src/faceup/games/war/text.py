"""A game of War as plain text, good to read and to hear."""

from textwrap import wrap

from faceup.games.war.cards import Pile, named
from faceup.games.war.rules import War
from faceup.games.war.state import WarView

_NAMES = ("Seat 0", "Seat 1")


def draw_text(view: WarView, names: tuple[str, ...] = (), *, rules: War) -> str:
    """Whose cards lie on the table, how many each has left, and how the last round went.

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
    lines = [f"Round {view.rounds + (view.due in {'flip', 'collect'})}, {_counted(view.wars, 'war')} so far"]
    for seat in (0, 1):
        line = f"{called[seat]}: {_counted(len(view.draw[seat]), 'card')} in the draw pile"
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
        lines.append("Sudden death: whoever wins this round wins the game.")
    return "\n".join(lines)


def _counted(count: int, name: str) -> str:
    return f"{count} {name}{'' if count == 1 else 's'}"


def _table(view: WarView, seat: int) -> str:
    """What lies there in the order played, cards face down counted."""
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
