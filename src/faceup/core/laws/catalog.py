"""The numbered list of the laws: the name of each law, what it requires, and what goes wrong without it."""

from typing import Final, NamedTuple


class LawEntry(NamedTuple):
    """A law of the list.

    Attributes:
        number: the law's number, which error messages and pages use.
        name: the law's name, with hyphens.
        requirement: what the law requires, as one sentence.
        consequence: what breaks if a game breaks the law, as one sentence.
        function: where the law is, as a dotted path.
    """

    number: int
    name: str
    requirement: str
    consequence: str
    function: str


_LAWS: Final = (
    (
        "legality",
        "Exactly the seats in `to_act` have legal actions, and any other move raises an error and changes nothing.",
        "A player can play a card that they do not have, or a table waits for a player who has nothing to play.",
        "legality",
    ),
    (
        "purity",
        "`apply` and `view` change none of their arguments and return equal results for equal arguments.",
        "Undo, search and analysis change the game that they look at.",
        "purity",
    ),
    (
        "notation",
        "Every state and every view is one line of text, which reads back as an equal value.",
        "A position in an error report or a log cannot be loaded again.",
        "notation",
    ),
    (
        "words",
        "`parse` is the inverse of `describe`, and `outcome` is the inverse of `choices`.",
        "Typed moves, records and chance nodes of solvers mean something else than they say.",
        "words",
    ),
    (
        "determinization",
        "`guess` returns a state in which the viewer has the same view and the same seats are to act.",
        "Searching bots and hints reason about positions that are impossible.",
        "determinization",
    ),
    (
        "non-interference",
        "Nothing hidden from a seat changes its view, its legal actions or the events that it sees.",
        "A modified client, or a bot, can read the other players' cards.",
        "non_interference",
    ),
    (
        "uniformity",
        "`guess` returns every state that is consistent with the view, all equally likely.",
        "Estimates of bots, hints and the coach are biased.",
        "uniformity",
    ),
    (
        "replayability",
        "A record that was written as JSON and read back replays to the same states and events.",
        "Saved games, replays and games on a server differ from what was played.",
        "replayability",
    ),
    (
        "position",
        "A state without its log has the same seats to act, actions, scores and successors as the full state.",
        "Solvers and caches treat equal positions as different, or different positions as equal.",
        "position",
    ),
    (
        "symmetry",
        "Renaming the seats renames the whole game, and the order of the choices in a move makes no difference.",
        "A seat has an advantage that the rules do not name, and duplicate deals are not fair.",
        "symmetry",
    ),
    (
        "bounds",
        "Utilities and decisions stay within `bounds`, and ranks are competition ranks.",
        "Reward ranges of environments, array sizes and ratings are wrong.",
        "bounds",
    ),
    (
        "termination",
        "Every game ends within the number of decisions in `bounds`.",
        "Matches, simulations and episodes of training run forever.",
        "termination",
    ),
    (
        "policy-legality",
        "A bot's choice is legal and depends only on its view and its generator.",
        "A bot cheats, crashes a match, or plays differently when a game is repeated.",
        "policy_legality",
    ),
    (
        "drawings",
        "A view has the `to_act` and `legal` of the rules, and drawings are plain text of at most 80 columns, and SVG.",
        "The terminal or the page shows a broken table, or offers actions that are not legal.",
        "drawings",
    ),
    (
        "batch-equality",
        "Each lane of a batch engine equals a game of the rules with the same outcomes and choices.",
        "Statistics and trained networks belong to another game than the one that people play.",
        "faceup.games.batch_law.check",
    ),
)

CATALOG: Final[tuple[LawEntry, ...]] = tuple(
    LawEntry(number, name, requirement, consequence, where if "." in where else f"faceup.core.laws.{where}")
    for number, (name, requirement, consequence, where) in enumerate(_LAWS, 1)
)
"""All laws, in the order of their numbers. The last law is for games that have a batch engine."""

_NUMBERS: Final = {entry.name: entry.number for entry in CATALOG}


def label(name: str) -> str:
    """Return a law's number and name, as error messages start with them. Raises `KeyError` for an unknown name.

    >>> label("non-interference")
    'law 6, non-interference'
    """
    return f"law {_NUMBERS[name]}, {name}"
