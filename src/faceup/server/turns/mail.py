"""Mail to players: the code that confirms their address, and that it is their turn. Any SMTP server can send it."""

import asyncio
import re
from collections.abc import Callable
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import formatdate, make_msgid
from functools import partial
from typing import Final

import aiosmtplib

from faceup.server.accounts.errors import NotFoundError
from faceup.server.accounts.players import find_player
from faceup.server.process.periodic import FailureIsolation
from faceup.server.process.settings import Settings
from faceup.server.store import Store
from faceup.server.turns.mail_addresses import find_address, record_result
from faceup.server.turns.notices import TurnNotice
from faceup.server.turns.words import code_mail, turn_mail
from faceup.translations import Language

_TIMEOUT: Final = 15.0
"""Seconds that sending a mail may take in all."""

_AT_ONCE: Final = 4
"""The number of mails that are sent at the same time."""

_UNFOLDED: Final = "List-Unsubscribe"

_NO_MAILBOX: Final = re.compile(r"5\.1\.1\b")


class _WirePolicy(EmailPolicy):
    """Writes the URL of `List-Unsubscribe` on one line, because mail programs do not decode it (RFC 2369, section 2).

    Python would write a URL that is longer than a line as an encoded word.
    """

    def fold_binary(self, name: str, value: str) -> bytes:
        """Return the encoded form of a header."""
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
        self._failures = FailureIsolation("mails", store.metrics)

    async def send(self, notice: TurnNotice) -> bool:
        """Send a notice to the player's address. Return False if this failed for now."""
        try:
            player = (await self._store.query(partial(find_player, identifier=notice.player))).id
        except NotFoundError:
            return True
        address = await self._store.query(partial(find_address, player=player))
        if address is None:
            return True
        started, off = self._store.now(), self._unsubscribe(player, address.address)
        subject, text = turn_mail(notice.summary, address.language, self._link(notice.room), off)
        with self._failures.isolate("the mail server") as attempt:
            await self._mailer.send(address.address, subject, text, off)
        dead = attempt.error is not None and _is_dead(attempt.error)
        if dead or (attempt.error is None and address.rejected_at is not None):
            record = partial(record_result, started=started, player=player, address=address.address, delivered=not dead)
            await self._store.write(partial(record, now=self._store.now()))
        return dead or attempt.error is None


def _is_dead(error: Exception) -> bool:
    """Return whether a mail server reports that a mailbox does not exist ("bad destination mailbox address", RFC 3463).

    Other permanent errors do not mean this. For example, a relay that is misconfigured refuses every address.
    """
    return isinstance(error, aiosmtplib.SMTPRecipientsRefused) and all(
        500 <= refused.code < 600 and _NO_MAILBOX.match(refused.message) for refused in error.recipients
    )
