"""Language models at an endpoint: decisions, second attempts, errors, the log, and matches in the arena."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.llm.endpoint import completion, endpoint, last_answer

from faceup.core import Malformed, generator, make, read
from faceup.envs import single_env
from faceup.llm import LanguagePlayer, Model, ModelError
from faceup.llm.player import ModelDecision

KEY = "sk-a-secret-of-this-test"
POSITION = "nimmt seats=2 hand=2 | view=0 sizes=2,2 hand=92,99 rows=77/21/29/74 opening=77,21,29,74"


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the endpoint's key."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.mark.usefixtures("key")
def test_model_chooses_and_tokens_are_counted() -> None:
    rules, view = read(POSITION)
    log: list[ModelDecision] = []
    with endpoint(last_answer) as server:
        player = LanguagePlayer(Model("stub", url=server.url).ask, model="stub", prices=(2.0, 10.0), log=log.append)
        assert rules.describe(player(rules, view, generator(1))) == "play 99"
    [request] = server.requests
    assert request["model"] == "stub"
    assert [message["role"] for message in request["messages"]] == ["system", "user"]
    assert server.keys == [f"Bearer {KEY}"]
    [decision] = log
    assert (decision.answer, decision.fault, decision.prompt_tokens, decision.cost) == ("play 99", "", 900, 0.002)
    assert player.total()["completion_tokens"] == 20


def test_model_is_asked_again_with_the_error() -> None:
    rules, view = read(POSITION)
    replies = iter(["I like 92.", "ANSWER: play 92"])
    with endpoint(lambda _: (200, completion(next(replies)))) as server:
        player = LanguagePlayer(Model("stub", url=server.url).ask, model="stub")
        assert rules.describe(player(rules, view, generator(1))) == "play 92"
    assert "got 'I like 92.'" in server.requests[1]["messages"][-1]["content"]
    assert (player.decisions, player.faults, player.prompt_tokens) == (1, 0, 1800)


def test_model_that_names_no_answer_is_at_fault() -> None:
    rules, view = read(POSITION)
    with endpoint(lambda _: (200, completion("No idea."))) as server:
        player = LanguagePlayer(Model("stub", url=server.url).ask, model="stub", attempts=3)
        with pytest.raises(Malformed, match="must end with ANSWER:"):
            player(rules, view, generator(1))
    assert len(server.requests) == 3
    assert player.faults == 1


def test_only_choice_is_not_asked_for() -> None:
    rules, view = read(
        "nimmt seats=2 hand=2 | view=0 sizes=1,1 hand=99 rows=10/21/29/74,92 taken=-/77 heads=0,5 "
        "opening=77,21,29,74 log=92,10>0"
    )
    with endpoint(last_answer) as server:
        LanguagePlayer(Model("stub", url=server.url).ask, model="stub")(rules, view, generator(1))
    assert not server.requests


@pytest.mark.usefixtures("key")
@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        (401, {"error": {"message": f"Incorrect API key provided: {KEY}"}}, r"Incorrect API key provided: \*\*\*"),
        (404, {"error": {"message": "there is no model stub"}}, "there is no model stub"),
        (200, "not JSON", "the answer is not JSON"),
        (200, {}, "not a chat completion"),
        (200, {"choices": []}, "not a chat completion"),
    ],
)
def test_error_of_the_endpoint_is_named_without_the_key(status: int, body: Any, message: str) -> None:
    rules, view = read(POSITION)
    with endpoint(lambda _: (status, body)) as server, pytest.raises(ModelError, match=message) as caught:
        LanguagePlayer(Model("stub", url=server.url, retries=0).ask, model="stub")(rules, view, generator(1))
    assert KEY not in str(caught.value)
    assert server.url in str(caught.value)


def test_passing_errors_are_repeated() -> None:
    rules, view = read(POSITION)
    statuses = iter([500, 200])
    with endpoint(lambda body: (next(statuses), last_answer(body)[1])) as server:
        player = LanguagePlayer(Model("stub", url=server.url).ask, model="stub")
        assert rules.describe(player(rules, view, generator(1))) == "play 99"
    assert len(server.requests) == 2


def test_model_is_an_opponent_in_environments() -> None:
    with endpoint(last_answer) as server:
        player = LanguagePlayer(Model("stub", url=server.url).ask, model="stub")
        env = single_env("nimmt:cowheadking", seats=2, hand=2, opponents=player)
        env.reset(seed=7)
        env.step(int(env.action_masks().argmax()))
    assert player.decisions == 1


@pytest.mark.usefixtures("key")
def test_model_plays_a_match_in_the_arena(tmp_path: Path) -> None:
    log = tmp_path / "decisions.jsonl"
    with endpoint(last_answer) as server:
        program = f"{sys.executable} -m faceup llm stub --url {server.url} --prices 2 10 --log {log}"
        command = [sys.executable, "-m", "faceup", "arena", "match", "--game", "nimmt:cowheadking", "--seats", "2"]
        command += ["--protocol", "json", "--seed", "7", "--format", "json", "--time", "60000+60000"]
        command += ["--env", "OPENAI_API_KEY", "--", program, "greedy"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=150)
    assert done.returncode == 0, done.stderr
    match = json.loads(done.stdout)
    decisions = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert 9 <= len(decisions) == len(server.requests)
    assert all(decision["cost"] for decision in decisions)
    assert len(match["scores"]) == 2
    assert set(server.keys) == {f"Bearer {KEY}"}
    assert KEY not in done.stdout + done.stderr + log.read_text("utf-8")


def test_prompt_is_printed() -> None:
    command = [sys.executable, "-m", "faceup", "llm", "--prompt", "nimmt:classic"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert printed.startswith("version 1-")
    assert "nimmt:classic" in printed
    assert make("nimmt:classic").describe(0) in printed


def test_model_must_be_named() -> None:
    command = [sys.executable, "-m", "faceup", "llm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "name a model, or use --prompt GAME" in done.stderr


@pytest.mark.sample(1)
@pytest.mark.parametrize("line", ["rubbish", "[]", '{"position": 3}', '{"position": "nimmt | rubbish"}'])
def test_line_that_is_no_message_is_refused(line: str) -> None:
    command = [sys.executable, "-m", "faceup", "llm", "stub", "--url", "http://127.0.0.1:9/v1"]
    done = subprocess.run(command, input=line + "\n", capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
