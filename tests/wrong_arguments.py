"""Calls with one argument of a wrong type."""

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pytest

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


class Call(NamedTuple):
    """A call that succeeds."""

    function: Callable[..., Any]  # Any: of any function
    positional: tuple[Any, ...] = ()  # Any: its arguments
    named: Mapping[str, Any] = {}


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


def assert_refused_or_accepted(call: Call) -> None:
    """Check that the call succeeds, and that each wrong argument is accepted, or raises an error for callers."""
    call.function(*call.positional, **call.named)
    for place, attempt in with_wrong_arguments(call).items():
        try:
            attempt()
        except (ValueError, TypeError):
            continue
        except Exception as error:  # noqa: BLE001 -- any other one
            pytest.fail(f"{place}: {type(error).__name__}: {error}")
