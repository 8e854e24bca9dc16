"""How a game of War moves on: a flip by both seats, and what follows from it."""

from typing import Final, TypeVar

from msgspec.structs import replace

from faceup.core import Event, Seat, Step
from faceup.games.war.cards import Pile
from faceup.games.war.events import (
    Collected,
    Dealt,
    Drawn,
    Reshuffled,
    SuddenDeath,
    Turned,
    Undecided,
    WarDeclared,
    Won,
)
from faceup.games.war.options import WarOptions
from faceup.games.war.state import By, Due, WarState

REDEALS: Final = 100
"""After so many redeals another undecided round makes the game a draw, so that every game ends."""

_NOTHING: Final = (0, 0)

T = TypeVar("T")


def flip(rules: WarOptions, state: WarState) -> Step[WarState]:
    """Both seats turn up their next card; in a war, after adding face-down cards to the table."""
    pile0, pile1 = state.cards
    was0, was1 = state.played
    count0 = count1 = 1
    if was0:
        # Whoever has too few adds what there is; with nothing to add, the card already up, the last, stands again.
        add = rules.down + 1
        count0, count1 = min(was0 + add, len(pile0)), min(was1 + add, len(pile1))
    card0, card1 = pile0[count0 - 1], pile1[count1 - 1]
    known0, known1 = state.known
    members = state.members
    if members != _NOTHING:
        members = (members[0] & ~(1 << card0), members[1] & ~(1 << card1))
    # Without names, because this is made at every flip of every game.
    shown = WarState(
        "flip",
        state.cards,
        (count0, count1),
        (*state.turned, card0, card1),
        (known0 | 1 << (count0 - 1), known1 | 1 << (count1 - 1)),
        members,
        state.rounds,
        state.wars,
        state.redeals,
        "",
        state.log,
    )
    turned = Turned((card0, card1), (count0 - was0, count1 - was1))
    if card0 >> 2 != card1 >> 2:
        if rules.collect == "shuffled":
            return Step(replace(shown, due="collect"), (turned,))
        return collect(rules, shown, collection(rules, shown), (turned,))
    war = replace(shown, wars=shown.wars + 1)
    events = (turned, WarDeclared(war.wars))
    if count0 == len(pile0) and count1 == len(pile1):
        return _undecided(rules, war, events)
    return Step(war, events)


def round_winner(state: WarState) -> Seat:
    """Whose compared card is the higher."""
    return 0 if state.turned[-2] > state.turned[-1] else 1


def collection(rules: WarOptions, state: WarState) -> Pile:
    """The round's cards in the order in which they go under the winner's pile, or from which chance shuffles them."""
    played0, played1 = state.played
    table0, table1 = state.cards[0][:played0], state.cards[1][:played1]
    winner_first = rules.collect != "loser_first"
    return table0 + table1 if (round_winner(state) == 0) == winner_first else table1 + table0


def collect(rules: WarOptions, state: WarState, order: Pile, events: tuple[Event, ...] = ()) -> Step[WarState]:
    """The round's winner puts its cards, in this order, under its pile, and the round is over."""
    winner = round_winner(state)
    loser = 1 - winner
    took, lost = state.played[winner], state.played[loser]
    kept, left = state.cards[winner][took:], state.cards[loser][lost:]
    known, losers_known = state.known[winner], state.known[loser]
    on_table, losers_on_table = known & (1 << took) - 1, losers_known & (1 << lost) - 1
    members = state.members
    if rules.collect == "winner_first":
        under = on_table | losers_on_table << took
    elif rules.collect == "loser_first":
        under = losers_on_table | on_table << lost
    else:
        under = 0
        seen = _set_of(state.cards[winner], on_table) | _set_of(state.cards[loser], losers_on_table)
        members = _pair(winner, members[winner] | seen, members[loser])
    if members[loser] and losers_on_table != (1 << lost) - 1:
        # Any of them may be a card that the loser had face down, and so be in the winner's pile now.
        members = _pair(winner, members[winner], 0)
    rounds = state.rounds + 1
    due, by, ending = _after_round(rules, rounds, winner, len(kept) + len(order), len(left))
    after = WarState(
        due,
        _pair(winner, kept + order, left),
        _NOTHING,
        (),
        _pair(winner, known >> took | under << len(kept), losers_known >> lost),
        members,
        rounds,
        state.wars,
        state.redeals,
        by,
        state.log + (state.turned,),  # noqa: RUF005 -- saves a twentieth of a whole game
    )
    return Step(after, (*events, Collected(winner, took + lost), *ending))


def _after_round(
    rules: WarOptions, rounds: int, winner: Seat, winners: int, losers: int
) -> tuple[Due, By, tuple[Event, ...]]:
    """What comes after a round whose winner now has so many cards, and the loser so many. The order is the rule's."""
    if not losers:
        return "over", "all cards", (Won(winner, "all cards", rounds),)
    if rounds >= rules.cap:
        if rounds > rules.cap:
            return "over", "sudden death", (Won(winner, "sudden death", rounds),)
        if winners != losers:
            larger = winner if winners > losers else 1 - winner
            return "over", "cap", (Won(larger, "cap", rounds),)
        if rules.sudden_death:
            return "flip", "", (SuddenDeath(rounds),)
        return "over", "draw", (Drawn(rounds),)
    if rules.reshuffle and rounds % rules.reshuffle == 0:
        return "reshuffle", "", ()
    return "flip", "", ()


def _undecided(rules: WarOptions, state: WarState, events: tuple[Event, ...]) -> Step[WarState]:
    """Neither seat has a card left: the cards stay on the table until they are dealt anew, or for good."""
    rounds = state.rounds + 1
    again = rules.redeal and state.redeals < REDEALS and (rounds < rules.cap or rules.sudden_death)
    after = replace(
        state,
        due="deal" if again else "over",
        by="" if again else "draw",
        rounds=rounds,
        redeals=state.redeals + again,
        log=(*state.log, state.turned),
    )
    return Step(after, (*events, Undecided()) if again else (*events, Undecided(), Drawn(rounds)))


def deal(rules: WarOptions, state: WarState, piles: tuple[Pile, Pile]) -> Step[WarState]:
    """Both seats get their half of the shuffled deck; nothing is known of any card any more."""
    after = WarState("flip", piles, rounds=state.rounds, wars=state.wars, redeals=state.redeals)
    sudden = (SuddenDeath(state.rounds),) if state.rounds >= rules.cap else ()
    return Step(after, (Dealt(len(piles[0]), state.redeals), *sudden))


def reshuffle(state: WarState, piles: tuple[Pile, Pile]) -> Step[WarState]:
    """Each draw pile in a new order: the known cards are known to be in it, but no longer where."""
    members = [
        members | _set_of(cards, known)
        for cards, known, members in zip(state.cards, state.known, state.members, strict=True)
    ]
    after = replace(state, due="flip", cards=piles, known=_NOTHING, members=(members[0], members[1]))
    return Step(after, (Reshuffled(state.rounds),))


def _pair(winner: Seat, winners: T, losers: T) -> tuple[T, T]:
    """The two by seat."""
    return (winners, losers) if winner == 0 else (losers, winners)


def _set_of(cards: Pile, mask: int) -> int:
    """The cards at the places of a mask, as a set."""
    return sum(1 << card for place, card in enumerate(cards) if mask >> place & 1)
