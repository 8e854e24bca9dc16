"""`faceup arena match`: play one match between programs."""

import sys
from argparse import SUPPRESS, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from faceup.cli.arena.options import add_terms_options, environment_of, print_isolation, terms_of
from faceup.cli.options import Commands, add_record, command, interrupt_on, random_seed

if TYPE_CHECKING:
    from faceup.arena.match.replay import RecordedMatch

_MOST_SEATS: Final = 10
"""The maximum number of players that cg-brutaltester names with its options -p1, -p2 and so on."""

FORMATS: Final = ("words", "json", "psyleague", "brutaltester")


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "match",
        "play one match between programs and print the result",
        match,
        examples=(
            "faceup arena match ./mine 'python3 other.py' greedy greedy",
            "faceup arena match --seed 7 --deals 1 --record match.json -- ./mine greedy greedy lowest",
            "faceup arena match --game niuniu --protocol json -- 'python3 any_game.py' random random",
            "faceup arena match --format psyleague -- bots/one bots/two bots/three bots/four",
        ),
    )
    parser.add_argument(
        "players",
        nargs="*",
        metavar="PLAYER",
        help="the player in each seat: a command as one argument, a bot of bots.toml, or a built-in bot",
    )
    parser.add_argument("--seed", type=int, help="seed of the deals (default: random, and printed)")
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="words",
        help="output format: text, JSON, or the referee format of psyleague or cg-brutaltester",
    )
    parser.add_argument("--json", dest="format", action="store_const", const="json", help="as `--format json`")
    add_record(parser)
    parser.add_argument(
        "--deals", type=int, metavar="N", help="number of deals (default: the variant's, five in the arena)"
    )
    add_terms_options(parser)
    # cg-brutaltester passes these options for the players, the seed and the log. It passes -s when it prints the
    # command that replays a match.
    for player in range(1, _MOST_SEATS + 1):
        parser.add_argument(f"-p{player}", dest="named", action="append", default=[], help=SUPPRESS)
    parser.add_argument("-s", dest="format", action="store_const", const="words", help=SUPPRESS)
    parser.add_argument("-d", dest="seed_word", help=SUPPRESS)
    parser.add_argument("-l", dest="log", type=Path, help=SUPPRESS)


def match(arguments: Namespace) -> None:
    """Play the match."""
    from tempfile import TemporaryDirectory

    from faceup.arena import Match
    from faceup.arena.match.referee import Referee
    from faceup.arena.match.replay import RecordedMatch
    from faceup.arena.process.pause import PAUSE
    from faceup.arena.process.spawn import require_posix
    from faceup.arena.run.identity import install_bot
    from faceup.arena.run.roster import read_roster, resolve_bots
    from faceup.core import Malformed

    require_posix()
    interrupt_on("SIGTERM")
    PAUSE.install()
    words = arguments.named or arguments.players
    if arguments.named and arguments.players:
        raise Malformed(
            "players must be named either after the options or with -p1, -p2, ...; got both", where="players"
        )
    if not words:
        raise Malformed(
            "the players are missing; name one for each seat, such as `greedy` or `./mine`", where="players"
        )
    arguments.seats = len(words) if arguments.seats is None else arguments.seats
    if arguments.deals is not None:
        arguments.option = [*arguments.option, f"deals={arguments.deals}"]  # the list may be the parser's default
    terms = terms_of(arguments)
    seed = _seed(arguments)
    entrants = resolve_bots(
        words,
        read_roster(arguments.bots),
        terms.game.partition(":")[0],
        phase_last=arguments.phase_last,
        environment=environment_of(arguments),
    )
    with TemporaryDirectory(prefix="faceup-") as folder:
        bots = {entrant.bot.name: install_bot(entrant, Path(folder)) for entrant in entrants}
        lineup = tuple(entrant.bot.name for entrant in entrants)
        if arguments.format == "words" and (terms.sandbox or terms.bubblewrap):
            print_isolation(terms, bots.values())
        with Referee(terms, bots) as referee:
            played = RecordedMatch(*referee.play(Match(0, 0, lineup, 0), seed), terms, seed, bots)
    _write_files(played, arguments)
    _print(played, arguments.format)


def _seed(arguments: Namespace) -> int:
    from faceup.core import Malformed, SeededGenerator

    seed: int | None = arguments.seed
    if arguments.seed_word is not None:
        text = arguments.seed_word.removeprefix("seed=")
        if not text.removeprefix("-").isdecimal():
            raise Malformed(
                f"-d must be seed=NUMBER; got {arguments.seed_word!r}", what=arguments.seed_word, where="-d"
            )
        seed = int(text) % 2**32  # cg-brutaltester also sends negative seeds
    if seed is None:
        return random_seed()
    SeededGenerator(seed)
    return seed


def _write_files(played: "RecordedMatch", arguments: Namespace) -> None:
    """Write the files that the options request, such as the record."""
    if arguments.record is not None:
        from faceup.arena.match.replay import replay, to_record
        from faceup.core import make
        from faceup.terminal import save_record

        rules = make(played.terms.game)
        save_record(to_record(played.result.match, list(replay(played)), rules, played.bots), arguments.record)
    if arguments.log is not None:
        arguments.log.write_text(_as_json(played), "utf-8")


def _print(played: "RecordedMatch", form: str) -> None:
    """Print the result; in the format of another tool, write nothing to standard error."""
    from faceup.arena.match.result import for_brutaltester, for_psyleague

    if form == "psyleague":
        print(for_psyleague(played.result, played.seed))
    elif form == "brutaltester":
        print(for_brutaltester(played.result, played.seed))
    elif form == "json":
        print(_as_json(played))
    else:
        from faceup.formatting import strip_control_characters

        print(_format_result(played))
        if played.result.paused:
            from faceup.arena.report.replay_text import format_pause

            print(format_pause(played.result))
        logs = zip(played.result.match.lineup, played.transcript.logs, strict=True)
        for name, log in dict.fromkeys((name, log.decode("utf-8", "replace")) for name, log in logs if log):
            text = strip_control_characters(log, keep="\n\t").rstrip()
            print(f"\n{name} on standard error:\n{text}", file=sys.stderr)


def _as_json(played: "RecordedMatch") -> str:
    """Return the match as JSON, with the programs' output as text."""
    import msgspec

    terms, result = played.terms, played.result
    answer = {
        "game": terms.game,
        "protocol": terms.protocol,
        "seed": played.seed,
        **{name: getattr(result, name) for name in ("scores", "places", "faults", "times", "columns", "paused")},
        "players": result.match.lineup,
        "answers": [[line.decode("utf-8", "replace") for line in lines] for lines in played.transcript.answers],
        "logs": [log.decode("utf-8", "replace") for log in played.transcript.logs],
    }
    return msgspec.json.encode(answer).decode()


def _format_result(played: "RecordedMatch") -> str:
    """Return a table with a line for each player, in order of seats, and the cause of each disqualification."""
    result = played.result
    lineup = result.match.lineup
    width = max(map(len, (*lineup, "player")))
    lines = [
        f"{played.terms.game}, seed {played.seed}",
        f"seat  {'player':<{width}}  place  points  decisions  mean ms  most ms",
    ]
    faults = {fault.player: fault for fault in result.faults}
    for player, name in enumerate(lineup):
        times = result.times[player]
        lines.append(
            f"{player:>4}  {name:<{width}}  {result.places[player]:>5}  {result.scores[player]:>6}  {times.count:>9}"
            f"  {times.mean / 1000:>7.2f}  {times.most / 1000:>7.2f}"
        )
        if fault := faults.get(player):
            lines[-1] += f"  disqualified: {fault.cause}"
            lines.append(f"      at decision {fault.decision + 1}: {fault.message}")
    return "\n".join(lines)
