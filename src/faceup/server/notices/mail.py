"""Mail to players: the code that confirms their address, and that it is their turn. Any SMTP server can send it."""

import asyncio
import logging
from collections.abc import Callable
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import formatdate, make_msgid
from functools import partial
from typing import Final

import aiosmtplib

from faceup.server.accounts.errors import NotFoundError
from faceup.server.accounts.mail_addresses import find_address, remove_address
from faceup.server.accounts.players import find_player
from faceup.server.accounts.push_subscriptions import Language
from faceup.server.accounts.turn_notices import TurnNotice
from faceup.server.notices.words import code_mail, turn_mail
from faceup.server.settings import Settings
from faceup.server.store import Store

_TIMEOUT: Final = 15.0
"""Seconds that sending a mail may take in all."""

_AT_ONCE: Final = 4
"""The number of mails that are sent at the same time."""

_UNFOLDED: Final = "List-Unsubscribe"

_LOG: Final = logging.getLogger(__name__)


class _WirePolicy(EmailPolicy):
    """Writes the URL of `List-Unsubscribe` on one line, because mail programs do not decode it (RFC 2369, section 2).

    Python would write a URL that is longer than a line as an encoded word.
    """

    def fold_binary(self, name: str, value: str) -> bytes:
        """Return a header as it is sent."""
        return f"{name}: {value}\r\n".encode("ascii") if name == _UNFOLDED else super().fold_binary(name, value)


_POLICY: Final = _WirePolicy(linesep="\r\n", cte_type="7bit")
"""Mails are ASCII on the wire, because not every server accepts 8-bit mail."""


class Mailer:
    """Sends mail through the SMTP server of the settings.

    Attributes:
        enabled: whether the settings name an SMTP server.
    """

    def __init__(self, settings: Settings) -> None:
        self.enabled = bool(settings.mail_host)
        self._settings = settings
        self._turns = asyncio.Semaphore(_AT_ONCE)

    async def send(self, to: str, subject: str, text: str, unsubscribe: str = "") -> None:
        """Send a mail in plain text.

        Args:
            to: the address.
            subject: the subject.
            text: the text.
            unsubscribe: URL that turns these mails off with one POST (RFC 8058); "" without one.

        Raises:
            SMTPException: the SMTP server refused the mail, or did not answer in time.
        """
        settings, message = self._settings, EmailMessage(policy=_POLICY)
        message["From"], message["To"], message["Subject"] = settings.mail_from, to, subject
        message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=settings.mail_from.partition("@")[2])
        message["Auto-Submitted"] = "auto-generated"
        if unsubscribe:
            message[_UNFOLDED] = f"<{unsubscribe}>"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content(text)
        async with self._turns:
            try:
                async with asyncio.timeout(_TIMEOUT):
                    await aiosmtplib.send(
                        message.as_bytes(),
                        sender=settings.mail_from,
                        recipients=[to],
                        hostname=settings.mail_host,
                        port=settings.mail_port,
                        username=settings.mail_user or None,
                        password=settings.mail_password or None,
                        use_tls=settings.mail_tls == "tls",
                        start_tls=settings.mail_tls == "starttls",
                        timeout=_TIMEOUT,
                    )
            except (TimeoutError, OSError) as error:
                raise aiosmtplib.SMTPException(f"the mail server does not answer: {error}") from None

    async def send_code(self, to: str, code: str, language: Language) -> None:
        """Send the code that confirms an address. Raises the errors of `send`."""
        await self.send(to, *code_mail(code, language))


class MailChannel:
    """Sends notices of turns by mail, at most one for each turn.

    Args:
        store: the database.
        mailer: sends the mails.
        link: returns the URL of a table's page.
        unsubscribe: returns the URL that turns mails off, given the player and the address.
    """

    def __init__(
        self, store: Store, mailer: Mailer, link: Callable[[str], str], unsubscribe: Callable[[str, str], str]
    ) -> None:
        self._store = store
        self._mailer = mailer
        self._link = link
        self._unsubscribe = unsubscribe

    async def send(self, notice: TurnNotice) -> bool:
        """Send a notice to the player's address. Return False if this failed for now."""
        try:
            player = (await self._store.query(partial(find_player, identifier=notice.player))).id
        except NotFoundError:
            return True
        found = await self._store.query(partial(find_address, player=player))
        if found is None or not found.confirmed:
            return True
        off = self._unsubscribe(player, found.address)
        subject, text = turn_mail(notice.summary, found.language, self._link(notice.room), off)
        try:
            await self._mailer.send(found.address, subject, text, off)
        except aiosmtplib.SMTPRecipientsRefused as refused:
            if any(500 <= each.code < 600 for each in refused.recipients):
                await self._store.write(partial(remove_address, player=player))  # the address does not exist any more
                return True
            return False
        except aiosmtplib.SMTPException as error:
            _LOG.warning("a mail could not be sent: %s", error)
            return False
        return True
