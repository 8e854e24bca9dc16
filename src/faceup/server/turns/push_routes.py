"""Routes of Web Push: subscribe the browser of a session to notices that it is the player's turn."""

from typing import Annotated

import msgspec
from litestar import delete, get, post
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody

from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.errors import ForbiddenError
from faceup.server.http.services import Services
from faceup.server.turns.push_keys import find_push_keys
from faceup.server.turns.push_subscriptions import (
    PushSubscription,
    is_subscribed,
    session_of,
    subscribe,
    unsubscribe,
)
from faceup.translations import Language

KeyText = Annotated[str, msgspec.Meta(max_length=200)]


class PushState(msgspec.Struct, frozen=True, kw_only=True):
    """Whether this browser is notified.

    Attributes:
        key: the key of the server with which a browser subscribes, in base64url; null if Web Push is off.
        subscribed: whether the browser of this session is notified.
    """

    key: str | None
    subscribed: bool


class BrowserKeys(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys of a subscription, in base64url, as `PushSubscription.toJSON` in browsers returns them."""

    p256dh: KeyText
    auth: KeyText


class NewSubscription(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A subscription of a browser.

    Attributes:
        endpoint: the URL at the push service.
        keys: the keys of the browser.
        language: the language of the messages.
    """

    endpoint: Annotated[str, msgspec.Meta(max_length=1_000)]
    keys: BrowserKeys
    language: Language = "en"


@get("/api/push", tags=["accounts"])
async def get_push_state(services: Given[Services], account: Given[Identity]) -> PushState:
    """Get whether Web Push is on, and whether the browser of this session is notified of the player's turns."""
    return await services.query(
        lambda connection: PushState(
            key=None if (keys := find_push_keys(connection)) is None else keys.public,
            subscribed=is_subscribed(connection, session_of(account.subject)),
        )
    )


@post("/api/push", status_code=200, tags=["accounts"])
async def subscribe_to_push(
    data: JSONBody[NewSubscription], services: Given[Services], account: Given[Identity]
) -> PushState:
    """Notify the browser of this session of the player's turns at games with days per move, until the session ends."""
    subscription = PushSubscription(
        endpoint=data.endpoint, p256dh=data.keys.p256dh, auth=data.keys.auth, language=data.language
    )
    services.push.check(subscription)
    keys = await services.query(find_push_keys)
    if keys is None:
        raise ForbiddenError("this server sends no push messages")
    await services.write(subscribe, session_of(account.subject), account.ids, subscription)
    return PushState(key=keys.public, subscribed=True)


@delete("/api/push", status_code=200, tags=["accounts"])
async def unsubscribe_from_push(services: Given[Services], account: Given[Identity]) -> PushState:
    """Notify the browser of this session no longer."""
    await services.write(lambda connection, _now: unsubscribe(connection, session_of(account.subject)))
    return await services.query(
        lambda connection: PushState(
            key=None if (keys := find_push_keys(connection)) is None else keys.public, subscribed=False
        )
    )
