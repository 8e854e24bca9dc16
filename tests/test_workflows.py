"""The workflows in `.github/workflows` call existing scripts with the least permissions, on all supported Pythons."""

import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # it carries no types

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TEXTS = {path.stem: path.read_text("utf-8") for path in FILES}
WORKFLOWS: dict[str, dict[Any, Any]] = {name: yaml.safe_load(text) for name, text in TEXTS.items()}
JOBS = {(name, job): definition for name, workflow in WORKFLOWS.items() for job, definition in workflow["jobs"].items()}
EVERY_JOB = pytest.mark.parametrize("job", JOBS.values(), ids=[" ".join(key) for key in JOBS])
EVERY_FILE = pytest.mark.parametrize("name", TEXTS)
ON = True
"""The key `on` of a workflow, which YAML 1.1 reads as a boolean."""


@EVERY_FILE
def test_every_script_that_a_workflow_runs_exists(name: str) -> None:
    called = re.findall(r"\bscript/\w+(?:\.py)?", "\n".join(commands(WORKFLOWS[name])))
    assert [path for path in called if not (ROOT / path).is_file()] == []
    assert [path for path in called if not path.endswith(".py") and not os.access(ROOT / path, os.X_OK)] == []


def commands(workflow: dict[Any, Any]) -> list[str]:
    """Return the commands of all jobs of a workflow."""
    return [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]


@EVERY_FILE
def test_permissions_are_granted_to_jobs_alone(name: str) -> None:
    assert WORKFLOWS[name]["permissions"] == {}


@EVERY_JOB
def test_every_job_has_a_time_limit_and_states_its_permissions(job: dict[str, Any]) -> None:
    assert job["timeout-minutes"] <= 180
    assert set(job["permissions"].values()) <= {"read", "write"}


@EVERY_JOB
def test_a_checkout_leaves_no_credentials_behind(job: dict[str, Any]) -> None:
    checkouts = [step for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")]
    assert [step for step in checkouts if step["with"].get("persist-credentials") is not False] == []


@EVERY_FILE
def test_every_action_is_pinned_to_a_commit_or_marked(name: str) -> None:
    used = re.findall(r"uses: (\S+)@(\S+)(.*)", TEXTS[name])
    pinned = r"[0-9a-f]{40} # v\d+\.\d+\.\d+"
    assert [use for use in used if not re.fullmatch(rf"{pinned}|\S+ # unpinned: .+", f"{use[1]}{use[2]}")] == []


def test_one_version_of_each_action_is_used() -> None:
    used = {tuple(use) for text in TEXTS.values() for use in re.findall(r"uses: ([\w-]+/[\w-]+)\S*@(\S+)", text)}
    assert len({action for action, _ in used}) == len(used)


def test_a_pull_request_publishes_nothing() -> None:
    writing = {
        job
        for (name, job), definition in JOBS.items()
        if name == "release" and "write" in definition["permissions"].values()
    }
    assert writing == {"pypi", "github", "ghcr", "rehearsal"}
    jobs = WORKFLOWS["release"]["jobs"]
    assert jobs["pypi"]["if"] == "github.event_name == 'push'"
    assert jobs["rehearsal"]["if"] == "github.event_name == 'workflow_dispatch'"
    assert jobs["github"]["needs"] == jobs["ghcr"]["needs"] == ["pypi"]
    assert WORKFLOWS["release"][ON]["push"] == {"tags": ["v[0-9]+.[0-9]+.[0-9]+"]}


def test_a_rehearsal_publishes_on_the_test_index_alone() -> None:
    """Jobs without a condition run in a rehearsal, too, and those that need a skipped job do not."""
    jobs = WORKFLOWS["release"]["jobs"]
    uses = [step for step in jobs["rehearsal"]["steps"] if "pypi-publish" in step.get("uses", "")]
    assert [step["with"]["repository-url"] for step in uses] == ["https://test.pypi.org/legacy/"]
    assert jobs["rehearsal"]["environment"]["name"] != jobs["pypi"]["environment"]["name"]


def test_the_image_is_built_and_started_for_both_processors() -> None:
    job = WORKFLOWS["release"]["jobs"]["image"]
    assert {entry["processor"] for entry in job["strategy"]["matrix"]["include"]} == {"amd64", "arm64"}
    [start] = [step["run"] for step in job["steps"] if "docker compose up" in step.get("run", "")]
    assert "--pull never" in start
    [push] = [step["run"] for step in WORKFLOWS["release"]["jobs"]["ghcr"]["steps"] if "run" in step]
    assert '"$IMAGE:$version-amd64" "$IMAGE:$version-arm64"' in push


def test_no_package_can_come_from_another_index_than_its_own() -> None:
    """With an extra index, the highest version wins: anyone could publish one of our names there."""
    for text in TEXTS.values():
        assert not re.search(r"extra.index|EXTRA_INDEX", text)


def test_no_workflow_runs_code_of_a_fork_with_secrets() -> None:
    triggers = {trigger for workflow in WORKFLOWS.values() for trigger in workflow[ON]}
    assert triggers <= {"push", "pull_request", "schedule", "workflow_dispatch"}


def test_every_supported_python_is_tested() -> None:
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["classifiers"]
    supported = set(re.findall(r"Python :: (3\.\d+)", "\n".join(classifiers)))
    assert supported <= set(WORKFLOWS["check"]["jobs"]["quick"]["strategy"]["matrix"]["python"])


def test_issue_forms_and_dependency_updates_are_complete() -> None:
    for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"):
        form = yaml.safe_load(path.read_text("utf-8"))
        assert path.stem == "config" or {"name", "description", "body"} <= form.keys()
    updates = yaml.safe_load((ROOT / ".github" / "dependabot.yml").read_text("utf-8"))["updates"]
    assert {update["package-ecosystem"] for update in updates} >= {"uv", "npm", "github-actions", "docker"}
