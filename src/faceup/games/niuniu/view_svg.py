"""Draw a match of Niu Niu as SVG: everyone's dice, the three that make a ten, and the value of the other two."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import msgspec

from faceup.core.values import CHANCE, Seat
from faceup.games.niuniu.hand import DICE, Hand, score
from faceup.games.niuniu.rules import NiuNiu
from faceup.games.niuniu.state import Dice, NiuNiuState, NiuNiuView
from faceup.games.svg import (
    WIDTH,
    Block,
    Translate,
    box,
    circle,
    display_names,
    english,
    fit,
    join_names,
    move,
    page,
    path,
    stack,
    text,
    text_width,
    title_block,
    waiting,
)

_DIE: Final = 46.0
_STEP: Final = 54.0
_LEFT: Final = 14.0
_LANE: Final = 120.0

# Positions of the pips of each face, in steps from the centre of the die.
_PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def draw(
    what: NiuNiuView | NiuNiuState,
    names: Sequence[str] = (),
    rules: NiuNiu | None = None,
    *,
    wide: bool = False,
    say: Translate = english,
) -> str:
    """Draw the picture as an SVG document.

    Args:
        what: the view or state to draw; nothing in this game is secret.
        names: names of the seats. A missing name is shown as "Seat 1" and so on. If only some names are given, a seat
            whose name is missing or "" is empty, and the headline before the first throw is "Waiting for players".
        rules: the rules, for the faces of a die, the throws of a match, and the size of a baozi.
        wide: whether to draw two columns, rather than one column for a phone.
        say: the translation of the text.
    """
    view = _open(what, rules)
    pending = "" if view.played or view.in_air else waiting(names, len(view.won), say)
    names = display_names(names, len(view.won), say)
    throw = view.log[-1] if view.log and not view.in_air else ()
    faces = rules.faces if rules else max([6, *(die for dice in throw for die in dice)])
    hands = [score(dice, faces, rules.baozi if rules else 3) for dice in throw]
    title = pending or _status_text(view, names, hands, say)
    lanes = []
    for seat, name in enumerate(names):
        note = _note(view, seat, say)
        hand = hands[seat] if hands else None
        body = _dice(throw[seat], hand, faces, say) if hand else _blank(seat, in_air=view.in_air)
        best = _first(view, hands) == (seat,)
        lanes.append(_lane(name, body, hand, note, say, best=best))
    where = say("{count} seats", count=len(names))
    if throws := view.played + view.in_air:
        text = "throw {number} of {count}" if rules else "throw {number}"
        where = say(text, number=throws, count=rules.throws if rules else 0)
    beneath = f"{say('Niu Niu')} · {where}"
    description = [
        f"{name}: {' '.join(map(str, dice))}, {say(hand.name)}"
        for name, dice, hand in zip(names, throw, hands, strict=False)
    ]
    sums = [("Throws won: {list}", view.won), *([("Throws drawn: {list}", view.drawn)] if any(view.drawn) else [])]
    for text, counts in sums:
        parts = [say("{count} by {name}", count=count, name=name) for name, count in zip(names, counts, strict=True)]
        description.append(say(text, list=say(", ").join(parts)))
    columns = [[title_block(title, beneath), *lanes]]
    if wide:
        half = len(lanes) // 2
        columns = [[columns[0][0], *lanes[:half]], lanes[half:]]
    return page(title, "\n".join(description), [stack(column, 10) for column in columns], {})


def _open(what: NiuNiuView | NiuNiuState, rules: NiuNiu | None) -> NiuNiuView:
    if isinstance(what, NiuNiuView):
        return what
    if rules is not None:
        return rules.view(what, None)
    # Without the rules it is unknown whether another throw follows.
    to_act = (CHANCE,) if what.in_air else tuple(range(len(what.won)))
    return NiuNiuView(None, to_act, (), *msgspec.structs.astuple(what))


def _note(view: NiuNiuView, seat: Seat, say: Translate) -> str:
    """Return the throws that the seat has won and drawn."""
    if not view.played:
        return ""
    notes = [say("won {count}", count=view.won[seat])]
    notes += [say("drawn {count}", count=view.drawn[seat])] if any(view.drawn) else []
    return " · ".join(notes)


def _first(view: NiuNiuView, hands: Sequence[Hand]) -> tuple[Seat, ...]:
    """Return the seats with the most points in this throw or, after the last throw, the seats in first place."""
    worth = [(hand.points,) for hand in hands] if view.to_act else list(zip(view.won, view.drawn, strict=True))
    return tuple(seat for seat, points in enumerate(worth) if points == max(worth))


def _status_text(view: NiuNiuView, names: Sequence[str], hands: Sequence[Hand], say: Translate) -> str:
    first = [names[seat] for seat in _first(view, hands)]
    if not view.to_act:
        text = "{names} wins the match" if len(first) == 1 else "{names} share the match"
        return say(text, names=join_names(first, say))
    if view.in_air:
        return say("The dice are in the air")
    if not hands:
        return say("Everyone throws")
    if len(first) > 1:
        return say("{names} draw the throw", names=join_names(first, say))
    best = max(hands, key=lambda hand: hand.points)
    return say("{name} wins the throw with {hand}", name=first[0], hand=say(best.name))


def _lane(name: str, dice: str, hand: Hand | None, note: str, say: Translate, *, best: bool) -> Block:
    right = WIDTH - _LEFT
    body = box(0, 0, WIDTH, _LANE, "lane ring" if best else "lane", radius=13)
    body += text(_LEFT, 24, fit(name, WIDTH - 2 * _LEFT, "name"), "name")
    body += move(_LEFT, 36, dice)
    if hand:
        body += text(right, 66, say(hand.name), "figure", tone="ink" if hand.points else "soft", anchor="end")
        body += text(
            right, 108, say("statistics points: {count}", count=hand.statistics), "tiny", tone="soft", anchor="end"
        )
    if note:
        body += text(right, 84, note, "tiny", tone="soft", anchor="end")
    return Block(_LANE, body)


def _dice(dice: Dice, hand: Hand, faces: int, say: Translate) -> str:
    body = "".join(move(_STEP * place, 0, draw_die(die, faces)) for place, die in enumerate(dice))
    if hand.triple is None or hand.rest is None:
        return body + text(0, 72, say("No three add up to a multiple of ten"), "tiny", tone="soft")
    chosen = _places(dice, hand)
    for place in range(DICE):
        x = _STEP * place + 3
        body += path(f"M{x:g} 54h{_DIE - 6:g}", "ring" if place in chosen else "slot")
    ten, rest = (f"{' + '.join(map(str, part))} = {sum(part)}" for part in (hand.triple, hand.rest))
    return (
        body
        + text(0, 72, ten, "plain", tone="accent")
        + text(text_width(ten, "plain") + 14, 72, rest, "plain", tone="soft")
    )


def _places(dice: Dice, hand: Hand) -> tuple[int, ...]:
    """Return the positions of the triple in the throw."""
    return next(
        places
        for places in combinations(range(DICE), 3)
        if tuple(dice[place] for place in places) == hand.triple
        and tuple(dice[place] for place in range(DICE) if place not in places) == hand.rest
    )


def draw_die(shows: int, faces: int) -> str:
    """Draw a die; with more than six faces, it shows a number instead of pips."""
    body = box(-0.5, 2.5, _DIE + 1, _DIE, "shade veil", radius=11) + box(0, 1, _DIE, _DIE, "shade veil", radius=11)
    body += box(0, 0, _DIE, _DIE, "face edge", radius=11)
    if faces > max(_PIPS):
        return body + text(_DIE / 2, 31, str(shows), "figure", tone="print", anchor="middle", size=20)
    middle, step = _DIE / 2, 12.0
    return body + "".join(circle(middle + step * x, middle + step * y, 4.3, "print") for x, y in _PIPS[shows])


def _blank(seat: Seat, *, in_air: bool) -> str:
    """Draw five dice in the air, or five empty places for dice."""
    if not in_air:
        return "".join(box(_STEP * place, 8, _DIE, _DIE, "slot", radius=11) for place in range(DICE))
    # The angle and height differ from die to die and from seat to seat.
    turns = [((seat + 1) * 23 + place * 37) % 70 - 35 for place in range(DICE)]
    die = box(-_DIE / 2, -_DIE / 2, _DIE, _DIE, "face edge", radius=11) + text(
        0, 7, "?", "figure", tone="one", anchor="middle"
    )
    return "".join(move(_STEP * place + _DIE / 2, 32 + (turn % 13 - 6), die, turn) for place, turn in enumerate(turns))
