"""Nothing that can be seen or heard on a table page follows from an event that the reveal has not shown yet.

The page is sampled while a game is played at normal speed. Each sample holds what the board shows, read from its cards,
dice and piles, and everything else that the page says. They are compared with each other, and never with the time.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from playwright.async_api import Page
from tests.web.conftest import PageOpener, open_at_table
from tests.web.driver import TABLE_VIEW

from faceup.translations import LANGUAGES

Sample: TypeAlias = dict[str, Any]  # Any: JSON

_SAMPLE: Final = """() => {
  const page = document.querySelector("table-page");
  const frame = page.shadowRoot.querySelector("faceup-table");
  const game = frame.shadowRoot.querySelector(".game")?.shadowRoot;
  if (!game?.querySelector(".felt")) return;
  // A browser paints nothing while an element is about to render, so no one sees the page then.
  const elements = [page, frame, ...frame.shadowRoot.querySelectorAll(".game, table-log, table-seats, table-clock")];
  if (elements.some((element) => element.isUpdatePending)) return;
  const all = (selector, root) => [...(root?.querySelectorAll(selector) ?? [])];
  const text = (selector, root = frame.shadowRoot) => all(selector, root).map((element) => element.textContent.trim());
  const log = frame.shadowRoot.querySelector("table-log")?.shadowRoot;
  const seats = frame.shadowRoot.querySelector("table-seats")?.shadowRoot;
  const clock = frame.shadowRoot.querySelector("table-clock")?.shadowRoot;
  const chart = game.querySelector("win-chance-chart");
  const cards = (selector) => [...game.querySelectorAll(selector)];
  const { shown } = frame;
  const sample = {
    newest: page.connection.room.decision,
    decision: shown.decision,
    status: shown.status,
    choice: shown.choice ?? null,
    sending: frame.shadowRoot.querySelector(".game").sending,
    asked: shown.status === "active" && shown.actions.length > 0,
    revealing: frame.revealing,
    view: { ...shown.view, draw: shown.view.draw?.map((pile) => pile.length), log: null },
    mood: frame.shadowRoot.querySelector(".next")?.className ?? "",
    caption: text(".next p")[0] ?? "",
    log: text("li button span", log),
    badges: seats ? seats.querySelectorAll(".badge").length : 0,
    seats: text("li", seats),
    clock: text("text", clock)[0] ?? "",
    title: document.title,
    spoken: [...document.querySelectorAll("#announcements p")].map((line) => line.textContent),
    bar: text(".prompt, .caption", game),
    buttons: text(".bar button, .actions .action", game),
    disabled: cards(".actions .action:disabled").length,
    result: frame.shadowRoot.querySelectorAll("table-result").length,
    header: page.shadowRoot.querySelector("header")?.className ?? "",
    chance: chart ? [chart.room.decision, text("strong", chart.shadowRoot)[0] ?? ""] : null,
    board: {
      rows: cards(".lane").map((lane) => all("[data-card]", lane).map((card) => Number(card.dataset.card))),
      hand: cards("[data-hand]").map((card) => Number(card.dataset.hand)),
      flying: cards(".stage .flyer").length,
      faceUp: cards("[data-flown], .play.up").map((card) => Number(card.dataset.flown ?? card.dataset.card)),
      piles: cards(".pile b").map((count) => Number(count.textContent)),
      crowns: cards(".worth .crown").length,
      worth: text(".worth", game),
    },
  };
  const line = JSON.stringify(sample);
  if (line !== window.lastSample) window.samples.push(window.lastSample = line);
}"""

_START: Final = f"""() => {{
  window.samples = [];
  window.events = [];
  window.sampling = {_SAMPLE};
  const page = document.querySelector("table-page");
  page.connection.addEventListener("update", ({{ detail }}) => window.events.push(...detail.events));
  setInterval(window.sampling, 100);
  new MutationObserver(window.sampling).observe(document.querySelector("#announcements"), {{ childList: true }});
}}"""
"""Samples every 100 ms, and whenever something is announced."""

_THROW_ENDS: Final = re.compile("wins? the throw|is a draw between")
_CARD: Final = re.compile(r"(?:^|\s)(?<!row )(\d+)(?= goes to row| is lower than| does not fit|[,.]$|, )")
"""A played card in a sentence of the page."""

_MAY_ACT: Final = """() => {
  const frame = document.querySelector("table-page").shadowRoot.querySelector("faceup-table");
  const { status, actions, choice } = frame.shown;
  return status === "finished" || (!frame.revealing && status === "active" && actions.length && choice === undefined);
}"""


async def play(page: Page) -> tuple[list[Sample], list[Sample]]:
    """Play the viewer's seat to the end, without skipping a reveal; return the samples, and the events that arrived."""
    await page.locator(".felt").wait_for()
    await page.evaluate(_START)
    before = -1
    while True:
        await page.wait_for_function(_MAY_ACT)
        room = await page.evaluate(TABLE_VIEW)
        if room["status"] == "finished":
            break
        assert room["decision"] != before
        before = room["decision"]
        await page.evaluate(
            """action => document.querySelector("table-page").shadowRoot.querySelector("faceup-table").shadowRoot
              .querySelector(".game").dispatchEvent(new CustomEvent("choose", { detail: { action } }))""",
            room["actions"][0],
        )
        await page.wait_for_function(f"before => {TABLE_VIEW}.decision > before || {TABLE_VIEW}.choice", arg=before)
        await page.wait_for_function(f"before => {TABLE_VIEW}.decision > before", arg=before)
    await page.evaluate("sampling()")
    samples = [json.loads(line) for line in await page.evaluate("samples")]
    return samples, await page.evaluate("events")


def check_page(samples: list[Sample], clock: str) -> None:
    """Check what the page says against the view that it displays, and that it never goes back."""
    assert any(sample["revealing"] for sample in samples)
    assert any(sample["newest"] > sample["decision"] for sample in samples)  # the display is behind, as it has to be
    for sample in samples:
        assert sample["decision"] <= sample["newest"]
        if sample["revealing"]:
            assert "narrating" in sample["mood"] or not sample["caption"], sample
            assert "Your turn" not in sample["title"]
            assert not sample["result"]
            assert sample["clock"] in {clock, ""}, sample["clock"]
        if sample["mood"].endswith("mine"):
            assert sample["asked"]
        if "Your turn" in sample["title"]:
            assert sample["asked"]
        assert not sample["result"] or sample["status"] == "finished"
        if sample["chance"]:
            assert sample["chance"][0] <= sample["decision"]


def texts(sample: Sample) -> Iterator[str]:
    """Yield everything that is said in words."""
    yield sample["caption"]
    for name in ("log", "spoken", "seats", "bar", "buttons"):
        yield from sample[name]


async def test_6_nimmt_shows_nothing_before_its_reveal(open_page: PageOpener) -> None:
    options = {"seats": 4, "hand": 2}
    # Bots of one kind would have numbers in their names, which could be taken for cards.
    page = await open_at_table(
        open_page, game="nimmt", options=options, bots=["random", "lowest", "highest"], terms={"clock": 60_000}
    )
    samples, events = await play(page)
    check_page(samples, "60")
    played = {card for event in events for card in event.get("plays", ())}
    assert len(played) == 8
    up: set[int] = set()  # cards that have been face up on the board
    seen: set[int] = set()  # these, and the viewer's hand
    placed: set[int] = set()  # cards that have been in a row
    for sample in samples:
        board = sample["board"]
        rows = {card for row in board["rows"] for card in row}
        placed |= rows
        seen |= rows | set(board["hand"]) | set(board["faceUp"])
        for text in texts(sample):
            cards = {int(card) for card in _CARD.findall(text)}
            assert cards & played <= seen, (text, sorted(seen))
        if not sample["revealing"]:
            assert board["rows"] == sample["view"]["rows"]
            assert not board["flying"]
        for card in (int(number) for line in sample["log"] for number in re.findall(r"(\d+) goes to row", line)):
            assert card in placed
        turn = next((int(number) for bar in sample["bar"] for number in re.findall(r"Turn (\d+)/2", bar)), 1)
        up |= rows | set(board["faceUp"])
        assert len(up & played) >= 4 * (turn - 1)
    assert any(re.fullmatch(r"\d+ goes to row \d\.", sample["caption"]) for sample in samples)
    assert samples[-1]["result"] == 1


async def test_niu_niu_shows_nothing_before_its_reveal(open_page: PageOpener) -> None:
    options = {"seats": 2, "throws": 2}
    page = await open_at_table(open_page, game="niuniu", options=options, bots=["random"], terms={"clock": 60_000})
    samples, _ = await play(page)
    check_page(samples, "60")
    named_throws = 0  # throws whose hands have been named on the board
    hidden = True
    for sample in samples:
        open_hands = all(sample["board"]["worth"])
        if open_hands and hidden:
            named_throws += 1
        hidden = not open_hands
        for lines in (sample["log"], sample["spoken"]):
            assert sum(bool(_THROW_ENDS.search(line)) for line in lines) <= named_throws
        assert sum(sample["view"]["won"]) <= named_throws
        number = next(int(throw) for bar in sample["bar"] for throw in re.findall(r"Throw (\d+)", bar))
        assert number <= sample["decision"] + 1
        assert sample["disabled"] == 0 or not sample["revealing"] or sample["choice"] or sample["sending"], sample
    assert named_throws == 2
    assert samples[-1]["result"] == 1


async def test_war_shows_nothing_before_its_reveal(open_page: PageOpener) -> None:
    options = {"per_suit": 3, "suits": 4, "cap": 3}
    page = await open_at_table(open_page, game="war", options=options, bots=["random"], terms={"clock": 60_000})
    samples, events = await play(page)
    check_page(samples, "60")
    assert any(event["event"] == "turned" for event in events)
    for sample in samples:
        if not sample["revealing"]:
            assert sample["board"]["piles"][::-1] == sample["view"]["draw"]
        # What the seats show is what lies on the piles.
        counts = [re.search(r"\d+", seat) for seat in sample["seats"]]
        assert all(counts)
        spoken = sum("collects" in line for line in sample["spoken"])
        assert sum("collects" in line for line in sample["log"]) <= spoken
        assert spoken <= sample["view"]["rounds"] + sample["revealing"]
    assert samples[0]["chance"] is None or samples[0]["chance"][1] in {"", "50%"}
    assert samples[-1]["result"] == 1


async def test_captions_are_translated(open_page: PageOpener) -> None:
    page = await open_page("/ladder")
    for language in LANGUAGES:
        words = await page.evaluate(
            """async language => {
              const stamp = /static\\/([^/]+)/.exec(document.querySelector("[rel=icon]").href)[1];
              const { loadNamespaces, setLanguage } = await import(`/static/${stamp}/i18n/translate.js`);
              const { describeCaption } = await import(`/static/${stamp}/i18n/events.js`);
              await setLanguage(language);
              await loadNamespaces("nimmt");
              const event = { seat: 0, card: 48, row: 1, cards: [5, 7] };
              return [{ event: "placed" }, { event: "took", chosen: false }, { event: "took", chosen: true }]
                .map((more) => describeCaption("nimmt", { ...event, ...more }, ["Ann"]));
            }""",
            language,
        )
        assert all("48" in line for line in words), language
        assert "2" in words[0], language
        assert all("Ann" in line for line in words[1:]), language
        assert len({*words}) == 3, language
