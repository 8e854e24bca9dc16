"""Draw a match of Niu Niu as plain text."""

from textwrap import wrap

from faceup.games.niuniu.hand import score
from faceup.games.niuniu.rules import NiuNiu
from faceup.games.niuniu.state import NiuNiuView, Throw


def draw_text(view: NiuNiuView, names: tuple[str, ...] = (), *, rules: NiuNiu) -> str:
    """Return the last throw, hand by hand, and the standings; at most 80 columns if names are short.

    >>> from faceup.games.niuniu import NiuNiu
    >>> rules = NiuNiu(seats=2, throws=3)
    >>> state = rules.from_text("played=1 won=1,0 drawn=0,0 statistics=3,2 dice=still log=5.2.4.6.3/4.5.5.4.1")
    >>> print(draw_text(rules.view(state, None), ("Ann", "Bob"), rules=rules))
    Throw 1 of 3
      Ann  5 2 4 6 3  Niu Niu: 5 + 2 + 3 = 10, 4 + 6 = 10
      Bob  4 5 5 4 1  Niu 9: 4 + 5 + 1 = 10, 5 + 4 = 9
    Throws won: 1 by Ann, 0 by Bob
    Statistics: 3 for Ann, 2 for Bob
    """
    called = [names[seat] if seat < len(names) else f"Seat {seat + 1}" for seat in range(rules.seats)]
    lines = [f"Throw {view.played} of {rules.throws}" if view.played else f"No throw yet of {rules.throws}"]
    if view.log:
        lines += _hands(view.log[-1], called, rules)
    if view.in_air:
        lines.append("The dice are in the air.")
    sums = [("Throws won", view.won, "by"), ("Throws drawn", view.drawn, "by"), ("Statistics", view.statistics, "for")]
    for title, counts, word in sums:
        if title == "Throws drawn" and not any(counts):
            continue
        parts = [f"{count} {word} {name}" for name, count in zip(called, counts, strict=True)]
        lines += wrap(f"{title}: {', '.join(parts)}", 79, subsequent_indent="  ")
    return "\n".join(lines)


def _hands(throw: Throw, names: list[str], rules: NiuNiu) -> list[str]:
    wide, wide_die = max(map(len, names)), len(str(rules.faces))
    lines = []
    for name, dice in zip(names, throw, strict=True):
        hand = score(dice, rules.faces, rules.baozi)
        shown = " ".join(str(die).rjust(wide_die) for die in dice)
        why = ""
        if hand.triple and hand.rest:
            sums = (f"{' + '.join(map(str, part))} = {sum(part)}" for part in (hand.triple, hand.rest))
            why = f": {', '.join(sums)}"
        lines.append(f"  {name.ljust(wide)}  {shown}  {hand.name}{why}")
    return lines
