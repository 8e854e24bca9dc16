"""A seat at a table online, played by whoever chooses from views: a policy of ours, or a program."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias

from faceup.bots import policy
from faceup.core import Action, AnyRules, Policy, Secret, View, make
from faceup.server.client.live import Live
from faceup.server.client.reading import filled
from faceup.server.client.refusals import Refused
from faceup.server.rooms import Choose

Chooser: TypeAlias = Callable[[AnyRules, Any], Awaitable[Action | None]]  # Any: each game has its own view
"""Answers a view of a seat that is to act with a legal action; None if it gives up for good."""

_PASSED_BY: Final = frozenset({"stale", "not_legal", "not_yours", "paused", "closed"})
"""Refusals of a choice that came when it was not asked any more; `play` looks at the table again."""


def rules_of(live: Live) -> AnyRules:
    """The rules of the table. Raises `Malformed` for a game that is not installed here."""
    opening = live.sight["opening"]
    return make(f"{opening['game']}:{opening['variant']}", **opening["options"])


def view_of(live: Live, rules: AnyRules) -> View:
    """The game as the table shows it to this seat: all that a player of ours is given."""
    view: View = filled(live.sight["view"], type(rules.view(rules.start(), None)))
    return view


async def play(live: Live, choose: Chooser) -> bool:
    """Choose for the seat that one has, whenever something is asked of it, until the game is over.

    Args:
        live: the table, entered; one has a seat at it.
        choose: who chooses. It may take its time: a decision that has passed meanwhile is let go.

    Returns:
        Whether the game was played to its end; False if the room was closed before, or the chooser gave up.

    Raises:
        Unreachable, Refused: as `Live.change` says.
    """
    rules = rules_of(live)
    asked = -1
    while live.ended is None and live.status not in {"finished", "closed"}:
        version, sight = live.version, live.sight
        if _is_asked(live) and sight["decision"] != asked:
            action = await choose(rules, view_of(live, rules))
            if action is None:
                return False
            try:
                await live.do(Choose(live.seat or 0, rules.describe(action), sight["decision"]))
            except Refused as refused:
                if refused.retry_after is not None:
                    await asyncio.sleep(refused.retry_after)
                    continue
                if refused.why not in _PASSED_BY:
                    raise
            else:
                asked = sight["decision"]
        if live.version == version:
            await live.change(version)
    return live.status == "finished"


def by_policy(name: str) -> Callable[[AnyRules, Any], Awaitable[Action | None]]:  # Any: as `Chooser`
    """One of our own players as a chooser; it thinks in a thread. Raises `Malformed` when it is first asked."""
    found: dict[str, Policy] = {}
    rng = Secret()

    async def choose(rules: AnyRules, view: Any) -> Action | None:  # noqa: ANN401 -- each game has its own
        if rules.game not in found:
            found[rules.game] = policy(rules.game, name)
        return await asyncio.to_thread(found[rules.game], rules, view, rng)

    return choose


def _is_asked(live: Live) -> bool:
    """Whether this seat is to choose and has not."""
    sight = live.sight
    return (
        live.status == "active"
        and bool(sight.get("words"))
        and sight.get("paused") is None
        and live.seat not in sight["chosen"]
    )
