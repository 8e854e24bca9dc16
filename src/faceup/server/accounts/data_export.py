"""Export of a player's data."""

from typing import Any

import msgspec
from sqlalchemy import Connection

from faceup.server.accounts.passkeys import list_passkeys
from faceup.server.accounts.players import find_player
from faceup.server.accounts.second_factor import second_factor_state
from faceup.server.accounts.sessions import list_sessions
from faceup.server.accounts.tokens import list_tokens
from faceup.server.friends.player_data import exported_friends
from faceup.server.moderation.reports import reports_by
from faceup.server.parties.queries import exported_parties
from faceup.server.puzzles.queries import puzzle_answers_of
from faceup.server.results.history import every_game, hand_standings, ratings_of
from faceup.server.results.seat_reviews import coach_findings
from faceup.server.tournaments.queries import tournaments_of
from faceup.server.turns.mail_addresses import find_address, find_new_address
from faceup.server.turns.push_subscriptions import export_subscriptions
from faceup.server.turns.queries import export_turns


def export(connection: Connection, player: str) -> dict[str, Any]:  # Any: JSON
    """Return all data about a player except the logs of the player's tables. Raises `NotFoundError`."""
    found = find_player(connection, player)
    parts = {
        "player": found,
        "sessions": list_sessions(connection, player),
        "tokens": list_tokens(connection, player),
        "passkeys": list_passkeys(connection, player),
        "second_factor": second_factor_state(connection, player),
        "ratings": ratings_of(connection, found.id),
        "hands": hand_standings(connection, found.id),
        "mail": find_address(connection, found.id),
        "new_mail": find_new_address(connection, 0, found.id),
        "push": export_subscriptions(connection, found.id),
        "turns": export_turns(connection, found.id),
        "puzzles": puzzle_answers_of(connection, found.id),
        "tournaments": tournaments_of(connection, found.id),
        "parties": exported_parties(connection, found.id),
        "friends": exported_friends(connection, found.id),
        "reports": reports_by(connection, found.id),
        "coach": coach_findings(connection, found.id),
        "games": list(every_game(connection, found)),
    }
    builtins: dict[str, Any] = msgspec.to_builtins(parts)
    return builtins
