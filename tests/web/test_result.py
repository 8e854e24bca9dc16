"""The result of a finished game: places and ties, the celebration, sharing, facts of each game."""

import re
from typing import Any

import pytest
from playwright.async_api import Page, expect
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener, open_at_table
from tests.web.driver import play_match
from tests.web.test_accessibility import violations

from faceup.web.assets import web

SHOW: Any = """async ([base, room, standing, moments]) => {
  const { loadNamespaces, setLanguage } = await import(`${base}/i18n/translate.js`);
  await loadNamespaces("war", "nimmt");
  await setLanguage("en");
  const main = document.querySelector("main");
  main.replaceChildren();
  const result = document.createElement("table-result");
  await import(`${base}/table/result.js`);
  Object.assign(result, { room, standing, moments, table: "T" });
  main.append(result);
  await result.updateComplete;
}"""
OVERFLOW = "() => document.scrollingElement.scrollWidth - innerWidth"
PILES = """(podium) => [...podium.shadowRoot.querySelectorAll("li")].map((row) =>
  [...row.querySelectorAll(".line svg")].reduce((sum, line) => sum + line.viewBox.baseVal.width / 24, 0))"""
KEYFRAMES = """() => ["table-result", "result-podium"].flatMap((name) => customElements.get(name).elementStyles)
  .flatMap(({ styleSheet }) => [...styleSheet.cssRules].filter((rule) => rule instanceof CSSKeyframesRule))
  .map((rule) => [rule.name, [...rule.cssRules].flatMap(({ style }) => [...style])])"""
ANIMATIONS = """() => {
  const visit = (root) => [
    ...root.getAnimations(),
    ...[...root.querySelectorAll("*")].flatMap((each) => each.shadowRoot ? visit(each.shadowRoot) : []),
  ];
  return visit(document).map((each) => each.animationName);
}"""


def finished(scores: list[int], ranks: list[int], game: str = "nimmt", seat: int | None = 0) -> dict[str, Any]:
    """Return the room view of a finished game."""
    names = ["Ann", "Bo", "Cem", "Dana", "Eli", "Fay", "Gus", "Hal", "Ida", "Jo"]
    seats = [{"name": names[index], "kind": "person" if index < 2 else "steady"} for index in range(len(scores))]
    own = {} if seat is None else {"seat": seat}
    return own | {
        "status": "finished",
        "config": {"game": game, "variant": "", "options": {}},
        "seats": seats,
        "view": {},
        "result": {"scores": scores, "ranks": ranks},
    }


async def show(page: Page, shown: dict[str, Any], events: list[dict[str, Any]] | None = None) -> None:
    """Show a result on the page."""
    await page.locator("main").wait_for(state="attached")
    standing = [{"score": str(score), "words": f"{score} heads"} for score in shown["result"]["scores"]]
    await page.evaluate(SHOW, [f"/static/{web().stamp}", shown, standing, [{"events": events or []}]])


async def test_places_are_in_order_with_ties_and_the_last_groans(open_page: PageOpener) -> None:
    page = await open_page("/ladder", **REDUCED_MOTION)
    await show(page, finished([9, 3, 21, 3, 9], [3, 1, 5, 1, 3]))
    rows = page.locator("result-podium li")
    await expect(rows).to_have_count(5)
    assert [text.split() for text in await rows.locator(".place > .visually-hidden").all_inner_texts()] == [
        ["place", place] for place in "11335"
    ]
    assert await rows.locator(".who bdi").all_inner_texts() == ["Bo", "Dana", "Ann", "Eli", "Cem"]
    assert await page.locator("result-podium").evaluate(PILES) == [3, 3, 9, 9, 21]
    await expect(rows.nth(2)).to_contain_text("you")
    await expect(rows.locator("svg.bull")).to_have_count(1)
    await expect(rows.nth(4).locator("svg.bull.groaning")).to_be_visible()
    await expect(page.locator("table-result .winner")).to_have_count(2)
    await expect(page.locator("table-result h2")).to_have_text("Bo and Dana share first place.")
    await expect(page.locator("table-result .stage")).to_contain_text("You came 3rd of 5")


async def test_many_winners_fit_on_the_stage(open_page: PageOpener) -> None:
    page = await open_page("/ladder", **REDUCED_MOTION)
    for width in (360, 844, 1440):
        await page.set_viewport_size({"width": width, "height": 640})
        await show(page, finished([0] * 8 + [5, 7], [1] * 8 + [9, 10]))
        stage = await page.locator("table-result .stage").bounding_box()
        assert stage is not None
        for winner in await page.locator("table-result :is(.winner, h2)").all():
            box = await winner.bounding_box()
            assert box is not None
            assert stage["x"] <= box["x"], width
            assert box["x"] + box["width"] <= stage["x"] + stage["width"], width


async def test_only_a_sole_last_gets_the_ox_and_only_a_winner_gets_confetti(open_page: PageOpener) -> None:
    page = await open_page("/ladder", **REDUCED_MOTION)
    await show(page, finished([9, 3, 9], [2, 1, 2]))
    await expect(page.locator("result-podium li")).to_have_count(3)
    await expect(page.locator("result-podium svg.bull")).to_have_count(0)
    for seat, pieces in ((0, False), (None, False), (1, True)):
        await show(page, finished([9, 3, 12], [2, 1, 3], seat=seat))
        await expect(page.locator("result-podium svg.bull")).to_have_count(1)
        await page.wait_for_function(
            "() => document.querySelector('table-result').parts > 2"
        )  # the part with the confetti
        await page.locator("table-result").evaluate("(result) => result.updateComplete")
        assert (await page.locator("table-result .confetti").count() > 0) is pieces


TAKEN = [
    {"event": "took", "seat": 0, "cards": [55]},
    {"event": "took", "seat": 1, "cards": [10]},
    {"event": "took", "seat": 0, "cards": [1, 2]},
]


LOSSES: list[tuple[list[int], list[dict[str, Any]], dict[str, Any], str]] = [
    ([9, 3], TAKEN, {}, "One row cost you the win: 7 heads."),
    ([9, 2], TAKEN, {}, ""),  # without this row, it would have been a tie
    ([9, 6], TAKEN[1:], {}, "3 heads more than the winner: that was close."),  # the log is not complete
    ([9, 3], TAKEN[1:], {}, ""),
    ([1, 0], [], {}, "1 head more than the winner: that was close."),
    ([2, 3], [], {}, "You were one throw behind."),
    ([1, 3], [], {}, ""),
    ([0, 4], [], {"by": "sudden death"}, "The last round decided it."),
    ([0, 4], [], {"by": "cap"}, ""),
]
"""Scores, the events and the view of a game that the first seat lost, and the sentence."""


async def test_the_loser_reads_what_was_missing_only_if_it_is_certain(open_page: PageOpener) -> None:
    page = await open_page("/ladder", **REDUCED_MOTION)
    for scores, events, view, words in LOSSES:
        game = "war" if view else "nimmt" if scores[0] > scores[1] else "niuniu"
        await show(page, finished(scores, [2, 1], game) | {"view": view}, events)
        await expect(page.locator("table-result .stage h2")).to_be_visible()
        assert await page.locator("table-result .nearly").all_inner_texts() == ([words] if words else []), scores


async def test_nobody_groans_if_everyone_shares_the_first_place(open_page: PageOpener) -> None:
    page = await open_page("/ladder", **REDUCED_MOTION)
    await show(page, finished([0, 0], [1, 1], seat=None))
    await expect(page.locator("result-podium svg.medal")).to_have_count(2)
    await expect(page.locator("result-podium svg.bull")).to_have_count(0)
    await expect(page.locator("result-podium")).to_contain_text("not a single head")
    await expect(page.get_by_role("button", name="Play again")).to_have_count(0)


@pytest.mark.parametrize("seats", [pytest.param(2, marks=pytest.mark.long), 10])
async def test_the_result_fits_the_width_of_every_screen(open_page: PageOpener, seats: int) -> None:
    page = await open_page("/ladder", **REDUCED_MOTION)
    await show(page, finished([66 - 5 * index for index in range(seats)], [seats - index for index in range(seats)]))
    await expect(page.locator("result-podium li")).to_have_count(seats)
    for width, height in ((320, 640), (360, 640), (844, 390), (768, 1024), (2560, 1440)):
        await page.set_viewport_size({"width": width, "height": height})
        await page.wait_for_function(
            "() => document.scrollingElement.scrollWidth <= innerWidth"
        )  # heads are laid out anew
        for pile in await page.locator("result-podium .pile").all():
            box, row = await pile.bounding_box(), await pile.locator("xpath=..").bounding_box()
            assert box is not None
            assert row is not None
            assert box["width"] <= row["width"] + 1, width


async def test_only_transform_and_opacity_are_animated_and_nothing_moves_with_reduced_motion(
    open_page: PageOpener,
) -> None:
    page = await open_page("/ladder")
    await show(page, finished([9, 3, 21], [2, 1, 3]))
    keyframes: Any = dict(await page.evaluate(KEYFRAMES))
    assert keyframes.keys() >= {"fall", "pop", "turn", "march", "groan"}
    assert {name for names in keyframes.values() for name in names} == {"transform", "opacity"}
    await expect(page.locator("result-podium .score")).to_have_text(["3", "9", "21"])  # have counted up
    assert "turn" in await page.evaluate(ANIMATIONS)
    calm = await open_page("/ladder", **REDUCED_MOTION)
    await show(calm, finished([9, 3, 21], [2, 1, 3], seat=1))
    await expect(calm.locator("table-result .confetti").first).to_be_visible()
    await expect(calm.locator("result-podium .score")).to_have_text(["3", "9", "21"])
    assert await calm.evaluate(ANIMATIONS) == []


async def test_share_opens_the_dialog_with_the_result_in_one_sentence(open_page: PageOpener) -> None:
    page = await open_at_table(
        open_page, browser=REDUCED_MOTION, game="niuniu", options={"seats": 2, "throws": 1}, bots=["random"]
    )
    await page.evaluate("Navigator.prototype.share = async (what) => { window.sent = what; }")
    await play_match(page)
    await page.get_by_role("navigation", name="Next").get_by_role("button", name="Share").click()
    await page.get_by_role("dialog").get_by_role("button", name="Share …").click()
    await page.wait_for_function("window.sent")
    text = await page.evaluate("sent.text")
    assert re.fullmatch(r"Niu Niu: 1\. .+ \(\d\), [12]\. .+ \(\d\)", text)


async def test_war_tells_how_it_ended(open_page: PageOpener) -> None:
    page = await open_page("/ladder", **REDUCED_MOTION)
    shown = finished([52, 0], [1, 2], "war")
    shown["view"] = {"rounds": 36, "wars": 1, "by": "all cards"}
    await show(page, shown)
    facts = page.locator("table-result .facts")
    for words in ("36 rounds", "1 war", "You win the game with all the cards after 36 rounds."):
        await expect(facts.get_by_text(words, exact=True)).to_be_visible()


async def test_niu_niu_shows_the_best_hand(open_page: PageOpener) -> None:
    page = await open_at_table(
        open_page, browser=REDUCED_MOTION, game="niuniu", options={"seats": 2, "throws": 2}, bots=["random"]
    )
    await play_match(page)
    facts = page.locator("table-result .facts")
    await expect(facts).to_contain_text("Best hand:")
    await expect(facts.locator("svg.die")).to_have_count(5)


@pytest.mark.sample(1)
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_no_serious_violation_in_a_result(open_page: PageOpener, scheme: Any) -> None:
    page = await open_page("/ladder", color_scheme=scheme, **REDUCED_MOTION, **PHONE)
    await show(page, finished([9, 3, 21, 12, 30], [2, 1, 4, 3, 5]))
    assert await violations(page) == []


async def test_a_long_sentence_of_the_log_does_not_widen_a_low_screen(open_page: PageOpener) -> None:
    browser: dict[str, Any] = {"viewport": {"width": 844, "height": 390}, "locale": "de"}
    page = await open_at_table(
        open_page, browser=browser | REDUCED_MOTION, game="nimmt", options={"seats": 10, "hand": 1}
    )
    sentence = page.locator("faceup-table .ticker span")
    await sentence.wait_for(state="attached")
    await sentence.evaluate("(span) => { span.textContent = 'W'.repeat(200); }")
    assert await page.evaluate(OVERFLOW) <= 0
