"""Mail: players get one mail for each turn, at an address that they have confirmed, until they turn it off."""

import asyncio
import re
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from secrets import token_hex
from typing import Any

import httpx
import pytest
import pytest_asyncio
from aiosmtpd.smtp import SMTP
from tests.server.app_server import AppServer, built
from tests.server.player_export import export
from tests.server.requests import error
from tests.server.tables.test_my_tables_routes import choose, start

from faceup.server.accounts.one_time_codes import LIFETIMES
from faceup.server.accounts.players import find_by_handle
from faceup.server.admin.deletion import erase_players
from faceup.server.admin.retention import sweep
from faceup.server.process.settings import Settings
from faceup.server.turns.schema import new_mail_addresses

pytestmark = pytest.mark.asyncio(loop_scope="module")

SITE = "https://cards.example.org"


class Inbox:
    """The mails that a real SMTP server has received, and its answer to the next ones."""

    def __init__(self) -> None:
        self.answer = "250 OK"
        self.mails: list[EmailMessage] = []
        self.raw: list[bytes] = []

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802 -- the interface of aiosmtpd
        if self.answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.answer

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 -- as above
        mail = message_from_bytes(envelope.content, policy=default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        self.raw.append(bytes(envelope.content))
        return self.answer

    def to(self, address: str) -> list[EmailMessage]:
        return [mail for mail in self.mails if mail["To"] == address]

    async def until(self, address: str, count: int) -> EmailMessage:
        """Return the last of this number of mails to an address."""
        async with asyncio.timeout(20):
            while len(self.to(address)) < count:  # noqa: ASYNC110 -- mails of another thread
                await asyncio.sleep(0.02)
        return self.to(address)[-1]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def smtp() -> AsyncIterator[tuple[Inbox, int]]:
    """A real SMTP server, and its port."""
    inbox, loop = Inbox(), asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(inbox, hostname="127.0.0.1", loop=loop), "127.0.0.1", 0)
    yield inbox, server.sockets[0].getsockname()[1]
    server.close()


@pytest.fixture
def inbox(smtp: tuple[Inbox, int]) -> Inbox:
    server, _ = smtp
    server.answer = "250 OK"
    return server


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app(tmp_path_factory: pytest.TempPathFactory, smtp: tuple[Inbox, int]) -> AsyncIterator[AppServer]:
    """A server with a mail server for all tests of this module, which use separate players."""
    settings = Settings(
        mail_host="127.0.0.1", mail_port=smtp[1], mail_tls="none", mail_from="faceup@example.org", public_url=SITE
    )
    async with built(f"sqlite:///{tmp_path_factory.mktemp('mail')}/tables.sqlite", settings) as running:
        await running.app.start()
        yield running
        await running.app.stop()


async def confirm(player: httpx.AsyncClient, inbox: Inbox, address: str, language: str = "en") -> None:
    answer = await player.post("/api/mail", json={"address": address, "language": language})
    assert answer.json() == {"enabled": True, "address": address, "confirmed": False, "unconfirmed": None}, answer.text
    await enter_code(player, await inbox.until(address, 1))


async def mails_to(app: AppServer, inbox: Inbox, address: str) -> int:
    """Return the number of mails to an address, when those of two later turns have arrived; as `test_push.messages`."""
    later, home = f"{token_hex(4)}@example.com", f"2001:db8:{token_hex(2)}::1"  # the limits are those of an address
    async with app.guest("Cy", home) as cy, app.guest("Di", home) as di:
        await confirm(cy, inbox, later)
        for count in (2, 3):
            await start(cy, di)
            await inbox.until(later, count)
    return len(inbox.to(address))


async def enter_code(player: httpx.AsyncClient, mail: EmailMessage) -> None:
    code = re.search(r"[A-Z0-9]{4} [A-Z0-9]{4}", mail.get_content())
    assert code is not None
    answer = await player.post("/api/mail/confirm", json={"code": code[0].lower()})
    assert answer.json()["confirmed"], answer.text


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("language", "subject", "text"),
    [
        ("en", "It is your turn: 6 nimmt!", "No more mails"),
        ("de", "Du bist dran: 6 nimmt!", "Keine Mails mehr"),
        (
            "fr",
            "À toi de jouer\N{NARROW NO-BREAK SPACE}: 6 qui prend\N{NARROW NO-BREAK SPACE}!",
            "Ne plus recevoir de mails",
        ),
        ("zh", "轮到你了：谁是牛头王", "不再接收邮件"),  # noqa: RUF001 -- Chinese has its own colon
    ],
)
async def test_a_player_gets_one_mail_for_each_turn_in_plain_text(
    app: AppServer, inbox: Inbox, language: str, subject: str, text: str
) -> None:
    address = f"ann-{language}@example.org"
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        earlier = await start(ann, bo)  # it waits already, so there is no mail
        await confirm(ann, inbox, address, language)
        table = await start(ann, bo)
        mail = await inbox.until(address, 2)
        assert (mail["Subject"], mail["From"]) == (subject, "faceup@example.org")
        assert mail.get_content_type() == "text/plain"
        assert f"{SITE}/t/{table}" in mail.get_content().splitlines()
        assert text in mail.get_content()
        await choose(ann, table)
        await choose(ann, table, "unchoose")  # the same turn
        await choose(ann, earlier)
        app.app.services.mail_delivery.check_all()
        assert await mails_to(app, inbox, address) == 2


async def test_a_mail_is_plain_ascii_with_short_lines_on_the_wire(app: AppServer, inbox: Inbox) -> None:
    """As RFC 5321 and RFC 5322 want it, and without a link in a name, read without Python's own parser."""
    address = "wire@example.org"
    async with app.guest("https://prize.example 赢") as stranger, app.guest("Bo") as bo:
        await confirm(bo, inbox, address, "zh")
        await start(stranger, bo)
        wire = inbox.raw[inbox.mails.index(await inbox.until(address, 2))]
    assert wire.isascii()
    lines = wire.split(b"\r\n")
    assert not any(b"\n" in line or b"\r" in line for line in lines)
    assert max(map(len, lines)) <= 998
    head, _, body = wire.partition(b"\r\n\r\n")
    headers = dict(re.findall(rb"^([!-9;-~]+): (.*(?:\r\n[ \t].*)*)$", head.replace(b"\r\n", b"\n"), re.MULTILINE))
    assert {b"From", b"To", b"Subject", b"Date", b"Message-ID", b"MIME-Version"} <= set(headers)
    assert all(len(word) <= 75 for word in re.findall(rb"=\?[^ \n]*\?=", head)), "RFC 2047, section 2"
    assert headers[b"Content-Transfer-Encoding"] == b"base64"
    text = b64decode(body).decode()
    assert "https: / / prize. example 赢" in text
    assert re.findall(r"https?://\S+", text)[0].startswith(f"{SITE}/t/")


async def test_all_spellings_of_an_address_share_its_limit(app: AppServer, inbox: Inbox) -> None:
    spellings = ("dee.lee", "DeeLee", "dee.lee+a", "d.e.e.lee+b", "deelee+c+d", "deelee+e")
    answers = []
    for number, spelling in enumerate(spellings):
        async with app.guest("Dee", f"198.51.100.{number + 1}") as dee:
            answers.append(await dee.post("/api/mail", json={"address": f"{spelling}@example.org"}))
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert not inbox.to("deelee+e@example.org")


async def test_one_click_turns_mails_off(app: AppServer, inbox: Inbox) -> None:
    address = "bo@example.org"
    async with AsyncExitStack() as stack:
        ann, bo = [await stack.enter_async_context(app.guest(name)) for name in ("Ann", "Bo")]
        mail_program = await stack.enter_async_context(app.client())
        await confirm(bo, inbox, address)
        await start(ann, bo)
        mail = await inbox.until(address, 2)
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        wire = inbox.raw[inbox.mails.index(mail)]
        link = re.search(f"\r\nList-Unsubscribe: <{SITE}([!-~]*)>\r\n".encode(), wire)
        assert link is not None
        page = link[1].decode()
        assert f"{SITE}{page}" in mail.get_content()
        assert "<form method=post>" in (await mail_program.get(page)).text
        assert error(await mail_program.post(f"{page}x")) == (404, "not_found")
        assert (await bo.get("/api/mail")).json()["confirmed"]  # nothing has changed yet
        form = {"List-Unsubscribe": "One-Click"}
        assert (await mail_program.post(page, data=form)).status_code == 200
        assert (await bo.get("/api/mail")).json()["address"] is None
        await start(ann, bo)
        assert await mails_to(app, inbox, address) == 2


async def test_an_address_is_used_only_after_its_code(app: AppServer, inbox: Inbox) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        await ann.post("/api/mail", json={"address": "victim@example.org"})
        assert error(await ann.post("/api/mail/confirm", json={"code": "AAAA BBBB"})) == (401, "unauthenticated")
        assert error(await ann.post("/api/mail", json={"address": "no address"})) == (400, "malformed")
        assert error(await ann.post("/api/mail", json={"address": "a@b.org\nBcc: c@d.org"})) == (400, "malformed")
        await start(ann, bo)
        assert await mails_to(app, inbox, "victim@example.org") == 1
        for _ in range(4):
            await ann.post("/api/mail", json={"address": "victim@example.org"})
        assert error(await bo.post("/api/mail", json={"address": "Victim@example.org"})) == (429, "rate_limited")


async def address_of(player: httpx.AsyncClient) -> str | None:
    address: str | None = (await player.get("/api/mail")).json()["address"]
    return address


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "answer", ["451 later", "550 no such user", "554 5.7.1 relay access denied", "550 5.1.10 null"]
)
async def test_an_error_that_may_be_the_fault_of_the_mail_server_deletes_no_address(
    app: AppServer, inbox: Inbox, answer: str
) -> None:
    address = f"kept-{answer[:3]}-{len(answer)}@example.org"
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        await confirm(ann, inbox, address)
        failures = app.store.metrics.value("faceup_background_failures_total", task="mails")
        inbox.answer = answer
        for count in (1, 2, 3):
            await start(ann, bo)
            await failed_mails(app, failures + count)
        inbox.answer = "250 OK"
        assert await address_of(ann) == address
        await start(ann, bo)
        await inbox.until(address, 2)


async def failed_mails(app: AppServer, count: float) -> None:
    """Wait until this number of mails could not be sent."""
    async with asyncio.timeout(20):
        while app.store.metrics.value("faceup_background_failures_total", task="mails") < count:  # noqa: ASYNC110 -- no event
            await asyncio.sleep(0.02)


async def test_only_an_address_that_does_not_exist_twice_is_deleted(app: AppServer, inbox: Inbox) -> None:
    address = "dead@example.org"
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        await confirm(ann, inbox, address)
        failures = app.store.metrics.value("faceup_background_failures_total", task="mails")
        for count, answer in enumerate(("550 5.1.1 no such user", "250 OK", "550 5.1.1 no such user"), 1):
            inbox.answer = answer
            await start(ann, bo)
            if answer == "250 OK":
                await inbox.until(address, 2)
            else:
                await failed_mails(app, failures + (1 if count == 1 else 2))
            inbox.answer = "250 OK"
            await mails_to(app, inbox, address)
            assert await address_of(ann) == address, "a mail that was accepted counts more"
        inbox.answer = "550 5.1.1 no such user"
        await start(ann, bo)
        async with asyncio.timeout(20):
            while await address_of(ann):  # noqa: ASYNC110 -- a database
                await asyncio.sleep(0.02)


async def test_a_confirmed_address_is_kept_until_the_new_one_is_confirmed(app: AppServer, inbox: Inbox) -> None:
    old, new = "old@example.org", "new@example.org"
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        await confirm(ann, inbox, old)
        inbox.answer = "550 5.7.1 relay access denied"
        assert error(await ann.post("/api/mail", json={"address": new})) == (502, "mail_failed")
        kept = {"enabled": True, "address": old, "confirmed": True, "unconfirmed": None}
        assert (await ann.get("/api/mail")).json() == kept
        inbox.answer = "250 OK"
        assert (await ann.post("/api/mail", json={"address": new})).json() == kept | {"unconfirmed": new}
        await start(ann, bo)
        await inbox.until(old, 2)
        await enter_code(ann, await inbox.until(new, 1))
        assert (await ann.get("/api/mail")).json() == kept | {"address": new}
        await start(ann, bo)
        await inbox.until(new, 2)
        assert len(inbox.to(old)) == 2


async def test_an_address_that_is_not_confirmed_expires_with_its_code(app: AppServer, inbox: Inbox) -> None:
    async with app.guest("Ann") as ann:
        await ann.post("/api/mail", json={"address": "expires@example.org"})
        await inbox.until("expires@example.org", 1)
        assert await address_of(ann) == "expires@example.org"
        old = new_mail_addresses.update().values(since=app.store.now() - LIFETIMES["mail"])
        await app.store.write(lambda connection: connection.execute(old).rowcount)
        assert await address_of(ann) is None
        await sweep(app.store)
        rows = await app.store.query(lambda c: c.exec_driver_sql("SELECT * FROM new_mail_addresses").all())
        assert rows == []


async def test_an_address_is_exported_moves_to_an_account_and_is_erased(app: AppServer, inbox: Inbox) -> None:
    address = "moved@example.org"
    async with app.guest("Bo") as bo, app.guest("Bo") as account:
        await confirm(bo, inbox, address)
        login = {"login": "bo-of-mail", "password": "a long password"}
        await account.post("/api/account", json=login)
        await bo.post("/api/login", json=login)  # merges the guest into the account
        assert (await account.get("/api/mail")).json()["address"] == address
        handle = (await account.get("/api/me")).json()["handle"]
        player = await app.store.query(lambda connection: find_by_handle(connection, handle))
        exported = await app.store.query(lambda connection: export(connection, player.id))
        assert exported["mail"]["address"] == address
        await erase_players(app.store, [player.id])
        rows = await app.store.query(lambda c: c.exec_driver_sql("SELECT address FROM mail_addresses").scalars().all())
        assert address not in rows


async def test_a_server_without_a_mail_server_sends_no_mail(tmp_path: Path) -> None:
    async with built(f"sqlite:///{tmp_path}/tables.sqlite", Settings()) as app:
        await app.app.start()
        async with app.guest("Ann") as ann:
            assert (await ann.get("/api/mail")).json() == {
                "enabled": False,
                "address": None,
                "confirmed": False,
                "unconfirmed": None,
            }
            assert error(await ann.post("/api/mail", json={"address": "ann@example.org"})) == (403, "forbidden")
        await app.app.stop()
