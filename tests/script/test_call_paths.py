"""The pictures of call paths are made from source code: each step must exist and contain what leads to the next one."""

import importlib
from types import ModuleType

import pytest


@pytest.fixture
def call_paths(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend("script")
    return importlib.import_module("call_paths")


def test_a_step_that_the_code_lacks_is_an_error(call_paths: ModuleType) -> None:
    for step, message in (
        ("server/live/hub.py TableHub.send -> room.shout(", "does not contain"),
        ("server/live/hub.py TableHub.shout", "does not define"),
        ("web/parties/requests.js joinParty -> leaveParty(", "does not contain"),
        ("web/parties/party-join.js PartyJoinPage.#leave", "does not define"),
        ("web/parties/party-join.js PartyPage.#join", "does not define"),
    ):
        with pytest.raises(ValueError, match=message):
            call_paths.read_steps(step)


def test_a_step_ends_with_its_function(call_paths: ModuleType) -> None:
    assert "leaveParty" not in call_paths.source_of("web/parties/requests.js", "joinParty")
    assert "class" not in call_paths.source_of("web/parties/party-join.js", "PartyJoinPage.#join")
    assert call_paths.source_of("server/parties/schema.py", "party_members").startswith("party_members: Final = Table(")


def test_a_picture_has_each_step_and_arrow_once(call_paths: ModuleType) -> None:
    picture = call_paths.draw_steps(
        "table/decide.py step -> _automatic_entry(\ntable/decide.py _reveal\n\n"
        "table/decide.py step -> _automatic_entry(\ntable/decide.py _reveal"
    )
    assert picture.splitlines()[2:-1] == [
        '  subgraph table["table/"]',
        '    step0["decide.py<br>step"]',
        '    step1["decide.py<br>_reveal"]',
        "  end",
        '  step0 -->|"_automatic_entry"| step1',
    ]
