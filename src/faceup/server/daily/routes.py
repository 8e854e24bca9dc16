"""Routes of daily deals: everyone plays the same cards, and the secret is revealed when the day has ended."""

import datetime as dt
from typing import Annotated, Final

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, JSONBody, QueryParameter

from faceup.bots import characters_for
from faceup.server.daily.queries import (
    Attempt,
    DailyStandings,
    Day,
    Par,
    RankedAttempt,
    attempts_of,
    dates_since,
    find_attempt,
    streaks,
)
from faceup.server.http.address_limits import admit_table
from faceup.server.http.schemas import Name
from faceup.server.http.services import Requester, Services, record_seat_taken
from faceup.server.rooms.daily import (
    ends_at,
    first_deal,
    is_open,
    next_date,
    open_dates,
    opens_at,
    parse_date,
    turns_of,
)
from faceup.server.rooms.room import RoomStatus
from faceup.server.tables.routes import TableFound, found_table, identity_or_guest, row_of

CALENDAR: Final = dt.timedelta(days=41)
"""How far the calendar goes back from its last date."""

LocalDate = Annotated[
    str, QueryParameter(max_length=10, description="The date where the player is; by default, the date at UTC")
]


class DailyStart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to start or resume a daily deal.

    Attributes:
        date: the date where the player is; null means the date at UTC.
        name: the name to show at the table; by default, the name of the player.
    """

    date: Annotated[str, msgspec.Meta(max_length=10)] | None = None
    name: Name | None = None


class DailyAttempt(msgspec.Struct, frozen=True, kw_only=True):
    """The requester's attempt at a daily deal.

    Attributes:
        table: the id of its table.
        status: the status of the table; null if the table was deleted.
        heads: the heads collected; null if the game was not finished before the day ended.
        place: the place at the table; null as above.
        rank: the place among all who finished; people with equally many heads share a place; null as above.
        turns: the heads collected in each turn; null as above, and if the table was deleted.
    """

    table: str
    status: RoomStatus | None
    heads: int | None = None
    place: int | None = None
    rank: int | None = None
    turns: tuple[int, ...] | None = None


class DailyView(msgspec.Struct, frozen=True, kw_only=True):
    """The daily deal of a date, as the requester may see it.

    Attributes:
        date: the date.
        opens_at: when the date starts in the first time zone, in milliseconds since 1970.
        ends_at: when the date has ended in every time zone, in milliseconds since 1970.
        open: whether the deal can be played.
        bots: the bots in the other seats.
        bot_names: the names under which they sit there.
        commitment: the hash that commits the server to its secret.
        committed_at: when the commitment was published, in milliseconds since 1970.
        players: how many people have finished.
        attempt: the requester's attempt; null if there is none.
        par: what the strongest bot makes of the deal; null until the requester has finished or the day has ended, and
            while it is computed.
        ranking: the first places; null until the requester has finished or the day has ended. The ids of the tables are
            "" until the day has ended.
        secret: the server's secret, in hexadecimal digits; null until the day has ended.
        deal: the deal in notation; null until the day has ended.
    """

    date: str
    opens_at: int
    ends_at: int
    open: bool
    bots: tuple[str, ...]
    bot_names: tuple[str, ...]
    commitment: str
    committed_at: int
    players: int
    attempt: DailyAttempt | None = None
    par: Par | None = None
    ranking: tuple[RankedAttempt, ...] | None = None
    secret: str | None = None
    deal: str | None = None


class DailyCommitment(msgspec.Struct, frozen=True, kw_only=True):
    """The commitment for a day that has not started, and when it starts in the first time zone."""

    date: str
    opens_at: int
    commitment: str
    committed_at: int


class CalendarDay(msgspec.Struct, frozen=True, kw_only=True):
    """A date that has a daily deal.

    Attributes:
        date: the date.
        open: whether the deal can be played.
        started: whether the requester has started it.
        heads: the heads that the requester collected; null if the requester has not finished it in time.
    """

    date: str
    open: bool
    started: bool = False
    heads: int | None = None


class DailyOverview(msgspec.Struct, frozen=True, kw_only=True):
    """Today's daily deal, and the requester's days before.

    Attributes:
        now: the server's time, in milliseconds since 1970.
        today: the deal of the requested date.
        tomorrow: the commitment for the date after it.
        streak: how many consecutive deals the requester has finished.
        best_streak: the longest streak of the requester.
        calendar: the dates of six weeks that have a deal, the latest first.
    """

    now: int
    today: DailyView
    tomorrow: DailyCommitment
    streak: int
    best_streak: int
    calendar: tuple[CalendarDay, ...]


@get("/api/daily", tags=["daily"])
async def get_daily_overview(
    services: Given[Services], requester: Given[Requester], date: LocalDate = ""
) -> DailyOverview:
    """Get today's daily deal, tomorrow's commitment, and the requester's streak and calendar.

    Without a date, or if it is this date nowhere, today is the date at UTC.
    """
    now = services.hub.now()
    today = date if date in open_dates(now) else _utc_date(now)
    player = None if requester.identity is None else requester.may("read").player
    view = await _view(services, await services.daily.day(today), player)
    tomorrow = await services.daily.day(next_date(today))
    days = await services.query(dates_since, (parse_date(today) - CALENDAR).isoformat(), today)
    attempts: dict[str, Attempt] = {}
    streak, best = 0, 0
    if player is not None:
        attempts = {attempt.date: attempt for attempt in await services.query(attempts_of, player, days)}
        streak, best = await services.query(streaks, player, today)
    return DailyOverview(
        now=now,
        today=view,
        tomorrow=DailyCommitment(
            date=tomorrow.date,
            opens_at=opens_at(tomorrow.date),
            commitment=tomorrow.commitment,
            committed_at=tomorrow.created_at,
        ),
        streak=streak,
        best_streak=best,
        calendar=tuple(
            CalendarDay(
                date=day,
                open=is_open(day, now),
                started=day in attempts,
                heads=attempts[day].heads if day in attempts else None,
            )
            for day in days
        ),
    )


@post("/api/daily", tags=["daily"])
async def start_daily_deal(
    data: JSONBody[DailyStart], services: Given[Services], requester: Given[Requester]
) -> Response[TableFound]:
    """Start or resume the daily deal. Every request of a player for a date returns the same table.

    Without a session or token, the server creates a guest.
    """
    date = data.date or _utc_date(services.hub.now())
    parse_date(date)
    identity, headers = await identity_or_guest(services, requester, data.name)
    services.tables.take(identity.player)
    name, source = data.name or identity.name, services.source_hash(requester.caller.source)
    admit = await admit_table(services, source, listed=False, bot_only=False)
    table = await services.daily.start_attempt(
        date, identity.player, name, face=identity.face, program=identity.program, source=source, admit=admit
    )
    await record_seat_taken(services, table, identity.player)
    return Response(found_table(services, requester, await row_of(services, table)), headers=headers)


@get("/api/daily/{date:str}", tags=["daily"])
async def get_daily_deal(date: FromPath[str], services: Given[Services], requester: Given[Requester]) -> DailyView:
    """Get the daily deal of a date. When the day has ended everywhere, this has the secret and everyone's results."""
    parse_date(date)
    player = None if requester.identity is None else requester.may("read").player
    return await _view(services, await services.daily.day(date), player)


async def _view(services: Services, day: Day, player: str | None) -> DailyView:
    await services.results_ingest.ingest()
    now = services.hub.now()
    ended = now >= ends_at(day.date)
    attempt = None if player is None else await services.query(find_attempt, day.date, player)
    shown = ended or (attempt is not None and attempt.heads is not None)
    own_table = attempt.room if attempt is not None and attempt.heads is not None else ""
    standings = await services.daily.standings(day.date, own_table)
    ranked = (
        standings.first
        if ended
        else [msgspec.structs.replace(ranked_attempt, table="") for ranked_attempt in standings.first]
    )
    return DailyView(
        date=day.date,
        opens_at=opens_at(day.date),
        ends_at=ends_at(day.date),
        open=is_open(day.date, now),
        bots=day.config.bots,
        bot_names=characters_for("nimmt", day.config.bots),
        commitment=day.commitment,
        committed_at=day.created_at,
        players=len(standings.heads),
        attempt=None if attempt is None else await _attempt_view(services, attempt, standings),
        par=day.par if shown else None,
        ranking=tuple(ranked) if shown else None,
        secret=day.secret.hex() if ended else None,
        deal=_deal_text(day) if ended else None,
    )


async def _attempt_view(services: Services, attempt: Attempt, standings: DailyStandings) -> DailyAttempt:
    row = await services.store.room(attempt.room)
    status = None if row is None else msgspec.convert(row.status, RoomStatus)
    if attempt.heads is None:
        return DailyAttempt(table=attempt.room, status=status)
    turns = None
    if status == "finished":
        record, seat = await services.hub.own_record(attempt.room, attempt.player)
        turns = turns_of(record, seat)
    return DailyAttempt(
        table=attempt.room,
        status=status,
        heads=attempt.heads,
        place=attempt.place,
        rank=standings.rank(attempt.heads),
        turns=turns,
    )


def _deal_text(day: Day) -> str:
    rules = day.config.rules()
    outcome, _ = first_deal(rules, day.date, day.secret)
    return str(rules.describe(outcome))


def _utc_date(now: int) -> str:
    return dt.datetime.fromtimestamp(now / 1000, dt.UTC).date().isoformat()
