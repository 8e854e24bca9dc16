"""Mail addresses when a guest is merged into an account, and notices in the export of a player's data."""

from sqlalchemy import Connection, delete, select, update

from faceup.server.accounts.player_ids import move_rows
from faceup.server.accounts.schema import one_time_codes
from faceup.server.turns.mail_addresses import find_address, find_new_address
from faceup.server.turns.push_subscriptions import export_subscriptions
from faceup.server.turns.queries import export_turns
from faceup.server.turns.schema import mail_addresses, new_mail_addresses


def merge_mail_addresses(connection: Connection, source: str, target: str) -> None:
    """Give the addresses of `source`, with the code for a new one, to `target`, as far as that one has none."""
    new = connection.execute(select(new_mail_addresses).where(new_mail_addresses.c.player == target)).first()
    code = one_time_codes.c.purpose == "mail"
    connection.execute(delete(one_time_codes).where(one_time_codes.c.player == (source if new else target), code))
    connection.execute(update(one_time_codes).where(one_time_codes.c.player == source, code).values(player=target))
    for table in (mail_addresses, new_mail_addresses):
        move_rows(connection, table.c.player, source, target)


def export_notices(connection: Connection, player: str) -> dict[str, object]:
    """Return where a player gets notices, and the turns that they are about."""
    return {
        "mail": find_address(connection, player),
        "new_mail": find_new_address(connection, 0, player),
        "push": export_subscriptions(connection, player),
        "turns": export_turns(connection, player),
    }
