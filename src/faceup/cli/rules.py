"""`faceup rules`: show the rules of a game."""

import re
import sys
from argparse import Namespace
from typing import Final

from faceup.cli.options import Commands, add_json, add_language, command
from faceup.cli.output import print_json

_WIDTH: Final = 80
"""The maximum width of the text in columns, for readability."""


def register(commands: Commands) -> None:
    """Add the command `rules`."""
    parser = command(
        commands,
        "rules",
        "show the rules of a game",
        rules,
        examples=("faceup rules nimmt", "faceup rules war | grep -i reshuffle", "faceup rules niuniu --json"),
    )
    parser.add_argument("game", metavar="GAME", help="such as nimmt, niuniu or war (`faceup games` lists them)")
    add_language(parser)
    add_json(parser)


def rules(arguments: Namespace) -> None:
    """Show the game's guide in a pager on a terminal, as plain text elsewhere, or with `--json` as Markdown in JSON."""
    from faceup.cli.output import is_terminal
    from faceup.core import find_game
    from faceup.terminal.words import game_guide

    game = find_game(arguments.game)
    if arguments.json:
        print_json({"game": game.name, "title": game.title, "guide": game.guide})
        return
    guide = game_guide(game)
    if is_terminal():
        import os
        import pydoc
        from shutil import get_terminal_size

        os.environ.setdefault("LESS", "FRX")  # `less` then shows colors, and exits if the text fits on the screen
        pydoc.pager(rendered(guide, min(_WIDTH, get_terminal_size().columns), colours=True))
    else:
        sys.stdout.write(rendered(guide, _WIDTH, colours=False))


def rendered(guide: str, width: int, *, colours: bool) -> str:
    r"""Return Markdown rendered as text of the given width; if `colours` is false, all marks are plain ASCII.

    >>> print(rendered("# War\n\nThe **higher** card wins.", 80, colours=False), end="")
    WAR
    <BLANKLINE>
    The higher card wins.
    """
    from io import StringIO
    from typing import ClassVar

    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.markdown import CodeBlock, Heading, Markdown, MarkdownElement
    from rich.text import Text

    from faceup.terminal.text import wrap

    class Title(Heading):
        """A heading at the left edge; headings of the first level are in capitals."""

        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            yield Text(str(self.text).upper() if self.tag == "h1" else str(self.text), "bold")

    class Figure(CodeBlock):
        """An indented figure. Captions, which follow a `#`, are a column of their own."""

        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            lines = [line.partition("#") for line in str(self.text).rstrip().split("\n")]
            left = max(len(signs.rstrip()) for signs, _, _ in lines)
            for signs, _, caption in lines:
                words = wrap(caption.strip(), max(20, width - left - 5)) or [""]
                for index, part in enumerate(words):
                    drawn = "" if index else signs.rstrip()
                    yield Text(f"  {drawn:<{left}}   {part}".rstrip(), no_wrap=True, overflow="ignore")

    class Guide(Markdown):
        elements: ClassVar[dict[str, type[MarkdownElement]]] = {
            **Markdown.elements,
            "heading_open": Title,
            "fence": Figure,
        }

    file = StringIO()
    console = Console(file=file, width=width, force_terminal=colours, color_system="standard" if colours else None)
    console.print(Guide(guide), crop=False)
    lines = "\n".join(line.rstrip() for line in file.getvalue().strip().split("\n"))
    text = re.sub(r"\n{3,}", "\n\n", lines) + "\n"
    return text if colours else text.translate(str.maketrans("•─", "--"))
