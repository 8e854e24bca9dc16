"""All text of plain text drawings is translated."""

import pytest

from faceup.bots import policy
from faceup.core import SeededGenerator, find_game, make, play_game
from faceup.translations.drawings import is_translated


@pytest.mark.parametrize(
    "spec",
    ["nimmt seats=3 hand=4", "nimmt seats=2 rows=1 capacity=1 forfeits=true", "niuniu seats=3 throws=3",
     "war per_suit=3 cap=40", "war per_suit=2 cap=4 reshuffle=2", "war per_suit=1 redeal=false"],
)  # fmt: skip
def test_all_text_of_a_drawing_is_translated(spec: str) -> None:
    rules, texts = make(spec), set[str]()

    def say(text: str, **values: object) -> str:
        texts.add(text)
        return text.format(**values)

    drawing = find_game(rules.game).drawings["text"]
    for seed in range(5):
        played = play_game(rules, [policy(rules.game, "random")] * rules.seats, SeededGenerator(seed))
        for state in (rules.start(), *(step.state for _, step in played)):
            drawing(rules.view(state, None), rules=rules, say=say)
        drawing(rules.view(state, 0), ("Ann",), rules=rules, say=say)
    assert len(texts) > 3
    assert [text for text in sorted(texts) if not is_translated(text)] == []
