"""The coach's review: after a game against bots, on request, in replays, while it is computed, and after errors."""

import json
import re
from typing import Any

import pytest
from playwright.async_api import Page, Route, expect
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener, open_at_table, send_command
from tests.web.driver import play_match
from tests.web.test_accessibility import violations
from tests.web.test_replay import open_file

ANNOUNCED = "() => document.querySelector('.announcements').textContent"


async def finished_table(open_page: PageOpener, *, people: bool = False, **browser: Any) -> Page:
    """Play a short game of 6 nimmt! against bots to its end; if `people` is set, another person has a seat."""
    page = await open_at_table(
        open_page,
        start=False,
        browser=REDUCED_MOTION | browser,
        game="nimmt",
        options={"seats": 3, "hand": 4},
        bots=["random"],
    )
    table = page.url.rpartition("/")[2]
    if people:
        other = await open_page(None)
        await send_command(other, table, "sit")
    await send_command(page, table, "start")
    if people:
        await send_command(other, table, "leave", seat=1)  # a bot plays for them
    await play_match(page)
    await expect(page.locator("table-result h2")).to_be_visible()
    return page


@pytest.mark.long
async def test_review_starts_unasked_against_bots_and_explains_every_choice(open_page: PageOpener) -> None:
    page = await finished_table(open_page)
    panel = page.locator("review-panel")
    decided = panel.locator(".decided")
    await expect(decided).to_contain_text(
        re.compile(r"Turn \d cost you \d+ heads?: \d+ into row \d\.|You took no row at all\.")
    )
    assert "The review is complete." in await page.evaluate(ANNOUNCED)
    await expect(panel.locator("progress")).to_have_count(0)
    review = await (await page.request.get(f"{page.url.replace('/t/', '/api/tables/')}/review?seat=0")).json()
    await panel.locator("summary", has_text="Every choice").click()
    choices = panel.locator("review-decisions > details")
    await expect(choices).to_have_count(len(review["decisions"]))
    for choice, expected in zip(await choices.all(), review["decisions"], strict=True):
        await expect(choice.locator(".grade")).to_have_class(re.compile(rf"\b{expected['grade']}\b"))
    await choices.first.locator("summary").click()
    options = choices.first.locator("tbody tr")
    await expect(options).to_have_count(len(review["decisions"][0]["options"]))
    await expect(choices.first.locator("tbody .mine")).to_have_count(1)
    await expect(options.first).to_contain_text(" ± ")
    await expect(choices.first.locator(".position .hand i")).to_have_count(4)
    spreads = panel.locator("review-decisions .spread b")
    assert {*await spreads.all_text_contents()} <= {"Best", "Chosen"}
    assert await spreads.count() % 2 == 0
    await panel.locator("summary", has_text="Luck and skill").click()
    await expect(panel.locator(".luck .part b").last).to_have_text(str(review["scores"][0]))
    await panel.locator("summary", has_text="How choices are graded").click()
    await expect(panel.locator(".help li")).to_have_count(6)
    limit = review["thresholds"]["blunder"]["heads"]
    await expect(panel.locator(".help li").last).to_contain_text(f"It cost {limit:.1f} heads or more")


@pytest.mark.long
async def test_review_is_asked_for_if_people_played_and_shows_everyone(open_page: PageOpener) -> None:
    page = await finished_table(open_page, people=True)
    panel = page.locator("review-panel")
    await panel.get_by_role("button", name="Review this game").click()
    await expect(panel.locator(".decided")).to_be_visible()
    await panel.get_by_label("Whose choices").select_option("Everyone")
    graph = panel.locator("win-chance-graph")
    await expect(graph.locator("path.line")).to_have_count(3)
    slider = graph.get_by_role("slider", name="Turn")
    await slider.focus()
    await page.keyboard.press("Home")
    text = await slider.get_attribute("aria-valuetext") or ""
    assert re.fullmatch(r"Turn 1: you \d+%, .+ \d+%, .+ \d+%", text)
    chances = [int(chance) for chance in re.findall(r"(\d+)%", text)]
    assert 98 <= sum(chances) <= 102
    await page.keyboard.press("ArrowRight")
    await expect(graph.locator("figcaption")).to_contain_text("Turn 2")


@pytest.mark.long
async def test_turns_link_to_the_replay_which_shows_the_grades(open_page: PageOpener) -> None:
    page = await finished_table(open_page)
    panel = page.locator("review-panel")
    await expect(panel.locator(".decided")).to_be_visible()
    graph = panel.locator("win-chance-graph")
    await graph.get_by_role("slider").focus()
    await page.keyboard.press("Home")
    await page.keyboard.press("ArrowRight")
    await graph.get_by_role("link", name="Show in the replay").click()
    replay = page.locator("faceup-replay")
    await expect(replay.get_by_label("View as")).to_have_value("0")
    await page.get_by_role("button", name="Review", exact=True).click()
    step = replay.locator("review-decisions[slot=step]")
    await expect(step.locator("details")).to_have_count(1)
    await expect(step.locator(".turn")).to_have_text(re.compile(r"\w+"))
    await expect(panel.locator(".decided, .progress").first).to_be_visible()
    await expect(panel.locator(".highlights")).to_be_visible()
    before = page.url
    slider = panel.get_by_role("slider", name="Turn")
    await slider.focus()
    await page.keyboard.press("Home")
    await expect(page).to_have_url(re.compile(r"#at=1&seat=0$"))
    assert page.url != before


async def test_uploaded_record_is_reviewed(open_page: PageOpener) -> None:
    page = await open_page("/replay", **REDUCED_MOTION)
    await open_file(page, "nimmt")
    await page.get_by_role("button", name="Review", exact=True).click()
    panel = page.locator("review-panel")
    await expect(panel.locator(".decided")).to_contain_text(" heads: ")
    await panel.locator(".decided a").click()
    await expect(page.locator("faceup-replay .count")).not_to_have_text(re.compile(r"^0 of"))
    await expect(panel.locator("win-chance-graph path.line")).to_have_count(4)


def step(decision: int) -> dict[str, Any]:
    """Return a reviewed decision."""
    mean, none = {"value": 1.0, "error": 0.1}, {"value": 0.0, "error": 0.0}
    action = f"play {decision + 5}"
    option = {"action": action, "heads": mean, "behind": none, "win": mean, "risk": 0.0}
    return {
        "decision": decision,
        "deal": 1,
        "turn": decision + 1,
        "seat": 0,
        "position": "hand=5,6 rows=1/2/3/4",
        "by": "seat",
        "chosen": action,
        "best": action,
        "grade": "best",
        "cost": none,
        "heads": 0,
        "win_before": 0.25,
        "win_after": 0.5,
        "options": [option],
    }


STOPPED: dict[str, list[dict[str, Any]]] = {
    "2 reviews before this one": [{"line": "queued", "position": 2}],
    "2 of 4 choices rated": [
        {"line": "queued", "position": 0},
        {"line": "start", "requested": 4},
        *({"line": "step", "done": number + 1, "requested": 4, "step": step(number)} for number in (0, 1)),
    ],
}
UNTIL_ABORTED = """(text) => {
  const original = window.fetch;
  const start = (controller) => controller.enqueue(new TextEncoder().encode(text));
  window.fetch = (path, init) => String(path).includes("review.ndjson")
    ? Promise.resolve(new Response(new ReadableStream({ start }))) : original(path, init);
}"""


@pytest.mark.long
@pytest.mark.parametrize("words", STOPPED)
async def test_progress_is_shown_while_the_review_is_computed(open_page: PageOpener, words: str) -> None:
    page = await finished_table(open_page, people=True)
    await page.evaluate(UNTIL_ABORTED, "".join(f"{json.dumps(line)}\n" for line in STOPPED[words]))
    await page.get_by_role("button", name="Review this game").click()
    panel = page.locator("review-panel")
    await expect(panel.locator(".progress")).to_contain_text(words)
    shown = sum(line["line"] == "step" for line in STOPPED[words])
    if shown:
        await panel.locator("summary", has_text="Every choice").click()
        await expect(panel.locator("win-chance-graph path.line")).to_have_count(1)
    await expect(panel.locator("review-decisions > details")).to_have_count(shown)


@pytest.mark.long
async def test_failed_review_can_be_repeated(open_page: PageOpener) -> None:
    page = await finished_table(open_page, people=True)

    async def fail(route: Route) -> None:
        error = {"kind": "busy", "message": "too many reviews"}
        await route.fulfill(body=json.dumps({"line": "error", "error": error}) + "\n")

    await page.route("**/review.ndjson*", fail)
    await page.get_by_role("button", name="Review this game").click()
    panel = page.locator("review-panel")
    await expect(panel.get_by_role("alert")).to_be_visible()
    await page.unroute("**/review.ndjson*")
    await panel.get_by_role("button", name="Try again").click()
    await expect(panel.locator(".decided")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
async def test_axe_finds_no_serious_violation_in_a_review(open_page: PageOpener, scheme: Any) -> None:
    page = await finished_table(open_page, color_scheme=scheme, **PHONE)
    panel = page.locator("review-panel")
    await expect(panel.locator(".decided")).to_be_visible()
    for fold in await panel.locator("details.fold > summary").all():
        await fold.click()
    await panel.locator("review-decisions summary").first.click()
    await expect(panel.locator("tbody tr").first).to_be_visible()
    assert await violations(page) == []
    assert await page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
