"""Work on a cluster gives the local results, and an unreachable cluster is reported within seconds."""

import sys
from time import monotonic

import pytest
from tests.server.server_process import free_port

from faceup import extras
from faceup.cluster import connect
from faceup.core import Malformed


@pytest.mark.long
@pytest.mark.slow
def test_a_scheduler_that_does_not_answer_is_said_in_seconds() -> None:
    start = monotonic()
    with (
        pytest.raises(Malformed, match=r"no Dask scheduler answers at tcp://127.0.0.1:\d+"),
        connect(f"tcp://127.0.0.1:{free_port()}", 1),
    ):
        pass
    assert monotonic() - start < 30


@pytest.mark.slow
def test_an_address_that_is_none_is_said() -> None:
    with pytest.raises(Malformed, match="no Dask scheduler answers at nonsense"), connect("nonsense://x:1", 1):
        pass


@pytest.mark.parametrize("jobs", [0, 1025])
def test_no_workers_or_too_many_are_refused(jobs: int) -> None:
    with pytest.raises(Malformed, match=f"jobs must be 1 to 1024; got {jobs}"), connect(None, jobs):
        pass


def test_where_dask_is_not_installed_the_command_that_installs_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.setattr(extras, "is_installed", extras.is_installed.__wrapped__)
    with pytest.raises(extras.MissingExtraError, match=r"the engine dask needs the cluster extra"), connect(None, 1):
        pass
