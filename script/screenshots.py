"""Take screenshots of every page at three sizes, light and dark. See `script/screenshots`.

Screenshots used in the documentation go to docs/screenshots. `./script/screenshots home war` takes only those pages.
Games are played against bots by the middle card; cards differ between runs.
"""

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from secrets import token_hex
from typing import Final

from playwright.async_api import Browser, Page, async_playwright
from tests.server.server_process import Server, serving
from tests.web.conftest import browser_path, create_table, send_command

ROOT: Final = Path(__file__).resolve().parent.parent
ALL: Final = ROOT / "build" / "screenshots"
SHOWN: Final = ROOT / "docs" / "screenshots"

SIZES: Final = {"phone": (360, 640), "tablet": (768, 1024), "desk": (1440, 900)}
SCHEMES: Final = ("light", "dark")
LANGUAGES: Final = ("en", "de", "zh")
IN_ALL_LANGUAGES: Final = frozenset({"home", "nimmt"})

KEPT: Final = frozenset(
    {
        "home-desk-light-en",
        "home-phone-dark-en",
        "pending-desk-light-en",
        "nimmt-desk-light-en",
        "nimmt-phone-light-en",
        "nimmt-desk-dark-de",
        "result-phone-light-en",
        "niuniu-tablet-dark-en",
        "war-desk-light-en",
        "replay-desk-light-en",
        "learn-phone-light-en",
    }
)
"""What docs/screenshots has, as JPEG: to keep the repository small."""


async def table(page: Page, *, start: bool = True, **opening: object) -> str:
    """Create a table as Ann and open its page."""
    made = await create_table(page, **opening)
    if start:
        await send_command(page, made, "start")
    await page.goto(f"/t/{made}")
    return made


async def played(page: Page, made: str, decisions: int) -> None:
    """Choose the first legal action the given number of times."""
    while decisions:
        room = (await (await page.request.get(f"/api/tables/{made}")).json())["room"]
        if room["status"] != "active":
            return
        if room["actions"] and "choice" not in room:
            action = room["actions"][len(room["actions"]) // 2]
            await send_command(page, made, "choose", seat=0, action=action, decision=room["decision"])
            decisions -= 1
        await page.wait_for_timeout(300)
    await page.wait_for_timeout(3000)


async def nimmt(page: Page) -> None:
    """Play some turns of 6 nimmt! with six seats."""
    await played(page, await table(page, game="nimmt", options={"seats": 6}, terms={"clock": 60_000}, bots=BOTS), 4)


async def result(page: Page) -> None:
    """Play a short game to its end."""
    await played(page, await table(page, game="nimmt", options={"seats": 4, "hand": 3}, bots=BOTS), 4)
    await page.locator("table-result h2").wait_for()


async def niuniu(page: Page) -> None:
    """Play Niu Niu with five seats."""
    await played(page, await table(page, game="niuniu", options={"seats": 5, "throws": 5}), 2)


async def war(page: Page) -> None:
    """Play some rounds of War."""
    await played(page, await table(page, game="war"), 6)


async def pending(page: Page) -> None:
    """Open a table that waits for players."""
    made = await table(page, start=False, game="nimmt", options={"seats": 5})
    await send_command(page, made, "add_bot", kind="greedy")


async def replay(page: Page) -> None:
    """Open the replay of a finished game in its middle."""
    made = await table(page, game="nimmt", options={"seats": 4, "hand": 4})
    await played(page, made, 5)
    await page.goto(f"/t/{made}/replay#at=3&seat=0")
    await page.locator("faceup-table .frame").wait_for(timeout=60_000)


def at(path: str) -> Callable[[Page], Awaitable[None]]:
    """Return a function that opens a static page."""

    async def go(page: Page) -> None:
        await page.goto(path)

    return go


BOTS: Final = ["greedy"]
PAGES: Final[Mapping[str, Callable[[Page], Awaitable[None]]]] = {
    "home": at("/"),
    "new": at("/new"),
    "pending": pending,
    "nimmt": nimmt,
    "result": result,
    "niuniu": niuniu,
    "war": war,
    "replay": replay,
    "learn": at("/learn/nimmt"),
    "ladder": at("/ladder"),
    "me": at("/me"),
}


async def taken(browser: Browser, server: Server, name: str, language: str) -> None:
    """Take a page at all sizes, light and dark."""
    context = await browser.new_context(base_url=server.address, locale=language, reduced_motion="reduce")
    page = await context.new_page()
    await page.goto("/ladder")
    named = {"name": "Ann"}
    await page.request.post("/api/session", data=named, headers={"origin": server.address})
    await PAGES[name](page)
    for size, (width, height) in SIZES.items():
        await page.set_viewport_size({"width": width, "height": height})
        for scheme in SCHEMES:
            await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            await page.wait_for_timeout(800)
            picture = f"{name}-{size}-{scheme}-{language}"
            await page.screenshot(path=ALL / f"{picture}.png")
            if picture in KEPT:
                await page.screenshot(path=SHOWN / f"{picture}.jpg", type="jpeg", quality=80)
    await context.close()


async def main(names: list[str]) -> None:
    """Take all pages, or the named ones."""
    if unknown := sorted(set(names) - PAGES.keys()):
        sys.exit(f"no such page: {', '.join(unknown)}; there are {', '.join(PAGES)}")
    ALL.mkdir(parents=True, exist_ok=True)
    SHOWN.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"faceup-{token_hex(4)}-") as data, serving(Path(data)) as server:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
            )
            for name in names or PAGES:
                for language in LANGUAGES if name in IN_ALL_LANGUAGES else LANGUAGES[:1]:
                    await taken(browser, server, name, language)
                    print(f"{name}, {language}")
            await browser.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
