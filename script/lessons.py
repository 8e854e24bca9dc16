"""The lines of the page's lesson in 6 nimmt!: `./script/lessons` writes them anew.

Four turns with a fixed deal and two bots whose cards are fixed, too. Whatever the learner may choose is played by the
real rules, as a server would tell it to seat 0, and kept as a tree: a line, and what may be chosen then.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from faceup.core.record import AnyEntry, Applied, Chosen, Joined, Terms
from faceup.games.nimmt.cards import total
from faceup.games.nimmt.state import View
from faceup.server.rooms import Change, Opening, Room, evolve, open_room, whole

LEARNER, MIA, TOM = range(3)
HANDS: Final = ((3, 44, 62, 90), (86, 91, 95, 45), (88, 93, 97, 70))
"""The learner's cards; the bots' in the order in which they play them: the last row fills, and a sixth card falls."""
ROWS: Final = (12, 41, 55, 85)
FILE: Final = Path(__file__).resolve().parent.parent / "src" / "faceup" / "web" / "learn" / "nimmt.json"


def lesson() -> dict[str, Any]:  # Any: JSON
    """The tree: the first line, and behind each choice the next."""
    room = began()
    return {"line": read(whole(room, LEARNER)), "then": branches(room)}


def began() -> Room:
    """The room when the cards are dealt."""
    opening = Opening(game="nimmt", options={"seats": 3, "hand": 4}, terms=Terms(), watch="nobody")
    deal = " ".join(str(card) for cards in (*HANDS, ROWS) for card in cards)
    room = open_room(opening)
    joined = [Joined(0, seat, name, kind) for seat, (name, kind) in enumerate(PLAYERS)]
    return evolve(room, (*joined, Applied(0, outcome=f"deal {deal}")))


PLAYERS: Final = (("You", "person"), ("Mia", "greedy"), ("Tom", "greedy"))


def branches(room: Room) -> dict[str, Any]:  # Any: JSON
    """What the learner may choose, and what comes of it; what others choose alone, follows by itself."""
    rules, table = room.table.rules, room.table
    if not rules.to_act(table.state):
        return {}
    words = [rules.describe(action) for action in rules.legal(table.state, LEARNER)]
    return {action: after(room, action) for action in words}


def after(room: Room, action: str) -> dict[str, Any]:  # Any: JSON
    """The line that a choice leads to, up to the learner's next decision."""
    before = room
    events: list[Any] = []  # Any: JSON
    room = evolve(room, moved(room, {LEARNER: action}))
    line = read(Change(before, room).line(LEARNER) or b"")
    while (deciders := room.table.rules.to_act(room.table.state)) and LEARNER not in deciders:
        room, was = evolve(room, moved(room, {})), room
        events.append(read(Change(was, room).line(LEARNER) or b""))
    return {"line": line, "more": events, "then": branches(room)} if events else {"line": line, "then": branches(room)}


def moved(room: Room, chosen: dict[int, str]) -> tuple[AnyEntry, ...]:
    """Everybody's choice, sealed and turned up."""
    rules, state = room.table.rules, room.table.state
    view = rules.view(state, None)
    assert isinstance(view, View)  # noqa: S101 -- for the type checker
    turn = len(view.log)
    words = dict(chosen)
    for seat in rules.to_act(state):
        if seat != LEARNER:
            legal = [rules.describe(action) for action in rules.legal(state, seat)]
            own = f"play {HANDS[seat][turn]}"
            words[seat] = own if own in legal else cheapest(view.rows, legal)
    choices = [Chosen(0, seat, action) for seat, action in sorted(words.items())]
    actions = tuple(words.get(seat) for seat in range(rules.seats))
    return (*choices, Applied(0, actions=actions))


def cheapest(rows: Sequence[Sequence[int]], legal: Sequence[str]) -> str:
    """The row with the fewest heads, in words."""
    return min(legal, key=lambda action: total(tuple(rows[int(action.split()[-1])])))


def read(line: bytes) -> dict[str, Any]:  # Any: JSON
    """A line without its sentences, which the page says in its own words."""
    told: dict[str, Any] = msgspec.json.decode(line)
    for event in told.get("events", ()):
        del event["words"]
    return told


def text() -> str:
    """The file's text."""
    return msgspec.json.encode(lesson()).decode() + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8", newline="\n")
