"""Arguments of a wrong type raise as unknown words do: in every environment, with what is accepted."""

import re
from typing import Any

import numpy as np
import pytest

from faceup.core import Malformed
from faceup.envs import Pool, aec_env, parallel_env, single_env, vector_env


def games(spec: str, **options: Any) -> Any:
    return vector_env(spec, num_envs=2, **options)


ALL = pytest.mark.parametrize("make_env", [single_env, parallel_env, aec_env, games])


@ALL
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("reward", ["heads"], "there is no reward ['heads']; did you mean 'heads'?"),
        ("encoding", ["ids"], "nimmt has no encoding \"['ids']\"; did you mean 'ids'?"),
        ("encoding", None, "nimmt has no encoding 'None'; there are: scalars, planes, ids, ids-padded"),
        ("illegal", ["raise"], 'illegal must be "replace" or "raise"; got [\'raise\']'),
        ("render_mode", ["svg"], "there is no render mode ['svg']; there are: "),
    ],
)
def test_a_word_must_be_text(make_env: Any, name: str, value: object, message: str) -> None:
    with pytest.raises(Malformed, match=re.escape(message)):
        make_env("nimmt", **{name: value})


@ALL
@pytest.mark.parametrize("spec", [6, None, ["nimmt"], b"nimmt"])
def test_a_spec_must_be_text(make_env: Any, spec: Any) -> None:
    with pytest.raises(
        Malformed, match=re.escape(f"a spec must be text, such as 'nimmt:classic seats=3'; got {spec!r}")
    ):
        make_env(spec)


@ALL
def test_options_may_be_of_numpy(make_env: Any) -> None:
    rules = make_env(" nimmt\n seats=3", rows=np.int8(2), forfeits=np.bool_(True)).unwrapped.rules
    assert (rules.seats, rules.rows, rules.forfeits) == (3, 2, True)


@ALL
@pytest.mark.parametrize("options", [5, "seats", [1], {"seats": 3}])
def test_reset_takes_no_options_of_any_kind(make_env: Any, options: Any) -> None:
    env = make_env("nimmt")
    with pytest.raises(Malformed, match=r"reset takes no options: give them when you create the environment; got "):
        env.reset(options=options)


@pytest.mark.parametrize("opponents", [None, 5, [1, 2, 3], ["greedy", "greedy", []]])
def test_opponents_of_one_seat_are_names_or_functions(opponents: Any) -> None:
    with pytest.raises(Malformed, match="an opponent must be the name of a bot or a function; got "):
        single_env("nimmt", opponents=opponents)


def test_a_pool_is_not_taken_for_the_opponents_of_the_seats() -> None:
    pool: Any = Pool(["greedy", "lowest"])
    with pytest.raises(Malformed, match="only vector_env draws opponents from a Pool"):
        single_env("nimmt seats=3", opponents=pool)
