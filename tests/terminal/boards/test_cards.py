"""A card says its number and its heads without colour, in every size."""

import pytest

from faceup.games.nimmt.cards import HEADS
from faceup.terminal.boards.cards import FLAT, HEAD, LARGE, SMALL, Frame, Look, back_lines, card_lines, gap_lines


@pytest.mark.parametrize("look", [FLAT, SMALL, LARGE])
@pytest.mark.parametrize("frame", ["plain", "lifted", "placed", "ghost", "dim"])
def test_every_card_fills_its_size_and_shows_number_and_heads(look: Look, frame: Frame) -> None:
    for card in range(1, 105):
        lines = card_lines(card, look, frame)
        assert [line.cell_length for line in lines] == [look.width] * look.height
        text = "\n".join(line.plain for line in lines)
        assert str(card) in text
        assert str(HEADS[card]) in text
        assert HEAD in text


@pytest.mark.parametrize("look", [FLAT, SMALL, LARGE])
def test_backs_and_gaps_are_as_large_as_cards(look: Look) -> None:
    for lines in (back_lines(look), gap_lines(look)):
        assert [line.cell_length for line in lines] == [look.width] * look.height


@pytest.mark.parametrize("look", [FLAT, SMALL, LARGE])
def test_a_placed_and_a_lifted_card_differ_in_characters_not_only_in_colour(look: Look) -> None:
    frames: tuple[Frame, ...] = ("plain", "lifted", "placed", "ghost")
    drawn = {"\n".join(line.plain for line in card_lines(57, look, frame)) for frame in frames}
    assert len(drawn) == len(frames)
