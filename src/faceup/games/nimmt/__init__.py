"""6 nimmt!, also known as Cow Head King, Take 5 and 104: cards 1..104, two to ten seats, five variants."""

from faceup.core.registry import Game, Variant
from faceup.games.nimmt.codingame import CODINGAME
from faceup.games.nimmt.drawing import draw
from faceup.games.nimmt.guide import GUIDE
from faceup.games.nimmt.measures import MEASURES
from faceup.games.nimmt.numbers import NUMBERS
from faceup.games.nimmt.policies import greedy, highest, lowest
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.text import draw_text

__all__ = ["GAME", "Rules"]

GAME = Game(
    name="nimmt",
    title="6 nimmt!",
    summary="Ten cards, four rows: never be the sixth. Fewest heads wins.",
    rules=Rules,
    variants=(
        Variant("cowheadking", "Cow Head King", "One deal, thirty seconds a choice.", {"seats": 4}, (2, 10), clock=30),
        Variant(
            "arena",
            "Arena",
            "Four seats, five deals, as programs play it.",
            {"seats": 4, "deals": 5, "forfeits": True},
            (4, 4),
        ),
        Variant("onehundredandfour", "104", "One deal without a clock.", {"seats": 4}, (2, 10)),
        Variant(
            "classic",
            "Classic",
            "Deal after deal until somebody has 66 heads.",
            {"seats": 4, "deals": 0, "target": 66},
            (2, 10),
        ),
        Variant(
            "tactical",
            "Tactical",
            "As classic, with only as many of the lowest cards as are dealt.",
            {"seats": 4, "deals": 0, "target": 66, "cards": 0},
            (2, 10),
        ),
    ),
    options={
        "hand": "cards dealt to each seat, 1 to 10",
        "deals": "the match ends after this many deals; 0 is no limit",
        "target": "the match ends after the deal in which a seat reaches this many heads; 0 is none",
        "cards": "the cards in play are 1 to this; 0 is only as many as are dealt",
        "rows": "rows on the table, 1 to 8",
        "capacity": "the most cards in a row, 1 to 10",
        "forfeits": "whether a referee may put a seat out",
    },
    guide=GUIDE,
    policies={"lowest": lowest, "highest": highest, "greedy": greedy},
    drawings={"text": draw_text, "svg": draw},
    formats={
        "codingame": CODINGAME,
        "measures": MEASURES,
        "numbers": NUMBERS,
        "searches": {"mc": "random", "deep": "fitted"},
    },
    stand_in="lowest",
)
