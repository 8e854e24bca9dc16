"""The fold of a server's lines, against what the server itself shows: recorded by `./script/streams`."""

import json
from pathlib import Path

import pytest
from tests.web.conftest import People

STREAMS = Path(__file__).parent / "streams"

FOLD = """async (viewers) => {
  const { href } = document.querySelector('link[rel=stylesheet]');
  const { NOTHING, folded } = await import(href.replace('style.css', 'live/stream.js'));
  return viewers.map((lines) => {
    let fold = NOTHING;
    return lines.map((line) => (fold = folded(fold, line)).sight);
  });
}"""


@pytest.mark.parametrize("game", ["nimmt", "niuniu", "war"])
async def test_folding_a_stream_gives_what_the_server_shows_exactly(people: People, game: str) -> None:
    viewers = json.loads((STREAMS / f"{game}.json").read_text("utf-8"))
    page = await people("/")
    found = await page.evaluate(FOLD, [[step["line"] for step in steps] for steps in viewers])
    for steps, sights in zip(viewers, found, strict=True):
        assert sights[-1]["status"] == "finished"
        compared = [(sight, step["sight"]) for sight, step in zip(sights, steps, strict=True) if "sight" in step]
        assert len(compared) > 0.8 * len(steps)
        for sight, shown in compared:
            assert sight == shown
