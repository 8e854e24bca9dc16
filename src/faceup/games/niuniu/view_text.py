"""Draw a match of Niu Niu as plain text."""

from textwrap import wrap

from faceup.formatting import cell_width, pad
from faceup.games.niuniu.hand import score
from faceup.games.niuniu.rules import NiuNiu
from faceup.games.niuniu.state import NiuNiuView, Throw
from faceup.games.svg import Translate, english


def draw_text(view: NiuNiuView, names: tuple[str, ...] = (), *, rules: NiuNiu, say: Translate = english) -> str:
    """Return the last throw, hand by hand, and the standings; at most 80 columns if names are short.

    >>> from faceup.games.niuniu import NiuNiu
    >>> rules = NiuNiu(seats=2, throws=3)
    >>> state = rules.from_text("played=1 won=1,0 drawn=0,0 statistics=3,2 dice=still log=5.2.4.6.3/4.5.5.4.1")
    >>> print(draw_text(rules.view(state, None), ("Ann", "Bob"), rules=rules))
    Throw 1 of 3
      Ann  5 2 4 6 3  Niu Niu: 5 + 2 + 3 = 10, 4 + 6 = 10
      Bob  4 5 5 4 1  Niu 9: 4 + 5 + 1 = 10, 5 + 4 = 9
    Throws won: 1 by Ann, 0 by Bob
    Statistics points: 3 for Ann, 2 for Bob
    """
    called = [
        names[seat] if seat < len(names) else say("Seat {number}", number=seat + 1) for seat in range(rules.seats)
    ]
    title = "Throw {number} of {count}" if view.played else "No throw yet of {count}"
    lines = [say(title, number=view.played, count=rules.throws)]
    if view.log:
        lines += _hands(view.log[-1], called, rules, say)
    if view.in_air:
        lines.append(say("The dice are in the air."))
    sums = [
        ("Throws won: {list}", view.won, "{count} by {name}"),
        *([("Throws drawn: {list}", view.drawn, "{count} by {name}")] if any(view.drawn) else []),
        ("Statistics points: {list}", view.statistics, "{count} for {name}"),
    ]
    for title, counts, part in sums:
        parts = [say(part, count=count, name=name) for name, count in zip(called, counts, strict=True)]
        lines += wrap(say(title, list=say(", ").join(parts)), 79, subsequent_indent="  ")
    return "\n".join(lines)


def _hands(throw: Throw, names: list[str], rules: NiuNiu, say: Translate) -> list[str]:
    wide, wide_die = max(map(cell_width, names)), len(str(rules.faces))
    lines = []
    for name, dice in zip(names, throw, strict=True):
        hand = score(dice, rules.faces, rules.baozi)
        shown = " ".join(str(die).rjust(wide_die) for die in dice)
        result = say(hand.name)
        if hand.triple and hand.rest:
            sums = (f"{' + '.join(map(str, part))} = {sum(part)}" for part in (hand.triple, hand.rest))
            result = say("{hand}: {sums}", hand=result, sums=", ".join(sums))
        lines.append(f"  {pad(name, wide)}  {shown}  {result}")
    return lines
