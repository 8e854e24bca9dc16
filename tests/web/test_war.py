"""War in the page: a whole game by itself, no card lost on the way, and an honest chance beside it."""

from math import sqrt
from typing import Any

import msgspec
from playwright.async_api import Page, expect
from tests.web.conftest import CALM, People, at_table

from faceup.core import Seeded, draw, make
from faceup.games.war import War, WarView
from faceup.server.api.web import web

PLAY = """async ([base, games]) => {
  const { play, rulesOf } = await import(`${base}/games/war/play.js`);
  const certain = () => { throw new Error("nothing is left to chance here"); };
  return games.map(([options, cards]) => {
    const { winner, rounds } = play(rulesOf(options), { cards, played: [0, 0], rounds: 0, redeals: 0 }, certain);
    return [winner, rounds];
  });
}"""
CHANCE = """async ([base, view, options, games]) => {
  const { chance } = await import(`${base}/games/war/chance.js`);
  let state = 7;
  const below = (n) => Math.floor(((state = (state * 1103515245 + 12345) % 2147483648) / 2147483648) * n);
  return chance(view, options, { games, milliseconds: 1e6, below });
}"""
# What is shown, each time that it changes: the piles, what lies there, and whether it has been collected already.
WATCH = """(table) => {
  table.seen = [];
  table.addEventListener("standing", () => {
    const { draw, cards } = table.shown;
    table.seen.push([draw[0] + draw[1], cards[0].length + cards[1].length]);
  });
}"""
TELL = "(table, [before, sight, events]) => table.tell(before, sight, events, { jump: false })"
LYING = """(spreads) => spreads.map((spread) =>
  [...spread.querySelectorAll(".card")].map((card) => (card.classList.contains("down") ? "down" : "up")))"""
OPTIONS: dict[str, Any] = {"per_suit": 5, "reshuffle": 10}


def dealt(rules: War, seed: int) -> Any:
    """A game that has just been dealt."""
    return rules.apply(rules.start(), draw(rules, rules.start(), Seeded(seed))).state


def played_out(rules: War, state: Any, rng: Seeded) -> Any:
    """The end of a game."""
    while seats := rules.to_act(state):
        state = rules.apply(state, draw(rules, state, rng) if seats == (-1,) else {0: 0, 1: 0}).state
    return state


async def test_the_page_plays_the_same_game_to_the_same_end(people: People) -> None:
    page = await people("/ladder")
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
            end = played_out(rules, state, Seeded(0))
            winner = -1 if end.by == "draw" else rules.ranks(end).index(1)
            games.append([options, state.cards])
            ends.append([winner, end.rounds])
    found = await page.evaluate(PLAY, [f"/static/{web().stamp}", games])
    assert found == ends


def forgetful(view: WarView) -> WarView:
    """What somebody knows who has seen which cards went where, and keeps no order in mind."""
    known = [[card for card in pile if card is not None] for pile in view.draw]
    members = [tuple(sorted({*one, *more})) for one, more in zip(view.members, known, strict=True)]
    hidden: list[tuple[None, ...]] = [(None,) * len(pile) for pile in view.draw]
    return msgspec.structs.replace(view, draw=(hidden[0], hidden[1]), members=(members[0], members[1]))


async def test_the_chance_is_that_of_all_who_remember_which_cards_lie_where_and_not_in_what_order(
    people: People,
) -> None:
    page = await people("/ladder")
    rules = make("war", **OPTIONS)
    assert isinstance(rules, War)
    rng = Seeded(3)
    state = dealt(rules, 2)  # in a war after four flips
    for _ in range(4):
        state = rules.apply(state, {0: 0, 1: 0}).state
    view = rules.view(state, 0)
    games = 600
    ends = [played_out(rules, rules.guess(forgetful(view), rng), rng) for _ in range(games)]
    wanted = sum(rules.utilities(end)[0] for end in ends) / games
    sent = msgspec.to_builtins(view)
    found = await page.evaluate(CHANCE, [f"/static/{web().stamp}", sent, OPTIONS, 4 * games])
    assert found["games"] == 4 * games
    assert 0.02 < wanted < 0.98
    assert abs(found["chance"] - wanted) < 5 * sqrt(wanted * (1 - wanted) * 1.25 / games)


async def sums(page: Page) -> list[list[int]]:
    """What has been seen of the piles, and of the cards on the table."""
    found: list[list[int]] = await page.locator("war-table").evaluate("(table) => table.seen")
    return found


async def test_a_whole_game_plays_itself_and_no_card_is_lost_on_the_way(people: People) -> None:
    page = await at_table(people, game="war", options=OPTIONS, bots=["random"])
    table = page.locator("war-table")
    await table.evaluate(WATCH)
    await page.keyboard.press("x")
    await expect(table.locator(".spread .card")).to_have_count(2)
    await table.get_by_role("button", name="The whole game").click()
    await expect(page.locator("table-result h2")).to_be_visible(timeout=60_000)
    seen = await sums(page)
    # In a round the cards on the table belong to nobody; once it is over they lie there to be looked at still.
    assert all(20 in (piles, piles + lying) for piles, lying in seen)
    sight: Any = await table.evaluate("(table) => table.sight")
    assert sorted(sight["result"]["scores"]) == [0, 20]
    assert len(seen) > sight["view"]["rounds"]
    assert await table.locator("war-line strong").text_content() == (
        "100%" if sight["result"]["ranks"][0] == 1 else "0%"
    )
    said = await page.locator("#announcements p").all_text_contents()
    assert any("wins the game" in line for line in said)
    await page.reload()  # whoever comes now sees the line from the first round on
    found = "() => document.querySelector('table-page').shadowRoot.querySelector('faceup-table')"
    found += ".shadowRoot.querySelector('war-table')?.shadowRoot.querySelector('war-line')?.points.size"
    await page.wait_for_function(f"{found} > {min(40, sight['view']['rounds'])}")


def eventful(rules: War, *wanted: str) -> list[tuple[Any, list[dict[str, Any]]]]:
    """The views of a game in which all of this happens, from its deal on, each with the events that led to it."""
    for seed in range(1000):
        rng = Seeded(seed)
        state = dealt(rules, seed)
        told: list[tuple[Any, list[dict[str, Any]]]] = [(rules.view(state, 0), [])]
        while rules.to_act(state):
            step = rules.apply(state, {0: 0, 1: 0})
            events = list(step.events)
            while rules.to_act(step.state) == (-1,):
                step = rules.apply(step.state, draw(rules, step.state, rng))
                events += step.events
            state = step.state
            told.append((rules.view(state, 0), [msgspec.to_builtins(event) | {"words": ""} for event in events]))
        happened = {event["event"] for _, events in told for event in events}
        if happened.issuperset(wanted):
            return told
    raise AssertionError(wanted)


async def test_wars_reshuffles_and_sudden_death_are_shown_and_what_lies_face_down_stays_so(people: People) -> None:
    options = {"per_suit": 5, "reshuffle": 2, "cap": 5, "down": 2}
    rules = make("war", **options)
    assert isinstance(rules, War)
    page = await at_table(people, game="war", options=options, bots=["random"], browser=CALM)
    table = page.locator("war-table")
    await expect(table.locator(".pile")).to_have_count(2)
    real: Any = await table.evaluate("(table) => table.sight")
    says = {"war": "War!", "reshuffled": "reshuffled", "sudden_death": "Sudden death", "won": "wins the game"}
    before = None
    for view, events in eventful(rules, *says):
        sight = real | {"view": msgspec.to_builtins(view)}
        await table.evaluate(TELL, [before, sight, events])
        before = sight
        tags = [event["event"] for event in events]
        for tag in [each for each in ("won", "sudden_death", "reshuffled", "war") if each in tags][:1]:
            await expect(table.locator(".says strong")).to_contain_text(says[tag])
        await expect(table.locator(".felt.sudden")).to_have_count(int(view.rounds >= rules.cap))
        lying = await table.locator(".spread").evaluate_all(LYING)
        for event in events:
            if event["event"] == "collected":
                assert sum(map(len, lying)) == event["count"]  # to be looked at until the next flip
        if view.turned:
            assert sorted(lying) == sorted(
                [["up" if card in view.turned else "down" for card in pile] for pile in view.table]
            )
    assert before is not None
    assert before["view"]["by"] == "sudden death"
