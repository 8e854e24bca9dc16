"""Reactions: phrases in each reader's language, emotes that are thrown at players and pinned to cards, and muting."""

from typing import Any, Final, get_args

import pytest
from playwright.async_api import Locator, Page, expect
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener, create_table, open_at_table, send_command
from tests.web.driver import TABLE_VIEW
from tests.web.test_accessibility import violations
from tests.web.test_sounds_and_wake_lock import RECORD_TONES

from faceup.server.rooms.entries import Emote, Phrase
from faceup.web.assets import web

SIZES: Final = ((360, 640), (390, 844), (844, 390), (667, 375), (1440, 900))
SPOKEN: Final = "() => [...document.querySelectorAll('#announcements p')].map((line) => line.textContent)"
PHRASE: Final = {"de": "Das gibt’s doch nicht!", "zh": "不会吧！"}  # noqa: RUF001 -- as in print
SAID: Final = {
    "en": ["You: No way!", "Cem to Bo: That was close!"],
    "de": [f"Ann: {PHRASE['de']}", "Cem zu dir: Das war knapp!"],
    "zh": [f"Ann：{PHRASE['zh']}", "你对Bo说：就差一点点！"],  # noqa: RUF001
}
FRAME: Final = "document.querySelector('table-page').shadowRoot.querySelector('faceup-table')"


async def at_a_table(
    open_page: PageOpener,
    *names: str,
    browsers: tuple[dict[str, Any], ...] = (),
    watched: int | None = None,
    **config: Any,
) -> tuple[str, list[Page]]:
    """Return the id of a table, and the pages of the players of these names, who all have a seat, in order.

    Only the first `watched` pages, or all of them, show the table: the others send commands.
    """
    options = browsers or ({},) * len(names)
    pages = [await open_page(None, **{**REDUCED_MOTION, **browser}) for browser in options]
    table = await create_table(pages[0], **{"game": "nimmt", "options": {"seats": len(names)}, **config})
    await send_command(pages[0], table, "rename", seat=0, name=names[0])
    for page, name in zip(pages[1:], names[1:], strict=True):
        await send_command(page, table, "sit", name=name)
    for page in pages[:watched]:
        await page.goto(f"/t/{table}")
        await page.locator(".game .felt").wait_for()
        await page.wait_for_function(f"() => {FRAME}.later")
    return table, pages


async def first_card(page: Page) -> int:
    """Return the first card of the first row."""
    return int(await page.evaluate(f"{TABLE_VIEW}.view.rows[0][0]"))


def seat_of(page: Page, name: str) -> Locator:
    """Return the seat of a player."""
    return page.locator("table-seats li").filter(has_text=name)


async def play_turn(*pages: Page) -> None:
    """Choose the highest card, or the first row, for all these players."""
    for page in pages:
        room = await page.evaluate(TABLE_VIEW)
        if room["actions"] and "choice" not in room:
            fields = {"seat": room["seat"], "action": room["actions"][-1], "decision": room["decision"]}
            await send_command(page, page.url.rpartition("/")[2], "choose", **fields)


async def test_the_page_has_the_reactions_of_the_server(open_page: PageOpener) -> None:
    page = await open_page("/ladder")
    lists = await page.evaluate(
        """async (stamp) => {
          const { EMOTES, PHRASES } = await import(`/static/${stamp}/table/reactions.js`);
          return [EMOTES, PHRASES];
        }""",
        web().stamp,
    )
    assert lists == [[*get_args(Emote)], [*get_args(Phrase)]]


async def test_each_reader_sees_a_phrase_in_their_language(open_page: PageOpener) -> None:
    browsers = ({**PHONE, "locale": "en"}, {"locale": "de"}, {"locale": "zh"})
    table, (ann, bo, cem) = await at_a_table(open_page, "Ann", "Bo", "Cem", browsers=browsers)
    await ann.get_by_role("button", name="React").tap()
    await ann.get_by_role("button", name="No way!").tap()  # the second tap
    for page, words in ((ann, "No way!"), (bo, PHRASE["de"]), (cem, PHRASE["zh"])):
        await expect(seat_of(page, "Ann").locator(".speech")).to_have_text(words)
    await send_command(cem, table, "react", seat=2, reaction="close", to=1)
    for page, spoken in ((ann, SAID["en"]), (bo, SAID["de"]), (cem, SAID["zh"])):
        await expect(seat_of(page, "Cem").locator(".speech")).to_be_visible()
        assert [line for line in await page.evaluate(SPOKEN) if line in spoken] == spoken


@pytest.mark.parametrize("seats", [pytest.param(4, marks=pytest.mark.long), 10])
async def test_the_picker_covers_no_card_that_can_be_chosen(open_page: PageOpener, seats: int) -> None:
    page = await open_at_table(
        open_page,
        game="nimmt",
        options={"seats": seats},
        bots=["random"],
        browser={**REDUCED_MOTION, "has_touch": True},
    )
    await page.locator("nimmt-table .held").first.wait_for()
    opener = page.get_by_role("button", name="React")
    for number, (width, height) in enumerate(SIZES):
        await page.set_viewport_size({"width": width, "height": height})
        await page.wait_for_function(f"([width]) => {FRAME}.clientWidth === width", arg=[width])
        await opener.tap()
        panel = page.locator("table-reactions .panel")
        await expect(panel.get_by_role("button")).to_have_count(seats + 6 + 12 + 1)
        box = await panel.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
        assert await panel.evaluate("(panel) => panel.scrollWidth <= panel.clientWidth")
        cards = await page.locator("nimmt-table .held").evaluate_all(
            "(cards) => cards.map((card) => card.getBoundingClientRect().toJSON())"
        )
        assert len(cards) == 10
        for held in cards:
            beside = held["x"] + 1 >= box["x"] + box["width"] or held["right"] <= box["x"] + 1
            assert beside or held["y"] + 1 >= box["y"] + box["height"] or held["bottom"] <= box["y"] + 1
        await page.locator("nimmt-table .held").nth(number).tap()  # the hand can be used, which closes the picker
        await expect(panel).to_have_count(0)


async def test_the_picker_can_be_used_at_200_percent(open_page: PageOpener) -> None:
    page = await open_at_table(
        open_page, game="nimmt", options={"seats": 4}, bots=["random"], browser={**PHONE, **REDUCED_MOTION}
    )
    await page.locator("nimmt-table .held").first.wait_for()
    for size, text, phrase in (((180, 320), "100%", "Moo!"), ((360, 640), "200%", "Pure skill!")):
        await page.set_viewport_size({"width": size[0], "height": size[1]})
        await page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", text)
        await page.get_by_role("button", name="React").click()
        panel = page.locator("table-reactions .panel")
        box = await panel.bounding_box()
        assert box is not None
        assert box["height"] > 150
        assert box["width"] <= size[0]
        await page.get_by_role("button", name=phrase).click()  # scrolls to it
        await expect(page.locator(".speech")).to_have_text(phrase)


async def test_reactions_work_by_keyboard(open_page: PageOpener) -> None:
    _, (ann, bo) = await at_a_table(open_page, "Ann", "Bo")
    opener = ann.get_by_role("button", name="React")
    await opener.press("Enter")
    assert await violations(ann) == []
    for name in ("Everyone", "Bo"):
        await ann.keyboard.press("Tab")
        await expect(ann.get_by_role("button", name=name, exact=True)).to_be_focused()
    await ann.keyboard.press("Enter")
    await expect(ann.get_by_role("button", name="Bo", exact=True)).to_have_attribute("aria-pressed", "true")
    await ann.get_by_role("button", name="Ouch!").press(" ")
    await expect(opener).to_be_focused()
    await expect(ann.locator("table-reactions .panel")).to_have_count(0)
    for page in (ann, bo):
        await expect(seat_of(page, "Bo").get_by_role("img", name="Ouch!")).to_be_visible()
    await bo.wait_for_function(f"() => ({SPOKEN})().includes('Ann to you: Ouch!')")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
async def test_a_thrown_emote_flies_from_seat_to_seat(open_page: PageOpener, motion: Any) -> None:
    browsers: tuple[dict[str, Any], ...] = ({"reduced_motion": motion}, {}, {})
    table, (ann, bo, _) = await at_a_table(open_page, "Ann", "Bo", "Cem", browsers=browsers, watched=1)
    await send_command(bo, table, "react", seat=1, reaction="bravo", to=2)
    bubble = seat_of(ann, "Cem").locator(".bubble.thrown")
    await expect(bubble).to_be_visible()
    start = await bubble.evaluate(
        """(bubble) => {
          const flights = bubble.getAnimations().filter((flight) => !(flight instanceof CSSAnimation));
          for (const flight of flights) Object.assign(flight, { playbackRate: 0, currentTime: 0 });
          const middle = (element) => {
            const { x, width } = element.getBoundingClientRect();
            return x + width / 2;
          };
          return flights.length ? middle(bubble) - middle(bubble.getRootNode().querySelectorAll(".token")[1]) : null;
        }"""
    )
    assert (start is None) if motion == "reduce" else abs(start) < 1
    count = "(bubble) => bubble.getAnimations().length"
    animations = await bubble.evaluate(count)
    await ann.locator("table-seats").evaluate("async (seats) => { seats.requestUpdate(); await seats.updateComplete; }")
    assert await bubble.evaluate(count) == animations  # one flight, also if a seat changes meanwhile


async def test_a_seat_that_is_tapped_is_the_target(open_page: PageOpener) -> None:
    _, (ann, bo) = await at_a_table(open_page, "Ann", "Bo", browsers=(PHONE, {}))
    await seat_of(ann, "Bo").tap()
    await ann.get_by_role("button", name="Ouch!").tap()
    await expect(seat_of(bo, "Bo").locator(".bubble.thrown")).to_be_visible()
    await seat_of(ann, "Ann").tap()
    await expect(ann.locator("table-reactions .panel")).to_have_count(0)


async def test_a_pin_stays_at_its_card_until_the_next_reveal(open_page: PageOpener) -> None:
    table, (ann, bo) = await at_a_table(open_page, "Ann", "Bo")
    card = await first_card(ann)
    await send_command(bo, table, "react", seat=1, reaction="phew", card=card)
    late = await open_page(f"/t/{table}", **REDUCED_MOTION)
    for page in (ann, bo, late):
        await expect(page.locator(f".lane [data-card='{card}'] .pin")).to_have_count(1)
        await expect(page.locator(".pin")).to_have_count(1)
    await expect(ann.locator(".bubble")).to_have_count(0)
    assert f"Bo about card {card}: Phew." in await ann.evaluate(SPOKEN)
    await ann.reload()
    await expect(ann.locator(f".lane [data-card='{card}'] .pin")).to_have_count(1)
    await play_turn(ann)
    await expect(ann.locator(".pin")).to_have_count(1)
    await ann.locator("faceup-table").evaluate("(frame) => { frame.pace = 0.001; }")
    await play_turn(bo)
    await ann.wait_for_function(f"() => {FRAME}.revealing")
    await expect(ann.locator(".pin")).to_have_count(0)  # the reveal has only begun
    await expect(late.locator(".pin")).to_have_count(0)


async def test_a_card_that_took_a_row_is_offered(open_page: PageOpener) -> None:
    _, pages = await at_a_table(open_page, "Ann", "Bo", options={"seats": 2, "hand": 10})
    ann = pages[0]
    for _ in range(40):
        room = await ann.evaluate(TABLE_VIEW)
        if any(room["view"]["taken"]) and not room["view"]["waiting"]:
            break
        await play_turn(*pages)
        await ann.wait_for_function(
            "(before) => document.querySelector('table-page').connection.room.decision > before", arg=room["decision"]
        )
    await ann.keyboard.press("Escape")  # skip the reveal
    await ann.wait_for_function(f"() => !{FRAME}.revealing && {FRAME}.shown.decision === {room['decision']}")
    await ann.get_by_role("button", name="React").click()
    chip = ann.locator("table-reactions").get_by_role("button", name="Card ")
    name = str(await chip.first.get_attribute("aria-label"))
    await chip.first.click()
    await expect(ann.get_by_role("button", name="Moo!")).to_have_count(0)  # a phrase has no place at a card
    await ann.get_by_role("button", name="Ouch!").click()
    for page in pages:
        await expect(page.locator(f".lane [data-card='{name.rpartition(' ')[2]}'] .pin")).to_have_count(1)


async def test_no_reaction_is_ahead_of_the_reveal(open_page: PageOpener) -> None:
    """Everything that another player sends after the reveal is shown and spoken when the viewer has seen it, too."""
    table, (ann, bo) = await at_a_table(open_page, "Ann", "Bo")
    await ann.locator("faceup-table").evaluate("(frame) => { frame.pace = 0.001; }")
    await send_command(bo, table, "react", seat=1, reaction="luck")
    await expect(seat_of(ann, "Bo").locator(".speech")).to_have_text("Good luck!")  # before the reveal
    await play_turn(ann, bo)
    await ann.wait_for_function(f"() => {FRAME}.revealing")
    while (await bo.evaluate(TABLE_VIEW))["view"]["waiting"]:
        await play_turn(ann, bo)
    card = (await bo.evaluate(TABLE_VIEW))["view"]["rows"][0][-1]
    await send_command(bo, table, "react", seat=1, reaction="ouch", card=card)
    await send_command(bo, table, "react", seat=1, reaction="nice", to=0)
    await ann.wait_for_function(f"() => {TABLE_VIEW}.pins")  # the page knows
    assert await ann.evaluate(f"() => {FRAME}.revealing")
    assert await ann.locator(".pin").count() == 0
    assert "Nice one!" not in await ann.locator("table-seats").inner_text()
    assert not [line for line in await ann.evaluate(SPOKEN) if "Ouch!" in line or "Nice one!" in line]
    await ann.keyboard.press("Escape")
    await expect(seat_of(ann, "Bo").locator(".speech")).to_contain_text("Nice one!")
    await expect(ann.locator(f".lane [data-card='{card}'] .pin")).to_have_count(1)
    assert f"Bo about card {card}: Ouch!" in await ann.evaluate(SPOKEN)


async def test_a_repeated_reaction_is_announced_once(open_page: PageOpener) -> None:
    table, (ann, bo) = await at_a_table(open_page, "Ann", "Bo")
    for reaction in ("hurry", "hurry", "moo"):
        await send_command(bo, table, "react", seat=1, reaction=reaction)
    await expect(ann.locator(".speech")).to_have_text("Moo!")
    assert [line for line in await ann.evaluate(SPOKEN) if line.startswith("Bo:")] == ["Bo: Come on!", "Bo: Moo!"]
    await bo.get_by_role("button", name="React").click()
    await bo.get_by_role("button", name="Hello!").click()
    await expect(bo.locator("table-banner")).to_contain_text("at most three reactions")
    await send_command(ann, table, "react", seat=0, reaction="hello")  # not slowed by the other player


async def test_a_muted_player_is_not_seen_or_heard(open_page: PageOpener) -> None:
    table, (ann, cem, bo) = await at_a_table(open_page, "Ann", "Cem", "Bo", watched=2)
    await ann.evaluate(RECORD_TONES)
    await ann.get_by_role("button", name="Unmute sounds").click()
    card = await first_card(ann)
    await send_command(bo, table, "react", seat=2, reaction="moo")
    await send_command(bo, table, "react", seat=2, reaction="ouch", card=card)
    await expect(ann.locator(".speech")).to_have_count(1)
    await expect(ann.locator(".pin")).to_have_count(1)
    await ann.wait_for_function("() => tones.length")
    await seat_of(ann, "Bo").click()
    await ann.get_by_role("button", name="Mute Bo").click()
    await expect(ann.get_by_role("button", name="Unmute Bo")).to_be_visible()
    await expect(ann.locator(".speech, .bubble, .pin")).to_have_count(0)  # also what was displayed
    await expect(seat_of(ann, "Bo")).to_contain_text("muted")
    await ann.keyboard.press("Escape")
    before = await ann.evaluate("tones.length")
    await send_command(bo, table, "react", seat=2, reaction="bravo", to=1)
    await expect(cem.locator(".bubble")).to_have_count(1)
    await send_command(cem, table, "react", seat=1, reaction="hello")
    await expect(ann.locator(".speech")).to_have_text("Hello!")  # others are heard, and what came before is not
    await expect(ann.locator(".bubble, .pin")).to_have_count(0)
    await ann.wait_for_function("(before) => tones.length > before", arg=before)
    assert await ann.evaluate("tones.length") == before + 1
    assert not [line for line in await ann.evaluate(SPOKEN) if "Bravo!" in line]
    await ann.reload()
    await expect(seat_of(ann, "Bo")).to_contain_text("muted")
    await ann.locator("header button[aria-haspopup=dialog]").click()
    await ann.get_by_role("button", name="Unmute Bo").click()
    await expect(seat_of(ann, "Bo")).not_to_contain_text("muted")
    await expect(ann.locator(".pin")).to_have_count(1)


async def test_everyone_can_be_muted_but_oneself(open_page: PageOpener) -> None:
    table, (ann, bo, cem) = await at_a_table(open_page, "Ann", "Bo", "Cem", watched=1)
    await ann.get_by_role("button", name="React").click()
    await ann.get_by_role("button", name="Mute everyone").click()
    await ann.get_by_role("button", name="Unmute everyone").wait_for()
    for page, seat in ((bo, 1), (cem, 2)):
        await send_command(page, table, "react", seat=seat, reaction="moo")
    await ann.get_by_role("button", name="Pure skill!").click()
    await expect(ann.locator(".speech")).to_have_text("Pure skill!")  # the page has the earlier reactions, too
    assert not [line for line in await ann.evaluate(SPOKEN) if "Moo!" in line]


async def test_spectators_see_reactions_and_can_mute_but_not_react(open_page: PageOpener) -> None:
    table, (_, bo) = await at_a_table(open_page, "Ann", "Bo", watched=0)
    watching = await open_page(f"/t/{table}", **REDUCED_MOTION)
    await watching.locator(".game .felt").wait_for()
    await send_command(bo, table, "react", seat=1, reaction="moo")
    await expect(watching.locator(".speech")).to_have_text("Moo!")
    await expect(watching.get_by_role("button", name="React")).to_have_count(0)
    await seat_of(watching, "Bo").click()
    await watching.locator("header button[aria-haspopup=dialog]").click()
    await expect(watching.get_by_role("button", name="Report Bo")).to_have_count(0)
    await watching.get_by_role("button", name="Mute Bo").click()
    await expect(watching.locator(".speech")).to_have_count(0)


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", ["niuniu", "war"])
async def test_emotes_can_be_thrown_in_games_without_cards_in_rows(open_page: PageOpener, game: str) -> None:
    options = {"seats": 2} if game == "niuniu" else {}
    table, (ann, bo) = await at_a_table(open_page, "Ann", "Bo", game=game, options=options)
    await ann.get_by_role("button", name="React").click()
    await expect(ann.locator("table-reactions .targets button")).to_have_count(2)
    await ann.locator("table-reactions").get_by_role("button", name="Bo", exact=True).click()
    await ann.get_by_role("button", name="Ouch!").click()
    await expect(seat_of(bo, "Bo").locator(".bubble.thrown")).to_be_visible()
    await send_command(bo, table, "react", seat=1, reaction="luck")
    await expect(ann.locator(".speech")).to_have_text("Good luck!")
