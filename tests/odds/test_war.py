"""The odds of War, sampled: six settings, each with its intervals."""

import pytest

from faceup.core import Malformed
from faceup.odds.war import COLLECT, report, sample, settings


def test_each_collecting_order_is_played_reshuffled_and_never_reshuffled() -> None:
    found = settings("cap=20", 50, 3)
    assert [(each.collect, each.reshuffle) for each in found] == [(order, n) for order in COLLECT for n in (100, 0)]
    played = tuple(list(sample(each, 1))[-1] for each in found)
    told = report(played)
    assert told["cap"] == 20
    for each in told["settings"]:
        low, high = each["cap"]["interval"]
        assert low <= each["cap"]["probability"] <= high
        assert each["cap"]["count"] > 0
        assert each["rounds"]["least"] <= each["rounds"]["p50"] <= each["rounds"]["most"]


def test_sampling_again_gives_the_same() -> None:
    one, other = ([list(sample(each, jobs))[-1].counts for each in settings("", 30, 9)] for jobs in (1, 2))
    assert one == other


@pytest.mark.parametrize(("options", "deals"), [("cap=0", 10), ("", 0), ("capp=3", 10)])
def test_settings_that_cannot_be_are_refused(options: str, deals: int) -> None:
    with pytest.raises(Malformed):
        settings(options, deals, 1)
