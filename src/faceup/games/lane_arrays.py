"""The arrays of which each lane of a batch has its part, and what callers are told of them."""

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from faceup.core.errors import Malformed, RulesError

AnyArray: TypeAlias = npt.NDArray[Any]  # Any: of several types


class Piece(NamedTuple):
    """An array of which each lane has its part.

    Attributes:
        name: what it is called.
        shape: of a lane's part.
        dtype: of its elements.
        meaning: in words.
    """

    name: str
    shape: tuple[int, ...]
    dtype: Any  # Any: a numpy type, for which numpy has no one name
    meaning: str


class Stepped(NamedTuple):
    """What a step led to; both arrays are the engine's, and hold until its next step.

    Attributes:
        ended: bool [B]: the lanes whose game, or match, ended in this step.
        final: int32 [B, seats]: their scores at the end; of other lanes, without meaning.
    """

    ended: npt.NDArray[np.bool_]
    final: npt.NDArray[np.int32]


def allocate(pieces: Iterable[Piece], lanes: int) -> dict[str, AnyArray]:
    """All arrays, by name, [lanes, ...], of zeros."""
    return {piece.name: np.zeros((lanes, *piece.shape), piece.dtype) for piece in pieces}


def memory_of(pieces: Iterable[Piece], lanes: int) -> int:
    """The bytes that these arrays take for so many lanes.

    >>> memory_of([Piece("rounds", (), np.int32, "rounds played"), Piece("dice", (2, 5), np.uint8, "dice")], 100)
    1400
    """
    return lanes * sum(prod(piece.shape) * int(np.dtype(piece.dtype).itemsize) for piece in pieces)


def read_only(arrays: Mapping[str, AnyArray]) -> dict[str, AnyArray]:
    """The same arrays, to be read and not written."""
    views = {name: array.view() for name, array in arrays.items()}
    for view in views.values():
        view.flags.writeable = False
    return views


def check_array(name: str, array: object, shape: tuple[int, ...], dtypes: Sequence[type[np.generic]]) -> None:
    """Refuse an array of another shape or type. Raises `Malformed`."""
    if isinstance(array, np.ndarray) and array.dtype in [np.dtype(dtype) for dtype in dtypes] and array.shape == shape:
        return
    found = f"{array.dtype} {list(array.shape)}" if isinstance(array, np.ndarray) else type(array).__name__
    types = " or ".join(str(np.dtype(dtype)) for dtype in dtypes)
    raise Malformed(f"{name} are {types} {list(shape)}, not {found}", what=found, where=name)


def in_lane(lane: int, error: RulesError) -> RulesError:
    """The scalar rules' own error, with the lane that it is about; `Malformed` is then about that lane."""
    error.message = f"lane {lane}: {error.message}"
    error.args = (f"lane {lane}: {error.args[0]}",)
    if isinstance(error, Malformed):
        error.where = f"lane {lane}"
    return error
