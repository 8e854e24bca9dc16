"""The reveal time that the server grants covers the reveal of the page."""

from itertools import pairwise

import pytest
from tests.web.conftest import PageOpener
from tests.web.test_nimmt import random_action, recorded_updates

from faceup.core import CHANCE, AnyRules, Event, draw, find_game, generator, make

_MEASURE = """async ([game, updates]) => {
  const { use } = await import(document.scripts[0].src);
  await use.load(`./games/${game}/${game}-table.js`, "main.js");
  const { RevealQueue } = await use.load("./games/reveal-queue.js", "main.js");
  let now = 0;
  const waits = [];
  RevealQueue.prototype.wait = (time) => new Promise((done) => waits.push({ at: now + time, done }));
  const times = [];
  for (const [before, line] of updates) {
    const table = Object.assign(document.createElement(`${game}-table`), { room: before.room, quiet: true });
    document.querySelector("main").replaceChildren(table);
    await table.show(null, before.room, [], { jump: true });
    const start = now;
    let over = false;
    const shown = table.show(before.room, line.room, line.events, { jump: false }).then(() => (over = true));
    while (!over) {
      await new Promise((done) => setTimeout(done));
      const next = waits.sort((one, other) => one.at - other.at).shift();
      if (next) now = Math.max(now, next.at);
      next?.done();
    }
    await shown;
    waits.length = 0;
    times.push(now - start);
  }
  return times;
}"""
"""Shows updates, one after the other, with waits that take no real time; returns how long they would have waited."""


def turns(rules: AnyRules, seed: int) -> list[list[Event]]:
    """Return the events of each turn of the game of `recorded_updates`."""
    rng = generator(seed)
    state = rules.start()
    turns_so_far: list[list[Event]] = []
    while to_act := rules.to_act(state):
        if to_act == (CHANCE,):
            state, events = rules.apply(state, draw(rules, state, rng))
        else:
            turns_so_far.append([])
            state, events = rules.apply(state, {seat: random_action(rules, state, seat, rng) for seat in to_act})
        if turns_so_far:
            turns_so_far[-1] += events
    return turns_so_far


@pytest.mark.parametrize("spec", ["nimmt seats=4 hand=5 deals=2", "niuniu seats=3 throws=2", "war per_suit=3 cap=12"])
async def test_reveal_time_covers_the_reveal(open_page: PageOpener, spec: str) -> None:
    rules = make(spec)
    updates = recorded_updates(rules, 2)
    page = await open_page.again("/ladder")
    measured = await page.evaluate(_MEASURE, [rules.game, list(pairwise(updates))[-13:-1]])
    granted = [find_game(rules.game).reveal_time(events) for events in turns(rules, 2)]
    assert len(granted) == len(updates) - 1
    for reveal, time in zip(granted[-13:-1], measured, strict=True):
        assert 0 < time <= reveal <= 1.7 * time + 300, (reveal, time)
