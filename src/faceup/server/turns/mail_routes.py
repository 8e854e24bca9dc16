"""Routes of mail: an address that gets a mail when it is the player's turn at a game with days per move."""

import hmac
import html
from typing import Annotated

import msgspec
from aiosmtplib import SMTPException
from litestar import MediaType, Response, delete, get, post
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody, QueryParameter
from sqlalchemy import Connection

from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.errors import ForbiddenError, MailFailedError, NotFoundError
from faceup.server.accounts.player_ids import ids_of
from faceup.server.accounts.players import find_by_handle
from faceup.server.accounts.shared_limits import take_all
from faceup.server.http.idempotency import write_once
from faceup.server.http.services import Requester, Services
from faceup.server.site import SITE
from faceup.server.turns.mail_addresses import (
    cancel_address,
    check_address,
    confirm_address,
    find_address,
    find_new_address,
    limit_key,
    remove_addresses,
    set_address,
)
from faceup.server.turns.words import unsubscribe_words
from faceup.translations import Language


class MailState(msgspec.Struct, frozen=True, kw_only=True):
    """The address of the player.

    Attributes:
        enabled: whether the server sends mail.
        address: the address; null if there is none.
        confirmed: whether the address was confirmed by its code, so that it gets mails.
        unconfirmed: an address that will replace it when its code is entered, within an hour; null if there is none.
    """

    enabled: bool
    address: str | None
    confirmed: bool
    unconfirmed: str | None


class NewAddress(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An address to confirm, and the language of its mails."""

    address: Annotated[str, msgspec.Meta(max_length=254)]
    language: Language = "en"


class AddressCode(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The code that was sent to an address."""

    code: Annotated[str, msgspec.Meta(max_length=40)]


@get("/api/mail", tags=["accounts"])
async def get_mail_address(services: Given[Services], account: Given[Identity]) -> MailState:
    """Get the address that gets a mail when it is the player's turn."""
    return await services.query(_state, services.store.now(), services, account.player)


def _state(connection: Connection, now: int, services: Services, player: str) -> MailState:
    confirmed, new = find_address(connection, player), find_new_address(connection, now, player)
    shown = confirmed or new
    return MailState(
        enabled=services.mailer.enabled,
        address=None if shown is None else shown.address,
        confirmed=confirmed is not None,
        unconfirmed=None if confirmed is None or new is None else new.address,
    )


@post("/api/mail", status_code=200, tags=["accounts"])
async def set_mail_address(
    data: JSONBody[NewAddress], services: Given[Services], requester: Given[Requester], fresh_account: Given[Identity]
) -> MailState:
    """Set the player's address, and send a code to it. Needs a recent login.

    Before the code is confirmed, the address gets no other mail, and an address that was confirmed earlier is kept. An
    address that is not confirmed within an hour is deleted.
    """
    if not services.mailer.enabled:
        raise ForbiddenError("this server sends no mail")
    check_address(data.address)
    limits = services.limits
    buckets = (
        (services.keyed_hash("mail of player", fresh_account.player), limits.mail_codes),
        (services.keyed_hash("mail to", limit_key(data.address)), limits.mail_codes),
        (services.keyed_hash("mail from", requester.caller.source), limits.mail_codes_per_address),
    )
    await services.write(take_all, buckets, "too many codes were sent: try again later")
    code = await services.write(set_address, fresh_account.player, data.address, data.language)
    try:
        await services.mailer.send_code(data.address, f"{code[:4]} {code[4:]}", data.language)
    except SMTPException:
        await services.write(lambda connection, _now: cancel_address(connection, fresh_account.player))
        raise MailFailedError("the mail was not accepted: check the address, or try again later") from None
    return await services.query(_state, services.store.now(), services, fresh_account.player)


@post("/api/mail/confirm", status_code=200, tags=["accounts"])
async def confirm_mail_address(
    data: JSONBody[AddressCode], services: Given[Services], account: Given[Identity]
) -> Response[MailState]:
    """Confirm the player's address by the code that was sent to it."""
    services.attempts_by_player.take(account.player)

    def confirm(connection: Connection, now: int) -> MailState:
        confirm_address(connection, now, account.player, data.code, account.ids)
        return _state(connection, now, services, account.player)

    _, response = await write_once(services, confirm, Response)
    return response


@delete("/api/mail", status_code=200, tags=["accounts"])
async def remove_mail_address(services: Given[Services], account: Given[Identity]) -> MailState:
    """Delete the player's addresses."""
    await services.write(lambda connection, _now: remove_addresses(connection, account.player))
    return await services.query(_state, services.store.now(), services, account.player)


Who = Annotated[str, QueryParameter(max_length=40, description="The handle of the player")]
Key = Annotated[str, QueryParameter(max_length=64, description="The key in the link of a mail")]


@get("/api/mail/unsubscribe", tags=["accounts"], media_type=MediaType.HTML)
async def ask_to_unsubscribe(services: Given[Services], who: Who, key: Key) -> Response[str]:
    """Show a page with a button that turns mails off. Programs that only follow links in mails change nothing."""
    _, language = await _recipient(services, who, key)
    question, button, _ = unsubscribe_words(language)
    form = f"<form method=post><button>{html.escape(button)}</button></form>"
    return _page(language, f"<p>{html.escape(question)}</p>{form}")


@post("/api/mail/unsubscribe", status_code=200, tags=["accounts"], media_type=MediaType.HTML)
async def unsubscribe_mail(services: Given[Services], who: Who, key: Key) -> Response[str]:
    """Delete the player's address. This is the target of `List-Unsubscribe` (RFC 8058), so it needs no session."""
    player, language = await _recipient(services, who, key)
    await services.write(lambda connection, _now: remove_addresses(connection, player))
    return _page(language, f"<p>{html.escape(unsubscribe_words(language)[2])}</p>")


async def _recipient(services: Services, who: str, key: str) -> tuple[str, Language]:
    """Return the player of a link in a mail, and the language. Raises `NotFoundError` if the link is not valid."""
    player = (await services.query(find_by_handle, who)).id
    stored_address, ids = await services.query(find_address, player), await services.query(ids_of, player)
    if stored_address is None or not any(
        hmac.compare_digest(key.encode(), services.unsubscribe_key(identifier, stored_address.address).encode())
        for identifier in ids
    ):
        raise NotFoundError("this link is not valid any more: you get no mails at this address")
    return player, stored_address.language


def _page(language: Language, body: str) -> Response[str]:
    text = (
        f'<!doctype html><html lang={language}><meta name=viewport content="width=device-width">'
        f"<title>{html.escape(SITE.get().name)}</title>"
    )
    return Response(text + body, media_type=MediaType.HTML)
