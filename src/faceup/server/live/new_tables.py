"""What the table hub returns of the tables that it creates."""

from typing import NamedTuple


class Created(NamedTuple):
    """A new table: its ID and its join code."""

    table: str
    code: str


class RematchTable(NamedTuple):
    """The table of a rematch: its ID, and the IDs of the players with seats that this call has reserved."""

    table: str
    invited: tuple[str, ...]
