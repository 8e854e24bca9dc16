import re
from itertools import product
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faceup.games.svg import (
    WIDTH,
    Block,
    Chip,
    display_names,
    fit,
    icon,
    page,
    seat_chips,
    stack,
    text,
    text_width,
    title_block,
    wrap,
)

anything = st.text(st.characters(exclude_categories=()), max_size=60)  # lone surrogates and controls included


def picture(*blocks: Block, title: str = "A title", description: str = "Description.") -> str:
    return page(title, description, [stack(blocks)], {"dot": "M0 0h24v24z"})


@given(anything, anything)
def test_pictures_are_well_formed_ascii_for_any_text(words: str, description: str) -> None:
    drawn = picture(
        title_block(words, description),
        seat_chips([Chip(words, description, "3", "dot")]),
        title=words,
        description=description,
    )
    ET.fromstring(drawn)  # noqa: S314 -- our own
    assert drawn.isascii()


def test_text_is_escaped() -> None:
    hostile = "</text><script>alert(1)</script><g onload='x' a=\"#fu-"
    drawn = picture(title_block(hostile, hostile), title=hostile, description=hostile)
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


def test_text_cannot_change_the_writing_direction() -> None:
    assert "202" not in picture(title_block("\u202egnp.exe", "\u2066")).split("<desc>")[1].replace("#65533", "")
    assert display_names(["\u202eAnn\n\x00"], 1) == ["\ufffdAnn \ufffd"] or display_names(["\u202eAnn"], 1) == [
        "\ufffdAnn"
    ]


@given(anything, st.floats(20, 400), st.sampled_from(["headline", "plain", "tiny"]))
def test_fitted_text_is_no_wider_than_requested(words: str, width: float, kind: str) -> None:
    assert text_width(fit(words, width, kind), kind) <= width
    assert all(text_width(line, kind) <= width for line in wrap(words, width, kind))


@given(st.lists(anything, max_size=3))
def test_every_seat_has_a_short_name(names: list[str]) -> None:
    shown = display_names([name * 10 for name in names], 3)
    assert len(shown) == 3
    assert all(name.strip() and len(name) <= 40 for name in shown)


def test_pictures_share_a_page_without_sharing_ids() -> None:
    first, other = (picture(Block(20, icon("dot", 0, 0, 9, "ink") + text(0, 9, words, "plain"))) for words in "ab")
    ids = [re.findall(r'id="([^"]*)"', drawn) for drawn in (first, other)]
    assert len(ids[0]) == len(ids[1]) == 1
    assert ids[0] != ids[1]
    assert f'href="#{ids[0][0]}"' in first


def test_class_names_do_not_clash_with_the_page() -> None:
    drawn = picture(title_block("words", "more"), seat_chips([Chip("Ann", "note", "3", "dot", "marked")]))
    classes = {name for value in re.findall(r'class="([^"]*)"', drawn) for name in value.split()}
    assert all(name.startswith("fu-") for name in classes)


def test_every_class_that_is_used_is_in_the_style_sheet() -> None:
    drawn = picture(title_block("words", "more"), seat_chips([Chip("Ann", "note", "3", "dot", "marked")]))
    classes = {name for value in re.findall(r'class="([^"]*)"', drawn) for name in value.split()}
    assert all(f".{name}" in drawn for name in classes)


def test_a_picture_has_no_external_references() -> None:
    drawn = picture(title_block("words", "more"))
    assert not re.search(r"url\(|@import|<script|<image|href=\"(?!#)", drawn)


def test_themes_differ_only_in_colours() -> None:
    style = picture().partition("<style>")[2].partition("</style>")[0]
    light, dark = style.split("@media(prefers-color-scheme:dark)")
    assert set(re.findall(r"\.fu-[\w-]+(?=\{(?:fill|stroke|opacity):)", dark)) <= set(re.findall(r"\.fu-[\w-]+", light))


def colours(mode: int) -> dict[str, str]:
    style = picture().partition("<style>")[2].partition("</style>")[0]
    return dict(re.findall(r"\.fu-([\w-]+)\{fill:(#\w{6})\}", style.split("@media")[mode]))


def contrast(foreground: str, other: str) -> float:
    """Return the contrast ratio of two colours by the Web Content Accessibility Guidelines."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted((luminance(foreground), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
def test_text_has_enough_contrast(mode: int) -> None:
    colour = colours(mode)
    on_table = product(("ink", "soft", "accent", "warn"), ("table", "lane", "chip"))
    on_cards = product(("print", "one", "two", "three", "five", "seven"), ("face",))
    for words, ground in (*on_table, *on_cards, ("bulls", "pale"), ("weave", "red-back"), ("weave", "blue-back")):
        assert contrast(colour[words], colour[ground]) >= (3 if ground.endswith("back") else 4.5), (words, ground)


def test_no_text_is_too_small_for_a_phone() -> None:
    smallest = min(float(size) for size in re.findall(r"font-size:([\d.]+)px", picture()))
    assert smallest * 360 / (WIDTH + 32) >= 10
