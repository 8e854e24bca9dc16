"""What `faceup war play` answers."""

from argparse import Namespace
from typing import Literal

import msgspec

from faceup.cli.ndjson import Answer
from faceup.core import CHANCE, Malformed, Outcome, draw, generator
from faceup.core.record import applied, record_of
from faceup.games.war import Deal, War
from faceup.games.war.cards import card, check_cards, deck


class Options(msgspec.Struct, forbid_unknown_fields=True):
    """The options of War that a request can set."""

    collect: Literal["winner_first", "loser_first", "shuffled"] = "winner_first"
    reshuffle: int = 100
    cap: int = 5000
    sudden_death: bool = True
    redeal: bool = True


class Request(msgspec.Struct, forbid_unknown_fields=True):
    """A game to play out.

    Attributes:
        deck: 52 cards, the first 26 for seat 0, top card first; null deals from the seed.
        seed: what reshuffles and redeals are drawn from; null draws them in secret.
        options: the game's options.
        record: answer with the whole record too.
    """

    deck: list[str] | None = None
    seed: int | None = None
    options: Options = msgspec.field(default_factory=Options)
    record: bool = False


def from_flags(arguments: Namespace) -> Request:
    """The request on a command line. Raises `Malformed`."""
    settings: dict[str, str] = {}
    for word in arguments.option:
        name, equals, value = word.partition("=")
        if not equals:
            raise Malformed(f"{word!r} is not an option: write name=value", what=word, where="option")
        settings[name] = value
    try:
        options = msgspec.convert(settings, Options, strict=False)
    except msgspec.ValidationError as error:
        raise Malformed(f"{error}", where="option") from None
    cards = None if arguments.deck is None else arguments.deck.replace(",", " ").split()
    return Request(cards, arguments.seed, options, arguments.record)


def answer(request: Request) -> Answer:
    """Play the game to its end.

    Returns:
        `{"winner": 0, 1 or null, "by", "rounds", "wars", "redeals"}`, and `"record"` if it was asked for.

    Raises:
        Malformed: a deck that is not 52 different cards, a seed off range, or an option that War refuses.

    >>> answer(Request(seed=7))["winner"]
    0
    """
    rules = War(**msgspec.structs.asdict(request.options))
    rng = generator(request.seed)
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


def _deal(rules: War, words: list[str]) -> Deal:
    """The deal of a deck in that order. Raises `Malformed` if it is not 52 different cards."""
    cards = []
    for place, word in enumerate(words):
        try:
            cards.append(card(word))
        except Malformed as error:
            raise Malformed(f"deck[{place}]: {error.message}", what=word, where=f"deck[{place}]") from None
    whole = tuple(cards)
    check_cards(whole, deck(rules.per_suit, rules.suits), "the deck")
    half = len(whole) // 2
    return Deal((whole[:half], whole[half:]))


def words(result: Answer) -> str:
    """The answer for a person.

    >>> print(words({"winner": 1, "by": "all cards", "rounds": 301, "wars": 17, "redeals": 0}))
    seat 1 wins by all cards; rounds 301, wars 17, redeals 0
    """
    end = "a draw" if result["winner"] is None else f"seat {result['winner']} wins by {result['by']}"
    return f"{end}; rounds {result['rounds']}, wars {result['wars']}, redeals {result['redeals']}"
