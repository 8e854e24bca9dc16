"""Friends and invitations."""

from typing import Final

from sqlalchemy import Connection

from faceup.server.feature import Feature, PersonalTable, routes_in
from faceup.server.friends import invitation_routes, routes
from faceup.server.friends.invitations import MAX_EXPIRES
from faceup.server.friends.player_data import exported_friends, merge_friends
from faceup.server.friends.schema import contact_choices, friendships, invitations, shown_to_friends
from faceup.server.rooms.config import DAY

_TABLES: Final = (
    PersonalTable(
        friendships,
        ("player", "other"),
        what="friends, requests and blocked people of each player",
        why="to show friends, and keep blocked people away",
        until="either player",
        exported="friends",
    ),
    PersonalTable(
        shown_to_friends,
        ("player",),
        what="players who let friends see that they are online",
        why="because the player chose so",
        until="the player",
        exported="friends",
    ),
    PersonalTable(
        contact_choices,
        ("player",),
        what="who may contact the player",
        why="because the player chose so",
        until="the player",
        exported="friends",
    ),
    PersonalTable(
        invitations,
        ("sender", "receiver"),
        what="the sender, the receiver, and the table or party",
        why="to show the invitation",
        until=f"{MAX_EXPIRES // DAY} days at most; either player",
        exported="friends",
    ),
)


def _export(connection: Connection, player: str) -> dict[str, object]:
    return {"friends": exported_friends(connection, player)}


FEATURE: Final = Feature(
    "friends", routes=routes_in(routes, invitation_routes), tables=_TABLES, merge=merge_friends, export=_export
)
