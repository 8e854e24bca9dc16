"""What OpenAPI and the types promise, asked for at random: whatever comes, the answer is one of those that are said."""

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
from tests.server.inside import Wired, in_background
from websockets.sync.client import connect

from faceup.server.api import Limits, Rate
from faceup.server.api.cookies import NAME
from faceup.server.api.frames import FRAMES, AskRematch, Pong

NO_HTTPS: Final = False
"""Reading the certificates of the world takes a tenth of a second each time."""

ANY: Final = Rate(1e9, 1e9)
ENDLESS: Final = Limits(
    commands=ANY,
    requests=ANY,
    from_address=ANY,
    players=ANY,
    attempts=ANY,
    attempts_by_login=ANY,
    codes=ANY,
    tables=ANY,
)


@pytest.fixture(scope="module", autouse=True)
def _hypothesis_as_it_was() -> Iterator[None]:
    """Schemathesis keeps Hypothesis from saying with what a test failed: in this module only."""
    with pytest.MonkeyPatch.context() as kept:
        kept.setattr(core, "RepresentationPrinter", vars(core)["RepresentationPrinter"])
        yield


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wired]:
    with in_background(tmp_path_factory.mktemp("promises") / "t.sqlite", ENDLESS) as serving:
        yield serving


def arrived(server: Wired) -> httpx.Cookies:
    """The cookies of somebody who has just come in."""
    return httpx.post(f"{server.base}/api/session", json={}, verify=NO_HTTPS).cookies


@pytest.fixture(scope="module")
def ann(server: Wired) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.base, verify=NO_HTTPS) as client:
        client.post("/api/session", json={"name": "Ann"}).raise_for_status()
        yield client


@pytest.fixture
def table(ann: httpx.Client) -> str:
    """One for each test: what is asked of it may end it."""
    made: str = ann.post("/api/tables", json={"opening": {"game": "nimmt", "bots": ["greedy"]}}).json()["id"]
    return made


def hold_to(server: Wired, ann: httpx.Client, table: str, examples: int) -> int:
    """Ask every operation for as many things that fit its schema and that do not; how many answers there were."""
    schema = schemathesis.openapi.from_dict(ann.get("/api/openapi.json").json())
    answers = 0
    for found in schema.get_all_operations():
        operation: Any = found.ok()  # type: ignore[union-attr]  # Any: schemathesis has a type for each kind of API
        if operation.path.endswith("/stream"):
            continue  # it has no end
        # Whoever plays stays logged in; others may be asked to log out.
        cookies = dict(ann.cookies if "{table}" in operation.path else arrived(server))
        many = examples if operation.body else 1
        answers += ask(server, operation, GenerationMode.POSITIVE, many, {"table": table}, cookies)
        if operation.body:
            answers += ask(server, operation, GenerationMode.NEGATIVE, many, {"table": table}, cookies)
    return answers


def ask(  # noqa: PLR0917 -- of one place
    server: Wired,
    operation: Any,
    mode: GenerationMode,
    examples: int,
    known: dict[str, str],
    cookies: dict[str, str],
) -> int:
    """Ask one operation; how many answers there were."""
    answers = 0
    checks = [CHECKS.get_one(name) for name in CHECKS.get_all_names()]
    # A schema cannot say which games there are, what a passkey is, or which text is a name.
    checks = [check for check in checks if check.__name__ != "positive_data_acceptance"]

    @seed(1)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def held(case: Any) -> None:  # Any: as above
        nonlocal answers
        case.path_parameters.update({name: value for name, value in known.items() if name in case.path_parameters})
        answer = case.call(base_url=server.base, cookies=cookies)
        assert answer.status_code < 500, answer.text
        case.validate_response(answer, checks=checks)
        answers += 1

    held()
    return answers


@pytest.mark.slow
def test_every_operation_answers_as_openapi_says(server: Wired, ann: httpx.Client, table: str) -> None:
    assert hold_to(server, ann, table, 2) > 40


@pytest.mark.long
def test_every_operation_answers_as_openapi_says_a_hundred_times(server: Wired, ann: httpx.Client, table: str) -> None:
    assert hold_to(server, ann, table, 100) > 1000


def frames() -> st.SearchStrategy[str]:
    """Frames that fit their types, frames that nearly do, and what is no frame."""
    # A table that is closed would answer nothing else any more.
    kinds = [kind for kind in FRAMES if kind.__struct_config__.tag != "close"]
    fitting = st.one_of([*map(_fields, kinds), _fields(AskRematch), _fields(Pong)])
    anything = st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
        max_leaves=8,
    )
    spoilt = st.builds(lambda frame, key, value: {**frame, key: value}, fitting, _NAMES, anything)
    return st.one_of(fitting.map(json.dumps), spoilt.map(json.dumps), anything.map(json.dumps), st.text(max_size=50))


_NAMES: Final = st.sampled_from(["id", "do", "seat", "action", "decision", "name", "kind", "more"])


def _fields(kind: type[msgspec.Struct]) -> st.SearchStrategy[dict[str, Any]]:
    fields = {field.name: st.from_type(field.type) for field in msgspec.structs.fields(kind)}
    fields["do"] = st.just(str(kind.__struct_config__.tag))
    if "id" in fields:
        fields["id"] = st.from_regex(r"[A-Za-z0-9_.:-]{1,64}", fullmatch=True)
    if "seat" in fields:
        fields["seat"] = st.integers(-1, 5) | st.integers()
    if "action" in fields:
        fields["action"] = st.integers(0, 110).map("play {}".format) | st.text(max_size=30) | st.none()
    return st.fixed_dictionaries(fields)


def test_every_frame_is_answered_by_an_acknowledgement_or_a_refusal_that_is_no_failure(
    server: Wired, ann: httpx.Client, table: str
) -> None:
    address = f"{server.base.replace('http', 'ws')}/api/tables/{table}/live"
    refused: set[str] = set()

    @seed(1)
    @settings(max_examples=60, deadline=None, database=None, phases=[Phase.generate])
    @given(frame=frames())
    def send(frame: str) -> None:
        wire.send(frame)
        wire.send('{"id":"after","do":"mark","seat":0,"action":"nothing","decision":0}')
        while True:
            for line in str(wire.recv(timeout=30)).splitlines():
                told = json.loads(line)
                if told.get("refused") == "after":
                    return
                if "refused" in told:
                    assert told["error"]["kind"] != "internal", frame
                    assert told["error"]["message"]
                    refused.add(told["error"]["kind"])

    with connect(address, additional_headers={"cookie": f"{NAME}={ann.cookies[NAME]}"}) as wire:
        send()
    assert len(refused) >= 3
