"""Changes that give someone access to an account, or take it away, need a recent login."""

import inspect
from typing import Final

import httpx
import pytest
from tests.server.app_server import AppServer
from tests.server.requests import error

from faceup.server.accounts.fresh_login import FRESH
from faceup.server.accounts.schema import sessions
from faceup.server.http.app import ROUTES
from faceup.server.store import Store

ANN = {"login": "ann", "password": "correct horse"}

DANGEROUS: Final[dict[tuple[str, str], object]] = {
    ("POST", "/api/account"): {**ANN, "login": "other"},
    ("POST", "/api/account/deletion"): None,
    ("GET", "/api/account/export"): None,
    ("POST", "/api/account/openid"): None,
    ("DELETE", "/api/account/openid"): None,
    ("POST", "/api/account/recovery-codes"): None,
    ("POST", "/api/account/totp"): None,
    ("POST", "/api/account/totp/confirm"): {"code": "123456"},
    ("POST", "/api/account/totp/remove"): {"second": "123456"},
    ("POST", "/api/device"): None,
    ("POST", "/api/mail"): {"address": "ann@example.org"},
    ("POST", "/api/passkeys"): {"credential": {}},
    ("POST", "/api/passkeys/options"): None,
    ("DELETE", "/api/passkeys/{passkey:str}"): None,
    ("POST", "/api/tokens"): {"label": "bot"},
}
"""The bodies of dangerous requests."""

HARMLESS: Final = {
    ("PATCH", "/api/me"): "changes the profile",
    ("DELETE", "/api/session"): "ends access",
    ("DELETE", "/api/sessions"): "ends access",
    ("DELETE", "/api/sessions/{session:str}"): "ends access",
    ("DELETE", "/api/tokens/{token:str}"): "ends access",
    ("DELETE", "/api/account/deletion"): "keeps the account",
    ("POST", "/api/account/password"): "needs the current password",
    ("POST", "/api/mail/confirm"): "needs the code that was sent to the address",
    ("DELETE", "/api/mail"): "ends notices",
    ("POST", "/api/push"): "notices for this browser",
    ("DELETE", "/api/push"): "ends notices",
    ("PUT", "/api/research"): "gives games without names",
    ("DELETE", "/api/research"): "gives no games",
}
"""Changes for which any session is enough, and why."""


async def _make_old(store: Store, milliseconds: int) -> None:
    update = sessions.update().where(sessions.c.proved_at > 0).values(proved_at=sessions.c.proved_at - milliseconds)
    await store.write(lambda connection: connection.execute(update).rowcount)


async def _account(client: httpx.AsyncClient) -> None:
    assert (await client.post("/api/account", json=ANN)).status_code == 200


def test_every_change_of_an_account_is_either_dangerous_or_harmless() -> None:
    names = {True: set[tuple[str, str]](), False: set[tuple[str, str]]()}
    for route in ROUTES:
        arguments = inspect.signature(route.fn).parameters
        for method in route.http_methods & {"POST", "PUT", "PATCH", "DELETE"} | (
            route.http_methods if "fresh_account" in arguments else set()
        ):
            if "accounts" in (route.tags or ()) and arguments.keys() & {"account", "fresh_account"}:
                names["fresh_account" in arguments] |= {(method, path) for path in route.paths}
    assert names == {True: set(DANGEROUS), False: set(HARMLESS)}


@pytest.mark.sample(5)
@pytest.mark.parametrize("request_of", DANGEROUS, ids=" ".join)
async def test_a_dangerous_change_needs_a_login_of_the_last_minutes(
    app: AppServer, request_of: tuple[str, str]
) -> None:
    method, path = request_of[0], request_of[1].replace("{passkey:str}", "x")
    async with app.guest("Ann") as ann, app.client() as other:
        await _account(ann)
        code = (await ann.post("/api/device")).json()["code"]
        await other.post("/api/device/claim", json={"code": code})
        for client in (ann, other):
            await _make_old(app.store, FRESH + 1000)
            answer = await client.request(method, path, json=DANGEROUS[request_of])
            assert error(answer) == (401, "login_required")
        await ann.post("/api/login", json=ANN)
        answer = await ann.request(method, path, json=DANGEROUS[request_of])
        assert answer.is_success or error(answer) != (401, "login_required")


@pytest.mark.sample(2)
@pytest.mark.parametrize("request_of", DANGEROUS, ids=" ".join)
async def test_a_token_makes_no_dangerous_change(app: AppServer, request_of: tuple[str, str]) -> None:
    method, path = request_of[0], request_of[1].replace("{passkey:str}", "x")
    async with app.guest("Ann") as ann:
        await _account(ann)
        key = (await ann.post("/api/tokens", json={"label": "bot"})).json()["key"]
        async with app.client(authorization=f"Bearer {key}") as bot:
            assert error(await bot.request(method, path, json=DANGEROUS[request_of])) == (403, "forbidden")


async def test_a_new_account_is_a_login_and_guests_need_none(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        assert (await ann.post("/api/tokens", json={"label": "bot"})).status_code == 201
        await _make_old(app.store, FRESH + 1000)
        await _account(ann)
        assert (await ann.post("/api/account/recovery-codes")).status_code == 200
