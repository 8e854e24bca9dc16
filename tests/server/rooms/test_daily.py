"""Daily deals: when days are open, and that the cards follow from the secret as the documentation says."""

import runpy
from pathlib import Path

import pytest

from faceup.core import Malformed, make, read, write
from faceup.server.rooms.daily import (
    DAY,
    HOUR,
    choice_seed,
    commitment_of,
    committed_dates,
    daily_deal,
    ends_at,
    first_deal,
    is_open,
    next_date,
    open_dates,
    opens_at,
    parse_date,
)

ALONE = runpy.run_path(str(Path(__file__).parents[3] / "examples" / "verify_daily.py"))
"""An implementation that does not import faceup."""

RULES = make("nimmt", seats=4)
SECRETS = [bytes(32), bytes(range(32)), b"\xff" * 32, b"a daily deal has 32 secret bytes"]


def test_a_date_is_open_while_it_is_that_date_anywhere() -> None:
    date = "2026-11-23"
    midnight = (parse_date(date) - parse_date("1970-01-01")).days * DAY
    assert (opens_at(date), ends_at(date)) == (midnight - 14 * HOUR, midnight + 36 * HOUR)
    for now in (opens_at(date), midnight, ends_at(date) - 1):
        assert is_open(date, now)
        assert date in open_dates(now)
    for now in (opens_at(date) - 1, ends_at(date)):
        assert not is_open(date, now)
        assert date not in open_dates(now)


def test_the_commitment_to_a_date_is_published_a_day_before_it_starts_anywhere() -> None:
    for hour in range(48):
        now = 20_000 * DAY + hour * HOUR
        dates = committed_dates(now)
        assert set(open_dates(now)) <= set(dates)
        assert dates == tuple(sorted(dates))
        assert opens_at(dates[-1]) <= now + DAY < opens_at(next_date(dates[-1]))
        assert next_date(open_dates(now)[-1]) in dates, "tomorrow's commitment is always known"


@pytest.mark.parametrize("text", ["", "2026-11", "2026-02-30", "20261123", "2026-11-23T00:00", "1969-12-31", "x" * 99])
def test_a_date_has_one_form(text: str) -> None:
    with pytest.raises(Malformed, match="2026-11-23"):
        parse_date(text)


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("date", ["1970-01-01", "2026-11-23", "9999-12-31"])
def test_commitment_and_cards_follow_from_the_secret_as_documented(date: str, secret: bytes) -> None:
    outcome, state = first_deal(RULES, date, secret)
    assert commitment_of(date, secret).hex() == ALONE["commitment"](date, secret)
    assert RULES.describe(outcome) == ALONE["deal"](date, secret, RULES.seats)
    assert RULES.view(state, 0).hand == tuple(sorted(outcome.cards[:10]))  # type: ignore[attr-defined]


def test_the_independent_script_finds_every_fault() -> None:
    date, secret = "2026-11-23", SECRETS[1]
    day = {"date": date, "secret": secret.hex(), "bots": ["a", "b", "c"], "deal": ALONE["deal"](date, secret, 4)}
    commitment = commitment_of(date, secret).hex()
    assert ALONE["check"](day, commitment) == []
    wrong = [{"secret": bytes(32).hex()}, {"date": "2026-11-24"}, {"deal": ALONE["deal"](date, bytes(32), 4)}]
    for change in wrong:
        assert ALONE["check"](day | change, commitment)
    assert ALONE["check"](day, commitment_of(date, bytes(32)).hex())


def test_the_seed_of_a_choice_depends_on_the_day_and_the_view_only() -> None:
    deal, other = daily_deal("2026-11-23", SECRETS[1]), daily_deal("2026-11-24", SECRETS[1])
    _, state = first_deal(RULES, "2026-11-23", SECRETS[1])
    views = [RULES.view(state, seat) for seat in range(4)]
    seeds = [choice_seed(deal, RULES, view) for view in views]
    assert len({*seeds, choice_seed(other, RULES, views[0])}) == 5
    assert all(0 <= seed < 2**63 for seed in seeds)
    rules, restored = read(write(RULES, views[2]))
    assert choice_seed(deal, rules, restored) == seeds[2]


def test_the_key_of_the_bots_does_not_reveal_the_cards() -> None:
    """A room stores this key. It differs from the key of the cards."""
    deal = daily_deal("2026-11-23", SECRETS[1])
    assert bytes.fromhex(deal.bot_key) not in {SECRETS[1], commitment_of("2026-11-23", SECRETS[1])}
    assert len(deal.bot_key) == 64
