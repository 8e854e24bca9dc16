"""Attack a server from one address: `python -m benchmarks.abuse_attacks NAME PORT ADDRESS LOGIN`.

Each attack is what an outside audit did. It runs until it is killed, and prints `attacking` when it starts.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

import httpx
from tests.coach.helpers import recorded

from faceup.core.record import dumps

TABLES: Final = 40
RECORDS: Final = 14
REGISTRATIONS: Final = 110
CONNECTIONS: Final = 8
LISTED: Final = 459
GUESSES: Final = 12

BOTS: Final = {"game": "nimmt", "options": {"seats": 10}, "bots": ["champion"] * 10, "terms": {"clock": None}}


class Attacker:
    """Clients of one address.

    Args:
        port: the server's port.
        address: the loopback address from which the clients connect.
        login: the login of the player who is attacked.
    """

    def __init__(self, port: int, address: str, login: str) -> None:
        self.login = login
        self._port = port
        self._address = address

    def client(self) -> httpx.AsyncClient:
        """Return a client with its own cookies and connections."""
        transport = httpx.AsyncHTTPTransport(local_address=self._address, verify=False, retries=1)
        return httpx.AsyncClient(base_url=f"http://127.0.0.1:{self._port}", transport=transport, timeout=600)

    async def guest(self) -> httpx.AsyncClient:
        """Return a client with a session."""
        client = self.client()
        await client.post("/api/session", json={})
        return client


async def bot_tables(attacker: Attacker) -> None:
    """Two guests run forty tables with ten of the strongest bots each."""
    guests = [await attacker.guest() for _ in range(2)]
    made = await asyncio.gather(
        *(guests[number % 2].post("/api/tables", json={"config": BOTS, "sit": False}) for number in range(TABLES))
    )
    starting = [
        guests[number % 2].post(f"/api/tables/{answer.json()['id']}/commands", json={"id": "start", "command": "start"})
        for number, answer in enumerate(made)
        if answer.status_code == 201
    ]
    await asyncio.gather(*starting)


async def records(attacker: Attacker) -> None:
    """Fourteen long records are replayed and reviewed."""
    texts = [dumps(recorded("nimmt:onehundredandfour seats=10 deals=200", lane=number)) for number in range(2)]
    clients = [attacker.client() for _ in range(RECORDS)]
    await asyncio.gather(
        *(
            client.post(
                ("/api/replay", "/api/review")[number % 2],
                params={"seat": number % 10},
                content=texts[number % 2],
                headers={"content-type": "application/json"},
            )
            for number, client in enumerate(clients)
        )
    )


async def registrations(attacker: Attacker) -> None:
    """A hundred and ten guests register at the same time."""
    guests = await asyncio.gather(*(attacker.guest() for _ in range(REGISTRATIONS)))
    await asyncio.gather(
        *(
            guest.post("/api/account", json={"login": f"mallory{number}", "password": "correct horse"})
            for number, guest in enumerate(guests)
        )
    )


async def games(attacker: Attacker) -> None:
    """Eight connections ask for the list of games as fast as they get it."""

    async def ask() -> None:
        async with attacker.client() as client:
            while True:
                await client.get("/api/games")

    await asyncio.gather(*(ask() for _ in range(CONNECTIONS)))


async def listed_tables(attacker: Attacker) -> None:
    """Guests of one address open hundreds of public tables."""
    config = {"game": "nimmt", "options": {"seats": 4}, "listed": True}
    for _ in range(0, LISTED, 20):
        guest = await attacker.guest()
        await asyncio.gather(*(guest.post("/api/tables", json={"config": config}) for _ in range(20)))


async def guesses(attacker: Attacker) -> None:
    """A client guesses the password of the player who is attacked."""
    async with attacker.client() as client:
        for number in range(GUESSES):
            await client.post("/api/login", json={"login": attacker.login, "password": f"guess {number}"})


ATTACKS: Final[dict[str, Callable[[Attacker], Awaitable[None]]]] = {
    "40 bot tables of two guests": bot_tables,
    "14 long records": records,
    "110 registrations": registrations,
    "8 connections on /api/games": games,
    "459 public tables": listed_tables,
    "12 wrong passwords": guesses,
}
"""The attacks by name."""


async def _run(attack: Callable[[Attacker], Awaitable[Any]], attacker: Attacker) -> None:
    print("attacking", flush=True)
    while True:
        with suppress(httpx.HTTPError):
            await attack(attacker)
        await asyncio.sleep(3600)


if __name__ == "__main__":
    asyncio.run(_run(ATTACKS[sys.argv[1]], Attacker(int(sys.argv[2]), sys.argv[3], sys.argv[4])))
