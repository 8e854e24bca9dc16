"""The network as text and without compiled code: it plays like the compiled network."""

from typing import Any

import numpy as np
import pytest
from tests.games.nimmt.batch.scalar_worlds import position, rules_of
from tests.games.nimmt.batch.test_network import random_weights

from faceup.bots.programs.export import bundle_source
from faceup.games.nimmt.batch import network, network_export
from faceup.games.nimmt.batch.network_export import LAYERS, PackedNetwork, pack, rate_cards, unpack
from faceup.games.nimmt.batch.network_inputs import Positions, inputs, positions
from faceup.games.nimmt.state import View

RULES = rules_of("nimmt:arena")


@pytest.fixture(scope="module")
def views() -> list[View]:
    """Return views of seats that choose one of several cards."""
    views = []
    for seed in range(360):
        state = position(RULES, seed, seed % 9)
        if not state.waiting:
            views += [RULES.view(state, seat) for seat in RULES.to_act(state) if len(state.hands[seat]) > 1]
    return views


@pytest.fixture(scope="module")
def text() -> str:
    """Return a network packed with less work than for an export."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network_export, "MATCHES", 6)
        patch.setattr(network_export, "TRIALS", 4)
        return pack(62_000)


def test_layers_without_compiled_code_are_those_of_the_network(views: list[View]) -> None:
    weights = random_weights(5)
    observed = positions(RULES, views[:50])
    layers = network_export._layers(weights)
    assert {name: matrix.shape for name, (matrix, _) in layers.items()} == LAYERS
    rated = rate_cards(layers, observed.hands, *inputs(RULES, observed))
    there = observed.hands > 0
    assert np.isneginf(rated[~there]).all()
    expected = network.evaluate(RULES, views[:50], weights).policy
    np.testing.assert_allclose(rated[there], expected[there], rtol=1e-3, atol=1e-3)


@pytest.mark.long
def test_a_packed_network_chooses_as_the_network_in_nearly_all_positions(views: list[View], text: str) -> None:
    assert len(text) <= 62_000
    assert text.isascii()
    assert not {*text} & {*"'\\\n"}
    observed = positions(RULES, views)
    expected = network.evaluate(RULES, views).policy
    rated = rate_cards(unpack(text), observed.hands, *inputs(RULES, observed))
    there, every = observed.hands > 0, np.arange(len(views))
    for measure in range(2):
        ratings = np.where(there, expected[:, :, measure], -np.inf)
        chances = np.exp(ratings - ratings.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        best, chosen = ratings.argmax(axis=1), rated[:, :, measure].argmax(axis=1)
        assert (best == chosen).mean() > 0.8
        assert (chances[every, best] - chances[every, chosen]).mean() < 0.07  # where it differs, it matters little


def test_white_space_in_the_text_is_ignored(text: str) -> None:
    split = "\n".join([text[:1000], text[1000:2000], text[2000:] + "\n"])
    other = unpack(split)
    for name, (matrix, bias) in unpack(text).items():
        assert np.array_equal(matrix, other[name][0])
        assert np.array_equal(bias, other[name][1])


def test_the_bundled_encoder_computes_the_compiled_numbers(views: list[View]) -> None:
    module = "faceup.games.nimmt.batch.network_inputs"
    source = bundle_source([(module, "inputs"), (module, "positions")], compact=True)
    assert "numba" not in source
    namespace: dict[str, Any] = {}  # Any: functions and classes
    exec(f"from __future__ import annotations\n{source}", namespace)  # noqa: S102 -- the bundle is the subject
    sample = views[::20]
    observed = positions(RULES, sample)
    bundled = namespace["positions"](RULES, sample)
    for name in Positions._fields:
        assert np.array_equal(getattr(bundled, name), getattr(observed, name)), name
    for expected, other in zip(namespace["inputs"](RULES, bundled), inputs(RULES, observed), strict=True):
        np.testing.assert_allclose(expected, other, atol=1e-5)


def test_the_network_plays_to_win_only_at_the_end_of_the_last_deal(views: list[View], text: str) -> None:
    packed, rng = PackedNetwork(text), None
    late = [view for view in views if len(view.hand) == 4][:20]
    observed = positions(RULES, late)
    rated = rate_cards(packed.layers, observed.hands, *inputs(RULES, observed))
    for deals, measure in ((5, 0), (1, 1)):
        rules = rules_of(f"nimmt:cowheadking seats=4 deals={deals}")
        chosen = [packed(rules, view, rng) + 1 for view in late]  # type: ignore[arg-type]  # it draws nothing
        assert chosen == [view.hand[best] for view, best in zip(late, rated[:, :, measure].argmax(axis=1), strict=True)]


def test_a_text_that_is_too_short_for_the_network_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network_export, "MATCHES", 1)
    monkeypatch.setattr(network_export, "TRIALS", 1)
    with pytest.raises(ValueError, match="does not fit in 1,000 characters"):
        pack(1000)
