"""Check the tensors of `script/train` against the rules and the compiled network; run by `test_train_network.py`."""

import sys
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[2] / "script"))

from critic_model import Critic, Known, win_shares
from deal_tensors import ROW_LENGTH, ROW_TAIL, Lanes, deal, encode, greedy_cards, holders, step
from network_model import SetNetwork
from tests.games.nimmt.batch.scalar_worlds import rules_of
from torch import Tensor
from training_table import RIVAL, Table, label, returns

from faceup.core import SeededGenerator
from faceup.games.nimmt import Rules
from faceup.games.nimmt.actions import play, take
from faceup.games.nimmt.batch import critic, network
from faceup.games.nimmt.batch.network_inputs import inputs, positions
from faceup.games.nimmt.cards import total
from faceup.games.nimmt.placing import cheapest_row
from faceup.games.nimmt.policies import greedy
from faceup.games.nimmt.state import Deal, State

SPECS = (
    "nimmt:cowheadking seats=4",
    "nimmt:cowheadking seats=2",
    "nimmt:cowheadking seats=10",
    "nimmt:tactical deals=1 target=0 seats=3",
    "nimmt:cowheadking seats=3 rows=6 capacity=3 hand=7",
)


class Zero(Critic):
    """A critic that expects nothing."""

    def forward(self, rules: Rules, knowledge: Known) -> tuple[Tensor, Tensor]:
        """Return zeros."""
        del rules
        return torch.zeros_like(knowledge.heads).float(), torch.zeros_like(knowledge.heads).float()


def random_cards(hands: Tensor) -> Tensor:
    return hands.gather(2, torch.rand(hands.shape).masked_fill(hands == 0, -1).argmax(2, keepdim=True))[:, :, 0]


def check_deals_and_inputs(spec: str) -> None:
    rules = rules_of(spec)
    lanes = deal(rules, 5, torch.device("cpu"))
    states: list[State] = []
    for hands, rows in zip(lanes.hands, lanes.rows, strict=True):
        cards = [*hands[:, : rules.hand].flatten().tolist(), *(rows // ROW_TAIL).tolist()]
        states.append(rules.apply(rules.start(), Deal(tuple(cards))).state)
    for _ in range(rules.hand):
        views = [rules.view(state, seat) for state in states for seat in range(rules.seats)]
        encoded = encode(rules, lanes)
        for tensor, array in zip(encoded[:3], inputs(rules, positions(rules, views)), strict=True):
            assert np.allclose(tensor.numpy(), array, atol=1e-5)
        expected = [greedy(rules, view, SeededGenerator(1)) for view in views]
        assert [play(card) for card in greedy_cards(rules, lanes).flatten().tolist()] == expected
        cards = random_cards(lanes.hands)
        step(rules, lanes, cards)
        for lane, plays in enumerate(cards.tolist()):
            state = rules.apply(states[lane], {seat: play(card) for seat, card in enumerate(plays)}).state
            while state.waiting:
                state = rules.apply(state, {state.waiting[0][1]: take(cheapest_row(state.rows))}).state
            states[lane] = state
            rows = [row[-1] * ROW_TAIL + len(row) * ROW_LENGTH + total(row) for row in state.rows]
            assert lanes.rows[lane].tolist() == rows
            assert lanes.heads[lane].tolist() == list(state.heads)


def check_the_network() -> None:
    rules = rules_of(SPECS[0])
    lanes = deal(rules, 9, torch.device("cpu"))
    encoded, net = encode(rules, lanes), SetNetwork()
    net.load_weights(network.load())
    assert all(map(np.array_equal, net.weights(), network.load()))
    count = len(encoded.hands)
    compiled = network.Outputs(
        np.zeros((count, 10, 2), np.float32), np.zeros((count, 2), np.float32), np.zeros((count, 4, 104), np.float32)
    )
    context, card, seat_numbers, hands = (tensor.numpy() for tensor in encoded)
    weights = network.load()
    network.evaluate_inputs(weights, hands.astype(np.uint8), context, card, seat_numbers, *compiled)
    with torch.no_grad():
        policy, value, belief = net(*encoded, belief=True)
    assert np.allclose(policy, compiled.policy, atol=1e-3)
    assert np.allclose(value * torch.tensor([network.HEADS_SCALE, 1]), compiled.value, atol=1e-3)
    assert np.allclose(belief, compiled.belief, atol=1e-3)
    held = holders(lanes).view(9, 4, 104)
    for seat in range(4):
        for away in range(1, 4):
            cards = (held[2, seat] == away).nonzero()[:, 0] + 1
            assert cards.tolist() == lanes.hands[2, (seat + away) % 4].tolist()


def check_the_compiled_critic(spec: str) -> None:
    rules = rules_of(spec)
    table, model = Table(rules, 2, torch.device("cpu")), Critic()
    for cohort in range(rules.hand - 1):
        lanes, cards = table.lanes.take(slice(2 * cohort, 2 * cohort + 2)), rules.hand - cohort
        rows, hands, heads = lanes.rows, lanes.hands[:, :, :cards], lanes.heads
        words = rows // ROW_TAIL << 9 | 51 * (rows % ROW_TAIL // ROW_LENGTH - 1) + rows % ROW_LENGTH
        arrays = (words.numpy().astype(np.uint16), hands.numpy().astype(np.uint8), heads.numpy().astype(np.int16))
        for final in (False, True):
            compiled = critic.evaluate(rules, *arrays, final=final, weights=model.weights(RIVAL))
            knowledge = Known(rows, hands, heads, torch.full_like(heads, RIVAL), torch.full((2,), final))
            with torch.no_grad():
                expected = model(rules, knowledge)
            for index in range(2):
                assert np.allclose(expected[index], compiled[:, :, index], atol=1e-3)


def check_labels() -> None:
    rules = rules_of(SPECS[0])
    table = Table(rules, 3, torch.device("cpu"))
    lanes = table.lanes
    for _ in range(3):
        cards = random_cards(lanes.hands)
        seats = torch.rand(27, rules.seats).argsort(1)
        labels = label(table, Zero(), cards, seats)
        for lane, seat, cost, win in zip(
            range(27), seats[:, 0].tolist(), labels.cost[:, 0], labels.win[:, 0], strict=True
        ):
            for place_, card in enumerate(lanes.hands[lane, seat].tolist()):
                if not card:
                    assert not cost[place_]
                    continue
                copy = Lanes(*(tensor[lane : lane + 1].clone() for tensor in lanes))
                plays = cards[lane : lane + 1].clone()
                plays[0, seat] = card
                step(rules, copy, plays)
                is_last = int(copy.turns) == rules.hand - 1
                if is_last:
                    step(rules, copy, copy.hands[:, :, 0])
                gain = (copy.heads - lanes.heads[lane]).float()[0]
                assert abs(gain[seat] - (gain.sum() - gain[seat]) / 3 - cost[place_]) < 1e-4
                assert abs(win[place_] - (win_shares(copy.heads)[0, seat] if is_last else 0.25)) < 1e-4
        knowledge, end = table.advance(cards)
        assert (knowledge.hands > 0).sum(2).view(3, rules.hand, -1)[:, :, 0].tolist() == [
            list(range(rules.hand, 0, -1))
        ] * 3
        heads, wins = returns(rules, knowledge, end, Zero(), torch.ones(()))
        assert torch.equal(heads, (end - knowledge.heads).float())
        assert torch.equal(wins, win_shares(end))


def check_that_the_critic_treats_seats_alike() -> None:
    rules = rules_of(SPECS[0])
    table = Table(rules, 2, torch.device("cpu"))
    knowledge = Known(table.lanes.rows, table.lanes.hands, table.lanes.heads, table.kinds, table.final)
    order, model = torch.tensor([2, 0, 3, 1]), Critic()
    moved = knowledge._replace(
        hands=knowledge.hands[:, order], heads=knowledge.heads[:, order], kinds=knowledge.kinds[:, order]
    )
    for values, values_moved in zip(model(rules, knowledge), model(rules, moved), strict=True):
        assert torch.allclose(values[:, order], values_moved, atol=1e-4)


if __name__ == "__main__":
    torch.manual_seed(1)
    for name in SPECS:
        check_deals_and_inputs(name)
        check_the_compiled_critic(name)
    check_the_network()
    check_labels()
    check_that_the_critic_treats_seats_alike()
