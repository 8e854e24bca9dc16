"""Playing at a table's page as people do, whichever element its game has: by keys, or by what a test hands in."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from typing import Any, Final, TypeAlias

from playwright.async_api import Page
from playwright.async_api import TimeoutError as TooLate

Sight: TypeAlias = dict[str, Any]  # Any: JSON
Choose: TypeAlias = Callable[[Page, Sight], Awaitable[None]]

SIGHT: Final = "document.querySelector('table-page')?.live?.sight"
_ASKED: Final = f"""before => {{
  const {{ status = "pending", words, choice, decision }} = {SIGHT} ?? {{}};
  return status === "active" ? words.length && !choice && decision !== before : status !== "pending";
}}"""
_CHOSEN: Final = f"""before => {{
  const {{ status, decision, choice }} = {SIGHT};
  return choice || status !== "active" || decision !== before;
}}"""
_DRAWN: Final = ".felt, any-table button"
_AGAIN: Final = 5_000
"""Milliseconds after which keys that came to nothing are pressed again."""


async def sight(page: Page) -> Sight:
    """What the page of a table knows of it."""
    found: Sight = await page.evaluate(SIGHT)
    return found


async def play(page: Page, choose: Choose | None = None, *, most: int | None = None) -> None:
    """Choose as often as there is something to choose, until the game is over; `most` times, if that is said."""
    before = -1
    for number in count():
        await page.wait_for_function(_ASKED, arg=before)
        now = await sight(page)
        if now["status"] != "active" or number == most:
            return
        await (choose or by_keys)(page, now)
        before = now["decision"]


async def by_keys(page: Page, now: Sight) -> None:
    """Choose by the keyboard alone."""
    await page.locator(_DRAWN).first.wait_for()
    chosen = False
    while not chosen:  # a table that is just being drawn does not hear a key
        for key in _keys(now):
            await page.keyboard.press(key)
        with suppress(TooLate):
            await page.wait_for_function(_CHOSEN, arg=now["decision"], timeout=_AGAIN)
            chosen = True


def _keys(now: Sight) -> tuple[str, ...]:
    """Those that choose something at a table as it stands."""
    match now["opening"]["game"]:
        case "nimmt":
            return ("1", "Enter") if now["words"][0].startswith("take") else ("ArrowRight", "Enter", "Enter")
        case "niuniu" | "war":
            return ("x",)
        case _:
            return ("1",)
