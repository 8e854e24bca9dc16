"""Niu Niu in the page: the hands and odds are those of the rules, and what moves together is the triple."""

from itertools import product
from typing import Any

import pytest
from playwright.async_api import Locator, expect
from tests.web.conftest import People, at_table

from faceup.games.niuniu import score
from faceup.odds.niuniu import odds
from faceup.server.api.web import web

HANDS = """async ([base, throws]) => {
  const { score } = await import(`${base}/games/niuniu/hand.js`);
  return throws.map((dice) => {
    const { points, triple, rest, statistics } = score(dice);
    return [points, triple.map((place) => dice[place]), rest.map((place) => dice[place]), statistics];
  });
}"""
ODDS = """async ([base, faces]) => {
  const { odds, battle } = await import(`${base}/games/niuniu/odds.js`);
  const found = odds(faces);
  return [found.points, [2, 5, 10].map((seats) => battle(found, seats)).flatMap(({ win, draw }) => [win, draw])];
}"""
TOLD = """(table, played) => new Promise((done, failed) => {
  setTimeout(() => failed(new Error("the throw is not told")), 60_000);
  const told = () => table.shown?.phase === "told" && table.shown.view.played === played;
  const look = () => (told() ? done() : requestAnimationFrame(look));
  look();
})"""
LANES = """(lanes) => lanes.map((lane) => ({
  told: lane.querySelector(".dice").getAttribute("aria-label"),
  at: [...lane.querySelectorAll(".place")].map((place) => Number(place.style.getPropertyValue("--at"))),
  apart: [...lane.querySelectorAll(".place")].map((place) => Number(place.style.getPropertyValue("--apart"))),
  won: lane.classList.contains("won"),
}))"""


async def test_every_hand_is_worth_what_the_rules_say_and_the_odds_are_exact(people: People) -> None:
    page = await people("/ladder")
    base = f"/static/{web().stamp}"
    throws = list(product(range(1, 7), repeat=5))
    for dice, found in zip(throws, await page.evaluate(HANDS, [base, throws]), strict=True):
        hand = score(dice)
        assert found == [hand.points, list(hand.triple or ()), list(hand.rest or ()), hand.statistics], dice
    for faces in (2, 6, 17, 100):
        exact = odds(faces)
        points, battles = await page.evaluate(ODDS, [base, faces])
        assert points == pytest.approx([chance.value for chance in exact.ranks])
        wanted = [exact.battles[seats - 2] for seats in (2, 5, 10)]
        assert battles == pytest.approx([part.value for battle in wanted for part in (battle.win, battle.draw)])


async def check_throw(table: Locator, played: int) -> None:
    """The throw that lies there is the server's, and the three that lie together are its triple."""
    await table.evaluate(TOLD, played)
    sight: Any = await table.evaluate("(table) => table.sight")
    lanes = await table.locator(".lane").evaluate_all(LANES)
    dice = sight["view"]["log"][-1]
    hands = [score(each) for each in dice]
    most = max(hand.points for hand in hands)
    alone = [hand.points for hand in hands].count(most) == 1
    for seat, lane in zip((1, 2, 0), lanes, strict=True):  # one's own dice lie nearest
        hand = hands[seat]
        assert lane["told"].startswith(" ".join(map(str, dice[seat])))
        lies = [dice[seat][lane["at"].index(place)] for place in range(5)]
        assert lies == [*(hand.triple or dice[seat]), *(hand.rest or ())]
        assert sum(lane["apart"]) == (2 if hand.triple else 0)
        assert lane["won"] == (alone and hand.points == most)


async def test_a_match_is_played_by_keys_and_a_double_click_is_one_throw_and_the_three_that_move_are_the_triple(
    people: People,
) -> None:
    page = await at_table(people, game="niuniu", options={"seats": 3, "throws": 3}, bots=["random"])
    table = page.locator("niuniu-table")
    await expect(table.locator(".empty")).to_have_count(1)  # the computers' dice are in the air
    await expect(table.locator(".says")).to_have_text("Throw 1 of 3")
    await page.keyboard.press("x")
    await check_throw(table, 1)
    await page.emulate_media(reduced_motion="reduce")
    await table.get_by_role("button", name="Throw").dblclick()
    await check_throw(table, 2)
    await page.keyboard.press("Enter")
    await check_throw(table, 3)
    await expect(page.locator("table-result h2")).to_be_visible()
    await expect(table.get_by_role("button", name="Throw")).to_have_count(0)
    result = (await table.evaluate("(table) => table.sight"))["result"]
    standing = await table.evaluate("(table) => table.standing.map((each) => Number(each.score))")
    assert standing == result["scores"]
