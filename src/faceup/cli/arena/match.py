"""`faceup arena match`: one match between programs, for a person or for another tool."""

import signal
import sys
from argparse import SUPPRESS, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from faceup.cli.arena.printable import printable
from faceup.cli.arena.terms import add_terms, say_what_holds, terms_of
from faceup.cli.options import Commands, add_record, command

if TYPE_CHECKING:
    from faceup.arena.replay import Watched

_MOST_SEATS: Final = 10
"""For whom cg-brutaltester's options are understood."""

FORMATS: Final = ("words", "json", "psyleague", "brutaltester")


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "match",
        "play one match between programs, and print how it ended",
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
        help="who sits in each seat: a command, as one word; a bot of bots.toml; or a player of ours such as greedy",
    )
    parser.add_argument("--seed", type=int, help="the same seed deals the same; drawn, and said, if not given")
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="words",
        help="for people, or as JSON; or what psyleague or cg-brutaltester expect of a referee",
    )
    add_record(parser)
    parser.add_argument(
        "--deals", type=int, metavar="N", help="how many deals, if not as many as usual: five in the arena"
    )
    add_terms(parser)
    # As cg-brutaltester names the players, the seed and the log, and -s where it says how to see a match again.
    for player in range(1, _MOST_SEATS + 1):
        parser.add_argument(f"-p{player}", dest="named", action="append", default=[], help=SUPPRESS)
    parser.add_argument("-s", dest="format", action="store_const", const="words", help=SUPPRESS)
    parser.add_argument("-d", dest="seed_word", help=SUPPRESS)
    parser.add_argument("-l", dest="log", type=Path, help=SUPPRESS)


def match(arguments: Namespace) -> None:
    """Play it."""
    from tempfile import TemporaryDirectory

    from faceup.arena import Match
    from faceup.arena.identity import settle
    from faceup.arena.referee import Referee
    from faceup.arena.replay import Watched
    from faceup.arena.roster import enrol, read_roster
    from faceup.core import Malformed

    if hasattr(signal, "SIGTERM"):  # whatever stops us, no program is left running
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    words = arguments.named or arguments.players
    if arguments.named and arguments.players:
        raise Malformed("name the players after the options, or with -p1, -p2, ..., not both", where="players")
    if not words:
        raise Malformed("name a PLAYER for each seat, such as `greedy` or `./mine`", where="players")
    arguments.seats = len(words) if arguments.seats is None else arguments.seats
    if arguments.deals is not None:
        arguments.option.append(f"deals={arguments.deals}")
    terms = terms_of(arguments)
    seed = _seed(arguments)
    entrants = enrol(words, read_roster(arguments.bots), terms.game.partition(":")[0], phase_last=arguments.phase_last)
    with TemporaryDirectory(prefix="faceup-") as folder:
        bots = {each.bot.name: settle(each, Path(folder)) for each in entrants}
        lineup = tuple(each.bot.name for each in entrants)
        if arguments.format == "words" and terms.sandbox:
            say_what_holds(terms, bots.values())
        with Referee(terms, bots) as referee:
            played = Watched(*referee.play(Match(0, 0, lineup, 0), seed), terms, seed, bots)
    _keep(played, arguments)
    _print(played, arguments.format)


def _seed(arguments: Namespace) -> int:
    from faceup.cli.sim import random_seed
    from faceup.core import Malformed, Seeded

    seed: int | None = arguments.seed
    if arguments.seed_word is not None:
        text = arguments.seed_word.removeprefix("seed=")
        if not text.removeprefix("-").isdecimal():
            raise Malformed(f"-d is seed=NUMBER, not {arguments.seed_word!r}", what=arguments.seed_word, where="-d")
        seed = int(text) % 2**32  # cg-brutaltester draws numbers below 0 as well
    if seed is None:
        return random_seed()
    Seeded(seed)
    return seed


def _keep(played: "Watched", arguments: Namespace) -> None:
    """Write the files that were asked for."""
    if arguments.record is not None:
        from faceup.arena.replay import as_record, replay
        from faceup.core import make
        from faceup.terminal import save_record

        rules = make(played.terms.game)
        save_record(as_record(played.result.match, list(replay(played)), rules, played.bots), arguments.record)
    if arguments.log is not None:
        arguments.log.write_text(_as_json(played), "utf-8")


def _print(played: "Watched", form: str) -> None:
    """Say how it ended; nothing else goes to standard error where another tool listens."""
    from faceup.arena.other_tools import for_brutaltester, for_psyleague

    if form == "psyleague":
        print(for_psyleague(played.result, played.seed))
    elif form == "brutaltester":
        print(for_brutaltester(played.result, played.seed))
    elif form == "json":
        print(_as_json(played))
    else:
        print(_in_words(played))
        logs = zip(played.result.match.lineup, played.transcript.logs, strict=True)
        for name, log in dict.fromkeys((name, log.decode("utf-8", "replace")) for name, log in logs if log):
            print(f"\n{name} on standard error:\n{printable(log).rstrip()}", file=sys.stderr)


def _as_json(played: "Watched") -> str:
    """All of it; what programs wrote as text."""
    import msgspec

    terms, result = played.terms, played.result
    told = {
        "game": terms.game,
        "protocol": terms.protocol,
        "seed": played.seed,
        **{name: getattr(result, name) for name in ("scores", "places", "faults", "times", "columns")},
        "players": result.match.lineup,
        "answers": [[line.decode("utf-8", "replace") for line in lines] for lines in played.transcript.answers],
        "logs": [log.decode("utf-8", "replace") for log in played.transcript.logs],
    }
    return msgspec.json.encode(told).decode()


def _in_words(played: "Watched") -> str:
    """A line a player, in the order of the seats, and a sentence for each that was put out."""
    result = played.result
    lineup = result.match.lineup
    width = max(map(len, (*lineup, "player")))
    lines = [
        f"{played.terms.game}, seed {played.seed}",
        f"seat  {'player':<{width}}  place  points  decisions  mean ms  most ms",
    ]
    for player, name in enumerate(lineup):
        times = result.times[player]
        lines.append(
            f"{player:>4}  {name:<{width}}  {result.places[player]:>5}  {result.scores[player]:>6}  {times.count:>9}"
            f"  {times.mean / 1000:>7.2f}  {times.most / 1000:>7.2f}"
        )
    lines += [
        f"{lineup[fault.player]} in seat {fault.player} is out at its decision {fault.decision + 1} "
        f"({fault.cause}): {fault.words}"
        for fault in result.faults
    ]
    return "\n".join(lines)
