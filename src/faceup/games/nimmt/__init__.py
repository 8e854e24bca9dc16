"""The game 6 nimmt!, also known as Cow Head King, Take 5 and 104.

It has the cards 1 to 104, two to ten seats, and five variants. This module registers the game and its measures, which
are the heads, how often a seat takes a full row or chooses a row, and the number of deals.
"""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from faceup.core import Event
from faceup.core.options import option_summaries
from faceup.core.registry import Game, Variant
from faceup.games.lane_chance import ChanceWords
from faceup.games.measures import Measure, Measures
from faceup.games.nimmt.codingame import CODINGAME
from faceup.games.nimmt.events import Took, reveal_time
from faceup.games.nimmt.guide import GUIDE
from faceup.games.nimmt.observation import OBSERVATION
from faceup.games.nimmt.parameters import CARDS_PER_WORD, WORDS_PER_DEAL
from faceup.games.nimmt.plausible import plausible_actions
from faceup.games.nimmt.policies import greedy, highest, lowest
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import State, face_up
from faceup.games.nimmt.view_svg import draw
from faceup.games.nimmt.view_text import draw_text

__all__ = ["GAME", "Rules"]


def _count(state: State, events: Sequence[Event]) -> tuple[tuple[int, ...], ...]:
    full, chosen = [0] * len(state.heads), [0] * len(state.heads)
    for event in events:
        if isinstance(event, Took):
            (chosen if event.chosen else full)[event.seat] += 1
    return tuple(full), tuple(chosen), (len(state.earlier),)


def _single(rules: Rules) -> Rules:
    return replace(rules, deals=1, target=0)


MEASURES: Final = Measures(
    score="heads",
    fewer=True,
    extra=(
        Measure("full", "full rows taken"),
        Measure("chosen", "rows chosen"),
        Measure("deals", "deals", by_seat=False),
    ),
    count=_count,
    single=_single,
)

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
            "Deals continue until a player has 66 heads.",
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
    options=option_summaries(Rules, first=("hand", "deals", "target")),
    guide=GUIDE,
    policies={"lowest": lowest, "highest": highest, "greedy": greedy},
    drawings={"text": draw_text, "svg": draw},
    formats={
        "chance_words": ChanceWords(CARDS_PER_WORD, WORDS_PER_DEAL),
        "codingame": CODINGAME,
        "best_reply": "faceup.games.nimmt.batch.best_reply:BestReply",
        "measures": MEASURES,
        "observation": OBSERVATION,
        "plausible": plausible_actions,
        "networks": {"network": "faceup.games.nimmt.batch.network:network"},
        "searches": {"mc": "random", "deep": "fitted"},
        "python_searches": {"random": "faceup.games.nimmt.python_search:PythonSearchTrials"},
    },
    autoplay="lowest",
    reveal_time=reveal_time,
    face_up=face_up,
)
