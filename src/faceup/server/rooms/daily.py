"""The daily deal as values: when a day is open, and what follows from its secret.

The deal of a date is open while it is that date anywhere: from midnight at UTC+14 until midnight at UTC-12, which is 50
hours. Its secret is revealed afterwards. The format is that of fair deals (`faceup.core.fair_draw`) without
contributions; the number of the round is the date, such as 20261123. `docs/reference/daily-deal.md` describes it.
"""

import datetime as dt
from collections.abc import Iterable
from hmac import digest
from itertools import pairwise
from typing import Final

import msgspec

from faceup.core import AnyRules, Generator, Malformed, Outcome, Seat, State, View, draw, write
from faceup.core.fair_draw import FairDraw, commitment, draw_key
from faceup.core.record import Record, replay

HOUR: Final = 3_600_000
DAY: Final = 24 * HOUR

EARLIEST: Final = 14 * HOUR
"""A date starts first in the time zone UTC+14, this long before midnight UTC (milliseconds)."""

LATEST: Final = 12 * HOUR
"""A date ends last in the time zone UTC-12, this long after midnight UTC (milliseconds)."""

AHEAD: Final = DAY
"""How long before a date starts anywhere its secret is drawn and the commitment published (milliseconds)."""

_EPOCH: Final = dt.date(1970, 1, 1)
_BOTS: Final = b"faceup daily deal 1 bots"


class DailyDeal(msgspec.Struct, frozen=True):
    """What makes a room a player's attempt at a daily deal. It contains a secret, so no message to clients has it.

    Attributes:
        date: the date of the deal, such as "2026-11-23".
        bot_key: the key of the bots' choices, 32 bytes in hexadecimal digits.
    """

    date: str
    bot_key: str

    @property
    def ends_at(self) -> int:
        """When the day has ended in every time zone, in milliseconds since 1970."""
        return ends_at(self.date)


def parse_date(text: str) -> dt.date:
    """Return a date from text such as "2026-11-23".

    Raises:
        Malformed: the text is not a date in this form.

    >>> parse_date("2026-11-23").day
    23
    """
    try:
        date = dt.date.fromisoformat(text)
    except ValueError:
        date = None
    if date is None or date.isoformat() != text or date < _EPOCH:
        raise Malformed(f"a date must have the form 2026-11-23; got {text[:40]!r}", what=text[:40], where="date")
    return date


def opens_at(date: str) -> int:
    """Return when the date starts in the first time zone, in milliseconds since 1970.

    >>> opens_at("1970-01-02") // HOUR
    10
    """
    return _midnight(date) - EARLIEST


def ends_at(date: str) -> int:
    """Return when the date has ended in every time zone, in milliseconds since 1970.

    >>> ends_at("1970-01-02") // HOUR
    60
    """
    return _midnight(date) + DAY + LATEST


def is_open(date: str, now: int) -> bool:
    """Return whether it is this date anywhere at the time `now`, in milliseconds since 1970."""
    return opens_at(date) <= now < ends_at(date)


def open_dates(now: int) -> tuple[str, ...]:
    """Return the two or three dates that are open at the time `now`, the earliest first.

    >>> open_dates(DAY + 11 * HOUR), open_dates(DAY + 12 * HOUR)
    (('1970-01-01', '1970-01-02', '1970-01-03'), ('1970-01-02', '1970-01-03'))
    """
    return _dates((now - LATEST) // DAY, (now + EARLIEST) // DAY)


def committed_dates(now: int) -> tuple[str, ...]:
    """Return the dates that must have a secret at the time `now`: the open dates, and those that start soon.

    >>> committed_dates(DAY + 12 * HOUR)
    ('1970-01-02', '1970-01-03', '1970-01-04')
    """
    return _dates((now - LATEST) // DAY, (now + AHEAD + EARLIEST) // DAY)


def next_date(date: str) -> str:
    """Return the date after this one.

    >>> next_date("2026-12-31")
    '2027-01-01'
    """
    return (parse_date(date) + dt.timedelta(1)).isoformat()


def commitment_of(date: str, secret: bytes) -> bytes:
    """Return the hash that commits the server to the secret of a date.

    >>> commitment_of("2026-11-23", bytes(32)).hex()[:16]
    'b3ae6bbc69fdbb96'
    """
    return commitment(_round(date), secret)


def deal_rng(date: str, secret: bytes) -> Generator:
    """Return the generator that deals the cards of a date."""
    return FairDraw(_key(date, secret), 0)


def daily_deal(date: str, secret: bytes) -> DailyDeal:
    """Return what the rooms of a date need of its secret. The cards do not follow from it."""
    return DailyDeal(date, digest(_key(date, secret), _BOTS, "sha256").hex())


def first_deal(rules: AnyRules, date: str, secret: bytes) -> tuple[Outcome, State]:
    """Return the deal of a date, and the state after it."""
    start: State = rules.start()
    outcome = draw(rules, start, deal_rng(date, secret))
    return outcome, rules.apply(start, outcome).state


def choice_seed(deal: DailyDeal, rules: AnyRules, view: View) -> int:
    """Return the seed with which a bot chooses. It depends only on the day and the bot's view, which has the turn."""
    return int.from_bytes(digest(bytes.fromhex(deal.bot_key), write(rules, view).encode(), "sha256")[:8]) >> 1


def heads_by_turn(rules: AnyRules, states: Iterable[State], seat: Seat) -> tuple[int, ...]:
    """Return the heads that a seat collects in each turn of a deal, given the states after each move.

    A turn is over when no card waits for its seat to choose a row.
    """
    heads = [rules.scores(state)[seat] for state in states if len(rules.to_act(state)) != 1]
    return tuple(after - before for before, after in pairwise(heads))


def turns_of(record: Record, seat: Seat) -> tuple[int, ...]:
    """Return the heads that a seat collects in each turn of a record of one deal."""
    return heads_by_turn(record.rules(), (frame.state for frame in replay(record)), seat)


def _key(date: str, secret: bytes) -> bytes:
    return draw_key(_round(date), secret, {})


def _round(date: str) -> int:
    return int(parse_date(date).strftime("%Y%m%d"))


def _midnight(date: str) -> int:
    return (parse_date(date) - _EPOCH).days * DAY


def _dates(first: int, last: int) -> tuple[str, ...]:
    return tuple((_EPOCH + dt.timedelta(day)).isoformat() for day in range(first, last + 1))
