"""`faceup admin research-export`: write the games that people give for research."""

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from faceup.cli.admin.database import add_options, settings_of, with_database
from faceup.cli.options import Commands, command, interrupt_on
from faceup.cli.output import print_json, progress

if TYPE_CHECKING:
    from faceup.server.research.card import Summary
    from faceup.server.store import Store


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "research-export",
        "write the games that people give for research to a new folder, without names",
        export,
        examples=(
            "faceup admin research-export games-2026 --licence CC-BY-4.0",
            "faceup admin research-export games-2026 --licence https://example.org/terms --json",
        ),
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a new folder for games.jsonl and README.md")
    parser.add_argument(
        "--licence", required=True, metavar="LICENCE", help="licence of the games, such as CC-BY-4.0, or its address"
    )
    parser.add_argument(
        "--allow-few-people",
        action="store_true",
        help="export games of fewer than 10 people, too, who may be recognized",
    )
    add_options(parser)


def export(arguments: Namespace) -> None:
    """Write the games."""
    from faceup.core import Malformed
    from faceup.formatting import plural
    from faceup.server.research.export import export_games
    from faceup.server.research.queries import count_given

    if not settings_of(arguments).research_export:
        raise Malformed(
            "people are not asked for games for research, because the setting research_export is off: turn it on for "
            "the server and for this command, in its settings file or by FACEUP_RESEARCH_EXPORT=true",
            where="research_export",
        )
    interrupt_on("SIGTERM", "SIGHUP")

    async def work(store: "Store") -> "Summary":
        now = store.now()
        with progress("Exporting games", await store.query(lambda c: count_given(c, now))) as show:
            return await export_games(
                store,
                arguments.folder,
                licence=arguments.licence,
                allow_few=arguments.allow_few_people,
                progress=show,
            )

    summary = with_database(arguments, work)
    if arguments.json:
        print_json({"folder": str(arguments.folder), "summary": summary})
        return
    people, choices = plural(summary.people, "person", "people"), plural(summary.choices, "choice")
    print(f"{arguments.folder}: {plural(summary.games, 'game')} of {people}, with {choices}. Read its README.md.")
