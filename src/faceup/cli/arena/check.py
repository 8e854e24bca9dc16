"""`faceup arena check`: test whether a program follows its protocol."""

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Final

from faceup.cli.arena.options import add_terms_options, environment_of, terms_of
from faceup.cli.options import Commands, add_json, command, interrupt_on
from faceup.cli.output import print_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faceup.arena import Bot, MatchTerms
    from faceup.arena.check.conformance import Finding, TrialResult
    from faceup.arena.doctor.system import Check
    from faceup.arena.run.identity import BotFiles

_ENOUGH: Final = 3
"""The number of failed trials after which checking stops unless `--all` is given."""


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "check",
        "test a program on edge cases of its protocol",
        check,
        examples=(
            "faceup arena check ./mine",
            "faceup arena check 'python3 mine.py@phase-last'",
            "faceup arena check --game war --protocol json 'node any_game.js'",
        ),
    )
    parser.add_argument(
        "program",
        metavar="PROGRAM",
        help="a command as one argument, or a bot of bots.toml; PROGRAM@phase-last if it reads the phase line last",
    )
    parser.add_argument(
        "--explain", action="store_true", help="show what belongs to the program and how it runs, and do not run it"
    )
    parser.add_argument("--all", action="store_true", help=f"do not stop after {_ENOUGH} failed trials")
    add_terms_options(parser)
    add_json(parser)


def check(arguments: Namespace) -> None:
    """Run the trials, and exit with status 1 if one fails."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from faceup.arena.process.pause import PAUSE
    from faceup.arena.process.spawn import require_posix
    from faceup.arena.run.identity import install_bot
    from faceup.arena.run.roster import read_roster, resolve_bots
    from faceup.core import Malformed

    require_posix()
    interrupt_on("SIGTERM")
    PAUSE.install()
    terms = terms_of(arguments)
    game = terms.game.partition(":")[0]
    roster = read_roster(arguments.bots)
    [entrant] = resolve_bots(
        [arguments.program],
        roster,
        game,
        phase_last=arguments.phase_last,
        environment=environment_of(arguments),
    )
    if entrant.bot.player:
        raise Malformed(f"{arguments.program!r} is a built-in bot, not a program", what=arguments.program)
    if arguments.explain:
        _explain(entrant, json=arguments.json)
        return
    with TemporaryDirectory(prefix="faceup-") as folder:
        bot = install_bot(entrant, Path(folder))
        passed = _print_json(bot, terms, arguments) if arguments.json else _print_trials(bot, terms, arguments)
    if not passed:
        sys.exit(1)


def _explain(entrant: "BotFiles", *, json: bool) -> None:
    """Print the command, the files and the environment of a program as it runs in a match."""
    import shlex

    from faceup.arena.process.spawn import OUTPUT_VARIABLE, program_environment
    from faceup.core import plural

    bot = entrant.bot
    variables = sorted({*program_environment(bot.environment), OUTPUT_VARIABLE})
    if json:
        answer = {
            "bot": bot.name,
            "command": bot.command,
            "files": {name: str(path) for name, path in entrant.files.items()},
            "outputs": entrant.outputs,
            "environment": variables,
            "digest": bot.digest,
        }
        print_json(answer)
        return
    print(f"{bot.name} runs in a copy of its files as: {shlex.join(bot.command)}")
    print("The folder of the copy is its working folder. Files that it writes are left there, not in your folder.")
    print(f"\nits own {plural(len(entrant.files), 'file')}, read-only:")
    for name, path in entrant.files.items():
        print(f"  {name:<30}  from {path}")
    if entrant.outputs:
        print(f"\nwritten by it, in the folder that ${OUTPUT_VARIABLE} names:")
        for name in entrant.outputs:
            print(f"  {name}")
    if not bot.command[0].startswith("./"):
        print(f"\ninstalled, used where it is: {bot.command[0]}")
    print(f"\nenvironment: {' '.join(variables)}")
    print(f"digest: {bot.digest}")
    print("\nTo add files, list them as files in bots.toml; to add variables, use --env or environment in bots.toml.")


def _print_json(bot: "Bot", terms: "MatchTerms", arguments: Namespace) -> bool:
    import msgspec

    from faceup.arena.doctor.system import LoadMeter

    meter = LoadMeter()
    tried = list(_run_trials(bot, terms, arguments))
    passed = all(trial.passed for trial in tried)
    swapped = not tried[0].passed and _passes_with_phase_swapped(bot, terms)
    answer = {
        "bot": bot.name,
        "game": terms.game,
        "protocol": terms.protocol,
        "phase_last": bot.phase_last,
        "passes_with_phase": ("first" if bot.phase_last else "last") if swapped else None,
        "passed": passed,
        "machine": meter.check()[0],
        "trials": [{"passed": trial.passed, **msgspec.structs.asdict(trial)} for trial in tried],
    }
    print_json(answer)
    return passed


def _print_trials(bot: "Bot", terms: "MatchTerms", arguments: Namespace) -> bool:
    """Print each trial with its faults as it finishes, then a summary; return whether all trials passed."""
    from faceup.arena.doctor.system import LoadMeter
    from faceup.core import plural
    from faceup.formatting import strip_control_characters

    meter = LoadMeter()
    tried: list[TrialResult] = []
    for trial in _run_trials(bot, terms, arguments):
        tried.append(trial)
        print(_line(trial), flush=True)
        for finding in trial.findings:
            print(_format_finding(finding), flush=True)
        if trial.log and not trial.passed:
            log = strip_control_characters(trial.log, keep="\n\t").splitlines()[-8:]
            print(_block("the end of its standard error", log))
        if len(tried) == 1 and not trial.passed and _passes_with_phase_swapped(bot, terms):
            print(f"\n{_phase_advice(bot, arguments.program)}")
            return False
    if any(finding.late for trial in tried for finding in trial.findings):
        print(f"\n{_blame(meter.check()[0])}")
    failed = sum(not trial.passed for trial in tried)
    decisions = sum(trial.decisions for trial in tried)
    if failed:
        print(f"\n{bot.name} does not follow the protocol: {failed} of {plural(len(tried), 'trial')} failed.")
    else:
        advice = sum(len(trial.findings) for trial in tried)
        suffix = f", with {plural(advice, 'recommendation')}" if advice else ""
        print(
            f"\n{bot.name} follows the protocol: "
            f"{plural(decisions, 'decision')} in {plural(len(tried), 'trial')}{suffix}."
        )
    return not failed


def _blame(load: "Check") -> str:
    """Say whether a late answer is to be expected from how busy the machine was, as the doctor measures it."""
    if not load.figures:
        return "This system does not report how busy it is. Repeat the check when nothing else runs."
    if load.verdict == "good":
        return f"The machine was idle ({load.message}), so the program itself is slow."
    return f"The machine was busy ({load.message}): repeat the check when `faceup arena doctor` finds it idle."


def _phase_advice(bot: "Bot", word: str) -> str:
    """Print where a program that failed reads the phase line, and the options for it."""
    import shlex

    plain = word.removesuffix("@phase-last").removesuffix("@phase-first")
    where = "first" if bot.phase_last else "last"
    ways = [
        (shlex.quote(f"{plain}@phase-{where}"), "for this program"),
        ("without --phase-last" if bot.phase_last else "--phase-last", "for all programs of a command line"),
        (f'phase = "{where}"', "in its entry of bots.toml"),
    ]
    width = max(len(way) for way, _ in ways)
    lines = [f"  {way:<{width}}  {what}" for way, what in ways]
    return "\n".join([f"{bot.name} reads the phase line {where}. Say so in one of these ways:", *lines])


def _passes_with_phase_swapped(bot: "Bot", terms: "MatchTerms") -> bool:
    """Return whether the first trial passes if the phase line comes at the other end of the input."""
    from faceup.arena.check.conformance import passes_with_phase_swapped, trials
    from faceup.core import make

    return passes_with_phase_swapped(bot, terms, next(trials(make(terms.game))))


def _run_trials(bot: "Bot", terms: "MatchTerms", arguments: Namespace) -> "Iterator[TrialResult]":
    from faceup.arena.check.conformance import check as run_trials
    from faceup.arena.check.conformance import trials
    from faceup.core import make

    first, *rest = trials(make(terms.game))
    [tried] = run_trials(bot, terms, [first])
    yield tried  # the program has ended by now, so the caller may run a trial of its own before the next one
    failed = int(not tried.passed)
    for tried in run_trials(bot, terms, rest):
        yield tried
        failed += not tried.passed
        if failed == _ENOUGH and not arguments.all:
            return


def _line(tried: "TrialResult") -> str:
    verdict = "ok   " if tried.passed else "WRONG"
    times = ""
    if tried.decisions:
        noun = "decision" if tried.decisions == 1 else "decisions"
        times = f"  {tried.decisions:>3} {noun}, the first {tried.first / 1000:.1f} ms"
        if tried.others.count:
            times += f", others {tried.others.mean / 1000:.1f}, at most {tried.others.most / 1000:.1f}"
    return f"{verdict}  {tried.trial:<49}{times}".rstrip()


def _format_finding(finding: "Finding") -> str:
    from faceup.formatting import strip_control_characters

    at = "" if not finding.sent else f", at decision {finding.decision + 1}"
    lines = [
        f"       {'advice' if finding.advice else 'wrong'}{at}: {finding.wrong}",
        f"       expected: {finding.right}",
    ]
    if finding.sent and not finding.advice:
        lines.append(_block("input", [_short(line) for line in finding.sent]))
    if finding.answered:
        output = strip_control_characters(finding.answered, keep="\n\t").splitlines()[:4]
        lines.append(_block("output", [_short(line) for line in output]))
    return "\n".join(lines)


def _block(heading: str, lines: "list[str]") -> str:
    return "\n".join([f"       {heading}:", *(f"         {line}" for line in lines)])


def _short(line: str) -> str:
    return line if len(line) <= 300 else f"{line[:297]}..."
