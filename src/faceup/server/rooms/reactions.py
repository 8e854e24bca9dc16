"""Reactions of players: emotes and phrases, to everyone, to another player, or pinned to a card.

A reaction can name only a card that spectators see on the table, so it never depends on hidden information. Each person
has a limit of their own until the next reveal.
"""

from typing import Final, get_args

import msgspec

from faceup.core import Malformed, Seat, WrongSeatError, find_game
from faceup.server.rooms.commands import React
from faceup.server.rooms.entries import Emote, EntryBatch, Reacted, Reaction
from faceup.server.rooms.errors import TooManyReactionsError
from faceup.server.rooms.room import Room
from faceup.table.errors import StaleCommandError

MAX_REACTIONS: Final = 3
"""The maximum number of reactions that a person may show during one decision."""


class Pin(msgspec.Struct, frozen=True):
    """An emote that is pinned to a card until the next reveal.

    Attributes:
        seat: the seat of the player who pinned it.
        reaction: the emote.
        card: the number of the card.
    """

    seat: Seat
    reaction: Reaction
    card: int


def react(room: Room, command: React, player: str | None, at: int) -> EntryBatch:
    """Return the entry of a reaction of the seat's player.

    Raises:
        Malformed: the command names two targets, or a phrase is to be pinned to a card.
        WrongSeatError: the target is the player's own seat, or a seat without a player.
        StaleCommandError: the card does not lie face up on the table, for example because a row has just been taken.
        TooManyReactionsError: the person has shown the maximum number of reactions.
    """
    if command.to is not None:
        if command.card is not None:
            raise Malformed("a reaction can have a seat or a card as its target, not both", where="card")
        if command.to == command.seat:
            raise WrongSeatError(f"seat {command.to} is your own: choose another player", seats=(command.to,))
        players = room.table.players
        if not 0 <= command.to < len(players) or players[command.to] is None:
            raise WrongSeatError(f"seat {command.to} has no player", seats=(command.to,))
    if command.card is not None:
        if command.reaction not in get_args(Emote):
            raise Malformed(
                f"only an emote can be pinned to a card: {', '.join(get_args(Emote))}",
                what=command.reaction,
                where="reaction",
            )
        # The same error for a card in a hand and for one that does not exist.
        if command.card not in _face_up(room):
            raise StaleCommandError(f"card {command.card} does not lie face up on the table")
    if sum(person == player for person, _ in room.reactions) >= MAX_REACTIONS:
        raise TooManyReactionsError(
            f"you can show at most {MAX_REACTIONS} reactions between two reveals", seats=(command.seat,)
        )
    return (Reacted(at, command.seat, command.reaction, command.to, command.card),)


def pins(room: Room) -> tuple[Pin, ...] | None:
    """Return the emotes that are pinned to cards in the current decision, oldest first; None if there are none."""
    return tuple([Pin(by.seat, by.reaction, by.card) for _, by in room.reactions if by.card is not None]) or None


def _face_up(room: Room) -> frozenset[int]:
    """Return the cards that a spectator sees on the table."""
    table = room.table
    return find_game(table.rules.game).face_up(table.rules.view(table.state, None))
