"""A sentence for each event, in the language of the terminal: the same messages as in the log of the page."""

from collections.abc import Mapping, Sequence
from typing import Final

from faceup.core import Event
from faceup.games.nimmt import events as nimmt
from faceup.games.nimmt.cards import total
from faceup.games.niuniu import state as niuniu
from faceup.games.niuniu.hand import NAMES
from faceup.games.war import events as war
from faceup.games.war.cards import Card
from faceup.table import events as table
from faceup.terminal.words import message
from faceup.translations import has_message, join_names
from faceup.translations.environment import environment_language

_RANKS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_SUITS: Final = ("clubs", "diamonds", "hearts", "spades")


def event_text(game: str, event: Event, names: Sequence[str]) -> str:
    """Return a sentence about an event, which is English if the event has no message.

    >>> event_text("nimmt", nimmt.Placed(0, 57, 2), ["Ann", "Bo"])
    'Ann: 57 goes to row 3.'

    Args:
        game: the game.
        event: the event.
        names: names of the seats.
    """
    owner = "table" if type(event).__module__ == table.__name__ else game
    key = f"{owner}.event.{event.__struct_config__.tag}"
    return message(key, **_values(event, names)) if has_message(key) else event.words(names)


def _values(event: Event, names: Sequence[str]) -> Mapping[str, object]:
    """Return the values of an event's message: the event's attributes, names, and those that its kind needs."""
    values: dict[str, object] = {name: getattr(event, name) for name in event.__struct_fields__}
    if isinstance(seat := getattr(event, "seat", None), int):
        values["name"] = names[seat]
    if isinstance(seats := getattr(event, "seats", None), tuple):
        values["who"] = join_names(environment_language(), [names[seat] for seat in seats])
    return values | _special_values(event, names)


def _special_values(event: Event, names: Sequence[str]) -> dict[str, object]:  # noqa: C901, PLR0912 -- a case for each kind
    """Return the values that only this kind of event has."""
    match event:
        case nimmt.Dealt(hand=hand):
            return {"cards": _joined(hand)}
        case nimmt.Opened(deal=deal, cards=cards):
            return {"cards": _joined(cards), "context": "" if deal > 1 else "first"}
        case nimmt.Revealed(plays=plays):
            return {"cards": _listed([f"{names[seat]} {card}" for seat, card in enumerate(plays) if card])}
        case nimmt.Placed(row=row):
            return {"row": row + 1}
        case nimmt.Took(row=row, cards=cards, chosen=chosen):
            heads = message("nimmt.heads", count=total(cards))
            return {"row": row + 1, "cards": _joined(cards), "heads": heads, "context": "chosen" if chosen else ""}
        case nimmt.Out(seats=seats):
            return {"count": len(seats)}
        case nimmt.Won(seats=seats):
            return {"context": "shared" if len(seats) > 1 else ""}
        case nimmt.DealOver(heads=deal_heads, match=match_heads):
            return {"scores": _listed([_score(*score) for score in zip(names, deal_heads, match_heads, strict=False)])}
        case niuniu.DiceThrown(dice=dice, hand=hand):
            sums = {"triple": _sum(hand.triple), "rest": _sum(hand.rest)} if hand.triple and hand.rest else {}
            return {"dice": _joined(dice), "hand": hand_name(hand.name), "context": "niu" if sums else "", **sums}
        case niuniu.ThrowWon(name=hand_title, seat=seat):
            return {"name": names[seat], "hand": hand_name(hand_title)}
        case niuniu.ThrowDrawn(name=hand_title):
            return {"hand": hand_name(hand_title)}
        case niuniu.MatchWon(seats=seats, won=won, drawn=drawn):
            score = message("niuniu.decided", count=won, drawn=drawn, context="drawn" if drawn else "")
            return {"score": score, "context": "shared" if len(seats) > 1 else ""}
        case war.DeckDealt(each=count, redeal=redeal):
            return {"count": count, "first": names[0], "second": names[1], "context": "again" if redeal else ""}
        case war.Collected(count=count):
            return {"count": count}
        case war.Turned(cards=cards, added=added):
            first, second = (_turned(*turned) for turned in zip(names, cards, added, strict=False))
            return {"first": first[:1].upper() + first[1:], "second": second}
        case war.GameWon(rounds=rounds, by=by):
            return {"count": rounds, "context": by.replace(" ", "_")}
        case war.Drawn(rounds=rounds) | war.Reshuffled(rounds=rounds) | war.SuddenDeath(rounds=rounds):
            return {"count": rounds}
        case table.DeadlineExtended(by=milliseconds):
            return {"seconds": f"{milliseconds / 1000:g}"}
        case table.PaceChanged(times=times):
            return {"context": {1: "", 2: "double", None: "unlimited"}[times]}
        case table.PledgesListed(seats=seats):
            return {"context": "" if seats else "none"}
        case _:
            return {}


def _joined(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def _listed(texts: Sequence[str]) -> str:
    return message("table.separator").join(texts)


def _score(name: str, heads: int, match_heads: int) -> str:
    context = "" if heads == match_heads else "added"
    return message("nimmt.event.deal_over.score", name=name, deal=heads, match=match_heads, context=context)


def hand_name(name: str) -> str:
    """Return the name of a hand of Niu Niu.

    >>> hand_name("Niu Niu")
    'Niu Niu'
    """
    return message(f"niuniu.hand.{NAMES.index(name)}")


def _sum(dice: Sequence[int]) -> str:
    return message("niuniu.sum", dice=" + ".join(map(str, dice)), sum=sum(dice))


def _turned(name: str, card: Card, added: int) -> str:
    """Return what a player of War reveals."""
    rank, suit = _RANKS[card >> 2], _SUITS[card & 3]
    card_name = message("war.card", rank=message(f"war.rank.{rank}"), suit=message(f"war.suit.{suit}"), context=rank)
    context = "" if added == 1 else "down" if added else "again"
    return message("war.turned", name=name, card=card_name, count=added - 1, context=context)
