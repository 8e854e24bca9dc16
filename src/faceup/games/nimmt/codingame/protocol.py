"""The text protocol that the game registers, and the edge-case positions that bots are tested with."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from faceup.core.values import Action, Seat
from faceup.games.nimmt.codingame.client import run_client
from faceup.games.nimmt.codingame.memory import Knowledge
from faceup.games.nimmt.codingame.messages import format_action, format_decision, format_start, parse_action
from faceup.games.nimmt.parameters import Parameters, unsupported
from faceup.games.nimmt.state import Turn, View


class _EdgeCase(NamedTuple):
    """A position from which a bot is tested.

    Attributes:
        name: the special feature of the position.
        seat: the seat of the tested bot.
        position: the state, in the notation of the rules.
        hand: number of cards in the largest hand.
        deals: number of deals of a match that ends with the position's deal; 0 means that any match has the position.
        forfeits: whether a seat has forfeited.
    """

    name: str
    seat: Seat
    position: str
    hand: int = 3
    deals: int = 0
    forfeits: bool = False


_FULL: Final = "rows=3,13,23,33,43/4,14,24,34,44/5,15,25,35,45/6,16,26,36,46"
_HIGH: Final = "rows=20/30/40/49"

_EDGE_CASES: Final = (
    _EdgeCase("a row to take while others wait", 0, f"hands=1,2,3/50,51,52/60,61,62/70,71,72 {_HIGH}"),
    _EdgeCase("a row to take with an empty hand", 1, f"hands=50/1/60/70 {_HIGH} heads=3,4,5,6", hand=1),
    _EdgeCase("one card left", 2, f"hands=1/50/104/70 {_HIGH} heads=3,0,5,6", hand=1),
    _EdgeCase("rows of five cards", 3, f"hands=51,61,71/52,62,72/53,63,73/50,60,104 {_FULL}"),
    _EdgeCase("a row of five cards to take", 1, f"hands=51,61/1,2/52,62/53,63 {_FULL}", hand=2),
    _EdgeCase(
        "a seat that is out, and a row to take",
        0,
        f"hands=1,2,3/50,51,52/60,61,62/70,71,72 {_HIGH} out=2",
        forfeits=True,
    ),
    _EdgeCase(
        "two seats that are out",
        2,
        f"hands=90,91,92/50,51/7,8,99/70 {_HIGH} heads=12,40,9,33 out=1/3",
        forfeits=True,
    ),
    _EdgeCase(
        "heads in their hundreds, in the last deal",
        3,
        "hands=11,21,31/12,22,32/13,23,33/10,20,30 rows=55/66/77/88 heads=312,205,128,99 "
        "earlier=100,50,32,24/100,50,32,25/100,50,32,25/12,55,32,25",
        deals=5,
    ),
)
"""Positions that together contain the extremes of every kind of input line, which are rare in complete matches."""


def edge_cases(rules: Parameters) -> tuple[tuple[str, Seat, str], ...]:
    """Return the name, seat and position of each edge case that can occur under these rules.

    The protocol must support the rules.

    >>> from faceup.core import make
    >>> len(edge_cases(make("nimmt:arena"))), len(edge_cases(make("nimmt:cowheadking")))
    (8, 5)
    """
    return tuple(
        (case.name, case.seat, case.position)
        for case in _EDGE_CASES
        if case.hand <= rules.hand
        and (rules.forfeits or not case.forfeits)
        and (not case.deals or (rules.deals == case.deals and not rules.target))
    )


def as_view(knowledge: Knowledge) -> View:
    """Convert a bot's knowledge to a view under the rules `nimmt:arena`.

    The result equals the view that the referee has of this seat, except for what the protocol omits.
    """
    fields = knowledge._asdict()
    return View(**fields | {"log": tuple([Turn(turn.plays, turn.row) for turn in knowledge.log])})


class TextProtocol(NamedTuple):
    """A text protocol between a referee and programs, as functions without I/O.

    Attributes:
        spec: the rules that are played with this protocol, as accepted by `faceup.core.make`.
        run_client: plays a whole match for a bot; see `faceup.games.nimmt.codingame.client`.
        as_view: converts a bot's knowledge to a view.
        format_start, format_decision: format the referee's lines for a seat, at the start and for each decision.
        parse_action, format_action: parse and format a bot's answer.
        samples: a position of each kind of decision, in text notation.
        edge_cases: returns the positions in which a bot is tested under the given rules.
        fits: returns whether the protocol supports the given rules; any number of deals is supported.
        terms: location of the fixed rule parameters, as module:name.
        plain: location of the search without compiled code, as module:name.
        networks: by name, the location of the policy without compiled code, a class that is created with a text, and of
            the function that makes this text of at most a number of characters.
    """

    spec: str
    run_client: Callable[..., int]
    as_view: Callable[[Knowledge], View]
    format_start: Callable[[Seat], list[str]]
    format_decision: Callable[..., list[str]]
    parse_action: Callable[[View, str], Action]
    format_action: Callable[[Action], str]
    samples: tuple[str, ...]
    edge_cases: Callable[[Parameters], tuple[tuple[str, Seat, str], ...]]
    fits: Callable[[Parameters], bool]
    terms: str
    plain: str
    networks: Mapping[str, tuple[str, str]]


def _fits(rules: Parameters) -> bool:
    return not unsupported(rules, "codingame")


CODINGAME: Final = TextProtocol(
    spec="nimmt:arena",
    run_client=run_client,
    as_view=as_view,
    format_start=format_start,
    format_decision=format_decision,
    parse_action=parse_action,
    format_action=format_action,
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
    edge_cases=edge_cases,
    fits=_fits,
    terms="faceup.games.nimmt.codingame.messages:ARENA",
    plain="faceup.games.nimmt.codingame.numpy_search:numpy_search",
    networks={
        "network": (
            "faceup.games.nimmt.batch.network_export:PackedNetwork",
            "faceup.games.nimmt.batch.network_export:pack",
        )
    },
)
