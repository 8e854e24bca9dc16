"""A page that waits for people rests: no animation goes on for as long as it waits, and the clock moves in steps."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import Page, expect
from tests.web.conftest import REDUCED_MOTION, PageOpener, create_table, send_command
from tests.web.driver import play_match

LONGEST = 30_000
"""Milliseconds after which every animation has ended."""

LONG_ANIMATIONS = """(limit) => {
  const inside = (root) => [...root.querySelectorAll("*")]
    .flatMap(({ shadowRoot }) => shadowRoot ? [shadowRoot, ...inside(shadowRoot)] : []);
  return [document, ...inside(document)].flatMap((root) => root.getAnimations())
    .filter(({ effect }) => effect.getComputedTiming().endTime > limit)
    .map((each) => `${each.animationName ?? each.transitionProperty} of ${each.effect.target.className}`);
}"""


async def two_at_a_table(open_page: PageOpener, game: str, **browser: Any) -> tuple[Page, Page]:
    """Start a game of two people, and return their pages."""
    page, other = await open_page(None, **browser), await open_page(None)
    table = await create_table(
        page, game=game, options={"seats": 4}, bots=["random", "random"], terms={"clock": 60_000}
    )
    await send_command(other, table, "sit")
    await send_command(page, table, "start")
    await page.goto(f"/t/{table}")
    return page, other


@pytest.mark.parametrize(("game", "waits"), [("nimmt", ".badge.thinks"), ("niuniu", ".air .die")])
async def test_no_animation_lasts_while_others_think(open_page: PageOpener, game: str, waits: str) -> None:
    page, _ = await two_at_a_table(open_page, game)
    await expect(page.locator(waits).first).to_be_visible()
    assert await page.evaluate(LONG_ANIMATIONS, LONGEST) == []
    assert await page.evaluate(LONG_ANIMATIONS, 0) != [], "the animations are found"


async def test_nothing_moves_with_reduced_motion(open_page: PageOpener) -> None:
    page, _ = await two_at_a_table(open_page, "nimmt", **REDUCED_MOTION)
    await expect(page.locator(".badge.thinks").first).to_be_visible()
    assert await page.evaluate(LONG_ANIMATIONS, 100) == []


async def test_the_light_of_a_result_rests(open_page: PageOpener) -> None:
    page = await open_page(None)
    table = await create_table(page, game="nimmt", options={"seats": 2, "hand": 1}, bots=["random"])
    await send_command(page, table, "start")
    await page.goto(f"/t/{table}")
    await asyncio.wait_for(play_match(page), 60)
    await expect(page.locator("table-result .light")).to_be_attached()
    assert await page.evaluate(LONG_ANIMATIONS, LONGEST) == []
