"""The tables of docs/bots.md: `./script/strength` plays for them, and writes them anew.

Every figure comes from a command that stands under its table. Logs are kept in build/strength, so that a run that was
stopped goes on where it was. Searches get a number of worlds instead of a time, so that anybody gets the same figures.
"""

import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from shlex import join
from statistics import median
from time import process_time
from typing import Any, Final, NamedTuple
from zlib import crc32

import msgspec

from faceup.bots import Level, judge, levels, policies, policy, searches
from faceup.core import CHANCE, AnyRules, Seeded, State, View, draw, make
from faceup.sim.report import shown
from faceup.statistics import Mean

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "bots.md"
LOGS: Final = ROOT / "build" / "strength"
BEGIN, END = "<!-- made by script/strength: begin -->", "<!-- made by script/strength: end -->"

DEALS: Final = 120
SEED: Final = 7
WORLDS: Final = {"mc": 5000, "deep": 500}
"""For each option of a decision: what takes some milliseconds."""

TIMED: Final = 10
"""Deals in which the time of every decision is taken."""


class Table(NamedTuple):
    """What one command plays: its bots, each against three of another."""

    bots: tuple[str, ...]
    field: str

    @property
    def name(self) -> str:
        """Of its log."""
        what = join(self.command(0)), [levels("nimmt").get(name) for name in (*self.bots, self.field)]
        digest = f"{crc32(repr(what).encode()):08x}"  # the log of a level that has changed since is not gone on with
        return f"{'-'.join(self.bots) if len(self.bots) == 1 else 'all'}-against-{self.field}-{digest}"

    def command(self, deals: int) -> list[str]:
        """As it stands on the page."""
        words = ["faceup", "bots", "compare", *self.bots, "--against", self.field]
        return [*words, "--deals", str(deals), "--seed", str(SEED)]


def bots() -> tuple[str, ...]:
    """Every bot of 6 nimmt!, from those that look at nothing to the levels."""
    plain = [name for name in policies("nimmt") if name not in levels("nimmt") and name not in searches("nimmt")]
    return (*plain, *(f"{name}@{WORLDS[name]}" for name in searches("nimmt")), *levels("nimmt"))


def fields() -> list[Table]:
    """Every bot against three of each of these."""
    return [Table(bots(), field) for field in ("random", "greedy", f"mc@{WORLDS['mc']}")]


def ladder() -> list[Table]:
    """Each level against three of the next."""
    names = list(levels("nimmt"))
    return [Table((one,), other) for one, other in pairwise(names)]


def measure(wanted: Table, deals: int) -> dict[str, Any]:  # Any: JSON
    """Play, or look up what has been played, and give the command's answer. `SystemExit` if it is stopped."""
    LOGS.mkdir(parents=True, exist_ok=True)
    command = wanted.command(deals)
    print(f"$ {join(command)}", file=sys.stderr)
    words = [sys.executable, "-m", *command, "--json", "--log", str(LOGS / f"{wanted.name}.jsonl")]
    try:
        done = subprocess.run(words, check=False, stdout=subprocess.PIPE)
    except KeyboardInterrupt:
        done = None
    if done is None or done.returncode == 130:
        sys.exit("Stopped. The same command goes on.")
    if done.returncode:
        sys.exit(done.stdout.decode())
    answer: dict[str, Any] = msgspec.json.decode(done.stdout)
    return answer


def page(answers: Mapping[Table, dict[str, Any]], timed: Mapping[str, str], errs: str, deals: int) -> str:
    """What stands between the two marks."""
    parts = [_against_fields(answers), _commands(fields(), deals), _of_levels(answers, timed, errs)]
    return "\n\n".join([*parts, _commands(ladder(), deals)])


def _against_fields(answers: Mapping[Table, dict[str, Any]]) -> str:
    heads = ["bot", *(f"heads against 3 `{each.field}` | wins" for each in fields())]
    lines = [f"| {' | '.join(heads)} |", f"| --- |{' ---: | ---: |' * len(fields())}"]
    for number, bot in enumerate(bots()):
        cells = [f"`{bot}`"]
        for each in fields():
            found = answers[each]["lineups"][number]["bot"]
            cells += [_shown(found["score"]), _shown(found["win_share"], percent=True)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _of_levels(answers: Mapping[Table, dict[str, Any]], timed: Mapping[str, str], errs: str) -> str:
    lines = ["| level | how it chooses | thinks for | wins against three of the next |", "| --- | --- | ---: | ---: |"]
    steps = {each.bots[0]: each for each in ladder()}
    for name, level in levels("nimmt").items():
        step = steps.get(name)
        wins = _shown(answers[step]["lineups"][0]["bot"]["win_share"], percent=True) if step else ""
        lines.append(f"| `{name}` | {level.does} | {timed[name]} | {wins} |")
    return "\n".join([*lines, "", errs])


def _commands(tables: Sequence[Table], deals: int) -> str:
    return "\n".join(["```sh", *(join(each.command(deals)) for each in tables), "```"])


def _shown(found: dict[str, Any], *, percent: bool = False) -> str:
    return shown(Mean(found["mean"], found["stderr"], found["count"]), percent=percent)


def decisions(rules: AnyRules, bot: str, deals: int) -> list[tuple[View, float]]:
    """Every decision that four of the bot meet in so many deals, and the milliseconds of the processor that it took."""
    player = policy(rules.game, bot)
    found = []
    for deal in range(deals):
        rng = Seeded(SEED, deal)
        state: State = rules.start()
        while to_act := rules.to_act(state):
            if to_act == (CHANCE,):
                state = rules.apply(state, draw(rules, state, rng)).state
                continue
            move = {}
            for seat in to_act:
                view: View = rules.view(state, seat)
                start = process_time()
                move[seat] = player(rules, view, rng)
                found.append((view, 1000 * (process_time() - start)))
            state = rules.apply(state, move).state
    return found


def how_long(rules: AnyRules, bot: str) -> str:
    """The middle one of its times, the last turn's left out: there is nothing to think about."""
    times = [milliseconds for view, milliseconds in decisions(rules, bot, TIMED) if len(view.legal) > 1]
    return f"{median(times):.2g} ms"


def how_often_it_errs(rules: AnyRules, name: str, level: Level) -> str:
    """In how many of its decisions a soft level does not take what looks best to it, and what that seems to cost."""
    other, cost, seen = 0, 0.0, 0
    for number, (view, _) in enumerate(decisions(rules, name, TIMED)):
        if len(view.legal) == 1:
            continue
        rng, same = Seeded(SEED, number), Seeded(SEED, number)
        action = level(rules, view, rng)
        options = judge(
            rules, view, player=level.plays.player, worlds=level.plays.worlds, seed=same.below(2**63),
            objective=level.plays.objective,
            every=True,
        ).options  # fmt: skip
        seen += 1
        other += action != options[0].action
        cost += next(option.behind.value for option in options if option.action == action)
    return (
        f"In {other / seen:.0%} of its decisions `{name}` takes another option than the one that looks best to it, "
        f"which costs it {cost / other:.1f} heads each time, by what it thinks itself."
    )


def main() -> None:
    """Play, and write the page."""
    parser = ArgumentParser(prog="script/strength", description=__doc__.partition("\n\n")[0] if __doc__ else "")
    parser.add_argument("--deals", type=int, default=DEALS, help=f"for each figure; {DEALS} if not given")
    deals = parser.parse_args().deals
    answers = {wanted: measure(wanted, deals) for wanted in (*fields(), *ladder())}
    rules = make("nimmt")
    timed = {name: how_long(rules, name) for name in levels("nimmt")}
    soft = [how_often_it_errs(rules, name, level) for name, level in levels("nimmt").items() if level.plays.softness]
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    made = page(answers, timed, " ".join(soft), deals)
    PAGE.write_text(f"{before}{BEGIN}\n\n{made}\n\n{END}{after}", "utf-8")
    print(f"Written: {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
