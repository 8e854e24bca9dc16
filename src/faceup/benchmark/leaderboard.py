"""The leaderboard of a folder of submissions, as data and as Markdown."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

import msgspec

from faceup.benchmark.definition import Benchmark, task_name
from faceup.benchmark.scores import edges, forfeits, payoffs
from faceup.benchmark.submission import Submission, read_submission
from faceup.core import Malformed
from faceup.extras import needs
from faceup.formatting import markdown_table
from faceup.statistics import Mean
from faceup.statistics.stratified import interquartile_mean, mean, stratified_interval

with needs("fast", __name__):
    import numpy as np
    from numpy.typing import NDArray


class Aggregated(msgspec.Struct, frozen=True):
    """An aggregate of scores with its 95 % interval."""

    value: float
    interval: tuple[float, float]


class RankedAgent(msgspec.Struct, frozen=True):
    """An agent on the leaderboard.

    Attributes:
        name: name of the agent.
        budget: name of the budget class.
        runs: the number of submissions, one for each training seed.
        signed: whether all of them are signed.
        edge: mean edge over all tasks; None if a cell is missing.
        iqm: interquartile mean of the edges over all tasks and runs; None for a single run, or if a cell is missing.
        cells: mean edge over the opponents of each cell.
        edges: mean edge for each task.
        payoffs: mean payoff for each task.
        milliseconds: the longest of the 99 % quantiles of the answer times.
        forfeits: the number of matches that the agent forfeited.
    """

    name: str
    budget: str
    runs: int
    signed: bool
    edge: Aggregated | None
    iqm: Aggregated | None
    cells: dict[str, Aggregated]
    edges: dict[str, float]
    payoffs: dict[str, float]
    milliseconds: float
    forfeits: int


class Leaderboard(msgspec.Struct, frozen=True):
    """The leaderboard: the agents in the order of their budget classes, the best mean edge first.

    Agents that lack a cell follow the others, the best mean edge in their own cells first.
    """

    benchmark: str
    definition: str
    entries: tuple[RankedAgent, ...]


def read_folder(folder: Path, benchmark: Benchmark) -> list[Submission]:
    """Read all submissions of a folder, in the order of their names.

    Raises:
        Malformed: there is none, or one of them is invalid.
    """
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise Malformed(f"there are no submissions in {folder}", what=str(folder), where="FOLDER")
    return [read_submission(path, benchmark) for path in paths]


def leaderboard(submissions: Iterable[Submission], benchmark: Benchmark) -> Leaderboard:
    """Make the leaderboard. Submissions with equal name and budget class are training runs of one agent.

    Raises:
        Malformed: two runs of an agent have the same training seed, or different cells.
    """
    order = [budget.name for budget in benchmark.budgets]
    ordered = sorted(submissions, key=_key)
    entries = [_entry([*runs], benchmark) for _, runs in groupby(ordered, _key)]
    entries.sort(key=lambda entry: (order.index(entry.budget), entry.edge is None, -_mean_cell(entry)))
    return Leaderboard(benchmark.name, benchmark.digest, tuple(entries))


def _mean_cell(entry: RankedAgent) -> float:
    return sum(cell.value for cell in entry.cells.values()) / len(entry.cells)


def _key(submission: Submission) -> tuple[str, str]:
    return submission.agent.name, submission.budget


def _entry(runs: Sequence[Submission], benchmark: Benchmark) -> RankedAgent:
    name, budget = _key(runs[0])
    seeds = [run.agent.training_seed for run in runs]
    if repeated := [seed for seed in seeds if seeds.count(seed) > 1]:
        raise Malformed(f"{name} has two submissions with the training seed {repeated[0]}", what=name, where="FOLDER")
    if any(run.cells != runs[0].cells for run in runs):
        raise Malformed(f"the submissions of {name} must have the same cells", what=name, where="FOLDER")
    edge_of_run = [edges(run, benchmark) for run in runs]
    payoff_of_run = [payoffs(run, benchmark) for run in runs]
    tasks = [*edge_of_run[0]]
    complete = len(runs[0].cells) == len(benchmark.cells)
    means = _mean_edges(edge_of_run, tasks)
    return RankedAgent(
        name=name,
        budget=budget,
        runs=len(runs),
        signed=all(run.signature for run in runs),
        edge=_aggregated(edge_of_run, tasks) if complete else None,
        iqm=Aggregated(interquartile_mean(means), stratified_interval(means)) if complete and len(runs) > 1 else None,
        cells={
            cell: _aggregated(edge_of_run, [task for task in tasks if task.startswith(f"{cell}/")])
            for cell in runs[0].cells
        },
        edges=dict(zip(tasks, means.mean(axis=0).tolist(), strict=True)),
        payoffs=_mean_payoffs(payoff_of_run),
        milliseconds=max(times.p99 for run in runs for times in run.times.values()),
        forfeits=sum(map(forfeits, runs)),
    )


def _mean_payoffs(payoff_of_run: Sequence[dict[str, Mean]]) -> dict[str, float]:
    tasks = dict.fromkeys(task for run in payoff_of_run for task in run)
    by_task = {task: [run[task].mean for run in payoff_of_run if task in run] for task in tasks}
    return {task: sum(values) / len(values) for task, values in by_task.items()}


def _mean_edges(edge_of_run: Sequence[dict[str, Mean]], tasks: Sequence[str]) -> NDArray[np.float64]:
    """Return the mean edge of each run in each task, as an array [runs, tasks]."""
    return np.array([[run_edges[task].mean for task in tasks] for run_edges in edge_of_run])


def _aggregated(edge_of_run: Sequence[dict[str, Mean]], tasks: Sequence[str]) -> Aggregated:
    """Return the mean edge over tasks, with the interval over training runs, or over blocks if there is one run."""
    means = _mean_edges(edge_of_run, tasks)
    if len(edge_of_run) > 1:
        return Aggregated(mean(means), stratified_interval(means, mean))
    variances = [(edge_of_run[0][task].stderr or 0.0) ** 2 for task in tasks]
    half = 1.96 * sum(variances) ** 0.5 / len(tasks)
    value = mean(means)
    return Aggregated(value, (value - half, value + half))


def markdown(board: Leaderboard, benchmark: Benchmark) -> str:
    """Return the leaderboard as Markdown tables."""
    parts = [f"Definition `{board.definition}`."]
    for budget in benchmark.budgets:
        entries = [entry for entry in board.entries if entry.budget == budget.name]
        if entries:
            parts += [f"### {_TITLES[budget.name]}", _edge_table(entries, benchmark)]
    parts += ["### Payoffs", *_payoff_tables(board.entries, benchmark)]
    return "\n\n".join(parts)


_TITLES = {"policy": "Policy only", "100ms": "100 ms a decision", "unlimited": "Unlimited"}


def _edge_table(entries: Sequence[RankedAgent], benchmark: Benchmark) -> str:
    heads = ["agent", "runs", "edge", "IQM", *(cell.name for cell in benchmark.cells), "ms", "forfeits", "signed"]
    rows = [
        [
            f"`{entry.name}`",
            str(entry.runs),
            _percent(entry.edge),
            _percent(entry.iqm),
            *(_percent(entry.cells.get(cell.name)) for cell in benchmark.cells),
            f"{entry.milliseconds:.3g}",
            f"{entry.forfeits:,}",
            "yes" if entry.signed else "no",
        ]
        for entry in entries
    ]
    return markdown_table(heads, rows)


def _payoff_tables(entries: Sequence[RankedAgent], benchmark: Benchmark) -> list[str]:
    """Return for each cell a matrix of heads saved and of edges, by agent and opponent."""
    parts = []
    for cell in benchmark.cells:
        played = [entry for entry in entries if cell.name in entry.cells]
        tasks = [task_name(cell, opponent) for opponent in benchmark.opponents]
        rows = [
            [
                f"`{entry.name}`",
                *(f"{entry.payoffs[task]:+.2f} ({100 * entry.edges[task]:+.0f}%)" if task in entry.payoffs else ""
                  for task in tasks),
            ]
            for entry in played
        ]  # fmt: skip
        if rows:
            opponents = [f"`{opponent}`" for opponent in benchmark.opponents]
            parts += [f"`{cell.name}`:", markdown_table(["agent, against", *opponents], rows)]
    return parts


def _percent(score: Aggregated | None) -> str:
    if score is None:
        return ""
    low, high = score.interval
    return f"{100 * score.value:.1f} [{100 * low:.1f}, {100 * high:.1f}]"
