"""`faceup benchmark`: score an agent in a frozen benchmark, verify submissions, and make the leaderboard."""

import shlex
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from faceup.cli.arena.options import add_environment_option, environment_of
from faceup.cli.options import Commands, add_jobs, add_json, command, group, interrupt_on, jobs_of, random_seed
from faceup.cli.output import check_folder, print_json, progress, write_text
from faceup.interpreter import PYTHON

if TYPE_CHECKING:
    from faceup.arena.match.result import MatchResult
    from faceup.arena.run.identity import BotFiles
    from faceup.benchmark.submission import Submission

_WHO: Final = (
    "a built-in bot such as greedy, network@FILE with weights of your own, or a command as one argument, as in "
    "`faceup arena`"
)


def register(commands: Commands) -> None:
    """Add the commands."""
    inner = group(commands, "benchmark", "score agents in the frozen benchmark nimmt-v1")
    _register_run(inner)
    _register_verify(inner)
    parser = command(
        inner,
        "leaderboard",
        "print the leaderboard of a folder of submissions, as Markdown",
        _leaderboard,
        examples=("faceup benchmark leaderboard submissions", "faceup benchmark leaderboard submissions --json"),
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder with the submissions, as .json files")
    add_json(parser)


def _register_run(inner: Commands) -> None:
    parser = command(
        inner,
        "run",
        "play all matches of nimmt-v1, and write the submission; the same command resumes after a stop",
        _run,
        examples=(
            "faceup benchmark run greedy --out greedy.json",
            "faceup benchmark run 'python3 bot.py' --budget 100ms --alive --key ~/.ssh/id_ed25519 --out mine.json",
            "faceup benchmark run --policy agent.py:make --encoding planes --file weights.npz --name mine",
            "faceup benchmark run 'python3 agent.py w7.npz' --alive --name ppo --training-seed 7 --cell cowheadking/4",
            "faceup benchmark run network@run/network.npz --name mine --training-seed 7",
        ),
    )
    _add_agent(parser)
    parser.add_argument(
        "--budget",
        default="policy",
        metavar="CLASS",
        help="policy (no search), 100ms or unlimited (default policy)",
    )
    parser.add_argument("--name", help="the agent's name on the leaderboard (default: the bot's)")
    parser.add_argument("--training-seed", type=int, metavar="N", help="the seed from which the agent was trained")
    for option, what in (("author", "who made the agent"), ("link", "where to find it"), ("note", "how it was made")):
        parser.add_argument(f"--{option}", default="", metavar="TEXT", help=what)
    parser.add_argument(
        "--cell",
        action="append",
        default=[],
        metavar="VARIANT/SEATS",
        help="play only this cell, such as cowheadking/4; repeatable (default: all nine)",
    )
    parser.add_argument("--key", type=Path, metavar="FILE", help="sign with this Ed25519 private key, PEM or OpenSSH")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the submission (default: nimmt-v1-NAME-CLASS.json)")
    parser.add_argument(
        "--logs", type=Path, metavar="FOLDER", help="folder of the matches (default: the submission with .logs)"
    )
    add_jobs(parser)
    add_json(parser)


def _register_verify(inner: Commands) -> None:
    parser = command(
        inner,
        "verify",
        "check the digest and signature of a submission, and play a sample of its matches again",
        _verify,
        examples=(
            "faceup benchmark verify greedy.json",
            "faceup benchmark verify greedy.json --all",
            "faceup benchmark verify mine.json 'python3 bot.py' --alive --blocks 5",
        ),
    )
    parser.add_argument("submission", type=Path, metavar="FILE", help="the submission")
    _add_agent(parser)
    parser.add_argument(
        "--blocks", type=int, default=1, metavar="N", help="blocks of each cell to play again; 0 for none (default 1)"
    )
    parser.add_argument("--all", action="store_true", help="play all blocks again")
    parser.add_argument("--seed", type=int, help="seed of the sample (default: random)")
    add_json(parser)


def _add_agent(parser: ArgumentParser) -> None:
    parser.add_argument("bot", nargs="?", metavar="BOT", help=f"the agent: {_WHO}")
    parser.add_argument(
        "--policy",
        metavar="FILE:FUNCTION",
        help="instead of BOT, a policy of environments: FUNCTION(rules) returns a function from observations and masks "
        "to actions",
    )
    parser.add_argument("--encoding", default="scalars", help="the encoding of the policy's observations")
    parser.add_argument(
        "--file", action="append", default=[], metavar="FILE", help="another file of the program; repeatable"
    )
    parser.add_argument("--alive", action="store_true", help="the program can play several matches without a restart")
    add_environment_option(parser)


def _entrant(arguments: Namespace) -> "BotFiles | None":
    """Return the agent that the arguments name; None if they name none."""
    from faceup.arena.run.identity import identify
    from faceup.arena.run.roster import read_roster, resolve_bots
    from faceup.bots import policies, policy, searches
    from faceup.core import Malformed

    program = [*PYTHON, "-m", "faceup.benchmark.policy_program"]
    if arguments.policy is None:
        if arguments.bot is None:
            return None
        player, _, weights = arguments.bot.partition("@")
        if weights and player in policies("nimmt") and player not in searches("nimmt"):
            policy("nimmt", arguments.bot, files=True)  # raises an error if the file does not hold such weights
            name = f"{player}@{Path(weights).name}"
            environment = environment_of(arguments)
            return identify(name, [*program, player, weights], Path(), environment=environment, alive=True)
        roster, environment = read_roster(), environment_of(arguments)
        (entrant,) = resolve_bots([arguments.bot], roster, "nimmt", alive=arguments.alive, environment=environment)
        if not arguments.file or entrant.bot.player:
            return entrant
        words, name, alive = shlex.split(arguments.bot), entrant.bot.name, arguments.alive
        return identify(name, words, Path(), files=arguments.file, environment=environment, alive=alive)
    path, colon, function = arguments.policy.rpartition(":")
    if not colon or arguments.bot is not None:
        raise Malformed("write --policy FILE:FUNCTION, and no BOT", what=arguments.policy, where="--policy")
    if not Path(path).is_file():
        raise Malformed(f"there is no file {path}", what=path, where="--policy")
    words = [*program, path, function, arguments.encoding]
    return identify(
        Path(path).stem, words, Path(), files=arguments.file, environment=environment_of(arguments), alive=True
    )


def _run(arguments: Namespace) -> None:
    """Play the matches missing in the logs, and write the submission."""
    from faceup.arena.process.spawn import require_posix
    from faceup.benchmark.definition import NIMMT_V1
    from faceup.core import Malformed
    from faceup.extras import require

    require_posix()
    require("arena", arguments.command)
    from faceup.benchmark.play import check_budget, check_reference, play_cell, submission_of
    from faceup.benchmark.submission import Agent, load_key, seal, write_submission

    budget = NIMMT_V1.budget(arguments.budget)
    cells = [NIMMT_V1.cell(name) for name in dict.fromkeys(arguments.cell)] or NIMMT_V1.cells
    entrant = _entrant(arguments)
    if entrant is None:
        raise Malformed("name a bot, or a policy by --policy", where="BOT")
    check_budget(budget, entrant.bot)
    bot, name = entrant.bot, arguments.name or entrant.bot.name
    described = {option: getattr(arguments, option) for option in ("training_seed", "author", "link", "note")}
    command = (Path(bot.command[0]).name, *bot.command[1:]) if bot.command else ()  # without folders of this machine
    agent = Agent(name, bot.player, command, bot.digest, **described)
    suffix = "" if arguments.training_seed is None else f"-{arguments.training_seed}"
    out = arguments.out or Path(f"{NIMMT_V1.name}-{name.replace('/', '-')}-{budget.name}{suffix}.json")
    check_folder(out, "--out")
    key = None if arguments.key is None else load_key(arguments.key)
    logs = arguments.logs or out.with_suffix(".logs")
    logs.mkdir(exist_ok=True)
    check_reference(NIMMT_V1)
    interrupt_on("SIGTERM")
    results: dict[str, list[MatchResult]] = {}
    faults: list[str] = []
    total = sum(cell.blocks * cell.seats for cell in cells) * len(NIMMT_V1.opponents)
    try:
        with progress(name, total) as show:
            played = 0
            for cell in cells:
                path = logs / f"{cell.name.replace('/', '-')}.sqlite"
                results[cell.name] = []
                for result in play_cell(NIMMT_V1, cell, entrant, budget, path, jobs=jobs_of(arguments)):
                    results[cell.name].append(result)
                    played += 1
                    show(played)
                    faults += [fault.message for fault in result.faults]
    except KeyboardInterrupt:
        resume = shlex.join(["faceup", *sys.argv[1:]])
        print(f"Stopped with {played:,} of {total:,} matches. Resume with:\n{resume}", file=sys.stderr)
        sys.exit(130)
    if faults:
        print(f"{name} forfeited {len(faults):,} of {total:,} matches, the first because: {faults[0]}", file=sys.stderr)
    submission = seal(submission_of(NIMMT_V1, agent, budget, results), key)
    write_text(out, write_submission(submission), "--out")
    _print_scores(submission, out, json=arguments.json)


def _print_scores(submission: "Submission", out: Path, *, json: bool) -> None:
    from faceup.benchmark.definition import NIMMT_V1
    from faceup.benchmark.scores import edges
    from faceup.formatting import format_mean

    scores = edges(submission, NIMMT_V1)
    if json:
        answer = {task: score.to_json() for task, score in scores.items()}
        print_json({"file": str(out), "digest": submission.digest, "edges": answer})
        return
    print(f"Wrote {out}. Edge in percent, 0 is even and 100 wins every match:")
    for task, score in scores.items():
        print(f"  {task:26} {format_mean(score, percent=True)}")


def _verify(arguments: Namespace) -> None:
    """Check a submission, play a sample of its matches again, and exit with status 1 if scores differ."""
    from tempfile import TemporaryDirectory

    from faceup.arena.process.spawn import require_posix
    from faceup.extras import require

    require_posix()
    require("arena", arguments.command)
    from faceup.arena.run.identity import built_in
    from faceup.benchmark.definition import NIMMT_V1
    from faceup.benchmark.play import check_reference, replay_cell
    from faceup.benchmark.submission import read_submission
    from faceup.core import Malformed, SeededGenerator

    submission = read_submission(arguments.submission, NIMMT_V1)
    agent = submission.agent
    entrant = built_in(agent.bot) if agent.bot else _entrant(arguments)
    if arguments.blocks < 0:
        raise Malformed(f"--blocks must be 0 or more; got {arguments.blocks}", what=arguments.blocks, where="--blocks")
    if agent.bot == "" and entrant is not None and entrant.bot.digest != agent.digest:
        print("The program differs from the one that played: its digest is another.", file=sys.stderr)
    replayed = []
    if entrant is not None and (arguments.all or arguments.blocks):
        check_reference(NIMMT_V1)
        rng = SeededGenerator(random_seed() if arguments.seed is None else arguments.seed)
        with TemporaryDirectory() as store:
            for name in submission.cells:
                cell = NIMMT_V1.cell(name)
                drawn = sorted(range(cell.blocks), key=lambda _: rng.below(1 << 53))
                blocks = drawn if arguments.all else drawn[: arguments.blocks]
                replayed.append(replay_cell(NIMMT_V1, submission, cell, entrant, blocks, store=Path(store)))
    different = sum(again.different for again in replayed)
    signed = submission.signature.key if submission.signature else None
    if arguments.json:
        print_json({"agent": agent.name, "digest": submission.digest, "signed_by": signed, "replayed": replayed})
    else:
        print(f"{agent.name}: complete, unchanged since {'it was signed by ' + signed if signed else 'it was written'}")
        for again in replayed:
            print(f"  {again.cell:16} {again.matches:>4} matches played again, {again.different} with other scores")
        if not replayed:
            print("  not played again" + ("" if entrant else ": name the program that played"))
    if different:
        sys.exit(1)


def _leaderboard(arguments: Namespace) -> None:
    """Print the leaderboard."""
    from faceup.extras import require

    require("fast", arguments.command)
    from faceup.benchmark.definition import NIMMT_V1
    from faceup.benchmark.leaderboard import leaderboard, markdown, read_folder

    board = leaderboard(read_folder(arguments.folder, NIMMT_V1), NIMMT_V1)
    if arguments.json:
        print_json(board)
    else:
        print(markdown(board, NIMMT_V1))
