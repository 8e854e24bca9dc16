"""Play on a table's page, in any game: by keyboard, or by a function of the test."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from typing import Any, Final, TypeAlias

from playwright.async_api import Page
from playwright.async_api import TimeoutError as PlaywrightTimeout

TableView: TypeAlias = dict[str, Any]  # Any: JSON
Choose: TypeAlias = Callable[[Page, TableView], Awaitable[None]]

TABLE_VIEW: Final = "document.querySelector('table-page')?.connection?.room"
_DECISION_OPEN: Final = f"""before => {{
  const {{ status = "pending", actions, choice, decision }} = {TABLE_VIEW} ?? {{}};
  return status === "active" ? actions.length && !choice && decision !== before : status !== "pending";
}}"""
_DECISION_MADE: Final = f"""before => {{
  const {{ status, decision, choice }} = {TABLE_VIEW};
  return choice || status !== "active" || decision !== before;
}}"""
_DRAWN: Final = ".felt, generic-table button"
_IS_DISPLAYED: Final = """decision => {
  const frame = document.querySelector("table-page")?.shadowRoot.querySelector("faceup-table");
  return frame && !frame.revealing && frame.shown?.decision >= decision;
}"""
_RETRY_AFTER: Final = 5_000
"""Milliseconds after which keys without effect are pressed again."""


async def room(page: Page) -> TableView:
    """Return the page's view of its table."""
    view: TableView = await page.evaluate(TABLE_VIEW)
    return view


async def play_match(page: Page, choose: Choose | None = None, *, most: int | None = None) -> None:
    """Choose at every open decision until the game is over, at most `most` times."""
    before = -1
    for number in count():
        await page.wait_for_function(_DECISION_OPEN, arg=before)
        now = await room(page)
        if now["status"] != "active" or number == most:
            return
        await page.locator(_DRAWN).first.wait_for()
        await _skip_reveal(page, now["decision"])
        await (choose or choose_by_keyboard)(page, now)
        before = now["decision"]


async def choose_by_keyboard(page: Page, now: TableView) -> None:
    """Choose by keyboard."""
    chosen = False
    while not chosen:  # a table that is being rendered ignores keys
        for key in _keys(now):
            await page.keyboard.press(key)
        with suppress(PlaywrightTimeout):
            await page.wait_for_function(_DECISION_MADE, arg=now["decision"], timeout=_RETRY_AFTER)
            chosen = True


async def _skip_reveal(page: Page, decision: int) -> None:
    """Skip the reveal before a decision, in which no one can choose."""
    if not await page.evaluate(_IS_DISPLAYED, decision):
        await page.keyboard.press("Escape")
        await page.wait_for_function(_IS_DISPLAYED, arg=decision)


def _keys(now: TableView) -> tuple[str, ...]:
    """Return the keys that choose an action."""
    match now["config"]["game"]:
        case "nimmt":
            return ("1", "Enter") if now["actions"][0].startswith("take") else ("ArrowRight", "Enter", "Enter")
        case "niuniu" | "war":
            return ("x",)
        case _:
            return ("1",)
