"""Public functions name an argument of a wrong type, and what they accept, in place of an error from deep inside."""

import inspect
import math
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from tests.wrong_arguments import Call, assert_refused_or_accepted, label

import faceup
from faceup import arena, bots, charts, core, envs, llm, sim, statistics
from faceup.arena.match.referee import Referee
from faceup.core import find_game, make

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
BOTS = {name: arena.Bot(name, player=name) for name in ("greedy", "lowest")}
DUEL = arena.Match(0, 0, ("greedy", "lowest", "greedy", "lowest"), 0)


def play_game(*arguments: Any) -> list[Any]:  # Any: its arguments
    return list(core.play_game(*arguments))


def play(*arguments: Any, **named: Any) -> list[Any]:  # Any: its arguments
    return list(sim.play(*arguments, **named))


def referee(*arguments: Any) -> None:  # Any: its arguments
    with Referee(*arguments):
        pass


def play_match(*arguments: Any) -> None:  # Any: its arguments
    with Referee(arena.MatchTerms("nimmt:arena deals=1"), BOTS) as own_referee:
        own_referee.play(*arguments)


def reset_text_env(*arguments: Any) -> None:  # Any: its arguments
    llm.TextEnv("nimmt").reset(*arguments)


def step_text_env(*arguments: Any) -> None:  # Any: its arguments
    env = llm.TextEnv("nimmt")
    env.reset(seed=7)
    env.step(*arguments)


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
    Call(arena.Bot, ("mine", ("./mine",)), {"folder": "/", "environment": {}, "phase_last": True, "alive": True}),
    Call(arena.Match, (0, 0, ("greedy", "lowest"), 1)),
    Call(
        arena.MatchTerms, ("nimmt:arena", "json", 1, 0.1, 0.5), {"strict": True, "grace": 0.05, "memory": 0, "log": 9}
    ),
    Call(arena.LatencyHistogram(1, 9, 9, 0, {9: 1}).quantile, (0.5,)),
    Call(referee, (arena.MatchTerms("nimmt:arena deals=1"), BOTS)),
    Call(play_match, (DUEL, 7)),
    Call(charts.Row, ("Ann", "a", "b", "c")),
    Call(charts.Part, ("first", [0.2, 0.8])),
    Call(charts.Line, ("Ann", np.array([0.2, 0.4]))),
    Call(charts.Scale, ((0, 1, 2), (0, 1), float, str)),
    Call(statistics.BlockSums().plus, (2, Fraction(1, 2))),
    Call(llm.TextEnv, ("nimmt",), {"opponents": {1: "greedy"}, "seats": 3}),
    Call(reset_text_env, (4, 7)),
    Call(step_text_env, ("ANSWER: play 7",)),
    Call(llm.Model, ("qwen3:4b",), {"url": "http://localhost:1", "key_variable": "KEY", "timeout": 1, "retries": 0}),
    Call(llm.LanguagePlayer, (print,), {"model": "qwen3:4b", "attempts": 2, "prices": (1, 2.5), "log": print}),
    Call(llm.instructions, (RULES,)),
    Call(llm.prompt_version, (RULES,)),
    Call(llm.question, (RULES, VIEW)),
    Call(llm.parse_reply, (RULES, VIEW, RULES.describe(VIEW.legal[0]))),
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

RESULTS = {
    *("Cause", "Fault", "LatencyHistogram", "MatchResult", "Transcript"),
    *("BotDescription", "Estimate", "Evaluation", "GameBots", "Level", "Option"),
    *("BlockSums", "Counts", "Mean", "ModelError", "Run", "TextDecision"),
}
"""Classes whose instances functions return."""

INTERFACES = {"Protocol"}

MODULES = (arena, bots, charts, core, llm, sim, statistics)

NOT_TESTED = {"list_games", "random_policy"}
"""The first has no arguments. The source of the second is a part of exported bots, without the rest of the package."""


@pytest.mark.parametrize("call", [*CALLS, *METHODS], ids=label)
def test_a_wrong_type_is_refused_by_name_or_accepted(call: Call) -> None:
    assert_refused_or_accepted(call)


@pytest.mark.parametrize(
    "module", [core, bots, charts, statistics, sim, arena, llm], ids=lambda module: module.__name__
)
def test_every_public_function_is_tested(module: ModuleType) -> None:
    functions = {name for name in module.__all__ if inspect.isfunction(getattr(module, name))}
    assert functions <= {call.function.__name__ for call in CALLS} | NOT_TESTED


@pytest.mark.parametrize("module", [arena, bots, charts, llm, sim, statistics], ids=lambda module: module.__name__)
def test_every_public_class_is_tested_or_returned(module: ModuleType) -> None:
    public = [getattr(module, name) for name in module.__all__]
    classes = {member.__name__ for member in public if inspect.isclass(member)}
    assert classes <= {call.function.__name__ for call in CALLS} | RESULTS | INTERFACES


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
        (lambda: arena.Bot(""), "name must be text that is not empty; got ''"),
        (lambda: arena.Bot("mine", "./mine"), "command must be a list or tuple of text; got './mine'"),  # type: ignore[arg-type]
        (lambda: arena.MatchTerms(first=math.inf), "first must be a number from 0 to 10,000; got inf"),
        (lambda: arena.MatchTerms(memory=-1), "memory must be a whole number, 0 or more; got -1"),
        (lambda: arena.MatchTerms(strict=1), "strict must be True or False; got 1"),  # type: ignore[arg-type]
        (lambda: arena.Match(-1, 0, (), 0), "number must be a whole number, 0 or more; got -1"),
        (lambda: Referee(arena.MatchTerms(), ["greedy"]), r"bots must be a dict of names to bots; got \['greedy'\]"),  # type: ignore[arg-type]
        (
            lambda: charts.Part("first", [math.nan]),
            r"shares must be a list or tuple of numbers, 0 or more",
        ),
        (lambda: llm.LanguagePlayer(print, model="x", attempts=0), "attempts must be 1 to 1000; got 0"),  # type: ignore[arg-type]
        (lambda: statistics.proportion(True, 2), "hits must be a whole number; got True"),
    ],
)
def test_the_message_has_the_argument_the_value_and_what_is_accepted(attempt: Callable[[], object], words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        attempt()


def test_fields_get_the_type_that_they_are_declared_with() -> None:
    match = arena.Match(np.int64(3), 0, ["greedy", "lowest"], 0)  # type: ignore[arg-type]
    assert match == arena.Match(3, 0, ("greedy", "lowest"), 0)
    assert hash(match)
    assert type(match.number) is int
    assert type(arena.MatchTerms(first=1).first) is float
