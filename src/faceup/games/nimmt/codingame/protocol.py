"""The protocol as the game registers it."""

from collections.abc import Callable
from typing import Final, NamedTuple

from faceup.core.values import Action, Seat
from faceup.games.nimmt.codingame.asks import ARENA, write_answer
from faceup.games.nimmt.codingame.conversation import converse
from faceup.games.nimmt.codingame.corners import CORNERS, Corner
from faceup.games.nimmt.codingame.recall import Known
from faceup.games.nimmt.codingame.viewing import as_view
from faceup.games.nimmt.codingame.writing import read_answer, write_ask, write_start
from faceup.games.nimmt.parameters import Parameters
from faceup.games.nimmt.state import View


class Protocol(NamedTuple):
    """A text protocol between a referee and programs, in functions that do no input or output.

    Attributes:
        spec: the rules under which it is played, as `faceup.core.make` reads them.
        converse: a program's whole match; see `faceup.games.nimmt.codingame.conversation`.
        as_view: what a program was told as a view.
        write_start, write_ask: a referee's lines to a seat, at the start and for each decision.
        read_answer, write_answer: a program's line as an action, and back.
        samples: a position of each kind of decision, in text notation.
        corners: positions in which a program is tried.
        fits: whether rules are such that the protocol can tell of them; how many deals there are is free.
        terms: where the rules' parameters are that the protocol takes for granted, as module:name.
        plain: where the search is that needs no compiling, likewise.
    """

    spec: str
    converse: Callable[..., int]
    as_view: Callable[[Known], View]
    write_start: Callable[[Seat], list[str]]
    write_ask: Callable[..., list[str]]
    read_answer: Callable[[View, str], Action]
    write_answer: Callable[[Action], str]
    samples: tuple[str, ...]
    corners: tuple[Corner, ...]
    fits: Callable[[Parameters], bool]
    terms: str
    plain: str


def _fits(rules: Parameters) -> bool:
    taken = ("seats", "cards", "rows", "capacity")
    return all(getattr(rules, name) == getattr(ARENA, name) for name in taken) and rules.hand <= ARENA.hand


CODINGAME: Final = Protocol(
    spec="nimmt:arena",
    converse=converse,
    as_view=as_view,
    write_start=write_start,
    write_ask=write_ask,
    read_answer=read_answer,
    write_answer=write_answer,
    samples=(
        (
            "nimmt:arena | view=0 sizes=7,7,7,7 hand=8,9,13,31,48,56,71 rows=72,97,101,102,103/3/46,80,84,87,96/"
            "34,78,81,83,86 opening=72,3,46,34 log=103,97,102,101;84,96,87,80;83,81,86,78"
        ),
        (
            "nimmt:arena | view=0 sizes=7,7,7,7 hand=5,8,11,14,35,58,62 rows=24,45,54,67/7,19,38/64,87/88,93,94 "
            "waiting=1:0,31:3,33:2,85:1 opening=24,7,64,88 log=45,93,54,87;67,38,19,94;1,85,33,31"
        ),
    ),
    corners=CORNERS,
    fits=_fits,
    terms="faceup.games.nimmt.codingame.asks:ARENA",
    plain="faceup.games.nimmt.plain_search:plain_search",
)
