"""6 nimmt! in the browser: whole games, reveals step by step, and choices during a reveal."""

import json
import re
from collections.abc import Callable
from itertools import pairwise, product
from typing import Any

import pytest
from playwright.async_api import Page, expect
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener, open_at_table
from tests.web.driver import TABLE_VIEW, TableView, play_match

from faceup.core import CHANCE, FORFEIT, AnyRules, Generator, draw, generator, make
from faceup.core.record import AnyEntry, applied, record_of
from faceup.games.nimmt.rules import Rules
from faceup.server.rooms import replay_lines
from faceup.server.rooms.merge_patch import apply_line
from faceup.web.assets import web

Choose = Callable[[AnyRules, Any, int], int]


def recorded_updates(
    rules: AnyRules, seed: int, viewer: int | None = 0, choose: Choose | None = None
) -> list[dict[str, Any]]:
    """Return a random game as a viewer's updates: the view after each line, and the line's events."""
    rng = generator(seed)
    state = rules.start()
    entries: list[AnyEntry] = []
    while to_act := rules.to_act(state):
        if to_act == (CHANCE,):
            move: Any = draw(rules, state, rng)
        else:
            move = {
                seat: choose(rules, state, seat) if choose else random_action(rules, state, seat, rng)
                for seat in to_act
            }
        entries.append(applied(rules, len(entries) * 1000, move))
        state = rules.apply(state, move).state
    lines = [json.loads(line) for line in replay_lines(record_of(rules, tuple(entries), state), viewer)]
    room: dict[str, Any] = {}
    places = []
    for line in lines:
        room = apply_line(room, line)
        places.append({"room": room, "events": line.get("events", [])})
    return places


def random_action(rules: AnyRules, state: Any, seat: int, rng: Generator) -> int:
    """Return a random legal action, or sometimes a forfeit where the rules allow it."""
    if rules.forfeits and rng.below(40) == 0:
        return FORFEIT
    legal = rules.legal(state, seat)
    return legal[rng.below(len(legal))]


GAMES = (
    "nimmt seats=10 hand=6",
    "nimmt:classic seats=5 target=20",
    "nimmt:tactical seats=2 target=9",
    "nimmt:arena deals=3",
    "nimmt seats=3 rows=8 capacity=3 hand=7",
    "nimmt seats=6 rows=1 capacity=10 hand=5 deals=2",
)


async def test_animation_steps_end_in_the_displayed_view(open_page: PageOpener) -> None:
    page = await open_page.again("/ladder")
    differ = await page.evaluate(
        """async ([stamp, games]) => {
          const { displayState } = await import(`/static/${stamp}/games/nimmt/display-state.js`);
          const { animationSteps } = await import(`/static/${stamp}/games/nimmt/animation-steps.js`);
          const bare = ({ current, choosing, ...rest }) => JSON.stringify(rest);
          const found = [];
          for (const lines of games) {
            lines.forEach(({ room, events }, number) => {
              if (!number) return;
              let shown = displayState(lines[number - 1].room);
              for (const step of animationSteps(shown, events)) shown = step.shown;
              const [actual, expected] = [bare(shown), bare(displayState(room))];
              if (actual !== expected) found.push(`${room.config.variant} ${number}: ${actual} != ${expected}`);
            });
          }
          return found;
        }""",
        [web().stamp, [recorded_updates(make(game), seed) for seed, game in enumerate(GAMES, 1)]],
    )
    assert not differ, f"{len(differ)}, the first: {differ[0]}"


async def table_at(page: Page, line: dict[str, Any], **properties: Any) -> None:
    """Put a table element with this view on an empty page, and record what it displays and emits."""
    await page.evaluate(
        """async ([room, properties]) => {
          await (await import(document.scripts[0].src)).use.load("./games/nimmt/nimmt-table.js", "main.js");
          const table = Object.assign(document.createElement("nimmt-table"), { room, ...properties });
          document.querySelector("main").replaceChildren(table);
          Object.assign(window, { table, moments: [], asked: [] });
          const { get, set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(table), "shown");
          Object.defineProperty(table, "shown", { get, set(shown) { set.call(table, shown); moments.push(shown); } });
          for (const name of ["mark", "choose", "unchoose"]) {
            table.addEventListener(name, (event) => asked.push([name, event.detail?.action ?? null]));
          }
          await table.updateComplete;
        }""",
        [line["room"], properties],
    )


SHOW = "([before, line]) => table.show(before.room, line.room, line.events, { jump: false })"


FLIGHTS = """() => {
  window.flights = [];
  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, how) {
    const { transform } = frames.at(-1);
    const arrives = frames.find((each) => each.transform === transform).offset * how.duration;
    if (this.matches(".flyer")) flights.push([arrives, this.querySelector(".tag").textContent]);
    return animate.call(this, frames, how);
  };
}"""
"""Notes when each card on the stage arrives, and whose it is."""


async def test_cards_are_revealed_together_and_placed_in_ascending_order(open_page: PageOpener) -> None:
    first, second, *_ = recorded_updates(make("nimmt seats=4"), 3, None)
    page = await open_page.again("/ladder")
    await table_at(page, first, speed=2)
    await page.evaluate(FLIGHTS)
    await page.evaluate(SHOW, [first, second])
    moments = await page.evaluate("moments")
    plays = next(event["plays"] for event in second["events"] if event["event"] == "revealed")
    up = [[seat["card"] for seat in moment["seats"] if seat["lies"] == "up"] for moment in moments]
    assert up[[bool(cards) for cards in up].index(True)] == plays
    names = [seat["name"] for seat in second["room"]["seats"]]
    placed = sorted((await page.evaluate("flights"))[-4:])  # after the flights to the stage
    assert [plays[names.index(name)] for _, name in placed] == sorted(plays)
    assert moments[-1]["rows"] == second["room"]["view"]["rows"]


async def test_choice_during_a_reveal_is_sent_and_skips_the_animation(open_page: PageOpener) -> None:
    lines = recorded_updates(make("nimmt seats=10"), 4)
    first, second = next(pair for pair in pairwise(lines) if not any(line["room"]["view"]["waiting"] for line in pair))
    page = await open_page.again("/ladder")
    await table_at(page, first)
    await page.evaluate(f"args => {{ window.showing = ({SHOW})(args); }}", [first, second])
    await page.wait_for_function("() => table.shown.seats.some(seat => seat.lies === 'up')")
    card = page.locator("nimmt-table .held").last
    number = await card.get_attribute("data-hand")
    await card.dispatch_event("click")
    await card.dispatch_event("click")
    await page.evaluate("showing")
    assert await page.evaluate("asked") == [["mark", f"play {number}"], ["choose", f"play {number}"]]
    assert await page.evaluate("table.shown.rows") == second["room"]["view"]["rows"]


def lowest(rules: AnyRules, state: Any, seat: int) -> int:
    """Return the first legal action."""
    return rules.legal(state, seat)[0]


async def test_row_is_chosen_by_number_while_others_see_who_chooses(
    open_page: PageOpener,
) -> None:
    rules = Rules(seats=3)
    lines = recorded_updates(rules, 5, None, lowest)
    number = next(n for n, line in enumerate(lines) if line["room"]["view"]["waiting"])
    _, seat = lines[number]["room"]["view"]["waiting"][0]
    own_updates = recorded_updates(rules, 5, seat, lowest)
    page = await open_page.again("/ladder")
    await table_at(page, own_updates[number])
    await expect(page.locator("nimmt-table .pick")).to_have_count(4)
    await page.keyboard.press("3")
    await expect(page.locator("nimmt-table .lane.loses")).to_have_count(1)
    await page.keyboard.press("Enter")
    assert await page.evaluate("asked") == [["mark", "take row 2"], ["choose", "take row 2"]]
    other = recorded_updates(rules, 5, (seat + 1) % 3, lowest)
    await table_at(page, other[number])
    await expect(page.locator("nimmt-table .pick")).to_have_count(0)
    await expect(page.locator("nimmt-table .prompt")).to_have_text(f"Seat {seat + 1} is choosing a row to take.")
    taken = other[number + 1]
    await page.evaluate(SHOW, [other[number], taken])
    moments = await page.evaluate("moments")
    took = next(event for event in taken["events"] if event["event"] == "took")
    assert any(
        (moment["takings"][took["row"]] or {}).get("seat") == seat and moment["rows"][took["row"]] == took["cards"]
        for moment in moments
    ), "the seat that takes the row is named before the row is gone"
    await expect(page.locator("nimmt-table .taking").first).to_contain_text(f"Seat {seat + 1}")


async def test_mark_previews_the_card_and_can_be_moved_and_undone(open_page: PageOpener) -> None:
    first, *_ = recorded_updates(make("nimmt seats=2"), 6)
    page = await open_page.again("/ladder")
    await table_at(page, first)
    hand = first["room"]["view"]["hand"]
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("End")
    await page.keyboard.press("Enter")
    await expect(page.locator("nimmt-table .ghost")).to_have_count(1)
    await expect(page.locator("nimmt-table .held[aria-pressed=true]")).to_have_attribute("data-hand", str(hand[-1]))
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await expect(page.locator("nimmt-table .held.sending")).to_have_attribute("data-hand", str(hand[-2]))
    await expect(page.locator("nimmt-table .held.chosen")).to_have_count(0)  # the server has not confirmed it
    await page.keyboard.press("Escape")
    assert await page.evaluate("asked") == [
        ["mark", f"play {hand[-1]}"],
        ["mark", f"play {hand[-2]}"],
        ["choose", f"play {hand[-2]}"],
        ["unchoose", None],
    ]


async def test_keys_work_after_navigating_within_the_site(open_page: PageOpener) -> None:
    page = await open_page("/")
    await page.get_by_role("button", name="Play now: 6 nimmt!").click()
    await page.locator("nimmt-table .held").nth(9).wait_for()
    for key in ("ArrowRight", "Enter", "Enter"):
        await page.keyboard.press(key)
    # The bots may choose at any time, so the card may not stay in the hand long enough to be seen as chosen.
    await expect(page.locator("nimmt-table .held")).to_have_count(9)


async def tap(page: Page, now: TableView) -> None:
    """Tap the last card, or the first row, twice."""
    row = now["actions"][0].startswith("take")
    what = page.locator("nimmt-table .pick").first if row else page.locator("nimmt-table .held").last
    await what.click()
    await expect(what).to_have_attribute("aria-pressed", "true")
    await what.click()


@pytest.mark.long
async def test_game_with_nine_bots_on_a_phone(open_page: PageOpener) -> None:
    config: dict[str, Any] = {"game": "nimmt", "options": {"seats": 10, "hand": 4}}
    page = await open_at_table(open_page, browser=PHONE | REDUCED_MOTION, **config)
    await play_match(page, tap)
    await expect(page.locator("table-result h2")).to_be_visible()
    scores = await page.evaluate(f"{TABLE_VIEW}.result.scores")
    assert (
        await page.locator("nimmt-table").evaluate("table => table.standing.map(each => Number(each.score))") == scores
    )
    assert await page.evaluate("document.documentElement.scrollWidth") <= 360
    await page.goto(f"{page.url}/replay")
    await page.locator("faceup-table .ticker").click()
    await expect(page.locator("table-log .revealed").first).to_be_visible()
    rows = await page.locator("table-log .placed").all_text_contents()
    assert all(re.search(r"(: |Your )\d+ goes to row [1-4]\.$", row) for row in rows), "translated by the page"


@pytest.mark.long
@pytest.mark.parametrize(
    ("variant", "seats"),
    [("arena", 4), *product(("cowheadking", "onehundredandfour", "classic", "tactical"), (2, 5, 10))],
)
async def test_every_variant_plays_to_its_end(open_page: PageOpener, variant: str, seats: int) -> None:
    options = {"seats": seats}
    if variant in ("classic", "tactical"):
        options["target"] = 20  # to keep the match short
    page = await open_at_table(open_page, browser=REDUCED_MOTION, game="nimmt", variant=variant, options=options)
    await play_match(page, tap)
    await expect(page.locator("table-result h2")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("options", [{"rows": 8, "capacity": 3}, {"rows": 1, "capacity": 10, "hand": 3}, {"hand": 1}])
async def test_other_numbers_of_rows_and_cards_fit_a_phone(open_page: PageOpener, options: dict[str, int]) -> None:
    page = await open_at_table(open_page, browser=PHONE | REDUCED_MOTION, game="nimmt", options={"seats": 4} | options)
    await page.locator("nimmt-table .held").first.wait_for()
    assert await page.evaluate("document.documentElement.scrollWidth") <= 360
    await play_match(page, tap)
    await expect(page.locator("table-result h2")).to_be_visible()
