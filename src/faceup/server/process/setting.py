"""The description of a setting of the server, besides its name, type and default. Quick to import, for the CLI."""

from typing import Final, NamedTuple


class Setting(NamedTuple):
    """The flag of a setting, and the values of an integer.

    Attributes:
        help: the help of the flag in `faceup serve --help`. `{default}` is the default.
        metavar: the name of the value there. Settings that are on or off, or one of a few words, have none.
        values: the accepted values of an integer.
        rule: the error message for all other values.
        secret: whether the value is never shown. Such a setting has no flag, because other users can list process
            arguments.
    """

    help: str = ""
    metavar: str | None = None
    values: range | None = None
    rule: str = ""
    secret: bool = False


DATABASE: Final = Setting("a SQLite file or postgresql://... (default: a file in your data folder)", "FILE|URL")
"""The database, which `faceup admin` needs, too."""


def limit(what: str) -> Setting:
    """Return the description of a limit on the number of `what`."""
    return Setting(
        f"maximum number of {what}; 0 means no limit",
        "N",
        range(1_000_001),
        "a limit must be from 0 to 1000000; 0 means no limit",
    )
