"""Public functions name an argument of a wrong type, and what they accept, in place of an error from deep inside."""

import inspect
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

import faceup
from faceup import arena, bots, charts, core, envs, sim, statistics
from faceup.core import find_game, make

WRONG: Mapping[str, object] = {
    "None": None,
    "text": "x",
    "fraction": 2.5,
    "nan": math.nan,
    "infinity": math.inf,
    "boolean": True,
    "array": np.array([1, 2]),
    "list": [],
    "dict": {},
    "object": object(),
    "bytes": b"x",
    "negative": -1,
}

RULES = make("nimmt:cowheadking seats=3")
START = RULES.start()
RNG = faceup.generator(7)
STATE = RULES.apply(START, faceup.draw(RULES, START, RNG)).state
MOVE = {seat: RULES.legal(STATE, seat)[0] for seat in range(3)}
VIEW = RULES.view(STATE, 0)
LOWEST = bots.policy("nimmt", "lowest")
RUN = sim.plan(RULES, ["lowest"], deals=2, seed=7)
COUNTS = reduce(sim.add, sim.play(RUN, 0, 2))
ROW = charts.Row("Ann")


class Call(NamedTuple):
    """A call that succeeds."""

    function: Callable[..., Any]  # Any: of any function
    positional: tuple[Any, ...] = ()  # Any: its arguments
    named: Mapping[str, Any] = {}


def play_game(*arguments: Any) -> list[Any]:  # Any: its arguments
    return list(core.play_game(*arguments))


def play(*arguments: Any, **named: Any) -> list[Any]:  # Any: its arguments
    return list(sim.play(*arguments, **named))


CALLS = (
    Call(core.make, ("nimmt:cowheadking",), {"seats": 3}),
    Call(core.generator, (7,)),
    Call(core.draw, (RULES, START, RNG)),
    Call(core.read, (core.write(RULES, STATE),)),
    Call(core.write, (RULES, STATE)),
    Call(core.spec, (RULES,)),
    Call(core.find_game, ("nimmt",)),
    Call(core.win_shares, ([1, 1, 3],)),
    Call(core.places, ([3, 1, 2],)),
    Call(core.check_move, (RULES, STATE, MOVE)),
    Call(core.check_seat, (RULES, 0)),
    Call(core.illegal_action_error, (RULES, STATE, 0, 200)),
    Call(core.action_text, (RULES, MOVE[0])),
    Call(core.plural, (3, "seat")),
    Call(play_game, (RULES, [LOWEST] * 3, RNG)),
    Call(bots.policy, ("nimmt", "lowest")),
    Call(bots.policies, ("nimmt",)),
    Call(bots.describe, (find_game("nimmt"),)),
    Call(bots.describe_bot, (find_game("nimmt"), "lowest")),
    Call(bots.default_policy, ("nimmt",)),
    Call(bots.is_playable, ("nimmt", "lowest")),
    Call(bots.is_pure_chance, ("nimmt",)),
    Call(bots.is_searchable, ("nimmt", "mc")),
    Call(bots.is_time_limited, ("nimmt", "lowest")),
    Call(bots.levels, ("nimmt",)),
    Call(bots.searches, ("nimmt",)),
    Call(bots.character_for, ("nimmt", "lowest")),
    Call(bots.characters_for, ("nimmt", ["lowest"])),
    Call(bots.evaluate, (RULES, VIEW), {"seed": 7, "worlds": 2, "player": "mc"}),
    Call(bots.evaluate, (RULES, VIEW), {"seed": 7, "seconds": 0.01}),
    Call(charts.even, (0, 5)),
    Call(charts.logarithmic, (1, 100)),
    Call(charts.columns, ([("Ann", 3.0, "3")],), {"height": 100.0}),
    Call(charts.bars, ([(ROW, 0.5, (0.4, 0.6))],), {"most": 1.0}),
    Call(charts.parts, ([ROW], [charts.Part("first", [1.0])])),
    Call(charts.ridges, ([(ROW, {0: 1, 1: 3}, 0.75)], charts.even(0, 5))),
    Call(charts.lines, ([charts.Line("Ann", [0.2, 0.4])], ["1", "2"])),
    Call(charts.waterfall, ([("Ann", 1.0)], ("all", 1.0))),
    Call(charts.save, ("<svg/>", "Scores", Path("/dev/null"))),
    Call(charts.check_target, (Path("scores.svg"),)),
    Call(statistics.mean_of, ([(Fraction(3), 2)],)),
    Call(statistics.proportion, (3, 10)),
    Call(statistics.t_quantile, (4, 0.9)),
    Call(statistics.two_sided_p, (1.5, 4)),
    Call(sim.plan, (RULES, ["lowest"]), {"deals": 2, "seed": 7}),
    Call(play, (RUN, 0, 2), {"jobs": 1}),
    Call(sim.warm, (RUN,)),
    Call(sim.report, (RUN, COUNTS, 1.0)),
    Call(sim.format_report, (RUN, COUNTS)),
    Call(sim.add, (COUNTS, COUNTS)),
    Call(arena.protocol, (make("nimmt:arena"), "codingame")),
    Call(arena.default_protocol, (RULES,)),
    Call(envs.observe, (RULES, VIEW), {"encoding": "scalars"}),
    Call(envs.layout, (RULES,), {"encoding": "scalars"}),
    Call(envs.encoding_names, (RULES,)),
    Call(envs.reward_names, (RULES,)),
    Call(envs.single_env, ("nimmt",), {"seat": 0, "reward": "win", "illegal": "raise"}),
    Call(envs.vector_env, ("nimmt",), {"num_envs": 2, "agents": "one", "seat": 0}),
    Call(envs.parallel_env, ("nimmt",), {"reward": "win", "max_cycles": 9, "masks": "info"}),
    Call(envs.aec_env, ("nimmt",), {"render_mode": "ansi"}),
)
METHODS = (
    Call(RULES.apply, (STATE, MOVE)),
    Call(RULES.describe, (MOVE[0],)),
    *(
        call
        for name in ("nimmt:cowheadking seats=3", "niuniu", "war")
        for rules in (make(name),)
        for state in (rules.start(),)
        for call in (
            Call(rules.to_act, (state,)),
            Call(rules.legal, (state, 0)),
            Call(rules.view, (state, 0)),
            Call(rules.from_text, (rules.to_text(state),)),
        )
    ),
)

NOT_TESTED = {"list_games", "random_policy"}
"""The first has no arguments. The source of the second is a part of exported bots, without the rest of the package."""


def label(call: Call) -> str:
    return call.function.__qualname__


def with_wrong_arguments(call: Call) -> dict[str, Callable[[], object]]:
    """Return calls that have one wrong argument each, by the place of the argument and its value."""
    calls: dict[str, Callable[[], object]] = {}
    for name, wrong in WRONG.items():
        for place in range(len(call.positional)):
            positional = (*call.positional[:place], wrong, *call.positional[place + 1 :])
            calls[f"{place} {name}"] = lambda positional=positional: call.function(*positional, **call.named)  # type: ignore[misc]
        for key in call.named:
            named = {**call.named, key: wrong}
            calls[f"{key} {name}"] = lambda named=named: call.function(*call.positional, **named)  # type: ignore[misc]
    return calls


@pytest.mark.parametrize("call", [*CALLS, *METHODS], ids=label)
def test_a_wrong_type_is_refused_by_name_or_accepted(call: Call) -> None:
    call.function(*call.positional, **call.named)
    for place, attempt in with_wrong_arguments(call).items():
        try:
            attempt()
        except (ValueError, TypeError):
            continue
        except Exception as error:  # noqa: BLE001 -- any other one
            pytest.fail(f"{place}: {type(error).__name__}: {error}")


@pytest.mark.parametrize("module", [core, bots, charts, statistics, sim, arena], ids=lambda module: module.__name__)
def test_every_public_function_is_tested(module: ModuleType) -> None:
    functions = {name for name in module.__all__ if inspect.isfunction(getattr(module, name))}
    assert functions <= {call.function.__name__ for call in CALLS} | NOT_TESTED


@pytest.mark.parametrize(
    ("attempt", "words"),
    [
        (lambda: core.find_game(6), "the name of a game must be text, such as 'nimmt'; got 6"),  # type: ignore[arg-type]
        (lambda: core.draw("nimmt", START, RNG), r"rules must be the rules of a game, such as make\('nimmt'\)"),  # type: ignore[arg-type]
        (lambda: core.draw(RULES, START, 7), r"rng must be a generator, such as generator\(7\); got 7"),  # type: ignore[arg-type]
        (lambda: RULES.legal(VIEW, 0), r"state must be a state of these rules \(State\)"),
        (lambda: RULES.view(STATE, True), "a seat must be a whole number; got True"),
        (lambda: RULES.describe(2.5), "an action must be a whole number; got 2.5"),
        (lambda: play_game(RULES, [], RNG), "there must be 3 policies, one for each seat; got 0"),
        (lambda: bots.evaluate(RULES, VIEW, seed=7, worlds=True), "worlds must be a whole number; got True"),
        (lambda: bots.evaluate(RULES, VIEW, seed=7, seconds=math.nan), "seconds must be a number; got nan"),
        (lambda: sim.plan(RULES, "lowest", deals=1, seed=7), "policies must be a list or tuple of names of bots"),
        (lambda: charts.even(5, 0), "most must be 5 or more; got 0"),
        (lambda: charts.columns([]), "bars must not be empty"),
        (lambda: statistics.proportion(True, 2), "hits must be a whole number; got True"),
    ],
)
def test_the_message_has_the_argument_the_value_and_what_is_accepted(attempt: Callable[[], object], words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        attempt()
