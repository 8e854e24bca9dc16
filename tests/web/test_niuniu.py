"""Niu Niu in the browser: hands, odds, animation of triples, statistics."""

from itertools import product
from typing import Any

import pytest
from playwright.async_api import Locator, expect
from tests.web.conftest import PageOpener, open_at_table

from faceup.games.niuniu import score
from faceup.odds.niuniu import odds
from faceup.web.assets import web

SCORE_HANDS = """async ([base, throws]) => {
  const { scoreHand } = await import(`${base}/games/niuniu/hand.js`);
  return throws.map((dice) => {
    const { points, triple, rest, statistics } = scoreHand(dice);
    return [points, triple.map((place) => dice[place]), rest.map((place) => dice[place]), statistics];
  });
}"""
COMPUTE_ODDS = """async ([base, faces]) => {
  const { handOdds, battleOdds } = await import(`${base}/games/niuniu/odds.js`);
  const found = handOdds(faces);
  const battles = [2, 5, 10].map((seats) => battleOdds(found, seats));
  return [found.points, battles.flatMap(({ win, draw, lose }) => [win, draw, lose])];
}"""
WAIT_UNTIL_SCORED = """(table, played) => new Promise((done, failed) => {
  setTimeout(() => failed(new Error("the throw is not scored")), 60_000);
  const scored = () => table.shown?.phase === "scored" && table.shown.view.played === played;
  const look = () => (scored() ? done() : requestAnimationFrame(look));
  look();
})"""
READ_LANES = """(lanes) => lanes.map((lane) => {
  const boxes = [...lane.querySelectorAll(".place")].map((place) => place.getBoundingClientRect());
  const middles = boxes.map(({ left, width }) => left + width / 2);
  const sorted = middles.toSorted((one, other) => one - other);
  return {
    label: lane.querySelector(".dice").getAttribute("aria-label"),
    at: middles.map((middle) => sorted.indexOf(middle)),
    apart: sorted[3] - sorted[2] > 1.2 * (sorted[1] - sorted[0]),
    won: lane.classList.contains("won"),
  };
})"""


async def test_hand_scores_and_odds_equal_those_of_the_rules(open_page: PageOpener) -> None:
    page = await open_page("/ladder")
    base = f"/static/{web().stamp}"
    throws = list(product(range(1, 7), repeat=5))
    for dice, score_shown in zip(throws, await page.evaluate(SCORE_HANDS, [base, throws]), strict=True):
        hand = score(dice)
        assert score_shown == [hand.points, list(hand.triple or ()), list(hand.rest or ()), hand.statistics], dice
    for faces in (2, 6, 17, 100):
        exact = odds(faces)
        points, battles = await page.evaluate(COMPUTE_ODDS, [base, faces])
        assert points == pytest.approx([chance.value for chance in exact.ranks])
        exact_shares = [exact.battles[seats - 2] for seats in (2, 5, 10)]
        parts = [part.value for shares in exact_shares for part in (shares.win, shares.draw, shares.lose)]
        assert battles == pytest.approx(parts)


async def check_throw(table: Locator, played: int) -> None:
    """Check that the displayed throw is the server's, and that its triples are sorted together."""
    await table.evaluate(WAIT_UNTIL_SCORED, played)
    room: Any = await table.evaluate("(table) => table.room")
    lanes = await table.locator(".lane").evaluate_all(READ_LANES)
    dice = room["view"]["log"][-1]
    hands = [score(throw) for throw in dice]
    most = max(hand.points for hand in hands)
    single_winner = [hand.points for hand in hands].count(most) == 1
    for seat, lane in zip((1, 2, 0), lanes, strict=True):  # the viewer's dice come last
        hand = hands[seat]
        assert lane["label"].startswith(" ".join(map(str, dice[seat])))
        displayed = [dice[seat][lane["at"].index(place)] for place in range(5)]
        assert displayed == [*(hand.triple or dice[seat]), *(hand.rest or ())]
        assert lane["apart"] == bool(hand.triple)
        assert lane["won"] == (single_winner and hand.points == most)


@pytest.mark.long
async def test_match_by_keys_with_one_throw_per_double_click_and_sorted_triples(
    open_page: PageOpener,
) -> None:
    page = await open_at_table(open_page, game="niuniu", options={"seats": 3, "throws": 3}, bots=["random"])
    table = page.locator("niuniu-table")
    await expect(table.locator(".empty")).to_have_count(1)  # the bots have chosen already
    await expect(table.locator(".caption")).to_have_text("Throw 1 of 3")
    await page.keyboard.press("x")
    await check_throw(table, 1)
    await page.emulate_media(reduced_motion="reduce")
    await table.get_by_role("button", name="Throw").dblclick()
    await check_throw(table, 2)
    await page.keyboard.press("Enter")
    await check_throw(table, 3)
    await expect(page.locator("table-result h2")).to_be_visible()
    await expect(table.get_by_role("button", name="Throw")).to_have_count(0)
    result = (await table.evaluate("(table) => table.room"))["result"]
    standing = await table.evaluate("(table) => table.standing.map((each) => Number(each.score))")
    assert standing == result["scores"]


@pytest.mark.long
async def test_result_and_player_page_show_hand_statistics(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, game="niuniu", options={"seats": 2, "throws": 2}, bots=["random"])
    table = page.locator("niuniu-table")
    for played in (1, 2):
        await page.keyboard.press("x")
        await table.evaluate(WAIT_UNTIL_SCORED, played)
    room: Any = await table.evaluate("(table) => table.room")
    for seat in (0, 1):
        hands = [score(throw[seat]) for throw in room["view"]["log"]]
        scores = [hand.statistics for hand in hands]
        line = f"2 hands · statistics points: {sum(scores)} (mean {sum(scores) / 2:.2f}) · {scores.count(5)} baozi"
        shown = page.locator("table-result li").filter(has_text=room["seats"][seat]["name"]).locator("hand-statistics")
        await expect(shown.locator("summary")).to_have_text(line)
        if seat == 0:
            own_line, worth = line, [hand.points for hand in hands]
    assert {"finished"} == {room["status"]}
    await page.goto(f"/players/{room['seats'][0]['handle']}")
    statistics = page.locator("player-results section hand-statistics")
    await expect(statistics.locator("summary")).to_have_text(own_line)
    counts = await statistics.locator(".bar").evaluate_all(
        "(bars) => bars.map((bar) => Number(bar.title.split(': ')[1]))"
    )
    assert counts == [worth.count(points) for points in range(11)]
    await page.goto("/ladder?of=niuniu:battle")
    await expect(page.get_by_text("Throw 100 hands to be ranked.")).to_be_visible()
    await expect(page.get_by_text("No player has thrown enough hands yet.")).to_be_visible()


SET_STANDING = """(table, [won, drawn]) => {
  table.shown = { ...table.shown, view: { ...table.shown.view, played: 5, won, drawn } };
  return table.standing.map(({ words, leads }) => [words, leads]);
}"""


async def test_throws_drawn_break_ties_of_the_leaders(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, game="niuniu", options={"seats": 3, "throws": 5}, bots=["random"])
    table = page.locator("niuniu-table")
    await expect(table.locator(".caption")).to_have_text("Throw 1 of 5")
    assert await table.evaluate(SET_STANDING, [[1, 1, 0], [1, 0, 2]]) == [
        ["1 throw won, 1 drawn", True],
        ["1 throw won", False],
        ["0 throws won, 2 drawn", False],
    ]
    assert [lead for _, lead in await table.evaluate(SET_STANDING, [[0, 0, 0], [0, 1, 1]])] == [False, True, True]


SHOW_DRAW = """(table) => {
  const best = table.room.seats.map((_, seat) => seat);
  table.shown = { ...table.shown, dice: best.map(() => [1, 2, 3, 4, 5]), phase: "scored", best };
  table.shown.hands = best.map(() => ({ points: 5, triple: [0, 3, 4], rest: [1, 2], statistics: 5 }));
  return table.updateComplete;
}"""
BOXES = """(table) => [...table.shadowRoot.querySelectorAll(".lane, .action")].map((each) => {
  const { top, bottom } = each.getBoundingClientRect();
  return [top, bottom];
})"""


async def test_on_a_phone_ten_trays_are_above_the_button_and_a_draw_does_not_move_them(open_page: PageOpener) -> None:
    browser = {"viewport": {"width": 390, "height": 844}, "reduced_motion": "reduce"}
    page = await open_at_table(open_page, browser=browser, game="niuniu", options={"seats": 10}, bots=["random"])
    table = page.locator("niuniu-table")
    await table.locator(".action").wait_for()
    *trays, (button, _) = boxes = await table.evaluate(BOXES)
    assert max(bottom for _, bottom in trays) <= button
    await table.evaluate(SHOW_DRAW)
    await expect(table.locator(".caption")).to_contain_text("Draw: ")
    assert await table.evaluate(BOXES) == boxes
