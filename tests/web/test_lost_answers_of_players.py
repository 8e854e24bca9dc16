"""Lost answers to what players change besides games: each button, tapped again, does its thing once."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import pytest_asyncio
import sqlalchemy as sa
from aiosmtpd.smtp import SMTP
from playwright.async_api import Browser, Page, WebSocketRoute, expect
from playwright.async_api import TimeoutError as PlaywrightTimeoutError
from pyotp import TOTP
from tests.server.app_server import ListeningServer, listening_server
from tests.server.turns.test_mail import Inbox
from tests.web.conftest import REDUCED_MOTION, PageOpener, create_table, send_command
from tests.web.test_connection import connect
from tests.web.test_lost_answers import lose_answers

from faceup.server.process.settings import Settings
from faceup.server.turns.push_keys import create_push_keys

PASSWORD = "correct horse"  # noqa: S105 -- of accounts of these tests
NO_ANSWER = re.compile("The server does not respond|This did not work")
PUSH = """
  let made = 0, subscription = null;
  const { prototype } = PushManager;
  prototype.getSubscription = async () => subscription;
  prototype.subscribe = async () => subscription ??= {
    endpoint: `https://push.test/${(made += 1)}`,
    keys: { p256dh: KEY, auth: "AAAAAAAAAAAAAAAAAAAAAA" },
    toJSON() { return this; },
    unsubscribe: async () => { subscription = null; },
  };
"""


class Place(NamedTuple):
    """Where a test runs: a server, pages on it, and the mails that it has sent."""

    server: ListeningServer
    open_page: PageOpener
    inbox: Inbox


@pytest_asyncio.fixture(loop_scope="session")
async def place(browser: Browser, tmp_path: Path) -> AsyncIterator[Place]:
    inbox, loop = Inbox(), asyncio.get_running_loop()
    smtp = await loop.create_server(lambda: SMTP(inbox, hostname="127.0.0.1", loop=loop), "127.0.0.1", 0)
    settings = Settings(
        mail_host="127.0.0.1",
        mail_port=smtp.sockets[0].getsockname()[1],
        mail_tls="none",
        mail_from="faceup@example.org",
        public_url="http://localhost",
    )
    async with AsyncExitStack() as opened, listening_server(tmp_path / "t.sqlite", settings=settings) as server:
        await server.store.write(lambda connection: create_push_keys(connection, "mailto:us@example.org"))
        opener = PageOpener(browser, server.base.replace("127.0.0.1", "localhost"), opened)
        yield Place(server, opener, inbox)
        await opened.aclose()
    smtp.close()


async def call(page: Page, method: str, path: str, **body: object) -> Any:
    """Send a request as this page's player; return the response."""
    answer = await page.request.fetch(path, method=method, data=body)
    assert answer.ok, await answer.text()
    return await answer.json() if answer.headers["content-type"] == "application/json" else None


async def acquainted(place: Place, **table: Any) -> tuple[Page, Page, str]:
    """Return the pages of Ann and of Bo, who have a table, and its id."""
    pages = [await place.open_page(None, **REDUCED_MOTION) for _ in range(2)]
    for page, name in zip(pages, ("Ann", "Bo"), strict=True):
        await call(page, "POST", "/api/session", name=name)
    config = {"game": "nimmt", "options": {"seats": 3, "hand": 2}, "terms": {"clock": None}, **table}
    identifier = await create_table(pages[0], **config)
    await send_command(pages[1], identifier, "sit")
    return pages[0], pages[1], identifier


async def on_friends_page(place: Place) -> Page:
    page, _, _ = await acquainted(place)
    await page.goto("/friends")
    return page


async def in_invite_dialog(place: Place) -> Page:
    page, other, table = await acquainted(place)
    await send_command(other, table, "leave", seat=1)
    await page.goto(f"/t/{table}")
    await page.get_by_role("button", name="Invite friends").click()
    return page


async def in_report_dialog(place: Place) -> Page:
    page, _, table = await acquainted(place, options={"seats": 2, "hand": 2})
    await page.goto(f"/t/{table}")
    await page.locator("header button[aria-haspopup=dialog]").click()
    await page.get_by_role("button", name="Report Bo").click()
    return page


async def with_invitation(place: Place) -> Page:
    page, other, _ = await acquainted(place)
    party = (await call(other, "POST", "/api/parties"))["id"]
    handle = (await call(page, "GET", "/api/me"))["handle"]
    await call(other, "POST", "/api/invitations", to=handle, party=party)
    await page.goto("/friends")
    return page


async def on_party_page(place: Place) -> Page:
    page, other, _ = await acquainted(place)
    party = (await call(other, "POST", "/api/parties"))["id"]
    key = (await call(other, "GET", f"/api/parties/{party}"))["link"].rpartition("#")[2].rpartition("/")[2]
    await call(page, "POST", f"/api/party-links/{key}")
    await page.goto(f"/party/{party}")
    return page


async def on_tournament_page(place: Place) -> Page:
    page, other, _ = await acquainted(place)
    settings = {"name": "Rude words", "table": {"game": "nimmt", "options": {"seats": 2, "hand": 2}}}
    made = await call(other, "POST", "/api/tournaments", settings=settings)
    await page.goto(f"/tournaments/{made['tournament']['id']}")
    return page


async def on_account_page(place: Place) -> Page:
    page, _, _ = await acquainted(place)
    await page.context.grant_permissions(["notifications"])
    key = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"  # of RFC 8291
    await page.add_init_script(PUSH.replace("KEY", f'"{key}"'))
    await page.goto("/me")
    await expect(page.get_by_role("heading", name="Ann")).to_be_visible()
    return page


async def with_authenticator(place: Place) -> Page:
    page = await on_account_page(place)
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("WebAuthn.enable")
    key = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    options = key | {"isUserVerified": True, "automaticPresenceSimulation": True}
    await devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return page


async def with_account(place: Place) -> Page:
    page, _, _ = await acquainted(place)
    await call(page, "POST", "/api/account", login="ann", password=PASSWORD)
    await page.goto("/me")
    await page.get_by_text("Second factor", exact=True).click()
    return page


async def with_started_second_factor(place: Place) -> Page:
    page = await with_account(place)
    await start_second_factor(page, place)
    await expect(page.get_by_role("img", name="QR code of the key")).to_be_visible()
    return page


def tap(*names: str | re.Pattern[str]) -> Callable[[Page, Place], Awaitable[None]]:
    """Return a function that taps buttons in order, such as the second one to confirm the first."""

    async def tap_all(page: Page, _: Place) -> None:
        for name in names:
            await page.get_by_role("button", name=name).first.click()

    return tap_all


async def send_mail_address(page: Page, _: Place) -> None:
    await page.get_by_label("Mail address").fill("ann@example.com")
    await page.get_by_role("button", name="Send code").click()


async def start_second_factor(page: Page, _: Place) -> None:
    form = page.locator("second-factor details", has_text="Second factor")
    await form.get_by_role("button", name="Set up").click()


async def confirm_second_factor(page: Page, _: Place) -> None:
    key = (await page.locator("second-factor p code").inner_text()).replace(" ", "")
    code = page.get_by_label("6-digit code")
    if not await code.input_value():  # the code of the first tap
        await code.fill(TOTP(key).now())
    await page.get_by_role("button", name="Turn on").click()


class Change(NamedTuple):
    """A button: its page and taps, the table whose rows it changes, by how many, and what is shown then."""

    prepare: Callable[[Place], Awaitable[Page]]
    act: Callable[[Page, Place], Awaitable[None]]
    table: str
    difference: int
    done: str


CHANGES = {
    "friend": Change(on_friends_page, tap("Ask to be friends: Bo"), "friendships", 1, "text=Asked"),
    "block": Change(on_friends_page, tap(re.compile("^Block: Bo$"), "Block Bo?: Bo"), "friendships", 1, "text=Unblock"),
    "invite": Change(in_invite_dialog, tap("Invite: Bo"), "invitations", 1, "text=Invited"),
    "accept": Change(with_invitation, tap("Accept"), "party_members", 1, "text=2 online"),
    "leave": Change(on_party_page, tap("Leave party", "Leave now?"), "party_members", -1, "text=Back to home"),
    "name": Change(on_tournament_page, tap("Report the name", "Send the report?"), "reports", 1, "text=Thank you."),
    "report": Change(in_report_dialog, tap("Stalls the game"), "reports", 1, "text=Thank you."),
    "push": Change(on_account_page, tap("Notify me"), "push_subscriptions", 1, "text=This device gets a notice"),
    "mail": Change(on_account_page, send_mail_address, "new_mail_addresses", 1, "text=We sent a code"),
    "passkey": Change(with_authenticator, tap("Add a passkey"), "passkeys", 1, "text=You log in with a passkey."),
    "second factor": Change(with_account, start_second_factor, "totp", 1, "text=Scan this picture"),
    "its code": Change(
        with_started_second_factor, confirm_second_factor, "totp", 0, "second-factor summary:has-text('Second factor')"
    ),
}


@pytest.mark.parametrize("name", CHANGES)
async def test_a_tap_after_a_lost_answer_changes_the_same_thing_once(place: Place, name: str) -> None:
    change = CHANGES[name]

    async def count() -> int:
        query = sa.select(sa.func.count()).select_from(sa.table(change.table))
        return await place.server.store.query(lambda connection: connection.execute(query).scalar_one())

    page = await change.prepare(place)
    before = await count()
    lost = await lose_answers(page)
    done, error = page.locator(change.done).first, page.get_by_text(NO_ANSWER).first
    await change.act(page, place)
    await expect(done.or_(error).first).to_be_visible()
    for _ in range(3):  # a passkey needs two requests
        if not await done.is_visible():
            with suppress(
                PlaywrightTimeoutError
            ):  # the page has read the change meanwhile, and has no such button any more
                await change.act(page, place)
        await expect(done.or_(error).first).to_be_visible()
    await expect(done).to_be_visible()
    assert lost
    assert await count() == before + change.difference
    assert len(place.inbox.mails) <= 1


async def test_a_reaction_whose_answer_is_lost_is_shown_once(place: Place) -> None:
    page, other, table = await acquainted(place, options={"seats": 2, "hand": 2})
    lost = list[str]()

    def lose_first(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        async def forward(message: str | bytes) -> None:
            if '"ack"' in str(message) and not lost:
                lost.append(str(message))
                await socket.close()
            else:
                socket.send(message)

        server.on_message(forward)

    await page.route_web_socket("**/live**", lose_first)
    for player in (page, other):
        await player.goto("/ladder")
        await connect(player, table)
    await other.evaluate("() => { globalThis.shown = []; }")
    await other.evaluate("() => live.addEventListener('update', ({ detail }) => shown.push(...detail.events))")
    await page.evaluate("() => live.send({ command: 'react', seat: 0, reaction: 'bravo' })")
    await page.evaluate("() => live.send({ command: 'react', seat: 0, reaction: 'ouch' })")
    await other.wait_for_function("() => shown.some(({ reaction }) => reaction === 'ouch')")
    assert await other.evaluate("() => shown.map(({ reaction }) => reaction)") == ["bravo", "ouch"]
    assert len(lost) == 1


@pytest.mark.sample(1)
@pytest.mark.parametrize("choice", ["friends", "no_one", "met"])
async def test_who_may_ask_and_invite_is_chosen_once_and_shown_as_stored(place: Place, choice: str) -> None:
    page = await on_friends_page(place)
    label = page.get_by_label("Who may ask and invite me")
    await expect(label).to_have_value("met")
    await label.select_option("no_one")
    await expect(label).to_have_value("no_one")
    await page.wait_for_function("async () => (await (await fetch('/api/friends')).json()).contact === 'no_one'")
    await page.route(
        "**/api/friends", lambda route: route.abort() if route.request.method == "PATCH" else route.continue_()
    )
    await label.select_option("friends")
    await expect(page.get_by_text(NO_ANSWER)).to_be_visible()
    await expect(label).to_have_value("no_one")
    await page.unroute("**/api/friends")
    await label.select_option(choice)
    await page.wait_for_function(
        "async (choice) => (await (await fetch('/api/friends')).json()).contact === choice", arg=choice
    )
    await page.reload()
    await expect(label).to_have_value(choice)
