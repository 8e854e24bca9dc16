"""War in the browser: simulation, win chance, autoplay, captions."""

import re
from math import sqrt
from typing import Any

import msgspec
import pytest
from playwright.async_api import Page, expect
from tests.web.conftest import REDUCED_MOTION, PageOpener, open_at_table

from faceup.core import SeededGenerator, draw, make
from faceup.games.war import War, WarView
from faceup.web.assets import web

WINS = re.compile("wins? the game")
PLAY_OUT = """async ([base, games]) => {
  const { playOut, rulesOf } = await import(`${base}/games/war/simulation.js`);
  const certain = () => { throw new Error("nothing is left to chance here"); };
  return games.map(([options, cards]) => {
    const { winner, rounds } = playOut(rulesOf(options), { cards, played: [0, 0], rounds: 0, redeals: 0 }, certain);
    return [winner, rounds];
  });
}"""
ESTIMATE = """async ([base, view, options, games]) => {
  const { estimateWinChance } = await import(`${base}/games/war/win-chance.js`);
  let state = 7;
  const below = (n) => Math.floor(((state = (state * 1103515245 + 12345) % 2147483648) / 2147483648) * n);
  return estimateWinChance(view, options, { games, milliseconds: 1e6, below });
}"""
# Record the numbers of cards in the piles and on the table at each change.
RECORD_COUNTS = """(table) => {
  table.seen = [];
  table.addEventListener("standing", () => {
    const { draw, cards } = table.shown;
    table.seen.push([draw[0] + draw[1], cards[0].length + cards[1].length]);
  });
}"""
SHOW = "(table, [before, room, events]) => table.show(before, room, events, { jump: false })"
CARD_SIDES = """(spreads) => spreads.map((spread) =>
  [...spread.querySelectorAll(".card")].map((card) => (card.classList.contains("down") ? "down" : "up")))"""
OPTIONS: dict[str, Any] = {"per_suit": 5, "reshuffle": 10}


def dealt(rules: War, seed: int) -> Any:
    """Return the state after the deal."""
    return rules.apply(rules.start(), draw(rules, rules.start(), SeededGenerator(seed))).state


def play_out(rules: War, state: Any, rng: SeededGenerator) -> Any:
    """Play to the end of the game."""
    while seats := rules.to_act(state):
        state = rules.apply(state, draw(rules, state, rng) if seats == (-1,) else {0: 0, 1: 0}).state
    return state


async def test_simulation_ends_like_the_rules(open_page: PageOpener) -> None:
    page = await open_page("/ladder")
    games, ends = [], []
    for options in (
        {"reshuffle": 0, "cap": 400, "redeal": False},
        {"reshuffle": 0, "cap": 9, "redeal": False, "collect": "loser_first", "down": 1, "per_suit": 4},
        {"reshuffle": 0, "cap": 4, "redeal": False, "sudden_death": False, "suits": 2},
    ):
        rules = make("war", **options)
        assert isinstance(rules, War)
        for seed in range(30):
            state = dealt(rules, seed)
            end = play_out(rules, state, SeededGenerator(0))
            winner = -1 if end.by == "draw" else rules.ranks(end).index(1)
            games.append([options, state.cards])
            ends.append([winner, end.rounds])
    played = await page.evaluate(PLAY_OUT, [f"/static/{web().stamp}", games])
    assert played == ends


def without_order(view: WarView) -> WarView:
    """Return the view of an observer who knows the cards of each pile but not their order."""
    visible = [[card for card in pile if card is not None] for pile in view.draw]
    members = [tuple(sorted({*drawn, *more})) for drawn, more in zip(view.members, visible, strict=True)]
    hidden: list[tuple[None, ...]] = [(None,) * len(pile) for pile in view.draw]
    return msgspec.structs.replace(view, draw=(hidden[0], hidden[1]), members=(members[0], members[1]))


async def test_win_chance_ignores_the_order_of_seen_cards(
    open_page: PageOpener,
) -> None:
    page = await open_page("/ladder")
    rules = make("war", **OPTIONS)
    assert isinstance(rules, War)
    rng = SeededGenerator(3)
    state = dealt(rules, 2)  # in a war after four flips
    for _ in range(4):
        state = rules.apply(state, {0: 0, 1: 0}).state
    view = rules.view(state, 0)
    games = 600
    ends = [play_out(rules, rules.guess(without_order(view), rng), rng) for _ in range(games)]
    expected = sum(rules.utilities(end)[0] for end in ends) / games
    sent = msgspec.to_builtins(view)
    estimate = await page.evaluate(ESTIMATE, [f"/static/{web().stamp}", sent, OPTIONS, 4 * games])
    assert estimate["games"] == 4 * games
    assert 0.02 < expected < 0.98
    assert abs(estimate["chance"] - expected) < 5 * sqrt(expected * (1 - expected) * 1.25 / games)


async def sums(page: Page) -> list[list[int]]:
    """Return the recorded numbers of cards in the piles and on the table."""
    card_sides: list[list[int]] = await page.locator("war-table").evaluate("(table) => table.seen")
    return card_sides


@pytest.mark.long
async def test_autoplay_of_a_game_loses_no_card(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, game="war", options=OPTIONS, bots=["random"])
    table = page.locator("war-table")
    await table.evaluate(RECORD_COUNTS)
    await page.keyboard.press("x")
    await expect(table.locator(".spread .card")).to_have_count(2)
    await table.get_by_role("button", name="Play the whole game at full speed").click()
    await expect(page.locator("table-result h2")).to_be_visible()
    seen = await sums(page)
    # During a round the cards on the table are in no pile; after it they stay visible, although collected.
    assert all(20 in (piles, piles + lying) for piles, lying in seen)
    room: Any = await table.evaluate("(table) => table.room")
    assert sorted(room["result"]["scores"]) == [0, 20]
    assert len(seen) > room["view"]["rounds"]
    assert await table.locator("win-chance-chart strong").text_content() == (
        "100%" if room["result"]["ranks"][0] == 1 else "0%"
    )
    announcements = await page.locator("#announcements p").all_text_contents()
    assert any(WINS.search(line) for line in announcements)
    await page.reload()  # a new visitor gets the chart from the first round on
    table_element = "() => document.querySelector('table-page').shadowRoot.querySelector('faceup-table')"
    table_element += ".shadowRoot.querySelector('war-table')?.shadowRoot.querySelector('win-chance-chart')?.points.size"
    await page.wait_for_function(f"{table_element} > {min(40, room['view']['rounds'])}")


def games_with_events(rules: War, *events_wanted: str) -> list[tuple[Any, list[dict[str, Any]]]]:
    """Return the views of a game with all of these events, each with the events before it."""
    for seed in range(1000):
        rng = SeededGenerator(seed)
        state = dealt(rules, seed)
        steps: list[tuple[Any, list[dict[str, Any]]]] = [(rules.view(state, 0), [])]
        while rules.to_act(state):
            step = rules.apply(state, {0: 0, 1: 0})
            events = list(step.events)
            while rules.to_act(step.state) == (-1,):
                step = rules.apply(step.state, draw(rules, step.state, rng))
                events += step.events
            state = step.state
            steps.append((rules.view(state, 0), [msgspec.to_builtins(event) | {"text": ""} for event in events]))
        happened = {event["event"] for _, events in steps for event in events}
        if happened.issuperset(events_wanted):
            return steps
    raise AssertionError(events_wanted)


@pytest.mark.long
async def test_wars_reshuffles_and_sudden_death_are_displayed_without_revealing_cards(
    open_page: PageOpener,
) -> None:
    options = {"per_suit": 5, "reshuffle": 2, "cap": 5, "down": 2}
    rules = make("war", **options)
    assert isinstance(rules, War)
    page = await open_at_table(open_page, game="war", options=options, bots=["random"], browser=REDUCED_MOTION)
    table = page.locator("war-table")
    await expect(table.locator(".pile")).to_have_count(2)
    real: Any = await table.evaluate("(table) => table.room")
    captions: dict[str, str | re.Pattern[str]] = {
        "war": "War!",
        "reshuffled": "reshuffled",
        "sudden_death": "Sudden death",
        "won": WINS,
    }
    before = None
    for view, events in games_with_events(rules, *captions):
        room = real | {"view": msgspec.to_builtins(view)}
        await table.evaluate(SHOW, [before, room, events])
        before = room
        tags = [event["event"] for event in events]
        for tag in [tag for tag in ("won", "sudden_death", "reshuffled", "war") if tag in tags][:1]:
            await expect(table.locator(".caption strong")).to_contain_text(captions[tag])
        await expect(table.locator(".felt.sudden")).to_have_count(int(view.rounds >= rules.cap))
        lying = await table.locator(".spread").evaluate_all(CARD_SIDES)
        for event in events:
            if event["event"] == "collected":
                assert sum(map(len, lying)) == event["count"]  # visible until the next flip
        if view.turned:
            assert sorted(lying) == sorted(
                [["up" if card in view.turned else "down" for card in pile] for pile in view.table]
            )
    assert before is not None
    assert before["view"]["by"] == "sudden death"


async def test_win_chance_is_even_before_the_first_card(open_page: PageOpener) -> None:
    page = await open_page("/ladder")
    view = msgspec.to_builtins(War().view(dealt(War(), 5), 0))
    estimate = await page.evaluate(ESTIMATE, [f"/static/{web().stamp}", view, {}, 10])
    assert estimate == {"chance": 0.5, "error": 0, "games": 0}


async def test_noise_lowers_no_win_chance_after_a_card_is_won(open_page: PageOpener) -> None:
    page = await open_page("/ladder")
    chances = [(0, 0.5), (1, 0.48), (2, 0.53), (3, 0.55), (3.5, 0.5), (4, 0.45), (9, 0.4)]
    held = [26, 27, 28, 27, 31, 31, 31, 31, 31, 35]
    settled = await page.evaluate(
        """async ([base, chances, held]) => {
          const { withoutNoise } = await import(`${base}/games/war/win-chance.js`);
          const points = chances.map(([round, chance]) => [round, { chance, error: 0.02, games: 1000 }]);
          return withoutNoise(points, (round) => held[Math.floor(round)]).map(([, { chance }]) => chance);
        }""",
        [f"/static/{web().stamp}", chances, held],
    )
    # Seat 0 wins a card in rounds 1 and 2, loses one in round 3, and wins a war in round 4. Rounds 5 to 8 are unknown.
    assert settled == [0.5, 0.5, 0.53, 0.53, 0.5, 0.5, 0.4]
