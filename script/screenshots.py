"""Take screenshots of every page at three sizes, light and dark, and a film of a reveal. See `script/screenshots`.

Pictures used in the documentation go to docs/screenshots. `./script/screenshots home war` takes only those pages, and
`./script/screenshots reveal` only the film. `--docs` takes only the pictures of docs/screenshots. Players choose
the middle card; cards differ between runs.
"""

import asyncio
import io
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from itertools import pairwise
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Any, Final

from PIL import Image
from playwright.async_api import Browser, Page, async_playwright
from tests.server.server_process import Server, serving
from tests.web.conftest import browser_path

from faceup.translations import LANGUAGES

ROOT: Final = Path(__file__).resolve().parent.parent
ALL: Final = ROOT / "build" / "screenshots"
SHOWN: Final = ROOT / "docs" / "screenshots"
ADDRESS: Final = "http://192.168.1.7:8000"
"""The address that the pages show, as at home; the browser connects to a server on this machine."""

SIZES: Final = {"phone": (360, 640), "tablet": (768, 1024), "desk": (1440, 900)}
SCHEMES: Final = ("light", "dark")
SETTLE: Final = (
    "new Promise((done) => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(done), 1200)))"
)
"""Wait for the first frame with the new colours, then until all transitions have ended."""
IN_ALL_LANGUAGES: Final = frozenset({"home", "nimmt"})
FRIENDS: Final = ("Bo", "Cem", "Dana", "Eli")

KEPT: Final = frozenset(
    {
        "home-desk-light-en",
        "home-phone-light-en",
        "new-phone-light-en",
        "pending-desk-light-en",
        "pending-phone-light-en",
        "join-phone-light-en",
        "nimmt-desk-light-en",
        "nimmt-desk-dark-en",
        "nimmt-phone-light-en",
        "result-phone-light-en",
        "television-desk-dark-en",
        "niuniu-tablet-dark-en",
        "war-desk-light-en",
        "replay-desk-light-en",
    }
)
"""The screenshots in docs/screenshots. They are WebP, to keep the repository small."""

FILM: Final = (1280, 800)
FILM_WIDTH: Final = 960
"""The width to which the pictures of the film are reduced."""
SLOW: Final = 0.2
"""Speed of the reveal while it is filmed, because a screenshot takes about a tenth of a second."""
FRAME: Final = 0.04
"""The shortest time between two pictures of the film, in seconds at normal speed."""
REVEAL: Final = 7.0
"""Seconds at normal speed from the last choice to the end of the film."""
LAST: Final = 3_000
"""Milliseconds that the film shows its last picture."""


class Visitors:
    """Opens pages as players of one server, each in its own browser context."""

    def __init__(self, browser: Browser, opened: AsyncExitStack) -> None:
        self._browser = browser
        self._opened = opened

    async def __call__(self, name: str, **options: Any) -> Page:  # noqa: ANN401 -- options of Playwright
        """Open a page as a new player."""
        context = await self._browser.new_context(base_url=ADDRESS, **options)
        self._opened.push_async_callback(context.close)
        page = await context.new_page()
        await page.goto("/ladder")
        await ask(page, "POST", "/api/session", {"name": name})
        return page


async def ask(page: Page, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 -- JSON
    """Send a request to the API as the player of a page; return the response."""
    script = """async ([method, path, body]) => {
        const headers = { "content-type": "application/json" };
        const answer = await fetch(path, { method, ...(body && { headers, body: JSON.stringify(body) }) });
        if (!answer.ok) throw new Error(await answer.text());
        return answer.status === 204 ? null : answer.json();
    }"""
    return await page.evaluate(script, [method, path, body])


async def view(page: Page, made: str) -> Any:  # noqa: ANN401 -- JSON
    """Return what the player of a page sees of a table."""
    return (await ask(page, "GET", f"/api/tables/{made}"))["room"]


async def send(page: Page, made: str, command: str, **fields: object) -> None:
    """Send a command to a table as the player of a page."""
    await ask(page, "POST", f"/api/tables/{made}/commands", {"id": token_hex(8), "command": command} | fields)


async def table(page: Page, *friends: Page, start: bool = True, **config: object) -> str:
    """Create a table as the player of the page, seat the friends, start the game, and open the table's page.

    The friends are not connected, so they become absent only after the longest possible time.
    """
    made = (await ask(page, "POST", "/api/tables", {"config": {"grace": 600_000} | config}))["id"]
    for friend in friends:
        await send(friend, made, "sit")
    if start and (await view(page, made))["status"] == "pending":
        await send(page, made, "start")
    await page.goto(f"/t/{made}")
    return str(made)


async def choose(page: Page, made: str) -> bool:
    """Choose the middle action if the player has to choose; return whether the game continues."""
    room = await view(page, made)
    if room["status"] == "active" and room["actions"] and "choice" not in room:
        action = room["actions"][len(room["actions"]) // 2]
        await send(page, made, "choose", seat=room["seat"], action=action, decision=room["decision"])
    return bool(room["status"] == "active")


async def played(made: str, players: tuple[Page, ...], decisions: int) -> None:
    """Let everyone choose until this number of decisions has been made, or the game is over."""
    while (await view(players[0], made))["decision"] < decisions:
        for player in players:
            if not await choose(player, made) or (await view(player, made))["decision"] >= decisions:
                return
        await asyncio.sleep(0.3)


async def nimmt(page: Page, visitors: Visitors) -> None:
    """Play some turns of 6 nimmt! with five players; three have chosen again."""
    friends = [await visitors(name) for name in FRIENDS]
    made = await table(page, *friends, game="nimmt", options={"seats": 5}, terms={"clock": 60_000})
    await played(made, (page, *friends), 4)
    await asyncio.sleep(3)
    for friend in friends[:3]:
        await choose(friend, made)


async def television(page: Page, visitors: Visitors) -> None:
    """Watch a game of 6 nimmt! on a television."""
    host = await visitors("Ann")
    friends = [await visitors(name) for name in FRIENDS]
    made = await table(host, *friends, game="nimmt", options={"seats": 5})
    await played(made, (host, *friends), 5)
    await page.goto(f"/t/{made}?television")


async def result(page: Page, visitors: Visitors) -> None:
    """Play a short game to its end."""
    friends = [await visitors(name) for name in FRIENDS[:3]]
    made = await table(page, *friends, game="nimmt", options={"seats": 4, "hand": 3})
    await played(made, (page, *friends), 99)
    await page.locator("table-result h2").wait_for()


async def niuniu(page: Page, visitors: Visitors) -> None:
    """Play Niu Niu with five seats."""
    friends = [await visitors(name) for name in FRIENDS]
    made = await table(page, *friends, game="niuniu", options={"seats": 5, "throws": 5})
    await played(made, (page, *friends), 3)
    await asyncio.sleep(3)


async def war(page: Page, visitors: Visitors) -> None:
    """Play some rounds of War."""
    bo = await visitors("Bo")
    await played(await table(page, bo, game="war"), (page, bo), 12)
    await asyncio.sleep(3)


async def pending(page: Page, visitors: Visitors) -> None:
    """Open a table that waits for players."""
    made = await table(page, await visitors("Bo"), start=False, game="nimmt", options={"seats": 5})
    await send(page, made, "add_bot", kind="steady")


async def join(page: Page, visitors: Visitors) -> None:
    """Open a table that waits for players as someone who has no seat."""
    made = await table(await visitors("Ann"), start=False, game="nimmt", options={"seats": 5})
    await page.context.clear_cookies()
    await page.goto(f"/t/{made}")


async def replay(page: Page, visitors: Visitors) -> None:
    """Open the replay of a finished game in its middle."""
    friends = [await visitors(name) for name in FRIENDS[:3]]
    made = await table(page, *friends, game="nimmt", options={"seats": 4, "hand": 5})
    await played(made, (page, *friends), 99)
    await page.goto(f"/t/{made}/replay#at=4&seat=0")
    await page.locator("faceup-table .frame").wait_for(timeout=60_000)


def at(path: str) -> Callable[[Page, Visitors], Awaitable[None]]:
    """Return a function that opens a static page."""

    async def go(page: Page, visitors: Visitors) -> None:
        del visitors
        await page.goto(path)

    return go


PAGES: Final[Mapping[str, Callable[[Page, Visitors], Awaitable[None]]]] = {
    "home": at("/"),
    "new": at("/new"),
    "pending": pending,
    "join": join,
    "nimmt": nimmt,
    "television": television,
    "result": result,
    "niuniu": niuniu,
    "war": war,
    "replay": replay,
    "learn": at("/learn/nimmt"),
    "ladder": at("/ladder"),
    "me": at("/me"),
}


async def taken(browser: Browser, name: str, language: str, *, only_kept: bool) -> None:
    """Take a page at all sizes, light and dark, or only the pictures that docs/screenshots has."""
    expected = {f"{name}-{size}-{scheme}-{language}" for size in SIZES for scheme in SCHEMES}
    if only_kept:
        expected &= KEPT
    if not expected:
        return
    async with AsyncExitStack() as opened:
        visitors = Visitors(browser, opened)
        page = await visitors("Ann", locale=language, reduced_motion="reduce")
        await PAGES[name](page, visitors)
        for size, (width, height) in SIZES.items():
            await page.set_viewport_size({"width": width, "height": height})
            for scheme in SCHEMES:
                picture = f"{name}-{size}-{scheme}-{language}"
                if picture not in expected:
                    continue
                await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
                await page.evaluate(SETTLE)
                png = await page.screenshot(path=ALL / f"{picture}.png")
                if picture in KEPT:
                    Image.open(io.BytesIO(png)).convert("RGB").save(SHOWN / f"{picture}.webp", quality=80, method=6)


async def filmed(browser: Browser) -> None:
    """Film a turn of 6 nimmt! in which a row is taken: the choice, the reveal, and each card going to its row."""
    async with AsyncExitStack() as opened:
        visitors = Visitors(browser, opened)
        page = await visitors("Ann", locale="en", viewport={"width": FILM[0], "height": FILM[1]}, color_scheme="light")
        friends = [await visitors(name) for name in FRIENDS]
        made = await table(page, *friends, game="nimmt", options={"seats": 5}, terms={"clock": None})
        for decision in range(3, 10):
            await played(made, (page, *friends), decision)
            before = await view(page, made)
            if before["view"]["waiting"]:  # a player has to choose a row
                continue
            frames = await film_turn(page, friends, made)
            after = await view(page, made)
            if cards_taken(after) > cards_taken(before) and not after["view"]["waiting"]:
                return save_film(frames)
    sys.exit("in no filmed turn was a row taken without a choice; run ./script/screenshots reveal again")


def cards_taken(room: Any) -> int:  # noqa: ANN401 -- JSON
    """Return how many cards all players have taken."""
    return sum(map(len, room["view"]["taken"]))


async def film_turn(page: Page, friends: list[Page], made: str) -> list[tuple[float, bytes]]:
    """Return pictures from the choice to the end of the reveal, each with its time in seconds at normal speed."""
    await page.goto(f"/t/{made}")
    await page.locator(".held").first.wait_for()
    await page.locator("faceup-table").evaluate("(table, pace) => Object.assign(table, { pace })", SLOW)
    await page.locator("table-log").get_by_text("Revealed").first.wait_for()  # the log of the turns before
    await asyncio.sleep(1)

    async def act() -> None:
        pause = 0.6 / SLOW
        await asyncio.sleep(pause)
        for friend in friends[:2]:
            await choose(friend, made)
            await asyncio.sleep(0.2 / SLOW)
        await page.locator(".held").last.click()  # the highest card, for which Ann rarely has to choose a row
        await asyncio.sleep(pause)
        for friend in friends[2:]:
            await choose(friend, made)
        await asyncio.sleep(pause)
        await page.keyboard.press("Enter")

    acting = asyncio.create_task(act())
    frames = list[tuple[float, bytes]]()
    start = acted = monotonic()
    while not acting.done() or (monotonic() - acted) * SLOW < REVEAL:
        now = monotonic()
        if not acting.done():
            acted = now
        picture = await page.screenshot(type="jpeg", quality=95)  # several times as fast as PNG
        if not frames or picture != frames[-1][1]:
            frames.append(((now - start) * SLOW, picture))
        await asyncio.sleep(max(0.0, now + FRAME / SLOW - monotonic()))
    await acting
    return frames


def save_film(frames: list[tuple[float, bytes]]) -> None:
    """Write the pictures as an animated WebP."""
    size = (FILM_WIDTH, FILM_WIDTH * FILM[1] // FILM[0])
    pictures = [Image.open(io.BytesIO(frame)).resize(size, Image.Resampling.LANCZOS) for _, frame in frames]
    times = [time for time, _ in frames]
    lasting = [round(1000 * (after - time)) for time, after in pairwise(times)]
    pictures[0].save(
        SHOWN / "reveal.webp",
        save_all=True,
        append_images=pictures[1:],
        duration=[*lasting, LAST],
        loop=0,
        quality=85,  # below, parts of the dimmed table stay as they were in earlier pictures
        method=6,
        minimize_size=True,
    )


async def main(names: list[str]) -> None:
    """Take all pages and the film, or those named; `--docs` takes only what docs/screenshots has."""
    only_kept = "--docs" in names
    names = [name for name in names if name != "--docs"]
    if unknown := sorted(set(names) - PAGES.keys() - {"reveal"}):
        sys.exit(f"no such page: {', '.join(unknown)}; there are {', '.join(PAGES)} and reveal")
    ALL.mkdir(parents=True, exist_ok=True)
    SHOWN.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"faceup-{token_hex(4)}-") as data, serving(Path(data)) as server:
        async with async_playwright() as playwright:
            options = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", resolver_rule(server)]
            browser = await playwright.chromium.launch(executable_path=browser_path(), args=options)
            for name in [page for page in PAGES if page in names or not names]:
                for language in LANGUAGES if name in IN_ALL_LANGUAGES else LANGUAGES[:1]:
                    await taken(browser, name, language, only_kept=only_kept)
                    print(f"{name}, {language}", flush=True)
            if "reveal" in names or not names:
                await filmed(browser)
                print("reveal", flush=True)
            await browser.close()


def resolver_rule(server: Server) -> str:
    """Return the option that makes Chromium connect to the server when it opens `ADDRESS`."""
    shown, real = (address.removeprefix("http://") for address in (ADDRESS, server.address))
    return f"--host-resolver-rules=MAP {shown} {real}"


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
