"""The card of an export of games for research: its contents, its format and the rule of consent."""

from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Final

import msgspec

GAMES: Final = "games.jsonl"
"""The file of the games, next to the card."""

_CARD: Final = """---
license: {licence}
tags: [card-games, simultaneous-moves, imitation-learning]
---

# Games of people

| | |
| --- | --- |
| made on | {day}, by faceup {faceup} |
| licence | {licence} |
| games | {games:,} |
| people | {people:,} |
| choices of people and their programs | {choices:,} |

| game | games |
| --- | --- |
{rows}

## Consent

Each person in each game chose on their account page to give their games for research, before the game ended or with
their earlier games, and had not withdrawn this when the set was made. The games were at public tables that anyone could
watch. Games at tables by invitation, of parties and of tournaments, daily deals, and games of bots alone are left out.

## Format

`{file}` has one game on each line, in the order in which they ended, as a record of faceup in format 1, without spaces
between its parts. `faceup.core.record.loads` reads a line, and `replay` its positions.

| field | meaning |
| --- | --- |
| `game`, `variant`, `options` | the rules |
| `terms` | the time for a choice in milliseconds, when choices were revealed, whether hints were allowed |
| `entries` of `joined` | who had which seat: a pseudonym with the kind `person`, or a bot with its level as the kind |
| `entries` of `chosen` | the choice that a player made |
| `entries` of `timed_out` and `autoplayed` | a choice that the table made for a player who was late or away |
| `entries` of `applied` | a deal, or the choices as they were revealed |
| `result` | scores and ranks by seat |

`person-...` is a person, and `program-...` a program of a person, which played with an API token. A pseudonym is the
same in all games of this set. It is random and new in each set, and no key of it exists.

## Left out

Names, ids, addresses, ratings, names of tables, reactions, choices that were changed before they were revealed, pauses,
proofs of fair deals, and times: `at` only grows by the whole time for a choice where the table waited for it.

## Use it with care

These are data of people, although their names are replaced. Someone who played or watched a game, or has its record,
can recognize it, and then other games of the same pseudonym. Do not try to find out who someone is, and do not join
this set with other data about players. People can withdraw: prefer the newest set, and delete older copies.
"""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of an export of games for research.

    Attributes:
        games: the number of games.
        people: the number of people.
        choices: the number of choices that people and their programs made.
        by_game: the number of games by game and variant, such as "nimmt:classic".
    """

    games: int
    people: int
    choices: int
    by_game: Mapping[str, int]


def card(summary: Summary, licence: str, now: int) -> str:
    """Return the card as Markdown.

    Args:
        summary: the contents of the export.
        licence: its licence.
        now: when it is made, in milliseconds since 1970.
    """
    return _CARD.format(
        licence=licence,
        day=datetime.fromtimestamp(now / 1000, UTC).date(),
        faceup=version("faceup"),
        games=summary.games,
        people=summary.people,
        choices=summary.choices,
        rows="\n".join(f"| `{game}` | {count:,} |" for game, count in sorted(summary.by_game.items())),
        file=GAMES,
    )
