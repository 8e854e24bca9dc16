"""Shared base of the batch engines: compiled kernels, threads over lanes, random numbers and per-lane arrays.

A *lane* is one game of a batch. Its random numbers are the words of `faceup.core.generator.SeededGenerator(seed,
lane)`: word n is a hashed counter, so that any word of any lane can be computed at any time, and a lane's game does not
depend on the size of the batch, its division into blocks, or the number of threads.

The 57 highest bits of a word are a fraction between 0 and 1, from which several numbers can be drawn. To draw one of
`range(n)`, multiply the fraction by n: the integer part of the product is the number, and the rest of the product is
the fraction for the next draw. Draws of n1, n2, ... nk numbers from one word favour no combination over another by more
than n1 * n2 * ... * nk in 2**57. Engines keep that product within 2**25, so that each word used changes a probability
by at most one part in 2**32.

This module imports numba and numpy; only batch engines import it.
"""

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, cast

from faceup.core.errors import Malformed, RulesError
from faceup.core.generator import FRACTION_BITS as BITS
from faceup.core.generator import WEYL as INCREMENT
from faceup.core.whole_numbers import LARGEST_WORD, whole_number
from faceup.extras import needs

# Kernels are always compiled: in pure Python, their integers would have other widths, and results would differ.
os.environ.pop("NUMBA_DISABLE_JIT", None)

with needs("fast", __name__):
    import llvmlite.ir
    import numba
    import numpy as np
    import numpy.typing as npt
    from numba.extending import intrinsic

NEEDED: Final = {"numba": (0, 61), "numpy": (2, 0)}
"""Oldest supported versions."""

WEYL: Final = np.uint64(INCREMENT)
FRACTION_BITS: Final = np.uint64(BITS)
FRACTION: Final = np.uint64((1 << BITS) - 1)

Word: TypeAlias = Any
"""A number in a kernel, where numba infers its type, mostly numpy.uint64. Outside kernels, pass a numpy.uint64."""

Array: TypeAlias = Any
"""A numpy array in a kernel. The docstrings of public kernels give its type and shape."""

F = TypeVar("F", bound=Callable[..., object])


def check_versions(versions: dict[str, str]) -> None:
    """Raise `ImportError` if a package is older than `NEEDED`.

    >>> check_versions({"numba": "0.53.1", "numpy": "2.1.0"})
    Traceback (most recent call last):
    ImportError: batch engines need numba 0.61 or newer, but 0.53.1 is installed; run: pip install --upgrade numba
    """
    for name, version in versions.items():
        least = NEEDED[name]
        if tuple(int(part) for part in version.split(".")[:2]) < least:
            raise ImportError(
                f"batch engines need {name} {'.'.join(map(str, least))} or newer, but {version} is installed; "
                f"run: pip install --upgrade {name}"
            )


check_versions({"numba": numba.__version__, "numpy": np.__version__})
if getattr(numba.config, "DISABLE_JIT", 0):
    raise ImportError(
        "batch engines need numba's compiler, but numba was imported with NUMBA_DISABLE_JIT before; "
        "import faceup's batch engines first, or unset the variable"
    )

_warned_modules: list[str] = []


def kernel(function: F) -> F:
    """Compile the function on its first call with each combination of argument types, and cache the machine code.

    Numba puts the cache next to the source or, if that is not writable, in the user's cache folder; NUMBA_CACHE_DIR
    sets another folder. If no folder is writable, a warning is printed to standard error, and every process
    compiles again. A kernel runs without the GIL.

    Numba recompiles a kernel when the kernel's own file changes, but not when the kernel calls a function in another
    file and that file changes. With this decorator, a kernel is recompiled when any file of its folder or this file
    changes, so keep a kernel in one folder with every function that it calls.
    """
    try:
        compiled = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
        # Numba compares this attribute with its cache index. It is the only undocumented API used here.
        cached: Any = compiled
        cached._cache._cache_file._source_stamp = _stamp(Path(function.__code__.co_filename).parent)  # noqa: SLF001
        return cast("F", compiled)
    except RuntimeError:  # numba raises this when no folder is writable
        if not _warned_modules:
            _warned_modules.append(function.__module__)
            sys.stderr.write(
                "faceup: cannot cache compiled code, because neither the package nor the user's cache folder is "
                "writable. "
                "Set NUMBA_CACHE_DIR to a writable folder to compile only once.\n"
            )
        return cast("F", numba.njit(nogil=True, error_model="numpy")(function))


@cache
def _stamp(folder: Path) -> bytes:
    """Return a cache key that changes when a file of this folder changes."""
    return sha256(b"".join(file.read_bytes() for file in (*sorted(folder.glob("*.py")), Path(__file__)))).digest()


def _pick(context: Any, condition: Any, yes: Any, no: Any) -> Any:  # noqa: ANN401, ARG001 -- numba's own types
    """Return `yes if condition else no` without a branch, because loops with branches are not vectorised.

    `yes` and `no` must have the same type.
    """

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:  # noqa: ANN401, ARG001 -- as above
        return builder.select(*values)

    return yes(numba.types.boolean, yes, yes), generate


pick: Final[Callable[..., Any]] = intrinsic(_pick)


def _count_ones(context: Any, word: Any) -> Any:  # noqa: ANN401, ARG001 -- numba's own types
    """Return the number of set bits of a word."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:  # noqa: ANN401, ARG001 -- as above
        return builder.ctpop(values[0])

    return numba.types.uint64(numba.types.uint64), generate


count_ones: Final[Callable[..., Any]] = intrinsic(_count_ones)


def _prefetch(context: Any, array: Any, index: Any) -> Any:  # noqa: ANN401, ARG001 -- numba's own types
    """Prefetch this element of a flat array of bytes for writing."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:  # noqa: ANN401 -- as above
        struct = context.make_array(signature.args[0])(context, builder, values[0])
        byte = llvmlite.ir.IntType(8).as_pointer()
        number = llvmlite.ir.IntType(32)
        address = builder.bitcast(builder.gep(struct.data, [values[1]]), byte)
        intrinsic = builder.module.declare_intrinsic(
            "llvm.prefetch", [byte], llvmlite.ir.FunctionType(llvmlite.ir.VoidType(), [byte, number, number, number])
        )
        builder.call(intrinsic, [address, number(1), number(3), number(1)])
        return context.get_dummy_value()

    return numba.types.void(array, index), generate


prefetch: Final[Callable[..., None]] = intrinsic(_prefetch)


@kernel
def mix(x: Word) -> Word:
    """Mix a machine word, as `faceup.core.generator.mix` does."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel
def lane_key(seed: Word, lane: Word) -> Word:
    """Return the key of a lane's random words, to which `fraction` adds the number of a word."""
    return mix(mix(seed + WEYL) + lane * WEYL)


@kernel
def fraction(key: Word, number: Word) -> Word:
    """Return random word `number` of a lane (the first is 1) as a 57-bit fraction to draw from.

    With `product = fraction * n`, for an n of at most 128, `product >> FRACTION_BITS` is one of `range(n)`, and
    `product & FRACTION` is the fraction for the next draw.
    """
    return mix(key + number * WEYL) >> np.uint64(7)


def checked_batch(seed: int, lanes: int, first: int = 0) -> tuple[int, int, int]:
    """Return a seed, a number of lanes and a first lane as `int`.

    Raises:
        Malformed: an argument is not a whole number, or is out of range.
    """
    return (
        whole_number("seed", seed, 0, LARGEST_WORD),
        whole_number("lanes", lanes, 1, 2**40),
        whole_number("first", first, 0, 2**63),
    )


def in_threads(work: Callable[[int, int], object], lanes: int, jobs: int, block: int = 1) -> None:
    """Call `work(start, stop)` on parts of `range(lanes)` in `jobs` threads; each `start` is a multiple of `block`."""
    jobs = whole_number("jobs", jobs, 1, 1024)
    size = -(-lanes // (jobs * block)) * block
    parts = [(start, min(start + size, lanes)) for start in range(0, lanes, size)]
    if len(parts) == 1:
        work(*parts[0])
        return
    with ThreadPoolExecutor(jobs) as pool:
        for done in [pool.submit(work, *part) for part in parts]:
            done.result()


def cache_folder() -> str | None:
    """Return the folder of cached machine code; None if there is none."""
    folder: str | None = getattr(mix, "stats", None) and mix.stats.cache_path  # type: ignore[attr-defined]  # numba's
    return folder


AnyArray: TypeAlias = npt.NDArray[Any]  # Any: of several types


class ArrayPiece(NamedTuple):
    """The description of an array with one part for each lane.

    Attributes:
        name: the name of the array.
        shape: the shape of a lane's part.
        dtype: the type of the elements.
        meaning: what the array contains.
    """

    name: str
    shape: tuple[int, ...]
    dtype: Any  # Any: a numpy type, for which numpy has no one name
    meaning: str


class StepResult(NamedTuple):
    """The result of a step. Its arrays belong to the engine and are valid until the engine's next step.

    Attributes:
        ended: bool [B]: whether the lane's game, or match, ended in this step.
        final: int32 [B, seats]: the final scores of the lanes that ended; undefined in other lanes.
    """

    ended: npt.NDArray[np.bool_]
    final: npt.NDArray[np.int32]


def allocate(pieces: Iterable[ArrayPiece], lanes: int) -> dict[str, AnyArray]:
    """Allocate all arrays, filled with zeros: [lanes, ...] by name."""
    return {piece.name: np.zeros((lanes, *piece.shape), piece.dtype) for piece in pieces}


def memory_of(pieces: Iterable[ArrayPiece], lanes: int) -> int:
    """Return the memory of these arrays for this many lanes, in bytes.

    >>> pieces = [ArrayPiece("rounds", (), np.int32, "rounds played"), ArrayPiece("dice", (2, 5), np.uint8, "dice")]
    >>> memory_of(pieces, 100)
    1400
    """
    return lanes * sum(prod(piece.shape) * int(np.dtype(piece.dtype).itemsize) for piece in pieces)


def read_only(arrays: Mapping[str, AnyArray]) -> dict[str, AnyArray]:
    """Return read-only views of the arrays."""
    views = {name: array.view() for name, array in arrays.items()}
    for view in views.values():
        view.flags.writeable = False
    return views


def check_array(name: str, array: object, shape: tuple[int, ...], dtypes: Sequence[type[np.generic]]) -> None:
    """Raise `Malformed` unless the array has this shape and one of these types."""
    if isinstance(array, np.ndarray) and array.dtype in [np.dtype(dtype) for dtype in dtypes] and array.shape == shape:
        return
    description = f"{array.dtype} {list(array.shape)}" if isinstance(array, np.ndarray) else type(array).__name__
    types = " or ".join(str(np.dtype(dtype)) for dtype in dtypes)
    raise Malformed(f"{name} must be {types} {list(shape)}; got {description}", what=description, where=name)


def locate_error(lane: int, error: RulesError) -> RulesError:
    """Add the lane's number to an error of the scalar rules; a `Malformed` error then points to that lane."""
    error.message = f"lane {lane}: {error.message}"
    error.args = (f"lane {lane}: {error.args[0]}",)
    if isinstance(error, Malformed):
        error.where = f"lane {lane}"
    return error
