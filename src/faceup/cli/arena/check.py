"""`faceup arena check`: does a program keep to its protocol?"""

import signal
import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Final

from faceup.cli.arena.printable import printable
from faceup.cli.arena.terms import add_terms, terms_of
from faceup.cli.options import Commands, add_json, command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faceup.arena import Bot, Terms
    from faceup.arena.check import Finding, Tried

_ENOUGH: Final = 3
"""Trials that may fail before the rest is left: by then there is something to mend."""


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "check",
        "try a program on the corners of its protocol, and say what it does wrong",
        check,
        examples=(
            "faceup arena check ./mine",
            "faceup arena check --phase-last 'python3 mine.py'",
            "faceup arena check --game war --protocol json 'node any_game.js'",
        ),
    )
    parser.add_argument("program", metavar="PROGRAM", help="a command, as one word, or a bot of bots.toml")
    parser.add_argument("--all", action="store_true", help=f"go on after {_ENOUGH} trials that failed")
    add_terms(parser)
    add_json(parser)


def check(arguments: Namespace) -> None:
    """Try it, and leave with status 1 if it is put out anywhere."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from faceup.arena.identity import settle
    from faceup.arena.roster import enrol, read_roster
    from faceup.core import Malformed

    if hasattr(signal, "SIGTERM"):  # whatever stops us, no program is left running
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    terms = terms_of(arguments)
    game = terms.game.partition(":")[0]
    roster = read_roster(arguments.bots)
    [entrant] = enrol([arguments.program], roster, game, phase_last=arguments.phase_last)
    if entrant.bot.player:
        raise Malformed(f"{arguments.program!r} is a player of ours, and no program", what=arguments.program)
    with TemporaryDirectory(prefix="faceup-") as folder:
        bot = settle(entrant, Path(folder))
        passed = _as_json(bot, terms, arguments) if arguments.json else _in_words(bot, terms, arguments)
    if not passed:
        sys.exit(1)


def _as_json(bot: "Bot", terms: "Terms", arguments: Namespace) -> bool:
    import msgspec

    tried = list(_try(bot, terms, arguments))
    passed = all(each.passed for each in tried)
    told = {
        "bot": bot.name,
        "game": terms.game,
        "protocol": terms.protocol,
        "phase_last": bot.phase_last,
        "passed": passed,
        "trials": [{"passed": each.passed, **msgspec.structs.asdict(each)} for each in tried],
    }
    print(msgspec.json.encode(told).decode())
    return passed


def _in_words(bot: "Bot", terms: "Terms", arguments: Namespace) -> bool:
    """A line for each trial as it comes, what is wrong below it, and one sentence at the end."""
    tried: list[Tried] = []
    for each in _try(bot, terms, arguments):
        tried.append(each)
        print(_line(each), flush=True)
        for finding in each.findings:
            print(_told(finding), flush=True)
        if each.log and not each.passed:
            print(_block("the end of its standard error", printable(each.log).splitlines()[-8:]))
        if len(tried) == 1 and not each.passed and _does_well_otherwise(bot, terms):
            where = "before the other lines: leave --phase-last out" if bot.phase_last else "last: give --phase-last"
            print(f"\nIt does well if the phase comes {where} (or set `phase` in bots.toml).")
            return False
    failed = sum(not each.passed for each in tried)
    decisions = sum(each.decisions for each in tried)
    if failed:
        print(f"\n{bot.name} does not keep to the protocol: {failed} of {len(tried)} trials went wrong.")
    else:
        advice = sum(len(each.findings) for each in tried)
        told = f", with {advice} {'piece' if advice == 1 else 'pieces'} of advice" if advice else ""
        print(f"\n{bot.name} keeps to the protocol: {decisions} decisions in {len(tried)} trials{told}.")
    return not failed


def _does_well_otherwise(bot: "Bot", terms: "Terms") -> bool:
    """Whether the order of the lines is all that is wrong."""
    from faceup.arena.check import reads_the_other_way
    from faceup.arena.trials import trials
    from faceup.core import make

    return reads_the_other_way(bot, terms, next(trials(make(terms.game))))


def _try(bot: "Bot", terms: "Terms", arguments: Namespace) -> "Iterator[Tried]":
    from faceup.arena.check import check as try_all
    from faceup.arena.trials import trials
    from faceup.core import make

    first, *rest = trials(make(terms.game))
    [tried] = try_all(bot, terms, [first])
    yield tried  # nothing runs meanwhile, so that whoever takes it can try something else
    failed = int(not tried.passed)
    for tried in try_all(bot, terms, rest):
        yield tried
        failed += not tried.passed
        if failed == _ENOUGH and not arguments.all:
            return


def _line(tried: "Tried") -> str:
    verdict = "ok   " if tried.passed else "WRONG"
    times = ""
    if tried.decisions:
        some = "decision" if tried.decisions == 1 else "decisions"
        times = f"  {tried.decisions:>3} {some}, the first {tried.first / 1000:.1f} ms"
        if tried.others.count:
            times += f", others {tried.others.mean / 1000:.1f}, at most {tried.others.most / 1000:.1f}"
    return f"{verdict}  {tried.trial:<49}{times}".rstrip()


def _told(finding: "Finding") -> str:
    at = "" if not finding.sent else f", at decision {finding.decision + 1}"
    lines = [f"       {'advice' if finding.advice else 'wrong'}{at}: {finding.wrong}", f"       right: {finding.right}"]
    if finding.sent and not finding.advice:
        lines.append(_block("it was sent", [_short(line) for line in finding.sent]))
    if finding.answered:
        lines.append(_block("it wrote", [_short(printable(line)) for line in finding.answered.splitlines()[:4]]))
    return "\n".join(lines)


def _block(heading: str, lines: "list[str]") -> str:
    return "\n".join([f"       {heading}:", *(f"         {line}" for line in lines)])


def _short(line: str) -> str:
    return line if len(line) <= 300 else f"{line[:297]}..."
