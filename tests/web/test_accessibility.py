"""Accessibility of every page in light and dark mode, checked by axe."""

import re
from functools import cache
from typing import Any

import npm
import pytest
from playwright.async_api import Page, expect
from tests.web.conftest import REDUCED_MOTION, PageOpener, open_at_table

PAGES = (
    "/",
    "/daily",
    "/new",
    "/ladder",
    "/learn",
    "/learn/nimmt",
    "/learn/niuniu",
    "/learn/war",
    "/me",
    "/password",
    "/puzzles",
    "/replay",
    "/watch",
    "/tournaments",
)
GAMES: dict[str, dict[str, Any]] = {
    "nimmt": {"options": {"seats": 5}},
    "niuniu": {"options": {"seats": 5, "throws": 1}},
    "war": {},
}
SCHEMES = ("light", "dark")


@cache
def axe() -> str:
    """Return the axe script, in the version of the lock file."""
    return (npm.package("axe-core") / "axe.min.js").read_text("utf-8")


RUN_AXE = """async () => {
  const options = { resultTypes: ["violations"], elementRef: true };
  const run = async (runOnly) => (await axe.run(document, { ...options, runOnly })).violations;
  const violations = await run(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]);
  const sizes = violations.find(({ id }) => id === "target-size") ?? { nodes: [] };
  const tooSmall = [];
  for (const node of sizes.nodes) {
    node.element.scrollIntoView({ block: "center", behavior: "instant" });
    const uncovered = (await run(["target-size"])).flatMap(({ nodes }) => nodes);
    tooSmall.push(...uncovered.filter(({ element }) => element === node.element));
  }
  sizes.nodes = tooSmall;
  const report = ({ target, failureSummary }) => ({ target, failureSummary });
  return violations.filter(({ impact, nodes }) => ["serious", "critical"].includes(impact) && nodes.length)
    .map(({ id, nodes }) => ({ id, nodes: nodes.map(report) }));
}"""
"""Return the serious and critical violations.

A sticky bar covers a part of any target beneath it, as it must: the size of a target counts in the middle of the page.
"""
FINISH_ANIMATIONS = """() => Promise.all(document.getAnimations()
  .filter((each) => each.effect.getTiming().iterations !== Infinity)
  .map((each) => each.finished.catch(() => {})))"""


async def violations(page: Page) -> list[str]:
    """
    Return the serious and critical violations with their elements, after all animations have ended.

    The page is scrolled to its top first, so that the result does not depend on where a test left it.
    """
    await page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    await page.evaluate(FINISH_ANIMATIONS)
    if not await page.evaluate("'axe' in globalThis"):
        await page.evaluate(axe())
    return [
        f"{violation['id']}: {node['target']} {node.get('failureSummary', '')}"
        for violation in await page.evaluate(RUN_AXE)
        for node in violation["nodes"]
    ]


async def test_only_the_target_beneath_a_sticky_bar_is_measured_elsewhere(open_page: PageOpener) -> None:
    page = await open_page(None)
    await page.set_content(
        """<!doctype html><html lang="en"><title>Targets</title><style>
          button { display: block; width: 60px; height: 30px; padding: 0; margin: 0 }
          .small button { height: 10px }
          nav { position: sticky; bottom: 0; height: 50px; background: white }
          nav button { width: 100%; height: 50px }
        </style><main><h1>Targets</h1><div style="height: calc(100vh - 130px)"></div>
        <button>Covered</button><button>Part</button><button>Part</button>
        <div style="height: 200vh"></div>
        <div class="small"><button id="small-1">Small</button><button id="small-2">Small</button></div>
        <nav><button>Bar</button></nav></main>"""
    )
    assert [violation.split(" Fix")[0] for violation in await violations(page)] == [
        "target-size: ['#small-1']",
        "target-size: ['#small-2']",
    ]


@pytest.mark.parametrize("scheme", SCHEMES)
async def test_axe_finds_no_serious_violation_at_home(open_page: PageOpener, scheme: Any) -> None:
    page = await open_page("/", color_scheme=scheme, **REDUCED_MOTION)
    await page.wait_for_load_state("networkidle")
    assert await violations(page) == []


@pytest.mark.long
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("path", PAGES[1:])
async def test_axe_finds_no_serious_violation_on_any_page(open_page: PageOpener, path: str, scheme: Any) -> None:
    page = await open_page(path, color_scheme=scheme, **REDUCED_MOTION)
    await page.wait_for_load_state("networkidle")
    assert await violations(page) == []


async def axe_violations(open_page: PageOpener, game: str, scheme: Any, **size: int) -> list[str]:
    """Return the violations at a table: in a game, in its menu, in the settings."""
    browser = REDUCED_MOTION | {"color_scheme": scheme} | ({"viewport": size} if size else {})
    page = await open_at_table(open_page, browser=browser, game=game, bots=["random"], **GAMES[game])
    await page.locator(f"{game}-table").wait_for()
    await page.wait_for_load_state("networkidle")
    violated = await violations(page)
    await page.get_by_role("button", name="Menu").click()
    violated += await violations(page)
    await page.get_by_role("button", name="Settings").click()
    await page.locator("settings-dialog dialog").wait_for()
    return violated + await violations(page)


async def test_axe_finds_no_serious_violation_at_a_table(open_page: PageOpener) -> None:
    assert await axe_violations(open_page, "nimmt", "light", width=360, height=640) == []


@pytest.mark.long
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("game", GAMES)
async def test_axe_finds_no_serious_violation_at_a_table_of_any_game(
    open_page: PageOpener, game: str, scheme: Any
) -> None:
    assert await axe_violations(open_page, game, scheme) == []


@pytest.mark.long
@pytest.mark.parametrize("scheme", SCHEMES)
async def test_axe_finds_no_serious_violation_in_a_lobby(open_page: PageOpener, scheme: Any) -> None:
    page = await open_at_table(
        open_page, start=False, browser={"color_scheme": scheme}, game="nimmt", options={"seats": 4}
    )
    await page.wait_for_load_state("networkidle")
    assert await violations(page) == []


async def test_the_deal_after_the_lobby_is_announced_in_the_readers_language(open_page: PageOpener) -> None:
    """The translations of the game are loaded when it starts."""
    browser = REDUCED_MOTION | {"locale": "de"}
    page = await open_at_table(open_page, start=False, browser=browser, game="nimmt", options={"seats": 2})
    await page.get_by_role("button", name=re.compile("^Starten")).click()
    await page.locator("faceup-table .next.mine").wait_for()
    announcements = page.locator("#announcements")
    await expect(announcements).to_contain_text("Die Reihen beginnen mit")
    await expect(announcements).not_to_contain_text("rows open with")
