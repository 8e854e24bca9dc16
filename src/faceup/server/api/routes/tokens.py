"""Tokens for programs."""

from typing import Annotated, Final

import msgspec
from litestar import delete, get, post
from litestar.di import NamedDependency as Given
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from faceup.server.api.frames import CommandId
from faceup.server.api.services import Asker, Services
from faceup.server.people.identity import Scope
from faceup.server.people.revocations import token_subject
from faceup.server.people.tokens import Label, Token, list_tokens, make_token, revoke_token


class TokenWish(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a token is for, and what it may do; `id` is my own for this request, so that it may be sent again."""

    label: Label
    id: CommandId | None = None
    scopes: Annotated[tuple[Scope, ...], msgspec.Meta(min_length=1, max_length=2)] = ("play", "read")


@get("/api/tokens", tags=["people"])
async def my_tokens(services: Given[Services], asker: Given[Asker]) -> list[Token]:
    """My tokens, without their keys, the newest first."""
    me = asker.may("self")
    return await services.store.query(lambda connection: list_tokens(connection, me.player))


@post("/api/tokens", tags=["people"])
async def new_token(data: JSONBody[TokenWish], services: Given[Services], asker: Given[Asker]) -> Token:
    """A token for a program of mine. Its `key` is told this once; send it as `Authorization: Bearer KEY`.

    Sent again with the same `id`, the token is made anew, with another key, and the one before ends.
    """
    me = asker.may("self")
    now = await services.store.now()
    return await services.store.write(
        lambda connection: make_token(connection, now, me.player, data.label, data.scopes, request=data.id)
    )


@delete("/api/tokens/{token:str}", status_code=200, tags=["people"])
async def end_token(token: FromPath[str], services: Given[Services], asker: Given[Asker]) -> None:
    """Revoke a token; what is connected by it ends at once."""
    me = asker.may("self")
    now = await services.store.now()
    await services.store.write(lambda connection: revoke_token(connection, now, me.player, token))
    services.recognition.revoked(token_subject(token))


ROUTES: Final[tuple[HTTPRouteHandler, ...]] = (my_tokens, new_token, end_token)
