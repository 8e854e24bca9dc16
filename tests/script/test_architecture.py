"""The graph of imports: folders of the page import each other one way, as import contracts ensure it for Python."""

import importlib

import pytest


def test_no_folders_of_the_page_import_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend("script")
    architecture = importlib.import_module("architecture")
    nodes = architecture.merge_cycles(architecture.read_graph("web"))
    assert [node for node in nodes if " and " in node] == []
