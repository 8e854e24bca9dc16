"""A match of Niu Niu as a picture: everyone's dice, the three that make a ten, and what the other two are worth."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import msgspec

from faceup.core.values import CHANCE, Seat
from faceup.games.niuniu.hand import DICE, Hand, score
from faceup.games.niuniu.rules import NiuNiu
from faceup.games.niuniu.state import Dice, NiuNiuState, NiuNiuView
from faceup.games.panels import called, headline, listed
from faceup.games.svg import WIDTH, Block, box, breadth, circle, fit, move, page, path, stack, text

_DIE: Final = 46.0
_STEP: Final = 54.0
_LEFT: Final = 14.0
_LANE: Final = 120.0

# Where the pips of each face lie, in steps from the middle of the die.
_PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def draw(what: NiuNiuView | NiuNiuState, names: Sequence[str] = (), rules: NiuNiu | None = None) -> str:
    """The picture as an SVG document.

    Args:
        what: a view or a state; nothing in this game is secret.
        names: of the seats; "Seat 0" and so on where they are missing.
        rules: for what the view does not say: the faces of a die, the throws of a match, and what a baozi is.
    """
    view = _open(what, rules)
    names = called(names, len(view.won))
    throw = view.log[-1] if view.log and not view.in_air else ()
    faces = rules.faces if rules else max([6, *(die for dice in throw for die in dice)])
    hands = [score(dice, faces, rules.baozi if rules else 3) for dice in throw]
    says = _says(view, names, hands)
    lanes = []
    for seat, name in enumerate(names):
        note = [f"won {view.won[seat]}"] if view.played else []
        hand = hands[seat] if hands else None
        body = _dice(throw[seat], hand, faces) if hand else _blank(seat, in_air=view.in_air)
        best = _first(view, hands) == (seat,)
        lanes.append(_lane(name, body, hand, " ".join(note), best=best))
    throws = f"throw {view.played + view.in_air}" + (f" of {rules.throws}" if rules else "")
    beneath = " · ".join(["Niu Niu", throws if view.played or view.in_air else f"{len(names)} seats"])
    told = [
        f"{name}: {' '.join(map(str, dice))}, {hand.name}"
        for name, dice, hand in zip(names, throw, hands, strict=False)
    ]
    won = ", ".join(f"{name} {count}" for name, count in zip(names, view.won, strict=True))
    return page(says, "\n".join([*told, f"Throws won: {won}"]), [stack([headline(says, beneath), *lanes], 10)], {})


def _open(what: NiuNiuView | NiuNiuState, rules: NiuNiu | None) -> NiuNiuView:
    if isinstance(what, NiuNiuView):
        return what
    if rules is not None:
        return rules.view(what, None)
    # Without the rules nobody can say whether another throw follows.
    to_act = (CHANCE,) if what.in_air else tuple(range(len(what.won)))
    return NiuNiuView(None, to_act, (), *msgspec.structs.astuple(what))


def _first(view: NiuNiuView, hands: Sequence[Hand]) -> tuple[Seat, ...]:
    """The seats that have the most points in this throw, or in the end the most throws."""
    counts = [hand.points for hand in hands] if view.to_act else view.won
    return tuple(seat for seat, count in enumerate(counts) if count == max(counts))


def _says(view: NiuNiuView, names: Sequence[str], hands: Sequence[Hand]) -> str:
    first = [names[seat] for seat in _first(view, hands)]
    if not view.to_act:
        return f"{first[0]} wins the match" if len(first) == 1 else f"{listed(first)} share the match"
    if view.in_air:
        return "The dice are in the air"
    if not hands:
        return "Everyone throws"
    if len(first) > 1:
        return f"The throw is a draw: {listed(first)}"
    return f"{first[0]} wins the throw with {max(hands, key=lambda hand: hand.points).name}"


def _lane(name: str, dice: str, hand: Hand | None, note: str, *, best: bool) -> Block:
    right = WIDTH - _LEFT
    body = box(0, 0, WIDTH, _LANE, "lane ring" if best else "lane", radius=13)
    body += text(_LEFT, 24, fit(name, WIDTH - 2 * _LEFT, "name"), "name")
    body += move(_LEFT, 36, dice)
    if hand:
        body += text(right, 66, hand.name, "figure", tone="ink" if hand.points else "soft", anchor="end")
        body += text(right, 108, f"statistics {hand.statistics}", "tiny", tone="soft", anchor="end")
    if note:
        body += text(right, 84, note, "tiny", tone="soft", anchor="end")
    return Block(_LANE, body)


def _dice(dice: Dice, hand: Hand, faces: int) -> str:
    body = "".join(move(_STEP * place, 0, _die(die, faces)) for place, die in enumerate(dice))
    if hand.triple is None or hand.rest is None:
        return body + text(0, 72, "No three add up to a multiple of ten", "tiny", tone="soft")
    chosen = _places(dice, hand)
    for place in range(DICE):
        x = _STEP * place + 3
        body += path(f"M{x:g} 54h{_DIE - 6:g}", "ring" if place in chosen else "slot")
    ten, rest = (f"{' + '.join(map(str, part))} = {sum(part)}" for part in (hand.triple, hand.rest))
    return (
        body
        + text(0, 72, ten, "plain", tone="accent")
        + text(breadth(ten, "plain") + 14, 72, rest, "plain", tone="soft")
    )


def _places(dice: Dice, hand: Hand) -> tuple[int, ...]:
    """Where the triple lies in the throw."""
    return next(
        places
        for places in combinations(range(DICE), 3)
        if tuple(dice[place] for place in places) == hand.triple
        and tuple(dice[place] for place in range(DICE) if place not in places) == hand.rest
    )


def _die(shows: int, faces: int) -> str:
    body = box(-0.5, 2.5, _DIE + 1, _DIE, "shade veil", radius=11) + box(0, 1, _DIE, _DIE, "shade veil", radius=11)
    body += box(0, 0, _DIE, _DIE, "face edge", radius=11)
    if faces > max(_PIPS):
        return body + text(_DIE / 2, 31, str(shows), "figure", tone="print", anchor="middle", size=20)
    middle, step = _DIE / 2, 12.0
    return body + "".join(circle(middle + step * x, middle + step * y, 4.3, "print") for x, y in _PIPS[shows])


def _blank(seat: Seat, *, in_air: bool) -> str:
    """Five dice that nobody can read yet: in the air, or places for them."""
    if not in_air:
        return "".join(box(_STEP * place, 8, _DIE, _DIE, "slot", radius=11) for place in range(DICE))
    # No two in line, and no two seats alike.
    turns = [((seat + 1) * 23 + place * 37) % 70 - 35 for place in range(DICE)]
    die = box(-_DIE / 2, -_DIE / 2, _DIE, _DIE, "face edge", radius=11) + text(
        0, 7, "?", "figure", tone="one", anchor="middle"
    )
    return "".join(move(_STEP * place + _DIE / 2, 32 + (turn % 13 - 6), die, turn) for place, turn in enumerate(turns))
