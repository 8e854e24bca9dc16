"""Python client of the server's API, for bots, scripts, tests and load tests.

Example::

    async with Client("http://localhost:8000") as client:
        await client.join("Ann")
        found = await client.make({"game": "nimmt", "bots": ["greedy"]})
        async with client.live(found.id) as table:
            await table.do(Start())
            await play(table, policy_chooser("highest"))
"""

from faceup.extras import needs

with needs("server", __name__):
    from faceup.server.client.errors import RequestRefusedError, UnreachableError
    from faceup.server.client.http_client import Address, Client, TableLink, parse_address
    from faceup.server.client.live_table import LiveTable
    from faceup.server.client.player import Chooser, play, policy_chooser, rules_of, view_of

__all__ = [
    "Address",
    "Chooser",
    "Client",
    "LiveTable",
    "RequestRefusedError",
    "TableLink",
    "UnreachableError",
    "parse_address",
    "play",
    "policy_chooser",
    "rules_of",
    "view_of",
]
