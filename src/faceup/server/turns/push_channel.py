"""Notify players of their turns by Web Push, on all devices that have subscribed."""

import asyncio
from functools import partial
from typing import Final

import msgspec

from faceup.server.process.periodic import FailureIsolation
from faceup.server.site import SITE
from faceup.server.store import Store
from faceup.server.turns.notices import TurnNotice
from faceup.server.turns.push_client import PushClient, PushResult
from faceup.server.turns.push_keys import PushKeys, find_push_keys
from faceup.server.turns.push_subscriptions import (
    PushSubscription,
    record_gone,
    record_result,
    subscriptions_of,
)
from faceup.server.turns.words import turn_text

_LONGEST: Final = 4 * 7 * 86_400
"""The longest time to live of a message, in seconds, as push services allow it."""


class PushMessage(msgspec.Struct, frozen=True):
    """What the service worker of the page shows: no secrets, because others may see the screen of a device."""

    text: str
    table: str
    site: str


class PushChannel:
    """Sends notices of turns by Web Push.

    Args:
        store: the database.
        client: sends the messages.
    """

    def __init__(self, store: Store, client: PushClient) -> None:
        self._store = store
        self._client = client
        self._failures = FailureIsolation("messages by push", store.metrics)

    async def send(self, notice: TurnNotice) -> bool:
        """Send a notice to all devices of its player. Return False if all of them failed for now."""
        keys = await self._store.query(find_push_keys)
        devices = await self._store.query(partial(subscriptions_of, player=notice.player))
        if keys is None or not devices:
            return True
        results = await asyncio.gather(*(self._send_to(device, keys, notice) for device in devices))
        return any(result != "failed" for result in results)

    async def _send_to(self, device: PushSubscription, keys: PushKeys, notice: TurnNotice) -> PushResult:
        now = self._store.now()
        left = _LONGEST if notice.due is None else (notice.due - now) // 1000
        result: PushResult = "failed"
        message = PushMessage(turn_text(notice.summary, device.language), notice.room, SITE.get().name)
        with self._failures.isolate("a device"):
            result = await self._client.send(
                device,
                keys,
                msgspec.json.encode(message),
                now=now // 1000,
                ttl=max(60, min(left, _LONGEST)),
                topic=notice.room[:32],
            )
        if result == "gone":
            await self._store.write(partial(record_gone, endpoint=device.endpoint))
        else:
            record = partial(record_result, now=now, endpoint=device.endpoint, delivered=result == "delivered")
            await self._store.write(record)
        return result
