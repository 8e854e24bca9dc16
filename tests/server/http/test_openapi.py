"""Random requests and messages get only the responses described by OpenAPI."""

import json
from collections.abc import Iterator
from typing import Any, Final

import httpx
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, core, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS
from tests.server.app_server import ListeningServer, in_background
from websockets.sync.client import connect

from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.http.schemas import CLIENT_MESSAGES, Pong, RematchRequest
from faceup.server.rooms.wire import SESSION_COOKIE

NO_HTTPS: Final = False
"""For `verify`: loading the system's certificates takes 0.1 s each time."""

ANY: Final = RateLimit(1e9, 1e9)
ENDLESS: Final = ServerLimits(
    commands=ANY,
    requests=ANY,
    per_address=ANY,
    attempts=ANY,
    attempts_by_player=ANY,
    codes=ANY,
    tables=ANY,
)


@pytest.fixture(scope="module", autouse=True)
def _restore_hypothesis() -> Iterator[None]:
    """Restore Hypothesis' reports of failing examples, which Schemathesis turns off, in this module only."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core, "RepresentationPrinter", vars(core)["RepresentationPrinter"])
        yield


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ListeningServer]:
    with in_background(tmp_path_factory.mktemp("openapi") / "t.sqlite", ENDLESS) as serving:
        yield serving


def guest_cookies(server: ListeningServer) -> httpx.Cookies:
    """Return the cookies of a new guest."""
    return httpx.post(f"{server.base}/api/session", json={}, verify=NO_HTTPS).cookies


@pytest.fixture(scope="module")
def ann(server: ListeningServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.base, verify=NO_HTTPS) as client:
        client.post("/api/session", json={"name": "Ann"}).raise_for_status()
        yield client


@pytest.fixture
def table(ann: httpx.Client) -> str:
    """Create a table for each test, because requests may close it."""
    made: str = ann.post("/api/tables", json={"config": {"game": "nimmt", "bots": ["greedy"]}}).json()["id"]
    return made


def check_operations(server: ListeningServer, ann: httpx.Client, table: str, examples: int) -> int:
    """Send valid and invalid requests to every operation; return the number of responses."""
    schema = schemathesis.openapi.from_dict(ann.get("/api/openapi.json").json())
    answers = 0
    for documented in schema.get_all_operations():
        operation = documented.ok()
        if operation.path.endswith("/stream"):
            continue  # an endless response
        # Requests to tables use one session; others get a new one, because they may end it.
        cookies = dict(ann.cookies if "{table}" in operation.path else guest_cookies(server))
        many = examples if operation.body else 1
        answers += check_operation(server, operation, GenerationMode.POSITIVE, many, {"table": table}, cookies)
        if operation.body:
            answers += check_operation(server, operation, GenerationMode.NEGATIVE, many, {"table": table}, cookies)
    return answers


def check_operation(  # noqa: PLR0917 -- one caller
    server: ListeningServer,
    operation: Any,
    mode: GenerationMode,
    examples: int,
    parameters: dict[str, str],
    cookies: dict[str, str],
) -> int:
    """Send generated requests to an operation; return the number of responses."""
    answers = 0
    checks = [CHECKS.get_one(name) for name in CHECKS.get_all_names()]
    # The schema cannot describe all rules, such as the names of games, passkeys, and valid names.
    checks = [check for check in checks if check.__name__ != "positive_data_acceptance"]

    @seed(1)
    @settings(
        max_examples=examples,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def check(case: Any) -> None:  # Any: as above
        nonlocal answers
        case.path_parameters.update({name: value for name, value in parameters.items() if name in case.path_parameters})
        answer = case.call(base_url=server.base, cookies=cookies)
        assert answer.status_code < 500, answer.text
        case.validate_response(answer, checks=checks)
        answers += 1

    check()
    return answers


@pytest.mark.slow
def test_every_response_conforms_to_openapi(server: ListeningServer, ann: httpx.Client, table: str) -> None:
    assert check_operations(server, ann, table, 1) > 40


@pytest.mark.long
def test_every_response_conforms_to_openapi_in_a_hundred_examples(
    server: ListeningServer, ann: httpx.Client, table: str
) -> None:
    assert check_operations(server, ann, table, 100) > 1000


def frames() -> st.SearchStrategy[str]:
    """Generate valid, nearly valid and invalid messages."""
    # A closed table rejects all later commands.
    kinds = [kind for kind in CLIENT_MESSAGES if kind.__struct_config__.tag != "close"]
    valid = st.one_of([*map(_fields, kinds), _fields(RematchRequest), _fields(Pong)])
    anything = st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
        max_leaves=8,
    )
    modified = st.builds(lambda frame, key, value: {**frame, key: value}, valid, _NAMES, anything)
    return st.one_of(valid.map(json.dumps), modified.map(json.dumps), anything.map(json.dumps), st.text(max_size=50))


_NAMES: Final = st.sampled_from(["id", "command", "seat", "action", "decision", "name", "kind", "more"])


def _fields(kind: type[msgspec.Struct]) -> st.SearchStrategy[dict[str, Any]]:
    fields = {field.name: st.from_type(field.type) for field in msgspec.structs.fields(kind)}
    fields["command"] = st.just(str(kind.__struct_config__.tag))
    if "id" in fields:
        fields["id"] = st.from_regex(r"[A-Za-z0-9_.:-]{1,64}", fullmatch=True)
    if "seat" in fields:
        fields["seat"] = st.integers(-1, 5) | st.integers()
    if "action" in fields:
        fields["action"] = st.integers(0, 110).map("play {}".format) | st.text(max_size=30) | st.none()
    return st.fixed_dictionaries(fields)


def test_no_message_causes_an_internal_error(server: ListeningServer, ann: httpx.Client, table: str) -> None:
    address = f"{server.base.replace('http', 'ws')}/api/tables/{table}/live"
    kinds_of_errors: set[str] = set()

    @seed(1)
    @settings(database=None, phases=[Phase.generate])
    @given(frame=frames())
    def send(frame: str) -> None:
        wire.send(frame)
        wire.send('{"id":"after","command":"mark","seat":0,"action":"nothing","decision":0}')
        while True:
            for line in str(wire.recv(timeout=30)).splitlines():
                message = json.loads(line)
                if message.get("rejected") == "after":
                    return
                if "rejected" in message:
                    assert message["error"]["kind"] != "internal", frame
                    assert message["error"]["message"]
                    kinds_of_errors.add(message["error"]["kind"])

    with connect(address, additional_headers={"cookie": f"{SESSION_COOKIE}={ann.cookies[SESSION_COOKIE]}"}) as wire:
        send()
    assert len(kinds_of_errors) >= 3
