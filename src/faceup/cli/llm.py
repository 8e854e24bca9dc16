"""`faceup llm`: play as a language model on standard input and output, and print its prompt."""

import sys
from argparse import Namespace
from pathlib import Path

from faceup.cli.options import Commands, add_json, command
from faceup.cli.output import print_json


def register(commands: Commands) -> None:
    """Add the command `llm`."""
    parser = command(
        commands,
        "llm",
        "run a language model as a program of the arena, in the JSON-lines protocol",
        llm,
        examples=(
            "faceup llm --prompt nimmt:classic",
            "faceup arena match --protocol json --time 60000+60000 --env OPENAI_API_KEY -- 'faceup llm gpt-5' greedy",
            "faceup llm qwen3 --url http://localhost:11434/v1 --log decisions.jsonl < requests.jsonl",
        ),
    )
    parser.add_argument("model", nargs="?", metavar="MODEL", help="the name of the model at the endpoint")
    parser.add_argument(
        "--prompt", metavar="GAME", help="print the version and the text of the prompt of this game, and ask nothing"
    )
    parser.add_argument(
        "--url", help="base address of an OpenAI-compatible endpoint (default: OPENAI_BASE_URL, or OpenAI's)"
    )
    parser.add_argument(
        "--key",
        default="OPENAI_API_KEY",
        metavar="VARIABLE",
        help="environment variable with the endpoint's key, which is never logged (default OPENAI_API_KEY)",
    )
    parser.add_argument(
        "--timeout", type=float, default=120.0, metavar="SECONDS", help="the most seconds for one reply (default 120)"
    )
    parser.add_argument(
        "--attempts",
        type=int,
        default=2,
        metavar="N",
        help="how often to ask for one decision until a reply names a possible answer (default 2)",
    )
    parser.add_argument("--temperature", type=float, help="temperature of the model (default: the endpoint's)")
    parser.add_argument(
        "--prices",
        nargs=2,
        type=float,
        metavar=("IN", "OUT"),
        help="dollars for a million tokens of requests and of replies, to log the cost of each decision",
    )
    add_json(parser)
    parser.add_argument(
        "--log", type=Path, metavar="FILE", help="append each decision with all replies to this file, as JSON lines"
    )


def llm(arguments: Namespace) -> None:
    """Print the prompt, or play until the input ends; decisions and totals go to standard error without replies."""
    import msgspec

    from faceup.core import Malformed, generator, make
    from faceup.llm.player import LanguagePlayer, Model, ModelDecision, ModelError, play_json_lines
    from faceup.llm.prompt import instructions, prompt_version

    if arguments.prompt is not None:
        rules = make(arguments.prompt)
        if arguments.json:
            print_json({"version": prompt_version(rules), "prompt": instructions(rules)})
            return
        print(f"version {prompt_version(rules)}\n\n{instructions(rules)}", end="")
        return
    if arguments.model is None:
        raise Malformed("name a model, or use --prompt GAME to print the prompt", where="MODEL")
    log = arguments.log.absolute().open("a", encoding="utf-8", buffering=1) if arguments.log else None

    def write(decision: ModelDecision) -> None:
        if log is not None:
            log.write(msgspec.json.encode(decision).decode() + "\n")
        brief = {name: value for name, value in msgspec.to_builtins(decision).items() if name not in _LONG}
        print(msgspec.json.encode(brief).decode(), file=sys.stderr, flush=True)

    settings = {} if arguments.temperature is None else {"temperature": arguments.temperature}
    model = Model(arguments.model, url=arguments.url, key_variable=arguments.key, timeout=arguments.timeout, **settings)
    prices = tuple(arguments.prices) if arguments.prices else None
    player = LanguagePlayer(model.ask, model=arguments.model, attempts=arguments.attempts, prices=prices, log=write)
    try:
        play_json_lines(player, generator(None))
    except ModelError as error:
        sys.exit(f"faceup llm: {error}")
    finally:
        print(msgspec.json.encode(player.total()).decode(), file=sys.stderr, flush=True)
        if log is not None:
            log.close()


_LONG = {"position", "replies"}
"""The members of a decision that only the log file gets."""
