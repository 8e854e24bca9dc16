"""Play the matches of a benchmark in the arena, and replay those of a submission."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Final

import msgspec

from faceup.arena.match.referee import Referee
from faceup.arena.match.result import LatencyHistogram, Match, MatchResult, merge_histograms
from faceup.arena.match.terms import Bot, MatchTerms
from faceup.arena.run.engine import play
from faceup.arena.run.identity import BotFiles, built_in, install_bot
from faceup.arena.run.log import open_log, programs_folder
from faceup.arena.run.pairings import ContestBot, contest
from faceup.arena.run.workers import WorkerConfig, WorkerEngine
from faceup.benchmark.definition import Benchmark, Budget, Cell, task_name
from faceup.benchmark.submission import FORMAT, Agent, AnswerTimes, Scores, Submission
from faceup.bots import policy
from faceup.bots.search_policies import Level, SearchPolicy
from faceup.core import Malformed

AGENT: Final = "agent"
"""The name of the agent in lineups, which no opponent has."""

STARTUP: Final = 120.0
"""Seconds in which a program can start, in addition to its first decision."""


class CellSchedule:
    """The schedule of a cell. See `faceup.arena.run.schedule.Schedule`.

    In each block, the agent plays in every seat against each opponent, always with the same cards.

    >>> from faceup.benchmark.definition import NIMMT_V1
    >>> CellSchedule(NIMMT_V1, NIMMT_V1.cell("classic/2")).block(1)[2]
    Match(number=8, block=1, lineup=('agent', 'greedy'), rotation=0)
    """

    def __init__(self, benchmark: Benchmark, cell: Cell) -> None:
        self._tables = [
            ((AGENT, *[opponent] * (cell.seats - 1)), rotation)
            for opponent in benchmark.opponents
            for rotation in range(cell.seats)
        ]
        self.width = len(self._tables)

    def block(self, number: int) -> tuple[Match, ...]:
        """Return the matches of a block."""
        first = number * self.width
        return tuple(Match(first + index, number, *table) for index, table in enumerate(self._tables))

    def add_result(self, result: MatchResult) -> None:
        """Do nothing, because the schedule does not depend on results."""


def check_budget(budget: Budget, bot: Bot) -> None:
    """Check a built-in bot against a budget class. The referee's time limit enforces the budget of a program.

    Raises:
        Malformed: the bot searches or may think longer.
    """
    played = policy("nimmt", bot.player) if bot.player else None
    search = played.plays if isinstance(played, Level) else played
    if not isinstance(search, SearchPolicy) or budget.name == "unlimited":
        return
    if not budget.search or search.seconds is None or search.seconds > budget.seconds:
        reason = "searches" if not budget.search else f"does not limit its time to {budget.seconds:g} s"
        raise Malformed(
            f"{bot.player} {reason}, so it cannot play in the budget class {budget.name}",
            what=bot.player,
            where="--budget",
        )


def check_reference(benchmark: Benchmark) -> None:
    """Check that the opponents play here as they did when the benchmark was frozen, in a few matches.

    Raises:
        Malformed: an opponent, or a rule, differs.
    """
    if reference_digest(benchmark) != benchmark.reference:
        raise Malformed(
            f"the reference opponents do not play on this machine as {benchmark.name} defines; install the version of "
            "faceup with which the benchmark was published",
            what=version("faceup"),
            where=benchmark.name,
        )


def reference_digest(benchmark: Benchmark) -> str:
    """Return the digest of all decisions in one match of each cell, in which the opponents alternate."""
    bots = {opponent: built_in(opponent).bot for opponent in benchmark.opponents}
    digest = sha256()
    for cell in benchmark.cells:
        lineup = tuple(benchmark.opponents[-1 - seat % len(bots)] for seat in range(cell.seats))
        with Referee(MatchTerms(cell.rules, "json"), bots) as referee:
            result, transcript = referee.play(Match(0, 0, lineup, 0), cell.seed)
        digest.update(msgspec.json.encode((result.scores, transcript.answers)))
    return digest.hexdigest()


def play_cell(
    benchmark: Benchmark, cell: Cell, entrant: BotFiles, budget: Budget, log_path: Path, *, jobs: int
) -> Iterator[MatchResult]:
    """Play the matches of a cell that the log lacks, and yield all results in the order of the schedule.

    Args:
        benchmark: the benchmark.
        cell: the cell.
        entrant: the agent, which can have any name.
        budget: the budget class.
        log_path: path of the arena's log of this cell, which is created or resumed.
        jobs: the number of matches in parallel.

    Raises:
        Malformed: the log is that of another agent or version, or cannot be read.
        LogWriteError: the log cannot be written.
    """
    bots = _bots(benchmark, entrant)
    listed = [ContestBot(files.bot.name, files.bot.digest, files.bot.player) for files in bots]
    planned = contest("gauntlet", _terms(cell, budget), listed, seed=cell.seed)
    schedule = CellSchedule(benchmark, cell)
    with open_log(log_path, planned, [(files.bot.name, files.bot) for files in bots], blocks=cell.blocks) as log:
        installed = {files.bot.name: install_bot(files, programs_folder(log_path)) for files in bots}
        config = WorkerConfig(planned.terms, installed, cell.seed)
        with (
            WorkerEngine(config, jobs) as engine,
            closing(play(log, engine, cell.blocks, schedule=schedule)) as results,
        ):
            yield from results


def _bots(benchmark: Benchmark, entrant: BotFiles) -> list[BotFiles]:
    agent = msgspec.structs.replace(entrant, bot=msgspec.structs.replace(entrant.bot, name=AGENT))
    return [agent, *map(built_in, benchmark.opponents)]


def _terms(cell: Cell, budget: Budget) -> MatchTerms:
    return MatchTerms(
        cell.rules, "json", first=max(1.0, budget.seconds), turn=budget.seconds, startup=STARTUP, alive=True
    )


def submission_of(
    benchmark: Benchmark, agent: Agent, budget: Budget, results: Mapping[str, Sequence[MatchResult]]
) -> Submission:
    """Return the submission without digest; `results` are the results of each cell in the order of the schedule."""
    by_task: dict[str, list[Scores]] = {}
    times = {}
    for cell in benchmark.cells:
        for result in results.get(cell.name, ()):
            by_task.setdefault(task_name(cell, result.match.lineup[1]), []).append(scores_of(result))
        if cell.name in results:
            times[cell.name] = _answer_times(merge_histograms(result.times[0] for result in results[cell.name]))
    tasks = {task: tuple(matches) for task, matches in by_task.items()}
    return Submission(FORMAT, benchmark.name, benchmark.digest, version("faceup"), agent, budget.name, tasks, times)


def scores_of(result: MatchResult) -> Scores:
    """Return the scores of a match as a submission has them."""
    return (None, *result.scores[1:]) if 0 in result.forfeited else result.scores


def _answer_times(times: LatencyHistogram) -> AnswerTimes:
    return AnswerTimes(*(round(value / 1000, 3) for value in (times.mean, times.quantile(0.99), times.most)))


class ReplayedCell(msgspec.Struct, frozen=True):
    """The replay of a cell.

    Attributes:
        cell: name of the cell.
        matches: the number of matches played again.
        different: how many of them had other scores.
    """

    cell: str
    matches: int
    different: int


def replay_cell(
    benchmark: Benchmark, submission: Submission, cell: Cell, entrant: BotFiles, blocks: Sequence[int], *, store: Path
) -> ReplayedCell:
    """Play blocks of a cell again, and compare the scores with those of the submission.

    Args:
        benchmark: the benchmark.
        submission: the submission.
        cell: one of its cells.
        entrant: the agent.
        blocks: the numbers of the blocks to play.
        store: a folder for copies of programs.
    """
    schedule = CellSchedule(benchmark, cell)
    bots = {files.bot.name: install_bot(files, store) for files in _bots(benchmark, entrant)}
    played = different = 0
    with Referee(_terms(cell, benchmark.budget(submission.budget)), bots) as referee:
        for match in (match for block in blocks for match in schedule.block(block)):
            scores = scores_of(referee.play(match, cell.seed)[0])
            index = match.block * cell.seats + match.rotation
            played += 1
            different += scores != submission.results[task_name(cell, match.lineup[1])][index]
    return ReplayedCell(cell.name, played, different)
