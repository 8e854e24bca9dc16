"""Routes of recovery codes, and of one-time passwords as a second factor."""

from base64 import b64decode
from typing import Any

import httpx
import pytest
from pyotp import TOTP
from tests.server.app_server import AppServer
from tests.server.requests import error

from faceup.server.accounts import one_time_codes
from faceup.server.accounts.players import find_by_name

ANN = {"login": "ann", "password": "correct horse"}
REQUIRED, WRONG, UNKNOWN = (401, "second_factor_required"), (401, "wrong_second_factor"), (401, "unauthenticated")


class Clock:
    """The time of a server, which moves on by a step for each new one-time password."""

    def __init__(self, app: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds = app.store.now() // 1000
        monkeypatch.setattr(app.store, "now", lambda: self.seconds * 1000)

    def next(self, secret: str) -> str:
        """Return a one-time password that was not used."""
        self.seconds += 30
        return TOTP(secret).at(self.seconds)


@pytest.fixture
def clock(app: AppServer, monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(app, monkeypatch)


async def _account(client: httpx.AsyncClient) -> list[str]:
    """Create the account, and return its recovery codes."""
    codes: list[str] = (await client.post("/api/account", json=ANN)).json()["recovery_codes"]
    return codes


async def _enable(client: httpx.AsyncClient, clock: Clock) -> str:
    """Enable one-time passwords, and return the secret."""
    started = (await client.post("/api/account/totp")).json()
    confirmed = await client.post("/api/account/totp/confirm", json={"code": clock.next(started["secret"])})
    assert confirmed.status_code == 200, confirmed.text
    return str(started["secret"])


async def _state(client: httpx.AsyncClient) -> tuple[Any, Any]:
    state = (await client.get("/api/account/second-factor")).json()
    return state["totp"], state["recovery_codes"]


async def test_a_recovery_code_sets_a_new_password_once_and_logs_out_everywhere(app: AppServer) -> None:
    async with app.guest("Ann") as phone, app.client() as laptop, app.client() as third:
        codes = await _account(phone)
        new = {"login": "ANN", "code": codes[0].lower(), "new": "battery staple"}
        for wrong in ({"code": "AAAA-AAAA-AAAA-AAAA"}, {"login": "bo"}):
            assert error(await laptop.post("/api/account/recover", json=new | wrong)) == UNKNOWN
        assert error(await laptop.post("/api/account/recover", json=new | {"new": "password1"})) == (
            400,
            "weak_password",
        )
        recovered = await laptop.post("/api/account/recover", json=new)
        assert (recovered.status_code, recovered.json()["login"]) == (200, "ann")
        assert (await laptop.get("/api/me")).status_code == 200
        assert (await phone.get("/api/me")).status_code == 401
        assert error(await third.post("/api/account/recover", json=new)) == UNKNOWN
        assert error(await third.post("/api/login", json=ANN)) == UNKNOWN
        assert (await third.post("/api/login", json=ANN | {"password": "battery staple"})).status_code == 200
        assert await _state(laptop) == (False, 9)


async def test_new_recovery_codes_are_for_accounts_and_replace_the_earlier_ones(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.client() as other:
        assert error(await ann.post("/api/account/recovery-codes")) == (404, "not_found")
        before = await _account(ann)
        made = (await ann.post("/api/account/recovery-codes")).json()
        assert not {*before} & {*made["recovery_codes"]}
        new = {"login": "ann", "new": "battery staple"}
        assert error(await other.post("/api/account/recover", json=new | {"code": before[0]})) == UNKNOWN
        kept = await other.post("/api/account/recover", json=new | {"code": made["recovery_codes"][0]})
        assert kept.status_code == 200


async def test_a_login_needs_the_second_factor_each_password_of_which_works_once(app: AppServer, clock: Clock) -> None:
    async with app.guest("Ann") as phone, app.client() as laptop, app.client() as thief:
        await _account(phone)
        await laptop.post("/api/login", json=ANN)
        thief.cookies = httpx.Cookies(phone.cookies)
        started = (await phone.post("/api/account/totp")).json()
        assert started["uri"] == f"otpauth://totp/faceup:ann?secret={started['secret']}&issuer=faceup"
        kind, _, picture = started["picture"].partition(",")
        assert (kind, b64decode(picture)[:4]) == ("data:image/svg+xml;base64", b"<svg")
        assert (await phone.post("/api/account/totp/confirm", json={"code": "1"})).status_code == 401
        assert await _state(phone) == (False, 10)
        assert (await laptop.post("/api/login", json=ANN)).status_code == 200  # it is not confirmed yet
        code = clock.next(started["secret"])
        assert (await phone.post("/api/account/totp/confirm", json={"code": code})).status_code == 200
        assert await _state(phone) == (True, 10)
        for logged_out in (laptop, thief):  # all other devices, and the key that this one had before
            assert (await logged_out.get("/api/me")).status_code == 401
        assert error(await phone.post("/api/account/totp")) == (409, "taken")
        assert error(await laptop.post("/api/login", json=ANN)) == REQUIRED
        assert error(await laptop.post("/api/login", json=ANN | {"password": "no idea", "second": code})) == UNKNOWN
        for used in (code, "000000", "AAAA-AAAA-AAAA-AAAA"):
            assert error(await laptop.post("/api/login", json=ANN | {"second": used})) == WRONG
        code = clock.next(started["secret"])
        assert (await laptop.post("/api/login", json=ANN | {"second": code})).status_code == 200
        assert error(await thief.post("/api/login", json=ANN | {"second": code})) == WRONG


async def test_guesses_of_the_second_factor_are_limited_as_wrong_passwords_are(app: AppServer, clock: Clock) -> None:
    async with app.guest("Ann") as ann, app.client() as thief:
        await _account(ann)
        secret = await _enable(ann, clock)
        answers = [await thief.post("/api/login", json=ANN | {"second": f"{number:06}"}) for number in range(11)]
        assert {error(answer) for answer in answers[:10]} == {WRONG}
        assert error(answers[10]) == (429, "rate_limited")
        right = await thief.post("/api/login", json=ANN | {"second": clock.next(secret)})
        assert error(right) == (429, "rate_limited")
        assert (await ann.post("/api/login", json=ANN | {"second": clock.next(secret)})).status_code == 200


async def test_who_knows_the_password_has_few_guesses_a_day_from_all_addresses(app: AppServer, clock: Clock) -> None:
    async with app.guest("Ann") as ann, app.client() as owner:
        codes = await _account(ann)
        secret = await _enable(ann, clock)
        recovery = {"login": "ann", "code": codes[0], "new": "battery staple"}
        for number in range(20):
            path, fields = (("/api/login", ANN), ("/api/account/recover", recovery))[number % 2]
            async with app.client_at(f"198.51.100.{number}") as thief:
                assert error(await thief.post(path, json=fields | {"second": f"{number:06}"})) == WRONG
        for path, fields in (("/api/login", ANN), ("/api/account/recover", recovery)):
            async with app.client_at("203.0.113.7") as thief:
                right = await thief.post(path, json=fields | {"second": clock.next(secret)})
                assert error(right) == (429, "rate_limited")
        assert (await ann.post("/api/login", json=ANN | {"second": clock.next(secret)})).status_code == 200
        clock.seconds += 86_400 // 20
        assert (await owner.post("/api/login", json=ANN | {"second": clock.next(secret)})).status_code == 200


async def test_recovery_codes_replace_a_lost_device(app: AppServer, clock: Clock) -> None:
    async with app.guest("Ann") as phone, app.client() as laptop, app.client() as third:
        codes = await _account(phone)
        await _enable(phone, clock)
        assert (await laptop.post("/api/login", json=ANN | {"second": codes[0]})).status_code == 200
        assert error(await third.post("/api/login", json=ANN | {"second": codes[0]})) == WRONG
        removal = {"second": codes[0]}
        assert error(await laptop.post("/api/account/totp/remove", json=removal)) == WRONG
        removal["second"] = codes[1]
        key = dict(laptop.cookies)
        assert (await laptop.post("/api/account/totp/remove", json=removal)).status_code == 200
        assert dict(laptop.cookies) != key
        assert (await phone.get("/api/me")).status_code == 401
        assert await _state(laptop) == (False, 8)
        assert (await third.post("/api/login", json=ANN)).status_code == 200


async def test_a_forgotten_password_needs_the_second_factor_too(app: AppServer, clock: Clock) -> None:
    async with app.guest("Ann") as ann, app.client() as other:
        codes = await _account(ann)
        secret = await _enable(ann, clock)
        new = {"login": "ann", "code": codes[0], "new": "battery staple"}
        assert error(await other.post("/api/account/recover", json=new)) == REQUIRED
        assert error(await other.post("/api/account/recover", json=new | {"second": codes[0]})) == WRONG
        assert (await ann.get("/api/me")).status_code == 200  # nothing has changed
        done = await other.post("/api/account/recover", json=new | {"second": codes[1]})
        assert done.status_code == 200
        assert await _state(other) == (True, 8)
        (player,) = await app.store.query(lambda connection: find_by_name(connection, "ann"))
        now = app.store.now()
        key = await app.store.write(lambda connection: one_time_codes.issue(connection, now, "password", player))
        reset = {"key": key, "new": "found again"}
        assert error(await ann.post("/api/account/reset", json=reset)) == REQUIRED
        assert (await ann.post("/api/account/reset", json=reset | {"second": clock.next(secret)})).status_code == 200


async def test_a_passkey_and_another_device_need_no_second_factor(app: AppServer, clock: Clock) -> None:
    async with app.guest("Ann") as phone, app.client() as tablet:
        await _account(phone)
        await _enable(phone, clock)
        code = (await phone.post("/api/device")).json()["code"]
        assert (await tablet.post("/api/device/claim", json={"code": code})).status_code == 200
