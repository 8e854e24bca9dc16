"""Updates of streams recorded by `./script/streams`, compared with the server's views."""

import json
from pathlib import Path

import pytest
from tests.web.conftest import PageOpener

STREAMS = Path(__file__).parent / "streams"

APPLY_UPDATES = """async (viewers) => {
  const { href } = document.querySelector('link[rel=icon]');
  const { EMPTY_STATE, applyUpdate } = await import(new URL('api/updates.js', href));
  return viewers.map((lines) => {
    let state = EMPTY_STATE;
    return lines.map((line) => (state = applyUpdate(state, line)).room);
  });
}"""


@pytest.mark.parametrize("game", ["nimmt", "niuniu", "war"])
async def test_updates_of_a_recorded_stream_give_the_servers_views(open_page: PageOpener, game: str) -> None:
    viewers = json.loads((STREAMS / f"{game}.json").read_text("utf-8"))
    page = await open_page("/")
    results = await page.evaluate(APPLY_UPDATES, [[step["line"] for step in steps] for steps in viewers])
    for steps, views in zip(viewers, results, strict=True):
        assert views[-1]["status"] == "finished"
        compared = [(room, step["room"]) for room, step in zip(views, steps, strict=True) if "room" in step]
        assert len(compared) > 0.8 * len(steps)
        for room, shown in compared:
            assert room == shown
