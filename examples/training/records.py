"""Read the games that `faceup admin research-export` wrote, as what each person saw and chose."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from faceup.core import AnyRules, Seat, State, spec
from faceup.core.record import Applied, Autoplayed, Chosen, Joined, Record, TimedOut, applied_move, loads, replay
from faceup.envs import encoding_names
from faceup.envs.observation import observer
from faceup.envs.rewards import reward

GAMES, CARD = "games.jsonl", "README.md"
"""The files of an export."""


class Episode(NamedTuple):
    """The game of one person, with n decisions.

    Attributes:
        player: the person's pseudonym.
        seat: the person's seat.
        observations: what the seat saw before each decision and at the end, `[n + 1, size]`.
        masks: the legal actions, `[n + 1, actions]`; at the end, only waiting.
        actions: the actions, `[n]`.
        rewards: the gain of points from each decision to the next or to the end, `[n]`.
        chosen: 1 for each action that the person chose, 0 if the table chose for a person who was late or away, and 0
            at the end, `[n + 1]`.
    """

    player: str
    seat: Seat
    observations: NDArray[np.generic]
    masks: NDArray[np.int8]
    actions: NDArray[np.int64]
    rewards: NDArray[np.float64]
    chosen: NDArray[np.int8]


def read_records(folder: Path) -> Iterator[Record]:
    """Yield the games of an export."""
    with (folder / GAMES).open("rb") as lines:
        yield from map(loads, lines)


def count_games(folder: Path) -> Counter[str]:
    """Count the games of an export by their rules, as `faceup.core.make` reads them."""
    return Counter(spec(record.rules()) for record in read_records(folder))


def read_card(folder: Path) -> tuple[str, str]:
    """Return the licence of an export, and the text of its card without the front matter."""
    text = (folder / CARD).read_text("utf-8").split("---\n", 2)[2].strip()
    [licence] = re.findall(r"^\| licence \| (.*) \|$", text, re.MULTILINE)
    return licence, text


def encoding_of(rules: AnyRules) -> str:
    """Return `planes`, with which the programs of this folder learn, or `scalars` if the game has no planes."""
    return "planes" if "planes" in encoding_names(rules) else "scalars"


def episodes(record: Record) -> Iterator[Episode]:
    """Yield the game of each person who had a decision in it."""
    rules = record.rules()
    people = {
        entry.seat: entry.name for entry in record.entries if isinstance(entry, Joined) and entry.kind == "person"
    }
    states = {frame.entry: frame.state for frame in replay(record)}
    decisions: dict[Seat, list[tuple[State, int, bool]]] = {seat: [] for seat in people}
    by_table = set[Seat]()
    state = rules.start()
    for number, entry in enumerate(record.entries):
        match entry:
            case Chosen():
                by_table.discard(entry.seat)  # a person who returned before the reveal can change the table's choice
            case TimedOut(source="autoplay") | Autoplayed(source="autoplay"):
                by_table.add(entry.seat)
            case Applied():
                move = applied_move(rules, entry)
                if isinstance(move, dict):
                    for seat in people.keys() & move.keys():
                        decisions[seat].append((state, move[seat], seat not in by_table))
                    by_table.clear()
                state = states[number]
            case _:
                pass
    for seat, name in people.items():
        if decisions[seat]:
            yield _episode(rules, name, seat, decisions[seat], state)


def _episode(rules: AnyRules, name: str, seat: Seat, decisions: list[tuple[State, int, bool]], end: State) -> Episode:
    states = [*(state for state, _, _ in decisions), end]
    watching, points, wait = observer(rules, encoding_of(rules)), reward(rules), rules.bounds.actions
    masks = np.zeros((len(states), wait + 1), np.int8)
    for number, state in enumerate(states):
        masks[number, list(rules.legal(state, seat) or (wait,))] = 1
    return Episode(
        name,
        seat,
        np.stack([watching.seat(state, seat) for state in states]),
        masks,
        np.array([action for _, action, _ in decisions], np.int64),
        np.array([points.between(before, after)[seat] for before, after in pairwise(states)], np.float64),
        np.array([*(chosen for _, _, chosen in decisions), False], np.int8),
    )
