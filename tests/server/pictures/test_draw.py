"""Pictures are drawn for every game, also on a machine without fonts, and names are never boxes."""

import re
from collections.abc import Callable, Iterator
from html import unescape

import pytest
import resvg_py

from faceup.bots import CHARACTERS, COMPUTER, VISITORS, policy
from faceup.core import SeededGenerator, draw, find_game, make, play_game, write
from faceup.server.pictures import PAGES, SIZES, PictureAward, PicturePlayer, PictureRequest, Shape
from faceup.server.pictures import png as png_module
from faceup.server.pictures.draw import draw_svg, shown_names
from faceup.server.pictures.png import has_glyph, printable, render_png
from faceup.server.pictures.words import all_text, award_titles, bot_names, drawn_text
from faceup.translations import LANGUAGES, Language
from faceup.translations.drawings import is_translated

SHAPES: tuple[Shape, ...] = ("wide", "tall")


def finished(spec: str, names: tuple[str, ...], shape: Shape = "wide", language: Language = "en") -> PictureRequest:
    """Return the request for the result of a game."""
    rules = make(spec)
    *_, (_, (state, _)) = play_game(rules, [policy(rules.game, "random")] * rules.seats, SeededGenerator(3))
    return PictureRequest(
        shape=shape,
        language=language,
        position=write(rules, rules.view(state, None)),
        players=tuple(
            PicturePlayer(names[seat % len(names)], "person" if seat % 2 else "greedy") for seat in range(rules.seats)
        ),
        scores=rules.scores(state),
        ranks=rules.ranks(state),
        day="2026-11-23",
    )


@pytest.fixture
def no_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the fonts of this machine."""
    real: Callable[..., bytes] = resvg_py.svg_to_bytes
    monkeypatch.setattr(png_module, "svg_to_bytes", lambda **options: real(skip_system_fonts=True, **options))
    has_glyph.cache_clear()
    png_module._drawn.cache_clear()


@pytest.fixture(autouse=True)
def fresh_caches() -> Iterator[None]:
    """Forget afterwards which characters the fonts had."""
    yield
    has_glyph.cache_clear()
    png_module._drawn.cache_clear()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("spec", ["nimmt seats=2", "nimmt seats=3", "nimmt seats=10", "niuniu seats=4", "war"])
def test_every_result_is_drawn_in_its_size_with_all_names(spec: str, shape: Shape) -> None:
    request = finished(spec, ("Ann", "Bo", "Cy"), shape)
    svg = draw_svg(request)
    width, height = SIZES[shape]
    assert f'viewBox="0 0 {width} {height}"' in svg
    for name in {player.name for player in request.players}:
        assert f">{name}<" in svg
    for score in request.scores:
        assert f">{score}<" in svg


@pytest.mark.sample(1)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("people", [1, 2, 5, 60])
def test_the_podium_of_an_evening_shows_its_people_and_awards(people: int, shape: Shape) -> None:
    request = PictureRequest(
        shape=shape,
        event="party",
        heading="Club night",
        players=tuple(PicturePlayer(f"P{number}", "person", f"h{number}") for number in range(people)),
        scores=(1.5,) * people,
        ranks=(1,) * people,
        awards=tuple(PictureAward(kind, (0,), 40 + number) for number, kind in enumerate(award_titles("en"))),
    )
    svg = draw_svg(request)
    shown = re.findall(r">([^<]+)<", unescape(svg))
    assert {"Club night", "1.5", "Ox of the night", "40"} <= {text.partition(" · ")[0] for text in shown}
    assert len({text for text in shown if re.fullmatch(r"P\d+", text)}) == min(people, 10)
    render_png(svg)


@pytest.mark.usefixtures("no_fonts")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_bundled_fonts_have_all_characters_of_our_text(language: Language) -> None:
    text = all_text(language)
    assert [char for char in sorted(set(text)) if not char.isspace() and not has_glyph(char)] == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("spec", ["nimmt seats=3 hand=4", "nimmt:tactical seats=2", "niuniu seats=3", "war per_suit=4"])
def test_all_text_of_a_position_is_in_the_language_of_the_requester(spec: str) -> None:
    rules, texts = make(spec), set()

    def say(text: str, **values: object) -> str:
        texts.add(text)
        return drawn_text("zh", text, **values)

    drawing = find_game(rules.game).drawings["svg"]
    names = ["Ann", "Bo", "Cy"][: rules.seats]
    for seed in range(3):
        played = play_game(rules, [policy(rules.game, "random")] * rules.seats, SeededGenerator(seed))
        for state in (rules.start(), *(step.state for _, step in played)):
            for seat in (None, 0):
                drawing(rules.view(state, seat), names=names, rules=rules, say=say)
            drawing(state, names=["Ann"], rules=rules, say=say)
    assert len(texts) > 10
    assert [text for text in sorted(texts) if not is_translated(text)] == []
    request = PictureRequest(
        language="zh", position=write(rules, rules.view(state, None)), players=(PicturePlayer("Clover", "gentle"),)
    )
    visible = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", unescape(draw_svg(request))))
    assert "三叶" in visible
    assert re.findall(r"[A-Za-z]{2,}", visible) == ["faceup"]


def test_the_names_of_bots_are_those_of_the_page() -> None:
    players = [PicturePlayer("Biscuit 2", "gentle"), PicturePlayer("Biscuit", "person")]
    assert {name.lower() for names in (*CHARACTERS.values(), (COMPUTER,), VISITORS) for name in names} == set(
        bot_names("zh")
    )
    assert [shown_names(language, players) for language in LANGUAGES] == [
        ["Biscuit 2", "Biscuit"],
        ["Keks 2", "Biscuit"],
        ["Biscuit 2", "Biscuit"],
        ["饼干 2", "Biscuit"],
    ]


@pytest.mark.usefixtures("no_fonts")
def test_a_name_that_no_font_can_draw_becomes_the_name_of_its_seat() -> None:
    assert printable("Zoë Łódź Ёлка") == "Zoë Łódź Ёлка"
    assert printable("Müller \N{FOX FACE}!") == "Müller !"
    assert printable("张伟") == ""  # 张 is in our text, but half of a name is another name
    svg = draw_svg(finished("nimmt seats=2", ("张伟", "\N{FOX FACE}"), language="de"))
    assert ">Platz 1<" in svg
    assert ">Platz 2<" in svg
    assert "张" not in svg
    assert "&#24352;" not in svg


def test_names_cannot_change_the_picture() -> None:
    svg = draw_svg(finished("nimmt seats=2", ("</text><script>x</script>", 'a" onload="x\u202e')))
    assert "<script" not in svg
    assert 'onload="' not in svg
    assert "\u202e" not in svg
    assert render_png(svg).startswith(b"\x89PNG")


@pytest.mark.sample(1)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", [PAGES[0], *(pytest.param(page, marks=pytest.mark.long) for page in PAGES[1:])])
def test_every_page_has_a_picture_in_every_language(page: str, language: Language) -> None:
    assert render_png(draw_svg(PictureRequest(page=page, language=language))).startswith(b"\x89PNG")


def test_the_picture_of_a_position_shows_one_hand_at_most() -> None:
    rules, rng = make("nimmt seats=3"), SeededGenerator(3)
    state = rules.start()
    state = rules.apply(state, draw(rules, state, rng)).state
    drawn = {}
    for seat in (None, 0, 1, 2):
        players = tuple(PicturePlayer(name, "person") for name in ("Ann", "Bo", "Cy"))
        drawn[seat] = draw_svg(PictureRequest(position=write(rules, rules.view(state, seat)), players=players))
    names = ("Ann", "Bo", "Cy")
    for seat, svg in drawn.items():
        assert [name for name in names if f">{name}&#39;s hand<" in svg] == ([] if seat is None else [names[seat]])
