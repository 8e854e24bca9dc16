"""6 nimmt! on the page: whole games, the reveal step by step, and choosing while it is under way."""

import json
import re
from collections.abc import Callable
from itertools import pairwise, product
from typing import Any

import pytest
from playwright.async_api import Page, expect
from tests.web.conftest import CALM, PHONE, People, at_table
from tests.web.playing import SIGHT, Sight, play

from faceup.core import CHANCE, FORFEIT, AnyRules, Generator, draw, generator, make
from faceup.core.record import AnyEntry, applied, record_of
from faceup.games.nimmt.rules import Rules
from faceup.server.api.web import web
from faceup.server.rooms import after_line, replayed

Choose = Callable[[AnyRules, Any, int], int]


def told(rules: AnyRules, seed: int, viewer: int | None = 0, choose: Choose | None = None) -> list[dict[str, Any]]:
    """A game by chance, as its viewer was told: the sight after each line, and the line's events."""
    rng = generator(seed)
    state = rules.start()
    entries: list[AnyEntry] = []
    while to_act := rules.to_act(state):
        if to_act == (CHANCE,):
            move: Any = draw(rules, state, rng)
        else:
            move = {seat: choose(rules, state, seat) if choose else some(rules, state, seat, rng) for seat in to_act}
        entries.append(applied(rules, len(entries) * 1000, move))
        state = rules.apply(state, move).state
    lines = [json.loads(line) for line in replayed(record_of(rules, tuple(entries), state), viewer)]
    sight: dict[str, Any] = {}
    found = []
    for line in lines:
        sight = after_line(sight, line)
        found.append({"sight": sight, "events": line.get("events", [])})
    return found


def some(rules: AnyRules, state: Any, seat: int, rng: Generator) -> int:
    """Any legal choice, or where programs play now and then none."""
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


async def test_showing_what_happened_step_by_step_ends_where_the_sight_stands(people: People) -> None:
    page = await people("/ladder")
    differ = await page.evaluate(
        """async ([stamp, games]) => {
          const { standing, steps } = await import(`/static/${stamp}/games/nimmt/shown.js`);
          const bare = ({ current, sixth, choosing, ...rest }) => JSON.stringify(rest);
          const found = [];
          for (const lines of games) {
            lines.forEach(({ sight, events }, number) => {
              if (!number) return;
              let shown = standing(lines[number - 1].sight);
              for (const event of events) for (const step of steps(shown, event)) shown = step.shown;
              const [shows, stands] = [bare(shown), bare(standing(sight))];
              if (shows !== stands) found.push(`${sight.opening.variant} ${number}: ${shows} != ${stands}`);
            });
          }
          return found;
        }""",
        [web().stamp, [told(make(game), seed) for seed, game in enumerate(GAMES, 1)]],
    )
    assert not differ, f"{len(differ)}, the first: {differ[0]}"


async def standing_at(page: Page, line: dict[str, Any], **properties: Any) -> None:
    """Put an element that stands at the sight on an otherwise empty page, and keep what it shows and asks for."""
    await page.evaluate(
        """async ([sight, properties]) => {
          await (await import(document.scripts[0].src)).use.load("./games/nimmt/nimmt-table.js", "main.js");
          const table = Object.assign(document.createElement("nimmt-table"), { sight, ...properties });
          document.querySelector("main").replaceChildren(table);
          Object.assign(window, { table, moments: [], asked: [] });
          table.addEventListener("standing", () => moments.push(table.shown));
          for (const name of ["mark", "choose", "unchoose"]) {
            table.addEventListener(name, (event) => asked.push([name, event.detail?.action ?? null]));
          }
          await table.updateComplete;
        }""",
        [line["sight"], properties],
    )


TELL = "([before, line]) => table.tell(before.sight, line.sight, line.events, { jump: false })"


async def test_all_cards_are_turned_up_at_once_and_placed_from_the_lowest_to_the_highest(people: People) -> None:
    first, second, *_ = told(make("nimmt seats=4"), 3, None)
    page = await people("/ladder")
    await standing_at(page, first, speed=2)
    await page.evaluate(TELL, [first, second])
    moments = await page.evaluate("moments")
    plays = next(event["plays"] for event in second["events"] if event["event"] == "revealed")
    up = [[seat["card"] for seat in moment["seats"] if seat["lies"] == "up"] for moment in moments]
    assert up[[bool(cards) for cards in up].index(True)] == plays
    placed = [card for moment in moments for row in moment["rows"] for card in row if card in plays]
    assert list(dict.fromkeys(placed)) == sorted(plays)
    assert moments[-1]["rows"] == second["sight"]["view"]["rows"]


async def test_a_choice_during_a_reveal_counts_at_once_and_ends_it(people: People) -> None:
    lines = told(make("nimmt seats=10"), 4)
    first, second = next(pair for pair in pairwise(lines) if not any(line["sight"]["view"]["waiting"] for line in pair))
    page = await people("/ladder")
    await standing_at(page, first)
    await page.evaluate(f"args => {{ window.showing = ({TELL})(args); }}", [first, second])
    await page.wait_for_function("() => table.shown.seats.some(seat => seat.lies === 'up')")
    card = page.locator("nimmt-table .held").last
    number = await card.get_attribute("data-hand")
    await card.dispatch_event("click")
    await card.dispatch_event("click")
    assert await page.evaluate("asked") == [["mark", f"play {number}"], ["choose", f"play {number}"]]
    await page.evaluate("showing")
    assert await page.evaluate("table.shown.rows") == second["sight"]["view"]["rows"]


def lowest(rules: AnyRules, state: Any, seat: int) -> int:
    """The first of what is legal."""
    return rules.legal(state, seat)[0]


async def test_who_has_to_take_a_row_takes_it_by_its_number_and_the_others_are_told_who_chooses(people: People) -> None:
    rules = Rules(seats=3)
    lines = told(rules, 5, None, lowest)
    number = next(n for n, line in enumerate(lines) if line["sight"]["view"]["waiting"])
    _, seat = lines[number]["sight"]["view"]["waiting"][0]
    mine = told(rules, 5, seat, lowest)
    page = await people("/ladder")
    await standing_at(page, mine[number])
    await expect(page.locator("nimmt-table .pick")).to_have_count(4)
    await page.keyboard.press("3")
    await expect(page.locator("nimmt-table .lane.loses")).to_have_count(1)
    await page.keyboard.press("Enter")
    assert await page.evaluate("asked") == [["mark", "take row 2"], ["choose", "take row 2"]]
    other = told(rules, 5, (seat + 1) % 3, lowest)
    await standing_at(page, other[number])
    await expect(page.locator("nimmt-table .pick")).to_have_count(0)
    await expect(page.locator("nimmt-table .prompt")).to_have_text(f"Seat {seat} is choosing a row to take.")
    taken = other[number + 1]
    await page.evaluate(TELL, [other[number], taken])
    moments = await page.evaluate("moments")
    cards = next(event["cards"] for event in taken["events"] if event["event"] == "took")
    assert any(moment["seats"][seat]["taking"] == cards for moment in moments), "they go to who took them"
    await expect(page.locator("nimmt-table .taking").first).to_contain_text(f"Seat {seat}")


async def test_a_mark_shows_where_the_card_would_go_and_can_be_moved_and_taken_back(people: People) -> None:
    first, *_ = told(make("nimmt seats=2"), 6)
    page = await people("/ladder")
    await standing_at(page, first)
    hand = first["sight"]["view"]["hand"]
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("End")
    await page.keyboard.press("Enter")
    await expect(page.locator("nimmt-table .ghost")).to_have_count(1)
    await expect(page.locator("nimmt-table .held[aria-pressed=true]")).to_have_attribute("data-hand", str(hand[-1]))
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await expect(page.locator("nimmt-table .held.chosen")).to_have_attribute("data-hand", str(hand[-2]))
    await page.keyboard.press("Escape")
    assert await page.evaluate("asked") == [
        ["mark", f"play {hand[-1]}"],
        ["mark", f"play {hand[-2]}"],
        ["choose", f"play {hand[-2]}"],
        ["unchoose", None],
    ]


async def test_keys_play_also_for_whoever_comes_by_a_link_of_the_page(people: People) -> None:
    page = await people("/")
    await page.get_by_role("button", name="Play now: 6 nimmt!").click()
    await page.locator("nimmt-table .held").nth(9).wait_for()
    for key in ("ArrowRight", "Enter", "Enter"):
        await page.keyboard.press(key)
    await expect(page.locator("nimmt-table .held.chosen")).to_have_count(1)


async def tap(page: Page, now: Sight) -> None:
    """The last card, or the first row, twice."""
    row = now["words"][0].startswith("take")
    what = page.locator("nimmt-table .pick").first if row else page.locator("nimmt-table .held").last
    await what.click()
    await expect(what).to_have_attribute("aria-pressed", "true")
    await what.click()


async def test_one_person_and_nine_bots_play_to_the_end_on_a_phone(people: People) -> None:
    opening: dict[str, Any] = {"game": "nimmt", "options": {"seats": 10, "hand": 4}}
    page = await at_table(people, browser=PHONE | CALM, **opening)
    await play(page, tap)
    await expect(page.locator("table-result h2")).to_be_visible()
    scores = await page.evaluate(f"{SIGHT}.result.scores")
    assert (
        await page.locator("nimmt-table").evaluate("table => table.standing.map(each => Number(each.score))") == scores
    )
    assert await page.evaluate("document.documentElement.scrollWidth") <= 360
    await page.goto(f"{page.url}/replay")
    await page.locator("faceup-table .ticker").click()
    await expect(page.locator("table-log .revealed").first).to_be_visible()
    rows = await page.locator("table-log .placed").all_text_contents()
    assert all(re.search(r": \d+ goes to row [1-4]\.$", row) for row in rows), "in the page's words, not the server's"


@pytest.mark.long
@pytest.mark.parametrize(
    ("variant", "seats"),
    [("arena", 4), *product(("cowheadking", "onehundredandfour", "classic", "tactical"), (2, 5, 10))],
)
async def test_every_variant_is_played_to_its_end(people: People, variant: str, seats: int) -> None:
    options = {"seats": seats}
    if variant in ("classic", "tactical"):
        options["target"] = 20  # some deals, not some dozens
    page = await at_table(people, browser=CALM, game="nimmt", variant=variant, options=options)
    await play(page, tap)
    await expect(page.locator("table-result h2")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("options", [{"rows": 8, "capacity": 3}, {"rows": 1, "capacity": 10, "hand": 3}, {"hand": 1}])
async def test_other_numbers_of_rows_and_cards_fit_a_phone(people: People, options: dict[str, int]) -> None:
    page = await at_table(people, browser=PHONE | CALM, game="nimmt", options={"seats": 4} | options)
    await page.locator("nimmt-table .held").first.wait_for()
    assert await page.evaluate("document.documentElement.scrollWidth") <= 360
    await play(page, tap)
    await expect(page.locator("table-result h2")).to_be_visible()
