"""A banned player reads on the page until when and why, in each language."""

import json
import os
import subprocess
import sys

import pytest
from playwright.async_api import expect
from tests.server.server_process import Server
from tests.web.conftest import PHONE, PageOpener, open_at_table, screenshot


def admin(server: Server, *words: str) -> bytes:
    """Run `faceup admin bans`, and return its output."""
    command = (sys.executable, "-m", "faceup", "admin", "bans", *words)
    environment = {**os.environ, "FACEUP_DATA": str(server.data)}
    return subprocess.run(command, env=environment, check=True, capture_output=True, timeout=120).stdout


@pytest.mark.long
@pytest.mark.parametrize(
    ("locale", "sentence"),
    [
        ("en", "This server has banned you or your network until {when}. Reason: cheating"),
        ("de", "Dieser Server hat dich oder dein Netzwerk bis {when} gesperrt. Grund: cheating"),
        ("fr", "Ce serveur t\u2019a banni, toi ou ton réseau, jusqu\u2019au {when}. Motif\u202f: cheating"),
        ("zh", "你或你的网络已被此服务器封禁，直至{when}。原因：cheating"),  # noqa: RUF001 -- Chinese punctuation
    ],
)
async def test_a_banned_player_reads_until_when(
    open_page: PageOpener, server: Server, locale: str, sentence: str
) -> None:
    options = {"seats": 2, "hand": 2}
    page = await open_at_table(open_page, game="nimmt", options=options, browser={**PHONE, "locale": locale})
    await expect(page.locator("faceup-table .felt").first).to_be_visible()
    await page.request.patch("/api/me", data={"name": f"Mallory {locale}"}, headers={"origin": server.address})
    admin(server, "add", f"Mallory {locale}", "--for", "30d", "--reason", "cheating")
    listed = json.loads(admin(server, "list", "--json"))
    until = next(ban["until"] for ban in listed if ban["name"] == f"Mallory {locale}")
    when = await page.evaluate(
        """until => new Date(until).toLocaleString(document.documentElement.lang.slice(0, 2),
        { dateStyle: "medium", timeStyle: "short" })""",
        until,
    )
    expected = sentence.format(when=when)
    await expect(page.get_by_role("alert").get_by_role("heading")).to_have_text(expected)
    await screenshot(page, f"banned-table-{locale}")
    await page.get_by_role("link").first.click()
    await page.locator("a[href='/new']").first.click()
    await page.locator("create-table-page button[type=submit], create-table-page button.main").first.click()
    await expect(page.locator("create-table-page [role=alert]").first).to_have_text(expected)
    await screenshot(page, f"banned-new-{locale}")
    open_page.page_errors.clear()  # browsers report each answer with the status 403
