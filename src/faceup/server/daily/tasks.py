"""The daily deals of a server: their secrets are drawn in time, their par is computed, and attempts are started."""

import asyncio
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Final

from sqlalchemy import Connection

from faceup.bots import is_playable
from faceup.core import Malformed
from faceup.core.record import Terms
from faceup.server.daily.queries import (
    PLAYER_SEAT,
    DailyStandings,
    Day,
    Par,
    create_days,
    dates_without_par,
    find_attempt,
    find_day,
    standings,
    start_attempt,
    store_par,
)
from faceup.server.live.hub import Admit, TableHub
from faceup.server.process.periodic import FailureIsolation, PeriodicTask
from faceup.server.rooms import TableConfig
from faceup.server.rooms.daily import (
    choice_seed,
    committed_dates,
    daily_deal,
    deal_rng,
    first_deal,
    heads_by_turn,
    is_open,
)
from faceup.server.rooms.decide import create_daily_entries
from faceup.server.store import Store, TableRow
from faceup.server.tables.quick_match import TakenError
from faceup.server.workers.bots import Bots

BOTS: Final = ("gentle", "steady", "sharp")
"""The bots of a daily deal. Without the extra `fast`, `steady` replaces those that it cannot run."""

_STRONGEST: Final = ("champion", "mc@100")
"""The bots that may play for the par, the strongest first. Without the extra `fast`, only the last is playable."""

_INTERVAL: Final = 30.0
"""Seconds between two runs of the periodic task."""

_DATES_KEPT: Final = 8
"""Maximum number of days in memory."""

_PAUSE: Final = 50
"""For how long the standings of a day are not read again, as a multiple of the time that reading them took."""


def daily_config() -> TableConfig:
    """Return the configuration of the tables of new daily deals: one deal of 6 nimmt! for four, without a clock."""
    bots = tuple(bot if is_playable("nimmt", bot) else "steady" for bot in BOTS)
    return TableConfig(
        game="nimmt",
        options={"seats": 1 + len(bots)},
        terms=Terms(clock=None, hints=False),
        spectators="nobody",
        bots=bots,
    )


class DailyDeals:
    """The daily deals of a server. Several processes may share a database; the first to draw a secret wins.

    Args:
        store: the database.
        hub: the tables.

    Attributes:
        task: the periodic task, which draws secrets in time and computes the par of each day.
    """

    def __init__(self, store: Store, hub: TableHub) -> None:
        self._store = store
        self._hub = hub
        self._days: dict[str, Day] = {}
        self._standings: dict[str, tuple[DailyStandings, float]] = {}
        self._created: tuple[str, ...] = ()
        self._failures = FailureIsolation("par of daily deals", store.metrics)
        self.task = PeriodicTask("daily deals", self.prepare, _INTERVAL, store.metrics)

    async def prepare(self) -> None:
        """Draw the secrets of all days that need one now, and compute the par of each day that someone has started."""
        await self.prepare_days()
        for date in await self._store.query(dates_without_par):
            if not self._failures.delay(date):
                with self._failures.isolate(date):
                    par = await compute_par(await self.day(date), self._hub.bots)
                    await self._store.write(partial(store_par, date=date, par=par))
                    self._days.pop(date, None)

    async def day(self, date: str) -> Day:
        """Return the daily deal of a date, with its secret. Raises `NotFoundError` if there is none."""
        await self.prepare_days()
        if (day := self._days.get(date)) is None:
            day = await self._store.query(partial(find_day, date=date))
            if day.par is not None:  # the par is the only part that changes
                self._days[date] = day
                while len(self._days) > _DATES_KEPT:
                    del self._days[next(iter(self._days))]
        return day

    async def standings(self, date: str, table: str = "") -> DailyStandings:
        """Return the results of everyone who finished the deal of a date. The last seconds may be missing.

        Reading them again is limited to 2 % of the time, because many people look at them at once.

        Args:
            date: the date.
            table: ID of a table; its result must be included.
        """
        loop = asyncio.get_running_loop()
        cached, until = self._standings.get(date, (None, 0.0))
        if cached is None or loop.time() >= until or (table and table not in cached.tables):
            started = loop.time()
            cached = await self._store.query(partial(standings, date=date))
            self._standings[date] = cached, loop.time() + _PAUSE * (loop.time() - started)
            while len(self._standings) > _DATES_KEPT:
                del self._standings[next(iter(self._standings))]
        return cached

    def forget_standings(self) -> None:
        """Read the standings of all days again, because a table was deleted or changed."""
        self._standings.clear()

    async def start_attempt(
        self,
        date: str,
        player: str,
        name: str,
        *,
        face: str = "",
        program: bool = False,
        source: str = "",
        admit: Admit | None = None,
    ) -> str:
        """Start or resume a player's attempt at the deal of a date, and return the ID of its table.

        Args:
            date: the date, which must be open.
            player: the current id of the player.
            name: the player's name at the table.
            face: the player's face.
            program: whether the player is a program.
            source: as for `TableHub.create`.
            admit: as for `TableHub.create`.

        Raises:
            Malformed: it is not this date in any time zone.
            NotFoundError: there is no such player.
            TableDeletedError: the player has started it, but the table was deleted.
            UnavailableError: the attempt could not be stored.
        """
        now = self._hub.now()
        if not is_open(date, now):
            raise Malformed(f"it is not {date} in any time zone now", what=date, where="date")
        day = await self.day(date)
        started = await self._store.query(partial(find_attempt, date=date, player=player))
        owner, room = (player, attempt_id(player, date)) if started is None else (started.player, started.room)

        def admit_first(connection: Connection, row: TableRow) -> None:
            if admit is not None:
                admit(connection, row)
            if start_attempt(connection, now, date, player, row.id).room != row.id:
                raise TakenError  # another request of the person, which is or was a guest, came first

        daily, rng = daily_deal(date, day.secret), deal_rng(date, day.secret)
        entries = create_daily_entries(day.config, owner, name, daily, rng, face=face, program=program)
        with suppress(TakenError):
            made = await self._hub.create_from(entries, day.config, owner, table=room, source=source, admit=admit_first)
            return made.table
        return await self.start_attempt(date, player, name)

    async def prepare_days(self) -> None:
        """Draw the secrets of all days that need one now."""
        now = self._hub.now()
        if (dates := committed_dates(now)) != self._created:
            await self._store.write(partial(create_days, now=now, dates=dates, config=daily_config()))
            self._created = dates


def attempt_id(player: str, date: str) -> str:
    """Derive the ID of an attempt's table from the player's secret ID, so that a second start finds the same table.

    >>> attempt_id("ann-id", "2026-11-23")
    'd9a42ce7512452c2461a5d'
    """
    return sha256(f"faceup daily deal\n{player}\n{date}".encode()).hexdigest()[:22]


async def compute_par(day: Day, bots: Bots) -> Par:
    """Let the strongest bot play a daily deal against the bots of the day. Raises `BotFailedError`, `BusyError`."""
    rules = day.config.rules()
    strongest = next(name for name in _STRONGEST if is_playable(rules.game, name))
    deal = daily_deal(day.date, day.secret)
    kinds = (strongest, *day.config.bots)
    _, state = first_deal(rules, day.date, day.secret)
    states = [state]
    while seats := rules.to_act(state):
        actions = {}
        for seat in seats:
            view = rules.view(state, seat)
            actions[seat] = await bots.choose(rules, view, kinds[seat], choice_seed(deal, rules, view))
        state = rules.apply(state, actions).state
        states.append(state)
    return Par(
        bot=strongest,
        heads=rules.scores(state)[PLAYER_SEAT],
        place=rules.ranks(state)[PLAYER_SEAT],
        turns=heads_by_turn(rules, states, PLAYER_SEAT),
    )
