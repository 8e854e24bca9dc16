"""Reveals of all games: skipped by a tap or a key, calm or lively, and without traces afterwards."""

import json
from itertools import pairwise
from typing import Any, Final

import pytest
from playwright.async_api import Page, expect
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener, open_at_table
from tests.web.test_nimmt import lowest, recorded_updates, table_at

from faceup.core import make
from faceup.games.nimmt.rules import Rules
from faceup.translations import LANGUAGES

SHOW: Final = (
    "([before, line]) => { window.showing = table.show(before.room, line.room, line.events, { jump: false }); }"
)
MOVING: Final = "() => table.shadowRoot.querySelectorAll('.flyer').length > 0"
LEFT: Final = """() => [
  table.shadowRoot.querySelector(".stage").childElementCount,
  [...table.shadowRoot.querySelectorAll(".felt *")]
    .flatMap((each) => each.getAnimations())
    .filter((each) => !(each instanceof CSSAnimation || each instanceof CSSTransition)).length,
]"""
"""What a reveal has left: elements on the stage, and animations."""
ROWS: Final = """() => [...table.shadowRoot.querySelectorAll(".lane")]
  .map((lane) => [...lane.querySelectorAll("[data-card]")].map((card) => Number(card.dataset.card)))"""
OVERLAPS: Final = """() => {
  window.overlaps = [];
  const { animate } = Element.prototype;
  const kinds = (frames) => frames.flatMap(Object.keys).filter((each) => ["opacity", "transform"].includes(each));
  Element.prototype.animate = function (frames, how) {
    const running = this.getAnimations().filter((each) => each.playState === "running");
    const known = running.flatMap((each) => kinds(each.effect.getKeyframes()));
    for (const each of kinds(frames)) if (known.includes(each)) overlaps.push(`${each} of ${this.className}`);
    return animate.call(this, frames, how);
  };
}"""
"""Notes animations of a property that is still being animated, which browsers run on the main thread."""
VIBRATIONS: Final = """() => {
  window.vibrations = 0;
  navigator.vibrate = () => (window.vibrations += 1, true);
}"""


def store(**settings: Any) -> str:
    """Return a script that stores settings before the page reads them."""
    return f"localStorage.setItem('faceup.settings', {json.dumps(json.dumps(settings))})"


async def page_with(open_page: PageOpener, settings: dict[str, Any], **options: Any) -> Page:
    """Open an empty page with these settings."""
    page = await open_page.again("/ladder", **options)
    await page.evaluate(store(**settings))
    await page.reload()
    return page


def turn_that_takes(seat: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the updates before and after a turn in which this seat, and no other, takes a row with a sixth card."""
    for seed in range(100):
        lines = recorded_updates(make("nimmt seats=4"), seed, 0)
        for before, after in pairwise(lines):
            took = [event for event in after["events"] if event["event"] == "took"]
            flipped = any(event["event"] == "revealed" for event in after["events"])
            if flipped and [(event["seat"], event["chosen"]) for event in took] == [(seat, False)]:
                return before, after
    raise AssertionError


async def test_reveal_ends_in_the_new_rows_and_leaves_nothing(open_page: PageOpener) -> None:
    before, after = turn_that_takes(1)
    page = await open_page.again("/ladder", viewport={"width": 390, "height": 844})
    for reveal in ("calm", "lively", "fast"):
        await page.evaluate(store(reveal=reveal))
        await page.reload()
        await table_at(page, before, speed=3)
        await page.evaluate(SHOW, [before, after])
        await page.wait_for_function(MOVING)
        await page.evaluate("showing")
        assert await page.evaluate(ROWS) == after["room"]["view"]["rows"], reveal
        assert await page.evaluate(LEFT) == [0, 0], reveal


async def test_reveal_is_skipped_by_taps_keys_and_turns_and_keeps_the_focus(open_page: PageOpener) -> None:
    before, after = turn_that_takes(1)
    page = await open_page.again("/ladder", **PHONE)
    for how in ("tap", "turn", "Escape", "Enter", " "):
        await table_at(page, before, speed=0.05)  # too slow to end by itself
        held = page.locator("nimmt-table .held").first
        await held.focus()
        number = await held.get_attribute("data-hand")
        await page.evaluate(SHOW, [before, after])
        await page.wait_for_function(MOVING)
        if how == "tap":
            await page.locator("main").dispatch_event("click")
        elif how == "turn":
            await page.set_viewport_size({"width": 640, "height": 360})
        else:
            await page.keyboard.press(how)
        await page.evaluate("showing")
        assert await page.evaluate(ROWS) == after["room"]["view"]["rows"], how
        assert await page.evaluate(LEFT) == [0, 0], how
        focused = await page.evaluate("table.shadowRoot.activeElement?.dataset.hand")
        remaining = [str(card) for card in after["room"]["view"]["hand"]]
        assert focused == (number if number in remaining else None), how


async def test_controls_outside_of_the_table_do_not_skip_a_reveal(open_page: PageOpener) -> None:
    before, after = turn_that_takes(1)
    page = await open_page.again("/ladder")
    await table_at(page, before, speed=0.05)
    await page.evaluate(SHOW, [before, after])
    await page.wait_for_function(MOVING)
    await page.evaluate("document.body.append(document.createElement('button'))")
    await page.locator("body > button").dispatch_event("click")
    assert (
        await page.evaluate("Promise.race([showing, new Promise((done) => setTimeout(done, 300, 'plays'))])") == "plays"
    )


async def test_reveal_in_calm_moves_no_card(open_page: PageOpener) -> None:
    before, after = turn_that_takes(0)
    page = await open_page.again("/ladder", **REDUCED_MOTION)
    await table_at(page, before)
    await page.evaluate(
        """() => {
          window.moved = [];
          const { animate } = Element.prototype;
          Element.prototype.animate = function (frames, how) {
            for (const frame of frames) if (frame.transform && frame.transform !== "none") moved.push(frame.transform);
            return animate.call(this, frames, how);
          };
        }"""
    )
    await page.evaluate(SHOW, [before, after])
    await page.evaluate("showing")
    assert await page.evaluate("moved") == []
    assert await page.evaluate(ROWS) == after["room"]["view"]["rows"]


async def test_reveal_runs_one_animation_of_a_property_at_a_time_and_moves_no_text(open_page: PageOpener) -> None:
    before, after = turn_that_takes(1)
    page = await open_page.again("/ladder", **PHONE)
    await table_at(page, before)
    await page.evaluate(OVERLAPS)
    await page.evaluate(SHOW, [before, after])
    await page.wait_for_function(MOVING)
    await expect(page.locator("nimmt-table :is(.flyer, .lane) svg text")).to_have_count(
        0
    )  # would be laid out each time
    await page.evaluate("showing")
    assert await page.evaluate("overlaps") == []


@pytest.mark.long
@pytest.mark.parametrize("game", ["niuniu", "war"])
async def test_throws_and_battles_run_one_animation_of_a_property_at_a_time(open_page: PageOpener, game: str) -> None:
    options = {"throws": 3} if game == "niuniu" else {}
    page = await open_at_table(open_page, game=game, options=options, bots=["random"])
    table = page.locator(f"{game}-table")
    await page.evaluate(OVERLAPS)
    for _ in range(2):
        await page.locator(".actions .action:enabled").click()
        await table.evaluate("(table) => new Promise((done) => setInterval(() => table.reveal.busy && done(), 5))")
        await table.evaluate("(table) => new Promise((done) => setInterval(() => table.reveal.busy || done(), 5))")
    assert await page.evaluate("overlaps") == []


async def test_phone_vibrates_only_for_the_own_card(open_page: PageOpener) -> None:
    page = await open_page.again("/ladder", **PHONE)
    await page.evaluate(VIBRATIONS)
    await page.mouse.click(5, 5)  # browsers vibrate only after a gesture
    for seat, vibrations in ((1, 0), (0, 1)):
        before, after = turn_that_takes(seat)
        await table_at(page, before, speed=4)
        await page.evaluate(SHOW, [before, after])
        await page.evaluate("showing")
        assert await page.evaluate("vibrations") == vibrations


async def test_replay_does_not_vibrate(open_page: PageOpener) -> None:
    before, after = turn_that_takes(0)
    page = await open_page.again("/ladder", **PHONE)
    await page.evaluate(VIBRATIONS)
    await page.mouse.click(5, 5)
    await table_at(page, before, speed=4, quiet=True)
    await page.evaluate(SHOW, [before, after])
    await page.evaluate("showing")
    assert await page.evaluate("vibrations") == 0


async def test_cards_that_wait_for_a_chosen_row_lie_in_the_tray_and_go_on_from_there(open_page: PageOpener) -> None:
    lines = recorded_updates(Rules(seats=4), 5, None, lowest)
    number = next(
        n
        for n, line in enumerate(lines)
        if len(line["room"]["view"]["waiting"]) > 1 and any(e["event"] == "revealed" for e in line["events"])
    )
    page = await open_page.again("/ladder")
    await table_at(page, lines[number - 1], speed=3)
    await page.evaluate(SHOW, [lines[number - 1], lines[number]])
    await page.evaluate("showing")
    waiting = sorted(card for card, _ in lines[number]["room"]["view"]["waiting"])
    tray = await page.locator("nimmt-table .tray [data-card]").evaluate_all(
        "(all) => all.map((each) => +each.dataset.card)"
    )
    assert sorted(tray) == waiting
    await page.evaluate(SHOW, [lines[number], lines[number + 1]])
    await page.evaluate("showing")
    assert await page.evaluate(ROWS) == lines[number + 1]["room"]["view"]["rows"]
    assert await page.evaluate(LEFT) == [0, 0]


async def test_stored_speed_becomes_the_setting_of_reveals(open_page: PageOpener) -> None:
    for speed, reveal in ((1, "lively"), (2, "fast"), (0, "fast")):
        page = await page_with(open_page, {"speed": speed, "large": True})
        await page.get_by_role("button", name="Settings").click()
        chosen = page.locator("settings-dialog label:has(input[name=reveal]:checked)")
        await expect(chosen).to_have_text(reveal.capitalize())
        await page.get_by_text("Calm").click()
        kept = json.loads(await page.evaluate("localStorage.getItem('faceup.settings')"))
        assert (kept["reveal"], kept["large"], "speed" in kept) == ("calm", True, False)


@pytest.mark.parametrize(
    ("game", "motion"),
    [
        ("niuniu", "no-preference"),
        ("war", "reduce"),
        pytest.param("niuniu", "reduce", marks=pytest.mark.long),
        pytest.param("war", "no-preference", marks=pytest.mark.long),
    ],
)
async def test_throws_and_battles_are_revealed_or_skipped(open_page: PageOpener, game: str, motion: str) -> None:
    page = await open_at_table(open_page, browser={"reduced_motion": motion}, game=game, bots=["random"])
    table = page.locator(f"{game}-table")
    await page.locator(".actions .action").click()
    await table.evaluate("(table) => new Promise((done) => setInterval(() => table.reveal.busy && done(), 5))")
    await page.keyboard.press("Escape")
    await table.evaluate("(table) => new Promise((done) => setInterval(() => table.reveal.busy || done(), 5))")
    shown, view = await table.evaluate("(table) => [table.shown, table.room.view]")
    if game == "niuniu":
        assert (shown["dice"], shown["phase"]) == (view["log"][-1], "scored")
    else:
        assert sum(map(len, shown["cards"])) == len(view["turned"] or view["log"][-1])
    left = ".named > *" if game == "niuniu" else ".above > *"
    await expect(table.locator(left)).to_have_count(0)


@pytest.mark.long
async def test_choices_during_a_reveal_skip_nothing_and_are_displayed_after_it(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, game="niuniu", options={"seats": 10, "throws": 3}, bots=["random"] * 9)
    table = page.locator("niuniu-table")
    await table.evaluate(
        """(table) => {
          const { show } = table;
          window.jumps = [];
          window.current = [];
          const frame = table.getRootNode().host;
          frame.addEventListener("shown", () => current.push(table.room === frame.room));
          table.show = (...what) => {
            jumps.push(...(what[2].some(({ event }) => event === "chose") ? [what[3].jump] : []));
            return show.apply(table, what);
          };
        }"""
    )
    await page.locator(".actions .action").click()
    chosen = "() => document.querySelector('table-page').connection.room.chosen.length === 9 && jumps.length > 1"
    await page.wait_for_function(chosen)
    assert set(await page.evaluate("jumps")) == {False}
    await page.wait_for_function("current.length > 0")
    assert set(await page.evaluate("current")) == {True}


async def test_sounds_are_offered_once_with_the_first_choice(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, game="nimmt", options={"seats": 2}, bots=["random"])
    offer = page.locator("sound-offer")
    await page.locator("nimmt-table .held").nth(9).wait_for()
    await expect(offer).to_have_count(0)
    await page.locator("nimmt-table .held").first.click()
    await expect(offer.get_by_role("button", name="Sound on?")).to_be_visible()
    assert await page.evaluate("document.activeElement.localName") != "sound-offer"
    await offer.get_by_role("button", name="Sound on?").click()
    await expect(offer).to_have_count(0)
    await expect(page.get_by_role("button", name="Mute sounds")).to_be_visible()
    await page.get_by_role("button", name="Mute sounds").click()
    await page.reload()
    other = page.locator("nimmt-table .held").nth(1)
    await other.click()
    await other.click()
    await expect(page.locator("nimmt-table .held")).to_have_count(9)
    await expect(offer).to_have_count(0)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_offer_of_sounds_covers_and_moves_nothing(open_page: PageOpener, language: str) -> None:
    """It is in the header, in place of the title."""
    browser = PHONE | REDUCED_MOTION | {"locale": language}
    page = await open_at_table(open_page, browser=browser, game="nimmt", options={"seats": 4}, bots=["random"])
    offer, seats = page.locator("sound-offer"), page.locator("table-seats")
    await page.locator("nimmt-table .held").first.wait_for()
    before = await seats.bounding_box()
    await page.locator("nimmt-table .held").first.click()
    await expect(offer).to_be_visible()
    box, below = await offer.bounding_box(), await seats.bounding_box()
    assert box is not None
    assert below is not None
    assert below == before
    assert box["y"] + box["height"] <= below["y"]
    buttons = [
        await button.bounding_box()
        for button in await page.locator("table-page header").first.locator("> .quiet").all()
    ]
    assert all(b and (b["x"] >= box["x"] + box["width"] or b["x"] + b["width"] <= box["x"]) for b in buttons)


async def test_a_low_screen_has_no_offer_of_sounds(open_page: PageOpener) -> None:
    low = await open_at_table(
        open_page, browser={"viewport": {"width": 844, "height": 390}}, game="nimmt", bots=["random"]
    )
    await low.locator("nimmt-table .held").first.click()
    await expect(low.locator("nimmt-table .held.marked")).to_have_count(1)
    await expect(low.locator("sound-offer")).to_have_count(0)


async def test_declined_sounds_stay_off(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, game="nimmt", options={"seats": 2}, bots=["random"])
    await page.locator("nimmt-table .held").first.click()
    await page.get_by_role("button", name="No sound").click()
    await expect(page.locator("sound-offer")).to_have_count(0)
    kept = json.loads(await page.evaluate("localStorage.getItem('faceup.settings')"))
    assert (kept["sounds"], kept["offered"]) == (False, True)


async def test_the_stage_fills_a_television(open_page: PageOpener) -> None:
    page = await open_at_table(
        open_page,
        browser={"viewport": {"width": 1920, "height": 1080}},
        game="nimmt",
        options={"seats": 3},
        bots=["random"],
    )
    await page.goto(f"{page.url}?television")
    await page.locator("nimmt-table .lane").first.wait_for()
    await page.evaluate(
        """() => {
          const { connection, renderRoot } = document.querySelector("table-page");
          const look = () => {
            const game = renderRoot.querySelector("faceup-table").renderRoot.querySelector("nimmt-table");
            const flyers = [...game?.renderRoot.querySelectorAll(".flyer") ?? []];
            const cards = flyers.map((card) => card.getBoundingClientRect());
            const large = cards.length && cards.every(({ height }) => height > 0.45 * innerHeight);
            window.seen ||= large && Math.abs(cards[0].left + cards.at(-1).right - innerWidth) < 4;
            requestAnimationFrame(look);
          };
          look();
          const { seat, actions, decision } = connection.room;
          void connection.send({ command: "choose", seat, action: actions[0], decision });
        }"""
    )
    await page.wait_for_function("() => window.seen")
    assert await page.evaluate("document.documentElement.scrollWidth") == 1920
