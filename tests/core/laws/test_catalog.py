"""The numbered list of laws matches the laws."""

from importlib import import_module

import pytest

from faceup.core import laws


def test_the_laws_are_numbered_in_the_order_in_which_they_are_checked() -> None:
    assert [entry.number for entry in laws.CATALOG] == list(range(1, len(laws.CATALOG) + 1))
    names = [entry.name for entry in laws.CATALOG]
    checked = [law.__name__.replace("_", "-") for law in laws.LAWS]
    assert checked == [name for name in names if name in checked]
    assert set(names) - set(checked) == {"uniformity", "termination", "batch-equality"}


@pytest.mark.parametrize("entry", laws.CATALOG, ids=lambda entry: entry.name)
def test_each_law_has_one_sentence_each_and_a_function(entry: laws.LawEntry) -> None:
    for sentence in (entry.requirement, entry.consequence):
        assert sentence.endswith(".")
        assert ". " not in sentence
    module, _, name = entry.function.rpartition(".")
    assert callable(getattr(import_module(module), name))


def test_an_unknown_law_has_no_label() -> None:
    assert laws.label("legality") == "law 1, legality"
    with pytest.raises(KeyError):
        laws.label("non_interference")
