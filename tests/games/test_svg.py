import re
from itertools import product
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faceup.games.panels import Chip, called, chips, headline
from faceup.games.svg import WIDTH, Block, breadth, fit, icon, page, stack, text, wrap

anything = st.text(st.characters(exclude_categories=()), max_size=60)  # lone surrogates and controls included


def picture(*blocks: Block, title: str = "A title", told: str = "Told.") -> str:
    return page(title, told, [stack(blocks)], {"dot": "M0 0h24v24z"})


@given(anything, anything)
def test_whatever_the_words_a_picture_is_well_formed_ascii(words: str, told: str) -> None:
    drawn = picture(headline(words, told), chips([Chip(words, told, "3", "dot")]), title=words, told=told)
    ET.fromstring(drawn)  # noqa: S314 -- our own
    assert drawn.isascii()


def test_words_stay_words() -> None:
    hostile = "</text><script>alert(1)</script><g onload='x' a=\"#fu-"
    drawn = picture(headline(hostile, hostile), title=hostile, told=hostile)
    tree = ET.fromstring(drawn)  # noqa: S314 -- our own
    assert {element.tag.partition("}")[2] for element in tree.iter()} <= {
        "svg",
        "title",
        "desc",
        "style",
        "rect",
        "g",
        "text",
    }
    assert tree.findtext("{*}title") == hostile


def test_words_cannot_turn_the_writing_around() -> None:
    assert "202" not in picture(headline("\u202egnp.exe", "\u2066")).split("<desc>")[1].replace("#65533", "")
    assert called(["\u202eAnn\n\x00"], 1) == ["\ufffdAnn \ufffd"] or called(["\u202eAnn"], 1) == ["\ufffdAnn"]


@given(anything, st.floats(20, 400), st.sampled_from(["headline", "plain", "tiny"]))
def test_words_that_are_fit_are_no_wider_than_asked(words: str, width: float, kind: str) -> None:
    assert breadth(fit(words, width, kind), kind) <= width
    assert all(breadth(line, kind) <= width for line in wrap(words, width, kind))


@given(st.lists(anything, max_size=3))
def test_every_seat_is_called_something_short(names: list[str]) -> None:
    found = called([name * 10 for name in names], 3)
    assert len(found) == 3
    assert all(name.strip() and len(name) <= 40 for name in found)


def test_pictures_share_a_page_without_sharing_ids() -> None:
    one, other = (picture(Block(20, icon("dot", 0, 0, 9, "ink") + text(0, 9, words, "plain"))) for words in "ab")
    ids = [re.findall(r'id="([^"]*)"', drawn) for drawn in (one, other)]
    assert len(ids[0]) == len(ids[1]) == 1
    assert ids[0] != ids[1]
    assert f'href="#{ids[0][0]}"' in one


def test_classes_keep_their_distance_from_the_pages() -> None:
    drawn = picture(headline("words", "more"), chips([Chip("Ann", "note", "3", "dot", "marked")]))
    classes = {name for found in re.findall(r'class="([^"]*)"', drawn) for name in found.split()}
    assert all(name.startswith("fu-") for name in classes)


def test_every_class_that_is_used_is_in_the_style_sheet() -> None:
    drawn = picture(headline("words", "more"), chips([Chip("Ann", "note", "3", "dot", "marked")]))
    classes = {name for found in re.findall(r'class="([^"]*)"', drawn) for name in found.split()}
    assert all(f".{name}" in drawn for name in classes)


def test_a_picture_needs_nothing_from_elsewhere() -> None:
    drawn = picture(headline("words", "more"))
    assert not re.search(r"url\(|@import|<script|<image|href=\"(?!#)", drawn)


def test_dark_and_light_differ_in_nothing_but_colours() -> None:
    style = picture().partition("<style>")[2].partition("</style>")[0]
    light, dark = style.split("@media(prefers-color-scheme:dark)")
    assert set(re.findall(r"\.fu-[\w-]+(?=\{(?:fill|stroke|opacity):)", dark)) <= set(re.findall(r"\.fu-[\w-]+", light))


def colours(mode: int) -> dict[str, str]:
    style = picture().partition("<style>")[2].partition("</style>")[0]
    return dict(re.findall(r"\.fu-([\w-]+)\{fill:(#\w{6})\}", style.split("@media")[mode]))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as the Web Content Accessibility Guidelines define it."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
def test_words_stand_out_from_what_they_stand_on(mode: int) -> None:
    colour = colours(mode)
    on_table = product(("ink", "soft", "accent", "warn"), ("table", "lane", "chip"))
    on_cards = product(("print", "one", "two", "three", "five", "seven"), ("face",))
    for words, ground in (*on_table, *on_cards, ("one", "pale"), ("weave", "back")):
        assert contrast(colour[words], colour[ground]) >= (3 if ground == "back" else 4.5), (words, ground)


def test_no_text_is_too_small_for_a_phone() -> None:
    smallest = min(float(size) for size in re.findall(r"font-size:([\d.]+)px", picture()))
    assert smallest * 360 / (WIDTH + 32) >= 10
