"""Play a seat at an online table with a policy or program: take a seat, choose until the game ends, and leave."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, TypeAlias, TypeVar

import msgspec
from msgspec import NODEFAULT

from faceup.bots import policy
from faceup.core import Action, AnyRules, Policy, RulesError, Seat, SystemRandom, View, make
from faceup.server.client.errors import RequestRefusedError
from faceup.server.client.http_client import Client
from faceup.server.client.live_table import LiveTable
from faceup.server.rooms import Choose, Sit
from faceup.server.rooms.commands import DeclareProgram
from faceup.table.commands import Leave

Chooser: TypeAlias = Callable[[AnyRules, Any], Awaitable[Action | None]]  # Any: each game has its own view
"""A function that returns a legal action for the view of a seat that must act, or None to give up."""

_OUTDATED: Final = frozenset({"stale", "illegal_action", "wrong_seat", "paused", "closed"})
"""Kinds of errors for a choice that came too late. After such an error, `play` looks at the table again."""


def rules_of(live: LiveTable) -> AnyRules:
    """Return the table's rules. Raises `Malformed` if the game is not installed."""
    config = live.room["config"]
    return make(f"{config['game']}:{config['variant']}", **config["options"])


def view_of(live: LiveTable, rules: AnyRules) -> View:
    """Return the seat's view of the game."""
    view: View = decode_view(live.room["view"], type(rules.view(rules.start(), None)))
    return view


async def play(live: LiveTable, choose: Chooser) -> bool:
    """Choose for the player's seat until the game is over.

    Args:
        live: the table, inside its `async with` block. The player must have a seat there.
        choose: the chooser. It may be slow, because choices for past decisions are discarded.

    Returns:
        True if the game was finished; False if the table was closed or the chooser gave up.

    Raises:
        UnreachableError, RequestRefusedError: see `LiveTable.change`.
    """
    rules = rules_of(live)
    asked = -1
    while live.ended is None and live.status not in {"finished", "closed"}:
        version, room_view = live.version, live.room
        if _is_asked(live) and room_view["decision"] != asked:
            action = await choose(rules, view_of(live, rules))
            if action is None:
                return False
            try:
                await live.do(Choose(live.seat or 0, rules.describe(action), room_view["decision"]))
            except RequestRefusedError as refused:
                if refused.retry_after is not None:
                    await asyncio.sleep(refused.retry_after)
                    continue
                if refused.why not in _OUTDATED:
                    raise
            else:
                asked = room_view["decision"]
        if live.version == version:
            await live.change(version)
    return live.status == "finished"


def policy_chooser(name: str) -> Chooser:
    """Return a chooser that runs a built-in bot in a thread. Calling it raises `Malformed` if there is no such bot."""
    policies: dict[str, Policy] = {}
    rng = SystemRandom()

    async def choose(rules: AnyRules, view: Any) -> Action | None:  # noqa: ANN401 -- each game has its own
        if rules.game not in policies:
            policies[rules.game] = policy(rules.game, name)
        return await asyncio.to_thread(policies[rules.game], rules, view, rng)

    return choose


def _is_asked(live: LiveTable) -> bool:
    """Return whether this seat has to choose."""
    room_view = live.room
    return (
        live.status == "active"
        and bool(room_view.get("actions"))
        and room_view.get("paused") is None
        and live.seat not in room_view["chosen"]
    )


T = TypeVar("T", bound=msgspec.Struct)


def decode_view(data: dict[str, Any], kind: type[T]) -> T:  # Any: JSON
    """Convert JSON without nulls to a view. Fields that are missing and have no default become None.

    Raises:
        msgspec.ValidationError: the JSON does not match the fields of the view.

    >>> from faceup.core import make
    >>> from faceup.server.rooms.merge_patch import drop_nulls
    >>> view = make("war").view(make("war").start(), None)
    >>> decode_view(drop_nulls(msgspec.to_builtins(view)), type(view)) == view
    True
    """
    absent = [
        field.encode_name
        for field in msgspec.structs.fields(kind)
        if field.default is NODEFAULT and field.default_factory is NODEFAULT and field.encode_name not in data
    ]
    return msgspec.convert({**dict.fromkeys(absent), **data}, kind, strict=False)


_LEAVE_TIMEOUT = 2.0
"""Seconds to wait for the answer to `Leave`."""


@asynccontextmanager
async def seated(client: Client, table: str, *, seat: Seat | None = None, name: str = "") -> AsyncIterator[LiveTable]:
    """Yield the table after the player has taken a seat: the given seat, or the first free one.

    A player who has a seat at the table keeps it, and everyone sees that a program plays. If an exception ends the
    context before the end of the game, the player leaves, so that others do not wait; the seat stays reserved for the
    player.

    Raises:
        RequestRefusedError: there is no such table or no free seat.
        UnreachableError: the server does not answer.
    """
    async with client.live(table) as live:
        try:
            if live.seat is None:
                await live.do(Sit(name, seat))
                await live.until(lambda: live.seat is not None)
            with suppress(RulesError):  # from a server that does not mark programs
                await live.do(DeclareProgram())
            yield live
        except BaseException:
            if live.seat is not None and live.status in {"pending", "active"} and live.ended is None:
                with suppress(RulesError, TimeoutError):
                    async with asyncio.timeout(_LEAVE_TIMEOUT):
                        await live.do(Leave(live.seat))
            raise
