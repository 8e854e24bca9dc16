"""Generate the page's lesson of 6 nimmt!. See `script/lessons`.

The lesson has four turns with a fixed deal and two bots with fixed cards. Every choice of the learner is played by the
real rules and stored as a tree: an update as the server sends it to seat 0, and the choices that follow.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from faceup.core.record import AnyEntry, Applied, Chosen, Joined, Terms
from faceup.games.nimmt.cards import total
from faceup.games.nimmt.state import View
from faceup.server.rooms import Room, TableConfig, UpdateEncoder, evolve, snapshot_line
from faceup.server.rooms.room import open_room

LEARNER, MIA, TOM = range(3)
HANDS: Final = ((3, 44, 62, 90), (86, 91, 95, 45), (88, 93, 97, 70))
"""The learner's cards, and the bots' in the order they play them. The last row fills up and gets a sixth card."""
ROWS: Final = (12, 41, 55, 85)
FILE: Final = Path(__file__).resolve().parent.parent / "src" / "faceup" / "web" / "learn" / "nimmt-lesson.json"


def lesson() -> dict[str, Any]:  # Any: JSON
    """Return the tree: the first update, and the next one for each choice."""
    room = start_room()
    return {"line": read(snapshot_line(room, LEARNER)), "then": branches(room)}


def start_room() -> Room:
    """Return the room after the deal."""
    opening = TableConfig(game="nimmt", options={"seats": 3, "hand": 4}, terms=Terms(), spectators="nobody")
    deal = " ".join(str(card) for cards in (*HANDS, ROWS) for card in cards)
    room = open_room(opening)
    joined = [Joined(0, seat, name, kind) for seat, (name, kind) in enumerate(PLAYERS)]
    return evolve(room, (*joined, Applied(0, outcome=f"deal {deal}")))


PLAYERS: Final = (("You", "person"), ("Mia", "greedy"), ("Tom", "greedy"))


def branches(room: Room) -> dict[str, Any]:  # Any: JSON
    """Return the result of each choice of the learner; the bots' own decisions are made automatically."""
    rules, table = room.table.rules, room.table
    if not rules.to_act(table.state):
        return {}
    words = [rules.describe(action) for action in rules.legal(table.state, LEARNER)]
    return {action: after(room, action) for action in words}


def after(room: Room, action: str) -> dict[str, Any]:  # Any: JSON
    """Return the update after a choice, up to the learner's next decision."""
    before = room
    events: list[Any] = []  # Any: JSON
    room = evolve(room, moved(room, {LEARNER: action}))
    line = read(UpdateEncoder(before, room).line(LEARNER) or b"")
    while (deciders := room.table.rules.to_act(room.table.state)) and LEARNER not in deciders:
        room, was = evolve(room, moved(room, {})), room
        events.append(read(UpdateEncoder(was, room).line(LEARNER) or b""))
    return {"line": line, "more": events, "then": branches(room)} if events else {"line": line, "then": branches(room)}


def moved(room: Room, chosen: dict[int, str]) -> tuple[AnyEntry, ...]:
    """Return everyone's sealed and revealed choices."""
    rules, state = room.table.rules, room.table.state
    view = rules.view(state, None)
    assert isinstance(view, View)  # noqa: S101 -- for the type checker
    turn = len(view.log)
    words = dict(chosen)
    for seat in rules.to_act(state):
        if seat != LEARNER:
            legal = [rules.describe(action) for action in rules.legal(state, seat)]
            choice = f"play {HANDS[seat][turn]}"
            words[seat] = choice if choice in legal else cheapest(view.rows, legal)
    choices = [Chosen(0, seat, action) for seat, action in sorted(words.items())]
    actions = tuple(words.get(seat) for seat in range(rules.seats))
    return (*choices, Applied(0, actions=actions))


def cheapest(rows: Sequence[Sequence[int]], legal: Sequence[str]) -> str:
    """Return the notation that takes the row with the fewest heads."""
    return min(legal, key=lambda action: total(tuple(rows[int(action.split()[-1])])))


def read(line: bytes) -> dict[str, Any]:  # Any: JSON
    """Return an update without its sentences, which the page writes itself."""
    update: dict[str, Any] = msgspec.json.decode(line)
    for event in update.get("events", ()):
        del event["text"]
    return update


def text() -> str:
    """Return the file's content."""
    return msgspec.json.encode(lesson()).decode() + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8", newline="\n")
