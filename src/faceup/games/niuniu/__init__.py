"""Niu Niu with five dice: everyone throws at once."""

from faceup.core import Game, Variant
from faceup.games.niuniu.drawing import draw
from faceup.games.niuniu.guide import GUIDE
from faceup.games.niuniu.hand import Hand, score
from faceup.games.niuniu.measures import MEASURES
from faceup.games.niuniu.numbers import NUMBERS
from faceup.games.niuniu.rules import NiuNiu
from faceup.games.niuniu.state import DiceShow, NiuNiuState, NiuNiuView
from faceup.games.niuniu.text import draw_text

GAME = Game(
    name="niuniu",
    title="Niu Niu",
    summary="Five dice each: three must make ten, the other two count.",
    rules=NiuNiu,
    variants=(
        Variant(
            name="battle",
            title="Battle",
            summary="Everyone throws at once; the most points win the throw.",
            preset={"seats": 2},
            seats=(1, 10),
        ),
    ),
    options={
        "throws": "throws in a match, 1 to 1000",
        "faces": "the highest number on a die, 2 to 100",
        "baozi": "how many dice alike make a baozi, which counts 5 in the statistics: 3, 4 or 5",
    },
    guide=GUIDE,
    policies={},
    drawings={"text": draw_text, "svg": draw},
    formats={"measures": MEASURES, "numbers": NUMBERS},
)

__all__ = ["GAME", "DiceShow", "Hand", "NiuNiu", "NiuNiuState", "NiuNiuView", "score"]
