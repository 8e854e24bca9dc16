"""`faceup arena league`: play without end, while bots join, change and leave."""

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Final

from faceup.cli.arena.options import (
    add_engine_options,
    add_terms_options,
    engine,
    environment_of,
    print_isolation,
    terms_of,
)
from faceup.cli.arena.report import show
from faceup.cli.arena.schedules import add_schedule_options, print_resume_command
from faceup.cli.options import Commands, add_json, command, interrupt_on, random_seed

if TYPE_CHECKING:
    from faceup.arena import MatchResult
    from faceup.arena.report.progress import Show
    from faceup.arena.run.identity import BotFiles
    from faceup.arena.run.league import LeagueRoster, LeagueSchedule
    from faceup.arena.run.log import Log
    from faceup.arena.run.pairings import Contest

_UPDATE_INTERVAL: Final = 1.0
"""Seconds between two checks whether bots have changed."""


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "league",
        "play without end, while bots join, change and leave",
        league,
        examples=("faceup arena league bots", "faceup arena league bots greedy mc@200 --port 8042"),
    )
    parser.add_argument(
        "folder", type=Path, metavar="DIR", help="the folder with bots.toml, read again when it changes"
    )
    parser.add_argument("named", nargs="*", metavar="BOT", help="a further bot, such as greedy")
    parser.add_argument("--blocks", type=int, metavar="N", help="end after N blocks (default: play until Ctrl-C)")
    add_schedule_options(parser, log="DIR/league.sqlite")
    parser.add_argument("--port", type=int, metavar="PORT", help="also serve the log, as `faceup arena view` does")
    add_json(parser)
    add_engine_options(parser)
    add_terms_options(parser)


def league(arguments: Namespace) -> None:
    """Play until Ctrl-C, and print the standings."""
    from faceup.arena.process.pause import PAUSE
    from faceup.arena.process.spawn import require_posix
    from faceup.arena.run.league import LeagueRoster, LeagueSchedule
    from faceup.arena.run.log import LogWriteError, open_log
    from faceup.arena.run.roster import FILE, resolve_bots
    from faceup.core import Malformed
    from faceup.extras import require

    require_posix()
    require("arena", arguments.command)
    if not arguments.folder.is_dir():
        raise Malformed(f"there is no folder {arguments.folder}", what=str(arguments.folder), where="DIR")
    path = arguments.log or arguments.folder / "league.sqlite"
    contest = _contest(path, arguments)
    resolve = partial(
        resolve_bots,
        game=contest.rules.game,
        phase_last=arguments.phase_last,
        alive=arguments.alive,
        environment=environment_of(arguments),
    )
    roster = LeagueRoster(arguments.bots or arguments.folder / FILE, arguments.named, resolve)
    interrupt_on("SIGTERM")
    PAUSE.install()
    stopped = False
    with open_log(path, contest, (), blocks=arguments.blocks) as log, _server(path, arguments.port):
        print(f"Writing results to {path}. Stop with Ctrl-C.", file=sys.stderr)
        try:
            _play(log, roster, LeagueSchedule(log), arguments)
        except KeyboardInterrupt:
            stopped = True
        except LogWriteError:
            print_resume_command(log)
            raise
        show(log, json=arguments.json)
        if stopped:
            print_resume_command(log)
            sys.exit(130)


def _contest(path: Path, arguments: Namespace) -> "Contest":
    """Return the contest of the league, with the bots that are in the log already."""
    from faceup.arena.run.log import last_contest
    from faceup.arena.run.pairings import contest

    before = last_contest(path)
    bots, field = (before.bots, before.field) if before is not None and before.kind == "league" else ((), ())
    seed = arguments.seed
    if seed is None:
        seed = random_seed() if before is None else before.seed
    return contest("league", terms_of(arguments), bots, seed=seed, field=field, unit=arguments.unit)


@contextmanager
def _server(path: Path, port: int | None) -> Iterator[None]:
    """Serve the log in the `with` block if there is a port."""
    from faceup.arena.report.web_server import LogServer

    if port is None:
        yield
        return
    with LogServer(path, port) as server:
        print(f"Leaderboard: {server.address} (only on this machine)", file=sys.stderr)
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield
        finally:
            server.shutdown()


def _play(log: "Log", roster: "LeagueRoster", schedule: "LeagueSchedule", arguments: Namespace) -> None:
    """Play, and start again with the new bots whenever bots have changed."""
    from faceup.arena.report.progress import show_progress
    from faceup.arena.run.engine import play
    from faceup.arena.run.identity import stored_bot
    from faceup.arena.run.log import programs_folder

    total = None if arguments.blocks is None else arguments.blocks * schedule.width
    with show_progress(log.contest, total, sum(1 for _ in log.results()), quiet=arguments.json) as shown:
        for result in log.results():
            schedule.add_result(result)
            shown(result)
        changed, store = True, programs_folder(log.path)
        while changed:
            entrants = _wait_for_bots(log, roster)
            first = schedule.start([entrant.bot.name for entrant in entrants])
            entrants += [stored_bot(log.bots[name], store) for name in schedule.leaving]
            print_isolation(log.contest.terms, [entrant.bot for entrant in entrants])
            with (
                engine(log.contest, entrants, store, arguments) as plays,
                closing(play(log, plays, arguments.blocks, schedule=schedule, first=first)) as results,
            ):
                changed = _show_until_change(results, shown, roster)


def _show_until_change(results: "Iterator[MatchResult]", shown: "Show", roster: "LeagueRoster") -> bool:
    """Show results until bots have changed; return whether they have."""
    update_at = monotonic() + _UPDATE_INTERVAL
    for result in results:
        shown(result)
        if monotonic() >= update_at:
            if _update(roster):
                return True
            update_at = monotonic() + _UPDATE_INTERVAL
    return False


def _update(roster: "LeagueRoster") -> bool:
    """Read changed bots, and print new problems; return whether other bots play now."""
    before = roster.problems
    changed = roster.update()
    for problem in roster.problems:
        if problem not in before:
            print(f"Not changed: {problem}", file=sys.stderr, flush=True)
    return changed


def _wait_for_bots(log: "Log", roster: "LeagueRoster") -> "list[BotFiles]":
    """Wait until there are two bots, write to the log that they play now, and return them with their names there."""
    import msgspec

    from faceup.arena.run.log import rename_changed_bots

    _update(roster)
    if len(roster.entrants) < 2:
        print("Waiting for two bots in bots.toml.", file=sys.stderr, flush=True)
    while len(roster.entrants) < 2:
        sleep(_UPDATE_INTERVAL)
        _update(roster)
    entrants = roster.entrants
    renamed = rename_changed_bots(log.path, [entrant.bot for entrant in entrants])
    before = set(log.contest.field)
    log.set_field([(entrant.bot.name, bot) for entrant, bot in zip(entrants, renamed, strict=True)])
    after = {bot.name for bot in renamed}
    for names, what in ((after - before, "joins"), (before - after, "leaves")):
        for name in sorted(names):
            print(f"{name} {what} the league.", file=sys.stderr, flush=True)
    return [msgspec.structs.replace(entrant, bot=bot) for entrant, bot in zip(entrants, renamed, strict=True)]
