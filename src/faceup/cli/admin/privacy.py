"""`faceup admin privacy`: print a privacy policy to adapt."""

from argparse import Namespace

from faceup.cli.admin.database import add_options, settings_of, with_database
from faceup.cli.options import Commands, command
from faceup.cli.output import print_json
from faceup.translations import LANGUAGES


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "privacy",
        "print what the server stores about people, why and how long, as Markdown to adapt",
        privacy,
        examples=("faceup admin privacy > privacy.md", "faceup admin privacy --language de"),
    )
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="language of the text (default en)")
    add_options(parser)


def privacy(arguments: Namespace) -> None:
    """Print the privacy text with the server's name, contact and retention periods."""
    from faceup.server.privacy import privacy_text
    from faceup.server.retention_periods import retention_periods

    periods = with_database(arguments, lambda store: store.query(retention_periods))
    text = privacy_text(arguments.language, settings_of(arguments), periods)
    if arguments.json:
        print_json({"text": text})
    else:
        print(text, end="")
