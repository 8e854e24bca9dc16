"""`faceup war play`: play out a game of War."""

from argparse import Namespace
from typing import Any

import msgspec

from faceup.cli.lists import words as split
from faceup.cli.ndjson import Answer
from faceup.core import CHANCE, Malformed, Outcome, SeededGenerator, SystemRandom, draw, make
from faceup.core.record import applied, record_of
from faceup.core.registry import OptionValue, options_of
from faceup.games.war import War, WarDeal
from faceup.games.war.cards import card, check_cards, deck


class Request(msgspec.Struct, forbid_unknown_fields=True):
    """A game to play out.

    Attributes:
        deck: 52 cards, top card first, the first 26 for seat 0; if null, the seed decides the deal.
        seed: seed of all random outcomes; if null, system randomness is used.
        lane: which of the seed's independent random streams is used, counted from 0.
        options: the game's options, as `faceup games` lists them.
        record: include the record in the answer.
    """

    deck: list[str] | None = None
    seed: int | None = None
    lane: int = 0
    options: dict[str, OptionValue] = {}
    record: bool = False


def from_flags(arguments: Namespace) -> dict[str, Any]:  # Any: JSON
    """Return the request fields given on the command line. Raises `Malformed` if one is invalid."""
    query: dict[str, Any] = {}
    if arguments.deck is not None:
        query["deck"] = _deck(arguments.deck)
    if arguments.seed is not None:
        SeededGenerator(arguments.seed)  # checks the range
        query["seed"] = arguments.seed
    if arguments.option:
        query["options"] = options_of(make(" ".join(["war", *arguments.option])))
    if arguments.record:
        query["record"] = True
    return query


def _deck(text: str) -> list[str]:
    """Split a deck into cards; a slash may separate its halves. Raises `Malformed` if the halves differ in size."""
    halves = [split(half) for half in text.split("/")]
    if len(halves) > 1 and [len(half) for half in halves] != [len(halves[0])] * 2:
        raise Malformed("a slash in a deck must separate two halves of equal size", what=text, where="deck")
    return [word for half in halves for word in half]


def answer(request: Request) -> Answer:
    """Play the game to its end.

    Returns:
        `{"winner": 0, 1 or null, "by", "rounds", "wars", "redeals"}`, and `"record"` if requested.

    Raises:
        Malformed: the deck is not 52 different cards, the seed or lane is out of range, or an option is invalid.

    >>> answer(Request(seed=7))["winner"]
    0
    """
    rules = make("war", **request.options)
    assert isinstance(rules, War)  # noqa: S101 -- for the type checker
    rng = SystemRandom() if request.seed is None else SeededGenerator(request.seed, request.lane)
    state = rules.start()
    both_flip = {0: 0, 1: 0}
    moves: list[dict[int, int] | Outcome] = []
    while to_act := rules.to_act(state):
        move: dict[int, int] | Outcome = both_flip
        if to_act[0] == CHANCE:
            first = state.due == "deal" and state.rounds == 0 and request.deck is not None
            move = _deal(rules, request.deck or []) if first else draw(rules, state, rng)
        if request.record:
            moves.append(move)
        state = rules.apply(state, move).state
    ranks = rules.ranks(state)
    result: Answer = {
        "winner": None if ranks[0] == ranks[1] else ranks.index(1),
        "by": state.by,
        "rounds": state.rounds,
        "wars": state.wars,
        "redeals": state.redeals,
    }
    if request.record:
        entries = tuple(applied(rules, 0, move) for move in moves)
        result["record"] = msgspec.to_builtins(record_of(rules, entries, state))
    return result


def _deal(rules: War, words: list[str]) -> WarDeal:
    """Return the deal of a deck in the given order. Raises `Malformed` unless it is 52 different cards."""
    cards = []
    for place, word in enumerate(words):
        try:
            cards.append(card(word))
        except Malformed as error:
            raise Malformed(f"deck[{place}]: {error.message}", what=word, where=f"deck[{place}]") from None
    order = tuple(cards)
    check_cards(order, deck(rules.per_suit, rules.suits), "the deck")
    half = len(order) // 2
    return WarDeal((order[:half], order[half:]))


def format_answer(result: Answer) -> str:
    """Return the answer as text.

    >>> print(format_answer({"winner": 1, "by": "all cards", "rounds": 301, "wars": 17, "redeals": 0}))
    seat 1 wins by all cards; rounds 301, wars 17, redeals 0
    """
    end = "a draw" if result["winner"] is None else f"seat {result['winner']} wins by {result['by']}"
    return f"{end}; rounds {result['rounds']}, wars {result['wars']}, redeals {result['redeals']}"
