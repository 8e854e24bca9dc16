"""The graphs of imports: folders of the page, and of the server with the roles of its features, import one way."""

import importlib

import pytest


@pytest.mark.parametrize("expanded", ["server", "web"])
def test_no_folders_import_each_other(monkeypatch: pytest.MonkeyPatch, expanded: str) -> None:
    monkeypatch.syspath_prepend("script")
    architecture = importlib.import_module("architecture")
    nodes = architecture.merge_cycles(architecture.read_graph(expanded))
    assert [node for node in nodes if " and " in node] == []
