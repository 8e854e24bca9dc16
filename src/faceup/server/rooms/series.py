"""The running score of a series: a first game and its rematches.

The first entry of a rematch's log holds the score of the games before it, so a room never has to read another room's
log. Only the last games are listed one by one, and the totals are those of all games, so the entry stays small.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from faceup.core import Seat, win_shares
from faceup.core.record import Result

MAX_GAMES: Final = 20
"""The maximum number of games that are listed one by one."""

MAX_PLAYERS: Final = 20
"""The maximum number of players. Beyond it, the earliest players without a seat in the last game are dropped."""


class SeriesPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A player of a series.

    Attributes:
        name: the name at the table.
        kind: "person", or the name of the bot.
        handle: the public handle of a person; null for a bot.
        face: the face that a person chose; null if none.
        seat: the seat in the last game of this player.
        games: the number of games of this player in the series.
        wins: the number of wins; a shared win counts as a fraction.
        score: the sum of the scores.
        places: the place in each of the last games of the series, oldest first; null if the player had no seat.
        scores: the score in each of these games; null if the player had no seat.
    """

    name: str
    kind: str
    handle: str | None = None
    face: str | None = None
    seat: Seat
    games: int = 0
    wins: float = 0.0
    score: int = 0
    places: tuple[int | None, ...] = ()
    scores: tuple[int | None, ...] = ()

    @property
    def identity(self) -> tuple[str, str]:
        """The key that a player keeps in the whole series: a person's handle, or a bot's kind and name."""
        return (self.kind, self.name if self.handle is None else self.handle)


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """The running score of a series.

    Attributes:
        games: the number of finished games.
        players: all players, in the order in which they joined the series.
    """

    games: int = 0
    players: tuple[SeriesPlayer, ...] = ()


def rename_in_series(series: Series, handle: str, name: str, face: str) -> Series:
    """Return the series with another name and face of the person with a handle.

    >>> guest = SeriesPlayer(name="Guest", kind="person", handle="v0opqzLxmIBw", seat=0)
    >>> rename_in_series(Series(games=1, players=(guest,)), "v0opqzLxmIBw", "Ann", "").players[0].name
    'Ann'
    """
    players = tuple(
        msgspec.structs.replace(player, name=name, face=face or None) if player.handle == handle else player
        for player in series.players
    )
    return msgspec.structs.replace(series, players=players)


def add_game(series: Series | None, players: Sequence[SeriesPlayer], result: Result) -> Series:
    """Return the series with one more finished game.

    Args:
        series: the games before; None if this is the first one.
        players: the player of each seat, without games.
        result: the result of the game.

    >>> ann = SeriesPlayer(name="Ann", kind="person", handle="v0opqzLxmIBw", seat=0)
    >>> bot = SeriesPlayer(name="Greedy", kind="greedy", seat=1)
    >>> first = add_game(None, (ann, bot), Result((3, 9), (1, 2)))
    >>> [(each.name, each.wins, each.scores) for each in add_game(first, (ann, bot), Result((7, 2), (2, 1))).players]
    [('Ann', 1.0, (3, 7)), ('Greedy', 1.0, (9, 2))]
    """
    before = series or Series()
    listed = min(before.games, MAX_GAMES)
    known_players = {player.identity: player for player in before.players}
    seated = {player.identity: player for player in players}
    shares = win_shares(result.ranks)
    after = []
    for identity in dict.fromkeys((*known_players, *seated)):
        player, now = known_players.get(identity) or seated[identity], seated.get(identity)
        place = score = None
        if now is not None:
            place, score = result.ranks[now.seat], result.scores[now.seat]
            player = msgspec.structs.replace(
                player,
                name=now.name,
                face=now.face,
                seat=now.seat,
                games=player.games + 1,
                wins=player.wins + shares[now.seat],
                score=player.score + score,
            )
        places, scores = player.places or (None,) * listed, player.scores or (None,) * listed
        places, scores = (*places, place)[-MAX_GAMES:], (*scores, score)[-MAX_GAMES:]
        after.append(msgspec.structs.replace(player, places=places, scores=scores))
    excess = len(after) - MAX_PLAYERS
    dropped = [player.identity for player in after if player.identity not in seated][: max(0, excess)]
    return Series(games=before.games + 1, players=tuple(player for player in after if player.identity not in dropped))
