"""Draw a game of War as plain text."""

from textwrap import wrap

from faceup.games.svg import Translate, count_text, english
from faceup.games.war.cards import Card, Pile, rank_and_suit
from faceup.games.war.rules import War
from faceup.games.war.state import WarView


def draw_text(view: WarView, names: tuple[str, ...] = (), *, rules: War, say: Translate = english) -> str:
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
    called = (*names, *(say("Seat {number}", number=seat + 1) for seat in range(len(names), 2)))
    wars = count_text(view.wars, "{count} war so far", "{count} wars so far", say)
    lines = [say("Round {number}, {wars}", number=view.rounds + (view.due in {"flip", "collect"}), wars=wars)]
    for seat in (0, 1):
        size = len(view.draw[seat])
        line = count_text(
            size,
            "{name}: {count} card in the draw pile",
            "{name}: {count} cards in the draw pile",
            say,
            name=called[seat],
        )
        if view.table[seat]:
            line = say("{pile}; on the table {cards}", pile=line, cards=_table(view, seat, say))
        lines += wrap(line, 79, initial_indent="  ", subsequent_indent="    ")
    if view.log:
        lines.append(_last_round(view.log[-1], called, say))
    if view.due == "over":
        lines.append(_ending(view, called, say))
    elif view.due == "deal":
        lines.append(say("The deck is dealt next."))
    elif view.due == "reshuffle":
        lines.append(say("Both draw piles are reshuffled next."))
    elif view.rounds >= rules.cap:
        lines.append(say("Sudden death: the winner of this round wins the game."))
    return "\n".join(lines)


def _card(card: Card, say: Translate) -> str:
    rank, suit = rank_and_suit(card)
    return say(f"the {{rank}} of {suit}", rank=say(rank))


def _table(view: WarView, seat: int, say: Translate) -> str:
    """Return the cards in the order played; face-down cards are given by their number."""
    words: list[str] = []
    down = 0
    for card in view.table[seat]:
        if card is None or card not in view.turned:
            down += 1
            continue
        words += [say("{count} face down", count=down)] * (down > 0)
        words.append(_card(card, say))
        down = 0
    return say(", ").join(words)


def _last_round(turned: Pile, names: tuple[str, ...], say: Translate) -> str:
    first, second = (_card(card, say) for card in turned[-2:])
    if turned[-2] >> 2 == turned[-1] >> 2:
        return say("Last round: {first} against {second}, undecided.", first=first, second=second)
    name = names[0 if turned[-2] > turned[-1] else 1]
    return say("Last round: {first} against {second}, for {name}.", first=first, second=second, name=name)


def _ending(view: WarView, names: tuple[str, ...], say: Translate) -> str:
    count0, count1 = map(len, view.draw)
    if view.by == "draw":
        return say("The game is a draw.")
    how = {
        "all cards": "{name} wins the game with all the cards.",
        "cap": "{name} wins the game with the larger draw pile.",
        "sudden death": "{name} wins the game in sudden death.",
    }
    return say(how[view.by], name=names[0 if count0 > count1 else 1])
