"""The text drawing of War."""

import pytest

from faceup.games.war import GAME, War


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (
            "due=flip rounds=1 wars=2 redeals=0 by=- table=2C(3c)4C/2D(3d)4D draw=5c/5d members=-/- log=-",
            (
                "Round 2, 2 wars so far\n"
                "  Ann: 1 card in the draw pile; on the table the 2 of clubs, 1 face down, the 4\n"
                "    of clubs\n"
                "  Seat 2: 1 card in the draw pile; on the table the 2 of diamonds, 1 face down,\n"
                "    the 4 of diamonds"
            ),
        ),
        (
            "due=reshuffle rounds=100 wars=0 redeals=0 by=- table=-/- draw=2c3c4c5c/2d3d4D5D members=-/- log=4D5D",
            (
                "Round 100, 0 wars so far\n"
                "  Ann: 4 cards in the draw pile\n"
                "  Seat 2: 4 cards in the draw pile\n"
                "Last round: the 4 of diamonds against the 5 of diamonds, for Seat 2.\n"
                "Both draw piles are reshuffled next."
            ),
        ),
        (
            "due=flip rounds=5000 wars=0 redeals=0 by=- table=-/- draw=2c3c4c5c/2d3d4d5d members=-/- log=-",
            (
                "Round 5001, 0 wars so far\n"
                "  Ann: 4 cards in the draw pile\n"
                "  Seat 2: 4 cards in the draw pile\n"
                "Sudden death: the winner of this round wins the game."
            ),
        ),
        (
            "due=over rounds=5001 wars=0 redeals=0 by=sudden_death table=-/- draw=2c3c4c5c2d/3d4d5d members=-/- log=-",
            (
                "Round 5001, 0 wars so far\n"
                "  Ann: 5 cards in the draw pile\n"
                "  Seat 2: 3 cards in the draw pile\n"
                "Ann wins the game in sudden death."
            ),
        ),
        (
            (
                "due=over rounds=1 wars=3 redeals=0 by=draw table=2C(3c)4C5C/2D(3d)4D5D draw=-/- members=-/- "
                "log=2C2D4C4D5C5D"
            ),
            (
                "Round 1, 3 wars so far\n"
                "  Ann: 0 cards in the draw pile; on the table the 2 of clubs, 1 face down, the\n"
                "    4 of clubs, the 5 of clubs\n"
                "  Seat 2: 0 cards in the draw pile; on the table the 2 of diamonds, 1 face\n"
                "    down, the 4 of diamonds, the 5 of diamonds\n"
                "Last round: the 5 of clubs against the 5 of diamonds, undecided.\n"
                "The game is a draw."
            ),
        ),
    ],
)
def test_a_position_is_described_in_plain_sentences(line: str, text: str) -> None:
    rules = War(per_suit=4, suits=2, down=1)
    view = rules.view(rules.from_text(line), 0)  # type: ignore[arg-type]  # these lines are states
    assert GAME.drawings["text"](view, ("Ann",), rules=rules) == text
