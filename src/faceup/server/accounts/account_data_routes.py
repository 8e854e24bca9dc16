"""Routes with which players export their data, and delete their accounts."""

from collections.abc import Iterator
from typing import IO, Final

from litestar import MediaType, delete, get, post
from litestar.di import NamedDependency as Given
from litestar.response import Stream
from sqlalchemy import Connection

from faceup.server.accounts.account_deletion import cancel_deletion, request_deletion
from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.players import find_player
from faceup.server.http.schemas import Me
from faceup.server.http.services import Requester, Services

_CHUNK: Final = 65_536


@get("/api/account/export", tags=["accounts"], media_type=MediaType.JSON)
async def export_account(
    services: Given[Services], requester: Given[Requester], fresh_account: Given[Identity]
) -> Stream:
    """Get all data about the player, as `faceup admin people export` does.

    The player of an account must have logged in within the last ten minutes.
    """
    services.attempts_by_player.take(fresh_account.player)
    headers = {"content-disposition": 'attachment; filename="faceup-account.json"'}
    file = await services.list_query(requester, services.export, fresh_account.player)
    return Stream(_read_chunks(file), headers=headers)


def _read_chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while chunk := file.read(_CHUNK):
            yield chunk


@post("/api/account/deletion", status_code=200, tags=["accounts"])
async def delete_account(services: Given[Services], fresh_account: Given[Identity]) -> Me:
    """Delete the account, or the guest, in a day. Until then, a login or `DELETE` on this endpoint cancels it.

    The player of an account must have logged in within the last ten minutes.
    """
    services.attempts_by_player.take(fresh_account.player)

    def request(connection: Connection, now: int) -> Me:
        request_deletion(connection, now, fresh_account.player)
        return Me.of(find_player(connection, fresh_account.player))

    return await services.write(request)


@delete("/api/account/deletion", status_code=200, tags=["accounts"])
async def keep_account(services: Given[Services], account: Given[Identity]) -> Me:
    """Cancel the deletion of the account."""

    def cancel(connection: Connection, now: int) -> Me:
        cancel_deletion(connection, now, account.player)
        return Me.of(find_player(connection, account.player))

    return await services.write(cancel)
