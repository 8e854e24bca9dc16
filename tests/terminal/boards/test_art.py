"""Cards and dice are readable without color in every size."""

import pytest

from faceup.games.nimmt.cards import HEADS
from faceup.terminal.boards.art import FLAT, HEAD, LARGE, SMALL, CardSize, Frame, back_lines, card_lines, gap_lines


@pytest.mark.parametrize("look", [FLAT, SMALL, LARGE])
@pytest.mark.parametrize("frame", ["plain", "lifted", "placed", "ghost", "dim"])
def test_every_card_fills_its_size_and_shows_number_and_heads(look: CardSize, frame: Frame) -> None:
    for card in range(1, 105):
        lines = card_lines(card, look, frame)
        assert [line.cell_length for line in lines] == [look.width] * look.height
        text = "\n".join(line.plain for line in lines)
        assert str(card) in text
        assert str(HEADS[card]) in text
        assert HEAD in text


@pytest.mark.parametrize("look", [FLAT, SMALL, LARGE])
def test_backs_and_gaps_are_as_large_as_cards(look: CardSize) -> None:
    for lines in (back_lines(look), gap_lines(look)):
        assert [line.cell_length for line in lines] == [look.width] * look.height


@pytest.mark.parametrize("look", [FLAT, SMALL, LARGE])
def test_placed_and_selected_cards_differ_without_color(look: CardSize) -> None:
    frames: tuple[Frame, ...] = ("plain", "lifted", "placed", "ghost")
    drawn = {"\n".join(line.plain for line in card_lines(57, look, frame)) for frame in frames}
    assert len(drawn) == len(frames)
