"""Rematches: the limits on new tables apply to them, and that of a party's table belongs to the party."""

from sqlalchemy import Connection

from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.player_ids import ids_of
from faceup.server.http.address_limits import admit_table
from faceup.server.http.services import Services, record_seat_taken
from faceup.server.parties.tables import add_rematch
from faceup.server.store import TableRow


async def request_rematch(services: Services, table: str, identity: Identity, request: str, *, address: str) -> str:
    """Return the id of the table of the rematch, where the player gets all their seats; see `TableHub.rematch`.

    Args:
        services: the services.
        table: the id of the table whose game is over.
        identity: the player.
        request: the id of the request.
        address: the address of the player, as in `ClientAddress.source`.

    Raises:
        RequestError: the player asks for too many new tables.
        TooManyTablesError: the player or the address has too many open tables.
    """
    services.tables.take(identity.player)
    row = await services.store.room(table)
    source = services.source_hash(address)
    check = await admit_table(
        services,
        source,
        listed=row is not None and row.listed,
        bot_only=False,
        correspondence=row is not None and row.origin.correspondence,
    )

    def admit(connection: Connection, row: TableRow) -> None:
        check(connection, row)
        add_rematch(connection, row, table)

    ids = await services.query(ids_of, identity.player)
    player = await services.hub.acting_player(table, ids)
    rematch = await services.hub.rematch(table, player, id=request, source=source, admit=admit)
    await record_seat_taken(services, rematch.table, *rematch.invited)
    for other in set(ids) - {player}:
        await services.hub.rematch(table, other, id=request, source=source, admit=admit)
    return rematch.table
