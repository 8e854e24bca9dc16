"""Show any state of a game of 6 nimmt! on a real table page, from the views of a recorded game."""

from itertools import pairwise
from typing import Any, TypeAlias

from playwright.async_api import Page
from tests.web.conftest import PageOpener, open_at_table
from tests.web.test_nimmt import recorded_updates

from faceup.core import make

State: TypeAlias = dict[str, Any]  # Any: JSON

NAMES = {
    "en": "Maximilian Featherstonehaugh",
    "de": "Maximiliane Grünwald-Österreicher",
    "fr": "Marie-Antoinette de Rochefoucauld-Montbrison",
    "zh": "亚历山德拉·康斯坦丁诺娃小姐",
}
"""A name by language that is longer than any label."""

_SHOW = """async ({ before, room, events }) => {
  const page = document.querySelector("table-page");
  const frame = page.shadowRoot.querySelector("faceup-table");
  const source = { room, v: room.decision, status: "open", send: async () => {}, now: () => 0, close() {} };
  page.connection.close();
  page.connection = Object.assign(new EventTarget(), source);
  const drawn = () => frame.shadowRoot.querySelector(".game")?.shadowRoot?.querySelector(".felt");
  for (let tries = 0; !drawn() || frame.shown !== room; tries += 1) {
    if (tries > 500) throw Error("the state is not displayed");
    await new Promise((done) => setTimeout(done, 20));
  }
  const frames = async (count) => {
    for (; count; count -= 1) await new Promise(requestAnimationFrame); // a change of the size takes some frames
  };
  await frames(4);
  if (!events.length) return;
  const stamp = /static\\/([^/]+)/.exec(document.querySelector("[rel=icon]").href)[1];
  const { displayState } = await import(`/static/${stamp}/games/nimmt/display-state.js`);
  const { animationSteps } = await import(`/static/${stamp}/games/nimmt/animation-steps.js`);
  const game = frame.shadowRoot.querySelector(".game");
  let shown = displayState(before);
  for (const step of animationSteps(shown, events)) shown = step.shown;
  game.shown = shown;
  await frames(4);
}"""


def nimmt_states(game: str, *, name: str = "Anna", seed: int = 1) -> dict[str, State]:
    """Return states of a random game of 6 nimmt!, as its first seat sees them.

    The states are `choosing` (all cards are in the hand), `revealed`, `row` (this seat has to choose a row), `taking`
    (a row was just taken, and the turn continues), `labels` (a turn is over in which a row was taken) and `over`.
    """
    rules = make(game)
    updates = recorded_updates(rules, seed)
    for number, update in enumerate(updates):
        room = update["room"]
        seats = [
            {"name": f"{name} {seat + 1}", "kind": "bot" if seat > 1 else "person", "handle": None}
            for seat in range(rules.seats)
        ]
        actions = [f"play {card}" for card in room["view"]["hand"]] if room["status"] == "active" else []
        shown = {"host": 0, "is_host": True, "seats": seats, "decision": number, "actions": actions}
        update["room"] = {key: room[key] for key in room if key != "hands"} | shown
    states: dict[str, State] = {}
    for before, update in pairwise(updates):
        room, events = update["room"], update["events"]
        kinds = [event["event"] for event in events]
        state: State = {"before": before["room"], "room": room, "events": []}
        states.setdefault("choosing", state | {"room": before["room"]})
        if "revealed" in kinds:
            states.setdefault("revealed", state | {"events": events[: kinds.index("revealed") + 1]})
        if "took" in kinds and room["status"] == "active":
            states.setdefault("taking", state | {"events": events[: kinds.index("took") + 1]})
            states["labels"] = state
        if room["view"]["waiting"]:
            waiting = [[room["view"]["waiting"][0][0], 0]]
            actions = [f"take row {row}" for row in range(len(room["view"]["rows"]))]
            view = room["view"] | {"waiting": waiting, "to_act": [0]}
            states.setdefault("row", state | {"room": room | {"view": view, "actions": actions}})
        if room["status"] == "finished":
            states["over"] = state
    return states


async def open_nimmt(open_page: PageOpener, seats: int, **browser: Any) -> Page:
    """Open a table of 6 nimmt! that shows states of a game with this number of seats."""
    page = await open_at_table(
        open_page, browser=browser, game="nimmt", options={"seats": seats}, bots=["random"], terms={"clock": None}
    )
    await page.locator("nimmt-table .felt").wait_for()
    return page


async def show_state(page: Page, state: State) -> None:
    """Show a state on a page of `open_nimmt`."""
    await page.evaluate(_SHOW, state)
