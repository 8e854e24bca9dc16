"""What bodies are made of in more than one route, with their bounds, so that OpenAPI says them too."""

from typing import Annotated, TypeAlias

import msgspec

from faceup.server.people.players import Player

Name: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=200, description="1 to 40 visible characters")]
"""A name before it is cleaned: composing may make it shorter."""

Secret: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
"""A password or a code."""

NewSecret: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=200, extra_json_schema={"minLength": 8})]
"""A password that is to be kept; that it is too short, `Passwords` says better."""


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """Who I am.

    Attributes:
        handle: by which others know me, and the same for ever.
        name: as others read it.
        guest: whether there is no way back in but this device's session.
        login: what I give with a password; none without one.
        since: when I came first, in milliseconds since 1970.
    """

    handle: str
    name: str
    guest: bool
    login: str | None
    since: int

    @classmethod
    def of(cls, player: Player) -> "Me":
        """The player as the player may see it."""
        return cls(handle=player.handle, name=player.name, guest=player.guest, login=player.login, since=player.since)


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """A player as anybody may see it."""

    handle: str
    name: str
    guest: bool
