"""The page of each environment: a picture, its spaces, actions, rewards, options, encodings and versions."""

import re
from inspect import getdoc
from itertools import groupby
from textwrap import dedent
from typing import Any, Final

from docs.extensions.cli_reference import cell

from faceup.core import AnyRules, Malformed, find_game, make, spec
from faceup.core.options import option_fields
from faceup.core.registry import options_of
from faceup.envs import layout, parallel_env
from faceup.envs.observation import SCALARS, encoding_names, observer
from faceup.envs.registration import VERSION, settings
from faceup.envs.rewards import reward, reward_names
from faceup.games.batch_engines import has_batch_engine

MEANINGS: Final = {
    "relative": "its points minus the mean of the other seats; the sum over all seats is 0",
    "place": "at the end, (seats it beats - seats that beat it) / (seats - 1)",
    "win": "at the end, its share of the win: 1 / k if k seats share it",
}
"""What the rewards mean that all games have."""

POINTS: Final = {
    "heads": "minus the heads that it took since its last decision",
    "throws": "the throws that it won since its last decision",
    "cards": "the cards that it won since its last decision",
}
"""What the rewards mean that are the points of a game."""


def environment_names() -> dict[str, str]:
    """Return the spec of each environment by the name of its page."""
    return {f"{game}-{setting}": text for game, setting, text in settings()}


def environment(name: str) -> str:
    """Return the page of an environment below its introduction."""
    text = environment_names()[name]
    rules = make(text)
    parts = [
        f"![The environment in a game with seed 7](../../drawings/environments/{name}.svg)",
        facts(name, rules),
        usage(name, rules),
        "## Actions",
        actions(rules),
        "## Rewards",
        rewards(rules),
        "## Arguments",
        arguments(rules),
        "## Observation",
        "The encoding `scalars` of a seat. [Observations](../environments.md#observations) explains the columns.",
        layout(rules),
    ]
    if len(encoding_names(rules)) > 1:
        parts += ["### Other encodings", encodings(rules)]
    return "\n\n".join([*parts, "## Versions", f"- v{VERSION}: the first version."])


def facts(name: str, rules: AnyRules) -> str:
    """Return the table at the top of a page."""
    game = find_game(rules.game)
    low, high = game.variant(rules.variant).seats
    small = name.partition("-")[2] != rules.variant
    seats = str(rules.seats) if small or low == high else f"{low} to {high}, by default {rules.seats}"
    observation = observer(rules)
    rows = {
        "import": f"`from faceup.envs import {', '.join(entries(rules))}`",
        "registered": f"`faceup/{name}-REWARD-v{VERSION}` with Gymnasium and PettingZoo, "
        f"`faceup_{name.replace('-', '_')}_v{VERSION}` with OpenSpiel",
        "rules": f"`{spec(rules)}`",
        "agents": f"{seats}: `seat_0` and so on",
        "observation": f"`Box(0.0, 1.0, ({observation.size},), float32)`, with an action mask",
        "state": f"`Box(0.0, 1.0, {observation.state_space.shape}, float32)`",
        "actions": f"`Discrete({rules.bounds.actions + 1})`",
        "decisions in a game": f"at most {rules.bounds.decisions:,}",
    }
    return "\n".join(["| | |", "| --- | --- |", *(f"| {key} | {cell(value)} |" for key, value in rows.items())])


def entries(rules: AnyRules) -> list[str]:
    """Return the functions that make this environment."""
    vector = ["vector_env"] if has_batch_engine(find_game(rules.game)) else []
    return ["aec_env", "parallel_env", "single_env", *vector]


def usage(name: str, rules: AnyRules) -> str:
    """Return an example."""
    text, points = environment_names()[name], reward_names(rules)[0]
    env = parallel_env(text)
    observations, _ = env.reset(seed=7)
    seen: Any = observations["seat_0"]
    return dedent(
        f"""\
        ```pycon
        >>> from faceup.envs import parallel_env
        >>> env = parallel_env("{text}")
        >>> observations, infos = env.reset(seed=7)
        >>> observations["seat_0"]["observation"].shape, int(observations["seat_0"]["action_mask"].sum())
        ({seen["observation"].shape}, {int(seen["action_mask"].sum())})
        >>> import gymnasium
        >>> gymnasium.make("faceup/{name}-{points}-v{VERSION}").action_space
        {env.action_space("seat_0")}
        ```"""
    )


def actions(rules: AnyRules) -> str:
    """Return the table of the actions: runs of actions whose words differ only in a number."""
    words = [(action, described(rules, action)) for action in range(rules.bounds.actions)]
    rows = []
    for _, run in groupby(words, lambda pair: re.sub(r"\d+", "#", pair[1])):
        (first, start), *_, (last, end) = [*run] * 2
        meaning = start if start == end else f"{start} to {end}"
        rows.append(f"| {first} to {last} | {meaning} |" if first < last else f"| {first} | {meaning} |")
    rows.append(f"| {rules.bounds.actions} | wait: the only action of a seat that does not act |")
    return "\n".join(["| action | meaning |", "| --- | --- |", *rows])


def described(rules: AnyRules, action: int) -> str:
    """Return an action in words; a smaller deck leaves the numbers of the other cards unused."""
    try:
        return rules.describe(action)
    except Malformed:
        return "unused"


def rewards(rules: AnyRules) -> str:
    """Return the table of the rewards with their bounds; the first is the default."""
    rows = []
    for name in reward_names(rules):
        bounds = reward(rules, name)
        step, total = (f"{low:g} to {high:g}" for low, high in (bounds.step, bounds.total))
        rows.append(f"| `{name}` | {step} | {total} | {(POINTS | MEANINGS).get(name, '')} |")
    return "\n".join(["| `reward` | in a step | in a game | of a seat |", "| --- | --- | --- | --- |", *rows])


def arguments(rules: AnyRules) -> str:
    """Return the table of the game's options with their values in this environment."""
    fields, changed = option_fields(find_game(rules.game).rules), options_of(rules)
    about = {"seats": "number of seats"} | dict(find_game(rules.game).options)
    rows = [
        f"| `{name}` | `{str(getattr(rules, name)).lower()}` | {cell(meaning)} |"
        for name, meaning in about.items()
        if name in fields and (name in changed or hasattr(rules, name))
    ]
    own = re.findall(
        r"^ {4}(\w+): (.*(?:\n {8}.*)*)", (getdoc(parallel_env) or "").partition("Attributes:")[0], re.MULTILINE
    )
    listed = [f"| `{name}` | {cell(meaning)} |" for name, meaning in own if name not in {"spec", "options"}]
    text = "`parallel_env` and `aec_env` take these; [`single_env` and `vector_env`](../python/envs.md) take more:"
    options = "All take the options of the game. These are their values here; other values do not change the name."
    heads = ["| option | value | meaning |", "| --- | --- | --- |"]
    return "\n".join([text, "", "| argument | meaning |", "| --- | --- |", *listed, "", options, "", *heads, *rows])


def encodings(rules: AnyRules) -> str:
    """Return the table of the other encodings with their sizes."""
    rows = []
    for name in encoding_names(rules):
        if name != SCALARS:
            seen = observer(rules, name)
            rows.append(f"| `{name}` | {seen.size} | {seen.dtype} |")
    text = "Their layouts for the default setting are [on the page of all environments](../environments.md#layouts)."
    return "\n".join(["| `encoding` | numbers | type |", "| --- | --- | --- |", *rows, "", text])
