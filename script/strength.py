"""Measure the strength of all bots for the tables of docs/explanation/bots.md. See `script/strength`.

Every figure comes from a command shown below its table. The logs in build/strength let an interrupted run resume.
Searches use a fixed number of samples instead of a time limit, so that the figures are reproducible.
"""

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from shlex import join
from statistics import median
from time import process_time
from typing import Any, Final, NamedTuple
from zlib import crc32

from regenerate import ROOT, arena_standings, write_section

from faceup.bots import Level, evaluate, levels, policies, policy, searches
from faceup.core import Action, AnyRules, Generator, SeededGenerator, View, make, play_game
from faceup.formatting import format_mean
from faceup.statistics import Mean

PAGE: Final = ROOT / "docs" / "explanation" / "bots.md"
LOGS: Final = ROOT / "build" / "strength"

BLOCKS: Final = 60
SEED: Final = 7
WORLDS: Final = {"mc": 5000, "deep": 500}
"""Samples for each option of a decision: a few milliseconds."""

TIMED: Final = 10
"""The number of deals in which decisions are timed."""


class Pairing(NamedTuple):
    """One command: a bot against three equal opponents."""

    bot: str
    opponent: str

    @property
    def log(self) -> Path:
        """Return the path of the log."""
        what = join(self.command(0)), [levels("nimmt").get(name) for name in self]
        digest = f"{crc32(repr(what).encode()):08x}"  # a changed level starts a new log
        return LOGS / f"{self.bot}-against-{self.opponent}-{digest}.sqlite"

    def command(self, blocks: int) -> list[str]:
        """Return the command as shown on the page."""
        words = ["faceup", "arena", "gauntlet", self.bot, self.opponent, "--game", "nimmt", "--unit", "deal"]
        return [*words, "--blocks", str(blocks), "--seed", str(SEED)]


def bots() -> tuple[str, ...]:
    """Return all bots of 6 nimmt!, from the simplest to the levels."""
    plain = [name for name in policies("nimmt") if name not in levels("nimmt") and name not in searches("nimmt")]
    return (*plain, *(f"{name}@{WORLDS[name]}" for name in searches("nimmt")), *levels("nimmt"))


def opponents() -> tuple[str, ...]:
    """Return the reference bots."""
    return "random", "greedy", f"mc@{WORLDS['mc']}"


def against_references() -> list[Pairing]:
    """Return every bot against each reference bot but itself."""
    return [Pairing(bot, opponent) for opponent in opponents() for bot in bots() if bot != opponent]


def mixed_tables(blocks: int) -> list[str]:
    """Return the command that rates the levels, in matches with all of them at one table."""
    words = ["faceup", "arena", "round-robin", *levels("nimmt"), "--game", "nimmt:classic", "--seats", "4"]
    return [*words, "--blocks", str(blocks), "--seed", str(SEED)]


def measure(pairing: Pairing, blocks: int) -> dict[str, Any]:  # Any: JSON
    """Run the command, or read its log, and return the bot's standing as JSON. Raises `SystemExit` if interrupted."""
    return arena_standings(pairing.command(blocks), pairing.log)[pairing.bot]


def page(
    measured: Mapping[Pairing, dict[str, Any]],
    rated: Mapping[str, dict[str, Any]],
    timed: Mapping[str, str],
    errors: str,
    blocks: int,
) -> str:
    """Return the section between the two markers."""
    loops = "\n\n".join(_loop(opponent, blocks) for opponent in opponents())
    tables = _reference_table(measured), f"```sh\n{loops}\n```", _level_table(rated, timed)
    return "\n\n".join([*tables, f"```sh\n{join(mixed_tables(blocks))}\n```", errors])


def _reference_table(measured: Mapping[Pairing, dict[str, Any]]) -> str:
    heads = ["bot", *(f"heads against 3 `{opponent}` | wins" for opponent in opponents())]
    lines = [f"| {' | '.join(heads)} |", f"| --- |{' ---: | ---: |' * len(opponents())}"]
    for bot in bots():
        cells = [f"`{bot}`"]
        for opponent in opponents():
            standing = measured.get(Pairing(bot, opponent))
            cells += ["", "25%"] if standing is None else [_shown(standing["score"]), _wins(standing)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _level_table(rated: Mapping[str, dict[str, Any]], timed: Mapping[str, str]) -> str:
    lines = [
        "| level | how it chooses | thinks for | rating | heads a match | wins |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for name, level in levels("nimmt").items():
        standing = rated[name]
        low, high = standing["interval"]
        rating = f"{standing['rating']:+.0f} ±{(high - low) / 2:.0f}"
        cells = [f"`{name}`", level.description, timed[name], rating, _shown(standing["score"]), _wins(standing)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _loop(opponent: str, blocks: int) -> str:
    """Return the commands against one reference bot, as a loop of the shell."""
    names = [bot for bot in bots() if bot != opponent]
    command = join(Pairing("BOT", opponent).command(blocks)).replace("BOT", "$bot")
    return f"for bot in {join(names)}; do\n  {command} --log $bot-{opponent}.sqlite\ndone"


def _wins(standing: dict[str, Any]) -> str:
    return _shown(standing["win_share"], percent=True)


def _shown(result: dict[str, Any], *, percent: bool = False) -> str:
    return format_mean(Mean(result["mean"], result["stderr"], result["count"]), percent=percent)


def decisions(rules: AnyRules, bot: str, deals: int) -> list[tuple[View, float]]:
    """Return every decision of four equal bots in the deals, with its CPU time in milliseconds."""
    player = policy(rules.game, bot)
    results = []

    def timed(rules: AnyRules, view: View, rng: Generator) -> Action:
        start = process_time()
        action = player(rules, view, rng)
        results.append((view, 1000 * (process_time() - start)))
        return action

    for deal in range(deals):
        for _ in play_game(rules, [timed] * rules.seats, SeededGenerator(SEED, deal)):
            pass
    return results


def how_long(rules: AnyRules, bot: str) -> str:
    """Return the median time, without the last turn, which has no choice."""
    times = [milliseconds for view, milliseconds in decisions(rules, bot, TIMED) if len(view.legal) > 1]
    return f"{median(times):.2g} ms"


def how_often_it_errs(rules: AnyRules, name: str, level: Level) -> str:
    """Return how often a level deviates from its best option, and the estimated cost."""
    other, cost, seen = 0, 0.0, 0
    for number, (view, _) in enumerate(decisions(rules, name, TIMED)):
        if len(view.legal) == 1:
            continue
        rng, same = SeededGenerator(SEED, number), SeededGenerator(SEED, number)
        action = level(rules, view, rng)
        options = evaluate(
            rules, view, player=level.plays.player, worlds=level.plays.worlds, seed=same.below(2**63),
            objective=level.plays.objective,
            every=True,
        ).options  # fmt: skip
        seen += 1
        other += action != options[0].action
        cost += next(option.behind.value for option in options if option.action == action)
    return (
        f"In {other / seen:.0%} of its decisions `{name}` does not take the option it rates best, "
        f"which costs it {cost / other:.1f} heads each time by its own estimate."
    )


def main() -> None:
    """Run the matches and write the page."""
    parser = ArgumentParser(prog="script/strength", description=__doc__.partition("\n\n")[0] if __doc__ else "")
    parser.add_argument("--blocks", type=int, default=BLOCKS, help=f"deals for each figure (default {BLOCKS})")
    blocks = parser.parse_args().blocks
    measured = {pairing: measure(pairing, blocks) for pairing in against_references()}
    digest = f"{crc32(repr(levels('nimmt')).encode()):08x}"  # changed levels start a new log
    rated = arena_standings(mixed_tables(blocks), LOGS / f"levels-{digest}.sqlite")
    rules = make("nimmt")
    timed = {name: how_long(rules, name) for name in levels("nimmt")}
    soft = [how_often_it_errs(rules, name, level) for name, level in levels("nimmt").items() if level.plays.softness]
    write_section(PAGE, "strength", page(measured, rated, timed, " ".join(soft), blocks))
    print(f"Wrote {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
