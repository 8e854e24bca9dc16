"""Measure bots and trained agents against `greedy` for docs/reference/baselines.md. See `script/baselines`.

Every figure comes from a command shown below its table. The results of all rows are kept in
docs/reference/baselines/results.json, so that only the rows of changed bots are measured again.
"""

import csv
import json
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from shlex import join
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from regenerate import ROOT, arena_standings, write_section

from faceup.charts import Line, lines
from faceup.formatting import format_mean, markdown_table
from faceup.games.svg import page, stack, title_block
from faceup.statistics import Mean

PAGE: Final = ROOT / "docs" / "reference" / "baselines.md"
DATA: Final = PAGE.with_suffix("")
"""The folder of the results, of the logs of training runs, and of their curves."""
BUILD: Final = ROOT / "build" / "baselines"
"""The folder of the logs of matches, and of the agents' weights."""

SEED: Final = 2027
OPPONENT: Final = "greedy"


class Cell(NamedTuple):
    """A column of the table: a variant and a number of seats."""

    name: str
    variant: str
    seats: int

    @property
    def short(self) -> str:
        """Return a name for files."""
        return f"{self.variant}-{self.seats}"

    @property
    def game(self) -> str:
        """Return the rules of one deal, for the training programs."""
        match = " deals=1 target=0" if self.variant != "cowheadking" else ""
        return f"nimmt:{self.variant} seats={self.seats}{match}"


CELLS: Final = (
    *(Cell(f"{seats} seats", "cowheadking", seats) for seats in (2, 4, 6, 10)),
    Cell("`tactical`, 4 seats", "tactical", 4),
)


class Row(NamedTuple):
    """A row of the table.

    Attributes:
        name: the name of the row.
        deals: about how many deals to play in each cell, all seats of a block together.
        bot: the bot, or the name of the agent whose weights the command `training` saves.
        training: the command that trains the agent, with placeholders for the fields of the cell and the folder.
        hours: what training takes on one core, as text; for an agent, of each cell.
    """

    name: str
    deals: int
    bot: str
    training: str = ""
    hours: str = ""

    def player(self, cell: Cell) -> str:
        """Return the bot as an argument of the arena."""
        if not self.training:
            return self.bot
        weights = (BUILD / f"{self.bot}-{cell.short}" / "agent.npz").relative_to(ROOT)
        return f"{self.bot}=python3 examples/training/agent.py {weights}"

    def command(self, cell: Cell) -> list[str]:
        """Return the command that measures the cell, as shown on the page."""
        game = ["--game", f"nimmt:{cell.variant}", "--seats", str(cell.seats)]
        words = ["faceup", "arena", "gauntlet", self.player(cell), OPPONENT, *game, "--unit", "deal"]
        words += ["--blocks", str(round(self.deals / cell.seats)), "--seed", str(SEED)]
        return [*words, "--protocol", "json", "--alive", "--startup", "2000"] if self.training else words


PPO: Final = "python examples/training/cleanrl_ppo.py --game 'GAME' --updates 300 --save FOLDER"
CLONING: Final = "python examples/training/minari_cloning.py --variant VARIANT --seats SEATS --save FOLDER"
NETWORK_HOURS: Final = "0.3 hours, 8 minutes on a GPU"
"""Training of the network, of all columns together; see network.csv."""
ROWS: Final = (
    Row("random", 4000, "random"),
    Row("mc", 600, "mc@1000"),
    Row("deep", 600, "deep@200"),
    Row("cloning", 1000, "cloning", CLONING, "2 minutes"),
    Row("PPO", 1000, "ppo", PPO, "10 minutes"),
    Row("network", 2000, "network", hours=NETWORK_HOURS),
    Row("champion", 600, "champion"),
)
"""All rows but that of the opponents, who are even."""


def measure(row: Row, cell: Cell, jobs: str) -> dict[str, Any]:  # Any: JSON
    """Run a row's command in one cell, and return the bot's standing. Raises `SystemExit` if interrupted."""
    log = BUILD / f"{row.name}-{cell.short}.sqlite"
    bot = arena_standings(row.command(cell), log, "--jobs", jobs)[row.bot]
    log.unlink()
    shutil.rmtree(log.with_suffix(".sqlite.files"))  # copies of programs
    return {"heads": _mean(bot["score"]), "wins": _mean(bot["win_share"]), "deals": bot["matches"]}


def _mean(result: Mapping[str, Any]) -> list[float]:
    return [round(result["mean"], 5), round(result["stderr"], 5), result["count"]]


def greedy_heads(cell: Cell) -> dict[str, Any]:  # Any: JSON
    """Return the heads of a table of opponents alone."""
    words = ["faceup", "sim", f"nimmt:{cell.variant}", "--seats", str(cell.seats), "--policies", OPPONENT]
    command = [*words, "--deals", "100000", "--seed", str(SEED)]
    done = subprocess.run([sys.executable, "-m", *command, "--json"], check=True, stdout=subprocess.PIPE)
    result = msgspec.json.decode(done.stdout)
    seats = cell.seats
    return {
        "heads": [sum(result["mean_score"]) / seats, sum(result["stderr"]) / seats, result["deals"]],
        "deals": result["deals"],
    }


def table(results: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the tables of heads, of wins, and of the number of deals."""
    every = [ROWS[0].name, OPPONENT, *(row.name for row in ROWS[1:])]
    by_player = {name: [results.get(name, {}).get(cell.short) for cell in CELLS] for name in every}
    hours = {row.name: row.hours for row in ROWS}
    heads, wins, deals = (
        [(name, [write(*cell_results) for cell_results in zip(by_player[name], CELLS, strict=True)]) for name in every]
        for write in (_heads, _wins, _deals)
    )
    columns = ["row", *(cell.name for cell in CELLS)]
    return "\n\n".join(
        [
            "Heads a deal, fewer are better:",
            markdown_table(
                [*columns, "training"], [[f"`{name}`", *cells, hours.get(name, "")] for name, cells in heads]
            ),
            "Share of the wins; a win shared by k players counts 1/k:",
            markdown_table(columns, [[f"`{name}`", *cells] for name, cells in wins]),
            "Number of deals, a multiple of the number of seats:",
            markdown_table(columns, [[f"`{name}`", *cells] for name, cells in deals]),
        ]
    )


Found: TypeAlias = Mapping[str, Any] | None
"""The result of a row in a cell, if it was measured."""


def _heads(result: Found, _cell: Cell) -> str:
    return format_mean(Mean(*result["heads"])) if result else ""


def _wins(result: Found, cell: Cell) -> str:
    if not result:
        return ""
    return format_mean(Mean(*result["wins"]), percent=True) if "wins" in result else f"{100 / cell.seats:.1f}% (even)"


def _deals(result: Found, _cell: Cell) -> str:
    return f"{result['deals']:,}" if result else ""


def commands() -> str:
    """Return the commands behind the table, for the cell with four seats."""
    cell = CELLS[1]
    shown = [f"faceup sim nimmt --seats {cell.seats} --policies {OPPONENT} --deals 100000 --seed {SEED}"]
    for row in ROWS:
        if row.training:
            folder = str((BUILD / f"{row.bot}-{cell.short}").relative_to(ROOT))
            values = {"GAME": cell.game, "VARIANT": cell.variant, "SEATS": str(cell.seats), "FOLDER": folder}
            command = row.training
            for name, value in values.items():
                command = command.replace(name, value)
            shown.append(command)
        shown.append(join(row.command(cell)))
    return "```sh\n" + "\n".join(shown) + "\n```"


def draw_ppo() -> str:
    """Draw the learning curve of PPO."""
    run = [json.loads(line) for line in (DATA / "ppo.jsonl").read_text("utf-8").splitlines()]
    last = len(run) - 1
    labels = [
        f"{row['decisions'] / 1e6:.1f} M" if place in {0, last // 2, last} else "" for place, row in enumerate(run)
    ]
    return _chart(
        "PPO against three greedy",
        "share of wins by decisions; 25% is even",
        [Line("PPO", [row["wins"][0] for row in run])],
        labels,
        [row["wins"][1] for row in run],
    )


def draw_network() -> str:
    """Draw the learning curves of the network."""
    with (DATA / "network.csv").open(encoding="utf-8", newline="") as file:
        run = list(csv.DictReader(file))
    last = len(run) - 1
    names = [name for name in run[0] if name.endswith(": wins")]
    labels = [f"{int(line['step']):,}" if place in {0, last // 2, last} else "" for place, line in enumerate(run)]
    return _chart(
        "Training of the network",
        "share of wins, by training step",
        [Line(name.removesuffix(": wins"), [float(line[name]) for line in run]) for name in names],
        labels,
        [float(line[f"{names[0]} ±"]) for line in run],
    )


def _chart(title: str, note: str, drawn: Sequence[Line], labels: Sequence[str], bands: Sequence[float]) -> str:
    return page(title, note, [stack([title_block(title, note), lines(drawn, labels, bands=bands)])], {})


def main() -> None:
    """Measure the missing rows, and write the page and the curves."""
    parser = ArgumentParser(prog="script/baselines", description=__doc__.partition("\n\n")[0] if __doc__ else "")
    names = [row.name for row in ROWS]
    parser.add_argument("--only", nargs="+", default=names, metavar="ROW", help="rows to measure if they are missing")
    parser.add_argument("--again", nargs="+", default=[], metavar="ROW", help="rows to measure again")
    parser.add_argument("--jobs", default="1", help="matches in parallel; the results are the same (default 1)")
    parser.add_argument("--draw", action="store_true", help="measure nothing")
    options = parser.parse_args()
    path = DATA / "results.json"
    results: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    for name in (*options.only, *options.again):
        if name not in {OPPONENT, *names}:
            parser.error(f"there is no row {name!r}; there are: {', '.join([OPPONENT, *names])}")
    for name in options.again:
        results.pop(name, None)
    for cell in () if options.draw else CELLS:
        results.setdefault(OPPONENT, {}).setdefault(cell.short, None)
        results[OPPONENT][cell.short] = results[OPPONENT][cell.short] or greedy_heads(cell)
        path.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    for row in () if options.draw else [row for row in ROWS if row.name in {*options.only, *options.again}]:
        for cell in CELLS:
            if cell.short in results.setdefault(row.name, {}):
                continue
            if row.training and not (BUILD / f"{row.bot}-{cell.short}" / "agent.npz").exists():
                print(f"no weights for {row.name}, {cell.name}: left out", file=sys.stderr)
                continue
            results[row.name][cell.short] = measure(row, cell, options.jobs)
            path.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    write_section(PAGE, "baselines", f"{table(results)}\n\n{commands()}")
    for name, draw in {"ppo": draw_ppo, "network": draw_network}.items():
        (DATA / f"{name}.svg").write_text(draw(), "utf-8")
    print(f"Wrote {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
