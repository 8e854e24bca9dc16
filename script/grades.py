"""Count how often bots get each of the coach's grades, for docs/explanation/coach.md. See `script/grades`."""

from argparse import ArgumentParser
from collections import Counter
from typing import Final

from regenerate import ROOT, write_section

from faceup.bots import policy
from faceup.coach import SearchBudget, decision_points, evaluate_decisions
from faceup.coach.decisions import Grade
from faceup.coach.text import GRADES
from faceup.core import AnyRules, SeededGenerator, make
from faceup.core.record import Record, record_game, replay
from faceup.formatting import markdown_table

PAGE: Final = ROOT / "docs" / "explanation" / "coach.md"

PLAYERS: Final = ("random", "greedy", "gentle", "steady")
"""The bots, which change their seats from game to game."""

WORLDS: Final = 1_000
"""Sampled worlds per option, as in most reviews of a server."""


def play(rules: AnyRules, seats: tuple[str, ...], game: int) -> Record:
    """Play a game between these bots."""
    policies = [policy(rules.game, name) for name in seats]
    return record_game(rules, policies, SeededGenerator(0, game))


def count(games: int) -> dict[str, Counter[Grade]]:
    """Return how often each bot gets each grade. Decisions with a single option do not count."""
    rules = make("nimmt", seats=len(PLAYERS))
    counts: dict[str, Counter[Grade]] = {name: Counter() for name in PLAYERS}
    for game in range(games):
        first = game % len(PLAYERS)
        seats = (*PLAYERS[first:], *PLAYERS[:first])
        record = play(rules, seats, game)
        points = decision_points(record, list(replay(record)), range(rules.seats))
        for decision in evaluate_decisions(rules, points, SearchBudget(worlds=WORLDS)):
            if decision.grade != "only":
                counts[seats[decision.seat]][decision.grade] += 1
    return counts


def made(games: int) -> str:
    """Return the table and the command that generates it."""
    rows = []
    for name, grades in count(games).items():
        shares = [f"{grades[grade] / grades.total():.1%}" for grade in GRADES]
        rows.append([f"`{name}`", *shares, f"{grades['blunder'] / games:.2f}"])
    table = markdown_table(["player", *GRADES, "blunders per game"], rows)
    return f"{table}\n\n```sh\n./script/grades --games {games}\n```"


def main() -> None:
    """Write the table."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="number of games (default 200)")
    write_section(PAGE, "grades", made(parser.parse_args().games))


if __name__ == "__main__":
    main()
