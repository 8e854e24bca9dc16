"""The Python client of a server's API: for our own bots, for other people's programs, for tests and loads.

```python
async with Client("http://localhost:8000") as client:
    await client.arrive("Ann")
    found = await client.make({"game": "nimmt", "bots": ["greedy"]})
    async with client.live(found.id) as table:
        await table.do(Start())
        await play(table, by_policy("highest"))
```
"""

from faceup.server.client.addresses import Address, read_address
from faceup.server.client.asking import Client, Place
from faceup.server.client.live import Live
from faceup.server.client.playing import Chooser, by_policy, play, rules_of, view_of
from faceup.server.client.refusals import Refused, Unreachable

__all__ = [
    "Address",
    "Chooser",
    "Client",
    "Live",
    "Place",
    "Refused",
    "Unreachable",
    "by_policy",
    "play",
    "read_address",
    "rules_of",
    "view_of",
]
