"""Train with PPO of TorchRL: four seats share a network and learn by self-play, on faceup's PettingZoo environment."""

import argparse

import torch
from evaluate import report
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.envs import PettingZooWrapper
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor
from torchrl.objectives import ClipPPOLoss, ValueEstimators

from faceup.envs import parallel_env

GAME = "nimmt:cowheadking seats=4"
SEATS, BATCH = 4, 512  # a batch has this many steps, with a decision of each seat

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument(
    "--steps",
    type=int,
    default=24_576,
    help="decisions to learn from, 2,048 at a time; small numbers only try the program (default %(default)s)",
)
options = parser.parse_args()
if options.steps < 1:
    parser.error("--steps must be 1 or more")

torch.set_num_threads(1)
torch.manual_seed(1)
table = parallel_env(GAME)
size = table.observation_space("seat_0")["observation"].shape[0]
env = PettingZooWrapper(table, use_mask=True)  # puts all seats into the group "seat"
env.set_seed(1)

seen, mask, action = ("seat", "observation", "observation"), ("seat", "action_mask"), ("seat", "action")
body = TensorDictModule(MLP(size, table.wait + 1, num_cells=[128, 128]), in_keys=[seen], out_keys=[("seat", "logits")])
actor = ProbabilisticActor(
    body,
    in_keys={"logits": ("seat", "logits"), "mask": mask},
    out_keys=[action],
    distribution_class=MaskedCategorical,
    return_log_prob=True,
    log_prob_key=("seat", "log_prob"),
)
critic = TensorDictModule(MLP(size, 1, num_cells=[128, 128]), in_keys=[seen], out_keys=[("seat", "state_value")])
loss = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01, normalize_advantage=True)
keys = {name: ("seat", name) for name in ("reward", "action", "done", "terminated")}
loss.set_keys(**keys, value=("seat", "state_value"), sample_log_prob=("seat", "log_prob"))
loss.make_value_estimator(ValueEstimators.GAE, gamma=1.0, lmbda=0.9)
optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)

batches = -(-options.steps // (SEATS * BATCH))
# The policy has no memory, so it needs no transforms, which later versions of TorchRL add unless told otherwise.
collector = Collector(
    env, actor, frames_per_batch=BATCH, total_frames=batches * BATCH, auto_register_policy_transforms=False
)
for data in collector:
    data["next", "seat", "reward"] *= 0.1
    with torch.no_grad():
        loss.value_estimator(data)
    for _ in range(6):
        for some in torch.randperm(len(data)).split(128):
            found = loss(data[some])
            optimizer.zero_grad()
            (found["loss_objective"] + found["loss_critic"] + found["loss_entropy"]).backward()
            torch.nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
            optimizer.step()


def choose(observations, masks):
    with torch.no_grad():
        logits = body.module(torch.from_numpy(observations))
    return logits.masked_fill(~torch.from_numpy(masks).bool(), -torch.inf).argmax(dim=1).numpy()


report(choose, GAME)
