"""The `faceup` command, with its argument parser, subcommands, error reporting and shell completion.

The exit status is 0 for success (also if a game was saved for later), 1 for a runtime error and 2 for invalid input.
"""

import os
import re
import sys
from argparse import SUPPRESS, Action, ArgumentParser, Namespace, RawDescriptionHelpFormatter, _SubParsersAction
from collections.abc import Iterable, Sequence
from functools import partial
from io import TextIOWrapper
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, NoReturn

from faceup.cli import (
    admin,
    arena,
    benchmark,
    bots,
    catalog,
    draw,
    exploit,
    ladder,
    llm,
    odds,
    page,
    play,
    puzzles,
    review,
    rules,
    scripts,
    serve,
    sim,
    verify,
)
from faceup.cli.options import Commands, add_json, add_language, command, prints_json, set_language
from faceup.cli.output import print_answer, print_json

_REGISTER = (
    play.register,
    page.register,
    serve.register,
    admin.register,
    review.register,
    puzzles.register,
    verify.register,
    ladder.register,
    catalog.register,
    rules.register,
    bots.register,
    draw.register,
    sim.register,
    odds.register,
    exploit.register,
    bots.register_bot,
    arena.register,
    llm.register,
    benchmark.register,
    scripts.register,
    sim.register_warm,
)
"""The functions that add the commands."""

GROUPS: Final = {
    "play": ("play", "resume", "saved", "page", "puzzles"),
    "watch and learn": ("watch", "replay", "review", "rules", "games", "draw"),
    "host": ("serve", "admin", "ladder", "verify"),
    "bots": ("bots", "bot", "export", "arena", "llm"),
    "research": ("benchmark", "sim", "odds", "exploit", "nimmt", "niuniu", "war"),
    "tools": ("schema", "warm", "completion"),
}
"""The commands as `faceup --help` lists them."""


def parser(words: Sequence[str] | None = None) -> ArgumentParser:
    """Return the parser of the whole command line; modules that only one command needs are not imported yet.

    Args:
        words: the words to parse. What only `serve`, `admin` and `arena` have is left out unless they are among the
            words, because adding it takes longer than all the rest.
    """
    top: ArgumentParser = _Parser(
        prog="faceup",
        description="Table games with simultaneous moves: choose in secret, reveal together.\n"
        "Without a command, the menu opens.",
        epilog="examples:\n"
        "  faceup play nimmt                    Cow Head King against bots\n"
        "  faceup play nimmt -p Ann -p Bo       two people at one terminal\n"
        "  faceup watch war --seed 7 --plain    watch bots play, as plain text\n"
        "  faceup resume                        resume the last saved game\n"
        "  faceup page                          play in a browser on this machine",
        formatter_class=RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="store_true", help="print the version and exit")
    add_language(top)
    top.set_defaults(run=partial(play.start, parser=top), command=top.prog)
    commands = top.add_subparsers(title="commands", metavar="COMMAND")
    top.format_help = partial(_format_help, top, commands)  # type: ignore[method-assign]
    for add in _REGISTER:
        add(commands)
    for name, add_rest in (("serve", serve.add_options), ("admin", admin.add_commands), ("arena", arena.add_commands)):
        if words is None or name in words:
            add_rest(commands.choices[name])
    register_completion(commands)
    return top


def _format_help(top: ArgumentParser, commands: Commands) -> str:
    """Return the help of `faceup`, with the commands in groups, which argparse cannot form."""
    shown = ArgumentParser(
        usage=top.format_usage().removeprefix("usage: "),
        description=top.description,
        epilog=top.epilog,
        formatter_class=RawDescriptionHelpFormatter,
    )
    shown.add_argument("--version", action="store_true", help="print the version and exit")
    add_language(shown)
    for title, names in GROUPS.items():
        listed = shown.add_argument_group(title)
        for name in names:
            sentence = str(commands.choices[name].description)
            listed.add_argument(name, help=sentence[0].lower() + sentence[1:-1])
    return shown.format_help()


class _Parser(ArgumentParser):
    """A parser that rejects abbreviated options, suggests the nearest option, and prints errors as JSON if asked to."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 -- argparse's own
        super().__init__(**settings, allow_abbrev=False)

    def parse_known_args(  # type: ignore[override]  # argparse allows any namespace type
        self, args: Sequence[str] | None = None, namespace: Namespace | None = None
    ) -> tuple[Namespace, list[str]]:
        """Parse the arguments, and reject leftover ones here so that the error shows this command's usage.

        Unknown options are reported before missing ones, because the unknown option may be the missing one, misspelled.
        """
        words = sys.argv[1:] if args is None else list(args)
        leaf = self._subparsers is None
        self._refuse_unknown(takewhile(lambda word: word != "--" if leaf else word.startswith("-"), words))
        parsed, left = super().parse_known_args(words, namespace)
        if left:
            if not leaf:
                self._refuse_unknown(left)
            hint = '; write a command in quotes, such as "python3 mine.py"' if " arena " in self.prog else ""
            self.error(f"unrecognized arguments: {' '.join(left)}{hint}")
        return parsed, left

    def _refuse_unknown(self, words: Iterable[str]) -> None:
        """Reject unknown options and suggest the nearest one."""
        option_strings = self._option_string_actions
        for word in words:
            name = word.partition("=")[0]
            looks = re.fullmatch("--?[A-Za-z][A-Za-z0-9_-]*", name)
            if looks and name not in option_strings and (name.startswith("--") or name[:2] not in option_strings):
                from faceup.core.registry import nearest

                shown = [option for option, action in option_strings.items() if action.help != SUPPRESS]
                self.error(f"unknown option {name}{nearest(name, shown)}")

    def _check_value(self, action: Action, value: object) -> None:
        """Reject an unknown command and suggest the nearest one."""
        if isinstance(action, _SubParsersAction) and value not in action.choices:
            from faceup.core.registry import nearest

            self.error(f"unknown command {value!r}{nearest(value, [*action.choices])}")
        super()._check_value(action, value)

    def error(self, message: str) -> NoReturn:
        """Report a usage error."""
        if not prints_json(sys.argv[1:]):
            super().error(message)
        _print_error("malformed", f"{message} (see `{self.prog} --help`)")
        sys.exit(2)


def main() -> None:
    """Run the command line."""
    _prepare_streams()
    try:
        try:
            _run()
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        print(file=sys.stderr)
        sys.exit(130)
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # a reader that closed the pipe is no error to report
            _report_failure(f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error))
        try:
            sys.stdout.flush()
        except OSError:  # redirect the stream, because the interpreter flushes it again at exit and would fail again
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _run() -> None:
    """Parse the command line and run the command; print invalid input as one message or one JSON object."""
    arguments = parser(sys.argv[1:]).parse_args()
    from faceup.core import RulesError
    from faceup.extras import MissingExtraError

    json = prints_json(sys.argv[1:])
    set_language(arguments, json=json)
    if json and isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    try:
        arguments.run(arguments)
    except RulesError as error:
        if json:
            _print_error(error.kind, str(error))
        else:
            print(f"faceup: {error}", file=sys.stderr)
        sys.exit(2)
    except MissingExtraError as error:
        what = arguments.command if error.what.startswith("faceup.") else error.what  # a command instead of a module
        message = str(MissingExtraError(error.extra, what))
        if json:
            _print_error("missing_extra", message)
        else:
            print(message, file=sys.stderr)
        sys.exit(2)


def _print_error(kind: str, message: str) -> None:
    """Print an error as one line of JSON on standard output."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    print_json({"error": {"kind": kind, "message": message}})


def _report_failure(message: str) -> None:
    """Print what the system refused, as JSON if asked to and if standard output works."""
    if prints_json(sys.argv[1:]):
        try:
            _print_error("unavailable", message)
            sys.stdout.flush()
        except OSError:
            pass
        else:
            return
    print(f"faceup: {message}", file=sys.stderr)


def _prepare_streams() -> None:
    """Replace closed standard streams by the null device, and make encoding errors harmless.

    Python represents a closed stream by None, and the next file that is opened would get its file descriptor.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 -- open to the end
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


def register_completion(commands: Commands) -> None:
    """Add the command `completion`."""
    parser = command(
        commands,
        "completion",
        "print a shell completion script",
        run,
        examples=(
            "faceup completion bash > ~/.local/share/bash-completion/completions/faceup",
            "faceup completion zsh > ~/.zfunc/_faceup",
        ),
    )
    add_json(parser)
    parser.add_argument("shell", choices=["bash", "zsh", "tcsh"])


def run(arguments: Namespace) -> None:
    """Print the completion script."""
    import shtab

    script = shtab.complete(parser(), arguments.shell)
    print_answer(arguments, {"shell": arguments.shell, "script": script}, script)
