"""Routes of sessions, accounts, tokens and passkeys."""

import asyncio
from typing import Any, Literal

import httpx
import pytest
from tests.server.accounts.authenticator import Device
from tests.server.app_server import AppServer
from tests.server.conftest import Serve
from tests.server.requests import error

from faceup.server.accounts import one_time_codes
from faceup.server.accounts.players import find_by_name
from faceup.server.process.settings import Settings
from faceup.server.rooms.wire import SESSION_COOKIE


async def test_a_session_keeps_its_guest(app: AppServer) -> None:
    async with app.client() as ann:
        first = (await ann.post("/api/session", json={"name": "Ann"})).json()
        assert (first["name"], first["guest"]) == ("Ann", True)
        assert (await ann.post("/api/session", json={"name": "Other"})).json() == first
        assert (await ann.get("/api/me")).json() == first


async def test_the_cookie_is_httponly_and_secure_over_https(serve: Serve) -> None:
    app = await serve(Settings(trusted_proxies=("192.0.2.0/24",), base_path="/cards"))
    async with app.client() as plain, app.client(**{"x-forwarded-proto": "https"}) as proxied:
        for client, secure in ((plain, False), (proxied, True)):
            cookie = (await client.post("/cards/api/session", json={})).headers["set-cookie"]
            assert cookie.startswith(f"{SESSION_COOKIE}=")
            assert "; HttpOnly; SameSite=Lax" in cookie
            assert "; Path=/cards;" in cookie
            assert ("; Secure" in cookie) == secure


async def test_an_unauthenticated_request_gets_an_error_that_names_the_login(app: AppServer) -> None:
    async with app.client() as anonymous:
        answer = await anonymous.get("/api/me")
    assert answer.status_code == 401
    assert answer.json()["error"]["kind"] == "unauthenticated"
    assert "POST /api/session" in answer.json()["error"]["message"]


async def test_a_guest_becomes_an_account_and_logs_in_on_another_device(app: AppServer) -> None:
    async with app.guest("Ann") as phone, app.client() as laptop:
        account = (await phone.post("/api/account", json={"login": "Ann", "password": "correct horse"})).json()
        assert (account["guest"], account["login"]) == (False, "ann")
        assert len(set(account.pop("recovery_codes"))) == 10
        wrong = await laptop.post("/api/login", json={"login": "ann", "password": "wrong horse"})
        anonymous = await laptop.post("/api/login", json={"login": "bo", "password": "wrong horse"})
        assert (wrong.status_code, wrong.json()) == (401, anonymous.json())
        assert (await laptop.post("/api/login", json={"login": "ANN", "password": "correct horse"})).json() == account
        assert [session["current"] for session in (await laptop.get("/api/sessions")).json()] == [True, False]


async def test_the_session_key_of_a_guest_does_not_open_the_account(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.client() as thief:
        thief.cookies = httpx.Cookies(ann.cookies)
        assert (await thief.get("/api/me")).status_code == 200
        assert (await ann.post("/api/account", json={"login": "Ann", "password": "correct horse"})).status_code == 200
        assert ann.cookies != thief.cookies
        assert (await ann.get("/api/me")).json()["guest"] is False
        assert (await thief.get("/api/me")).status_code == 401
        assert len((await ann.get("/api/sessions")).json()) == 1


async def test_a_login_replaces_the_session_key_of_the_device(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.client() as thief:
        await ann.post("/api/account", json={"login": "Ann", "password": "correct horse"})
        thief.cookies = httpx.Cookies(ann.cookies)
        assert (await ann.post("/api/login", json={"login": "ann", "password": "correct horse"})).status_code == 200
        assert (await ann.get("/api/me")).status_code == 200
        assert (await thief.get("/api/me")).status_code == 401


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "password", ["password1", "PASSWORD1", "qwertyuiop", "1q2w3e4r5t", "ann.from.wuhan", "ANN.from.Wuhan", " iloveyou "]
)
async def test_a_password_that_is_easy_to_guess_is_refused(app: AppServer, password: str) -> None:
    async with app.guest("Ann") as ann:
        account = {"login": "Ann.from.Wuhan", "password": password}
        refused = await ann.post("/api/account", json=account)
        assert error(refused) == (400, "weak_password")
        assert (await ann.get("/api/me")).json()["guest"] is True
        await ann.post("/api/account", json=account | {"password": "correct horse"})
        refused = await ann.post("/api/account/password", json={"old": "correct horse", "new": password})
        assert error(refused) == (400, "weak_password")
        (player,) = await app.store.query(lambda connection: find_by_name(connection, "Ann"))
        now = app.store.now()
        key = await app.store.write(lambda connection: one_time_codes.issue(connection, now, "password", player))
        refused = await ann.post("/api/account/reset", json={"key": key, "new": password})
        assert error(refused) == (400, "weak_password")
        assert (await ann.post("/api/account/reset", json={"key": key, "new": "found again"})).status_code == 200


async def test_changing_the_password_needs_the_old_one_and_ends_other_sessions(app: AppServer) -> None:
    async with app.guest("Ann") as phone, app.client() as laptop:
        await phone.post("/api/account", json={"login": "Ann", "password": "correct horse"})
        await laptop.post("/api/login", json={"login": "ann", "password": "correct horse"})
        wrong = await laptop.post("/api/account/password", json={"old": "no idea", "new": "battery staple"})
        assert wrong.status_code == 401
        assert (await phone.get("/api/me")).status_code == 200
        await laptop.post("/api/account/password", json={"old": "correct horse", "new": "battery staple"})
        assert (await phone.get("/api/me")).status_code == 401
        assert (await laptop.get("/api/me")).status_code == 200
        assert (await phone.post("/api/login", json={"login": "ann", "password": "battery staple"})).status_code == 200


async def test_a_password_reset_works_once_and_ends_all_sessions(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.client() as elsewhere:
        await ann.post("/api/account", json={"login": "lost", "password": "forgotten!"})
        (player,) = await app.store.query(lambda connection: find_by_name(connection, "lost"))
        now = app.store.now()
        key = await app.store.write(lambda connection: one_time_codes.issue(connection, now, "password", player))
        page = await elsewhere.get("/password")
        assert page.headers["content-type"].startswith("text/html")
        back = await elsewhere.post("/api/account/reset", json={"key": key, "new": "found again"})
        assert (back.status_code, back.json()["login"]) == (200, "lost")
        assert (await elsewhere.get("/api/me")).status_code == 200
        assert (await ann.get("/api/me")).status_code == 401
        again = await elsewhere.post("/api/account/reset", json={"key": key, "new": "found again"})
        assert again.status_code == 401
        assert (await ann.post("/api/login", json={"login": "lost", "password": "found again"})).status_code == 200


async def test_a_device_code_logs_in_once(app: AppServer) -> None:
    async with app.guest("Ann") as phone, app.client() as tablet, app.client() as third:
        code = (await phone.post("/api/device")).json()["code"]
        assert (await tablet.post("/api/device/claim", json={"code": code.lower()})).json()["name"] == "Ann"
        again = await third.post("/api/device/claim", json={"code": code})
        assert (again.status_code, again.json()["error"]["kind"]) == (401, "unauthenticated")
        assert (await phone.get("/api/me")).json() == (await tablet.get("/api/me")).json()


async def test_a_session_ends_by_logging_out_here_or_on_another_device(app: AppServer) -> None:
    async with app.guest("Ann") as phone, app.client() as tablet:
        await tablet.post("/api/device/claim", json={"code": (await phone.post("/api/device")).json()["code"]})
        other = next(session for session in (await phone.get("/api/sessions")).json() if not session["current"])
        assert (await phone.delete(f"/api/sessions/{other['id']}")).status_code == 200
        assert (await tablet.get("/api/me")).status_code == 401
        answer = await phone.delete("/api/session")
        assert "Max-Age=0" in answer.headers["set-cookie"]
        assert (await phone.get("/api/me")).status_code == 401


async def test_a_token_is_limited_to_its_scopes_and_has_no_account_access(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        token = (await ann.post("/api/tokens", json={"label": "my bot", "scopes": ["read"]})).json()
        async with app.client(authorization=f"Bearer {token['key']}") as bot:
            assert (await bot.get("/api/me")).json()["name"] == "Ann"
            for path in ("/api/tokens", "/api/sessions", "/api/passkeys"):
                answer = await bot.get(path)
                assert (answer.status_code, answer.json()["error"]["kind"]) == (403, "forbidden")
            rejected = await bot.post("/api/tables", json={"config": {"game": "nimmt"}})
            assert (rejected.status_code, rejected.json()["error"]["kind"]) == (403, "forbidden")
            assert (await ann.delete(f"/api/tokens/{token['id']}")).status_code == 200
            assert (await bot.get("/api/me")).status_code == 401


async def test_a_revocation_by_another_process_takes_effect_within_seconds(serve: Serve) -> None:
    first, other = await serve(), await serve()
    async with (
        first.guest("Ann") as ann,
        other.client(cookie=f"{SESSION_COOKIE}={ann.cookies[SESSION_COOKIE]}") as elsewhere,
    ):
        assert (await elsewhere.get("/api/me")).status_code == 200
        await ann.delete("/api/session")
        for _ in range(200):
            if (await elsewhere.get("/api/me")).status_code == 401:
                break
            await asyncio.sleep(0.1)
        else:
            pytest.fail("the revocation did not take effect")


async def test_a_passkey_is_registered_and_logs_in(app: AppServer) -> None:
    async with app.guest("Ann") as phone, app.client() as laptop:
        for client in (phone, laptop):
            client.headers["host"] = "localhost"
        device = Device("http://localhost", "localhost")
        options = (await phone.post("/api/passkeys/options")).json()
        registered = await phone.post("/api/passkeys", json={"credential": device.create(options), "label": "my phone"})
        assert registered.status_code == 201, registered.text
        assert "set-cookie" in registered.headers, "the key of the guest does not open the account"
        assert [passkey["label"] for passkey in (await phone.get("/api/passkeys")).json()] == ["my phone"]
        options = (await laptop.post("/api/login/passkey/options")).json()
        back = await laptop.post("/api/login/passkey", json={"credential": device.get(options)})
        assert back.json() == (await phone.get("/api/me")).json()
        assert back.json()["guest"] is False


async def test_recovery_codes_replace_the_only_passkey(app: AppServer) -> None:
    async with app.guest("Ann") as phone, app.guest("Bo") as bo, app.client() as laptop:
        phone.headers["host"] = "localhost"
        added = []
        for _ in range(2):
            device = Device("http://localhost", "localhost")
            options = (await phone.post("/api/passkeys/options")).json()
            added.append((await phone.post("/api/passkeys", json={"credential": device.create(options)})).json())
        codes, none = (answer["recovery_codes"] for answer in added)
        assert (len(codes), none) == (10, [])
        player = (await phone.get("/api/me")).json()["handle"]
        assert (await bo.post("/api/account", json={"login": "bo", "password": "correct horse"})).status_code == 200
        new = {"login": "ann", "code": codes[0], "new": "battery staple"}
        for wrong in ({"code": "AAAA-AAAA-AAAA-AAAA"}, {"login": "bo"}):
            assert (await laptop.post("/api/account/recover", json=new | wrong)).status_code == 401
        recovered = await laptop.post("/api/account/recover", json=new)
        assert (recovered.json()["handle"], recovered.json()["login"]) == (player, "ann")
        assert (await phone.get("/api/me")).status_code == 401
        assert (await bo.post("/api/account/recover", json=new | {"login": "cy"})).status_code == 401  # used
        # From now on, the login is needed, too.
        assert (await bo.post("/api/account/recover", json=new | {"login": "cy", "code": codes[1]})).status_code == 401
        assert (await bo.post("/api/account/recover", json=new | {"code": codes[1]})).status_code == 200


async def test_passkeys_require_a_secure_context(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        answer = await ann.post("/api/passkeys/options")
    assert (answer.status_code, answer.json()["error"]["kind"]) == (403, "forbidden")
    assert "https" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("registration", "code", "status"),
    [("closed", None, 403), ("code", None, 403), ("code", "wrong", 403), ("code", "let me in", 200)],
)
async def test_registration_can_be_closed_or_require_a_code(
    serve: Serve, registration: Literal["code", "closed"], code: str | None, status: int
) -> None:
    app = await serve(Settings(registration=registration, registration_code="let me in"))
    async with app.client() as client:
        answer = await client.post("/api/session", json={} if code is None else {"code": code})
    assert answer.status_code == status
    assert answer.json().get("error", {"kind": "forbidden"})["kind"] == "forbidden"


async def test_a_registration_code_may_have_any_characters(serve: Serve) -> None:
    app = await serve(Settings(registration="code", registration_code="gr\u00fcn \u7eff"))
    async with app.client() as client:
        for code, status in (("gr\u00fcn", 403), ("\u7eff", 403), ("gr\u00fcn \u7eff", 200)):
            assert (await client.post("/api/session", json={"code": code})).status_code == status


async def test_a_profile_has_only_public_data(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.client() as anonymous:
        handle = (await ann.get("/api/me")).json()["handle"]
        assert (await anonymous.get(f"/api/players/{handle}")).json() == {
            "handle": handle,
            "name": "Ann",
            "guest": True,
            "face": None,
        }
        assert (await anonymous.get("/api/players/nobody")).status_code == 404


async def test_renaming_takes_effect_immediately_and_validates_the_name(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        assert (await ann.patch("/api/me", json={"name": "  Anna "})).json()["name"] == "Anna"
        assert (await ann.get("/api/me")).json()["name"] == "Anna"
        rejected = await ann.patch("/api/me", json={"name": "\u202eevil"})
        assert (rejected.status_code, rejected.json()["error"]["where"]) == (400, "name")


async def test_a_face_is_shown_in_the_seats_that_the_player_takes_later(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        table = await app.table(ann)
        assert (await bo.get(f"/api/tables/{table}")).json()["room"]["seats"][0]["face"] is None
        assert (await ann.patch("/api/me", json={"face": "fox-3"})).json()["face"] == "fox-3"
        await ann.post(f"/api/tables/{table}/commands", json={"id": "1", "command": "rename", "seat": 0, "name": "Ann"})
        seat = (await bo.get(f"/api/tables/{table}")).json()["room"]["seats"][0]
        assert (seat["name"], seat["face"]) == ("Ann", "fox-3")
        later = (await ann.get(f"/api/tables/{await app.table(ann)}")).json()["room"]["seats"][0]
        assert later["face"] == "fox-3"


async def test_a_face_is_one_of_the_animals_in_one_of_the_colours(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        for face in ("fox", "fox-12", "Fox-1", "wolf-1", "<svg>-1", ""):
            rejected = await ann.patch("/api/me", json={"face": face})
            assert (rejected.status_code, rejected.json()["error"]["kind"]) == (400, "malformed"), face
        assert (await ann.get("/api/me")).json()["face"] is None


async def test_a_client_cannot_set_the_face_of_a_seat(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        table = await app.table(ann)
        command = {"id": "1", "command": "rename", "seat": 0, "name": "Ann", "face": "fox-3"}
        assert (await ann.post(f"/api/tables/{table}/commands", json=command)).status_code == 400


async def test_logging_in_merges_the_guest_of_the_device(app: AppServer) -> None:
    async with app.guest("Ann") as phone, app.guest("Guest") as laptop, app.client() as third:
        await phone.post("/api/account", json={"login": "ann", "password": "correct horse"})
        table = await app.table(laptop)
        token = (await laptop.post("/api/tokens", json={"label": "a bot"})).json()["key"]
        await third.post("/api/device/claim", json={"code": (await laptop.post("/api/device")).json()["code"]})
        account = (await laptop.post("/api/login", json={"login": "ann", "password": "correct horse"})).json()
        assert account == (await phone.get("/api/me")).json()
        for device in (laptop, phone):
            assert [row["id"] for row in (await device.get("/api/me/tables")).json()] == [table]
            assert (await device.get(f"/api/tables/{table}")).json()["room"]["seat"] == 0
        started = await phone.post(f"/api/tables/{table}/commands", json={"id": "1", "command": "start"})
        assert started.status_code == 200
        # Other sessions and tokens of the guest have no access to the account.
        assert (await third.get("/api/me")).status_code == 401
        async with app.client(authorization=f"Bearer {token}") as bot:
            assert (await bot.get("/api/me")).status_code == 401


async def test_logging_in_does_not_merge_two_accounts(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        for client, login in ((ann, "ann"), (bo, "bo")):
            await client.post("/api/account", json={"login": login, "password": "correct horse"})
        await app.table(ann)
        await ann.post("/api/login", json={"login": "bo", "password": "correct horse"})
        assert (await ann.get("/api/me/tables")).json() == []
        await ann.post("/api/login", json={"login": "ann", "password": "correct horse"})
        assert len((await ann.get("/api/me/tables")).json()) == 1


async def test_a_merged_player_keeps_two_seats(app: AppServer) -> None:
    async with app.guest("Ann") as phone, app.guest("Guest") as guest:
        await phone.post("/api/account", json={"login": "ann", "password": "correct horse"})
        table = await app.table(phone, options={"seats": 2, "hand": 1})

        async def ask(**command: object) -> int:
            return (await guest.post(f"/api/tables/{table}/commands", json=command)).status_code

        async def room_view(seat: int | None) -> dict[str, Any]:
            query = "" if seat is None else f"?seat={seat}"
            room: dict[str, Any] = (await guest.get(f"/api/tables/{table}{query}")).json()["room"]
            return room

        assert await ask(id="sit", command="sit") == 200
        assert (await guest.post("/api/login", json={"login": "ann", "password": "correct horse"})).status_code == 200
        assert [(await room_view(seat))["seat"] for seat in (None, 0, 1, 7)] == [0, 0, 1, 0]
        assert await ask(id="pause", command="pause") == await ask(id="resume", command="resume") == 200
        for seat in (0, 1):
            words = (await room_view(seat))["actions"]
            assert await ask(id=f"choose-{seat}", command="choose", seat=seat, action=words[0], decision=0) == 200
        while (now := await room_view(0))["status"] == "active":  # the lowest card may have to take a row
            [seat] = [client for client in (0, 1) if (await room_view(client))["actions"]]
            words = (await room_view(seat))["actions"]
            await ask(
                id=f"row-{now['decision']}", command="choose", seat=seat, action=words[0], decision=now["decision"]
            )
        again = (await guest.post(f"/api/tables/{table}/commands", json={"id": "resync", "command": "rematch"})).json()[
            "table"
        ]
        assert (await phone.get(f"/api/tables/{again}")).json()["room"]["status"] == "active"
