"""What batch engines are built on: compiled kernels, threads over lanes, and random numbers keyed by (seed, lane).

A *lane* is one game of a batch. Its random numbers are words of `faceup.core.generator.Seeded(seed, lane)`: word n is a
scattered counter, so that any word of any lane can be made at any time, and a lane is the same game whatever the size
of the batch, its division into blocks, or the number of threads.

A word is cut down to its 57 highest bits, a fraction of 1, and gives one draw after another: times n, the whole part is
one of `range(n)`, and what is left is the fraction for the next draw. Draws among n1, n2, ... nk from one word favour
no combination over another by more than n1 * n2 * ... * nk in 2**57. Engines take no more draws from a word than keep
that product within 2**25, so that the chance of anything differs from the true one by less than one part in 2**32 for
each word used.

Importing this imports numba and numpy: only batch engines do.
"""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar, cast

import llvmlite.ir
import numba
import numpy as np
from numba.extending import intrinsic

from faceup.core.errors import Malformed

NEEDED: Final = {"numba": (0, 61), "numpy": (2, 0)}
"""The oldest versions that the kernels are known to compile under."""

WEYL: Final = np.uint64(0x9E3779B97F4A7C15)
FRACTION_BITS: Final = np.uint64(57)
FRACTION: Final = np.uint64((1 << 57) - 1)

Word: TypeAlias = Any
"""In kernels: a number whose machine type numba works out, mostly numpy.uint64. Outside it would be that."""

Array: TypeAlias = Any
"""In kernels: a numpy array; the docstring of a kernel that is called from outside says of what."""

F = TypeVar("F", bound=Callable[..., object])


def check_versions(found: dict[str, str]) -> None:
    """Refuse versions, by package, that are older than `NEEDED`.

    >>> check_versions({"numba": "0.53.1", "numpy": "2.1.0"})
    Traceback (most recent call last):
    ImportError: batch engines need numba 0.61 or newer, and found 0.53.1: pip install --upgrade numba
    """
    for name, version in found.items():
        least = NEEDED[name]
        if tuple(int(part) for part in version.split(".")[:2]) < least:
            raise ImportError(
                f"batch engines need {name} {'.'.join(map(str, least))} or newer, and found {version}: "
                f"pip install --upgrade {name}"
            )


check_versions({"numba": numba.__version__, "numpy": np.__version__})

_told: list[str] = []


def kernel(function: F) -> F:
    """Compile the function when it is first called with arguments of some types; keep the machine code for next time.

    The code is kept beside the source, or, where that cannot be written, in the user's cache folder (numba's own
    choice; the environment variable NUMBA_CACHE_DIR names another). Where none can be written, one line on standard
    error says so, and every process compiles anew. A kernel runs without the interpreter's lock.

    Numba recompiles when the kernel's own file changes, not when a file that it calls into does. Here it does when any
    file of the kernel's folder changes, or this one: keep a kernel in one folder with what it is made of.
    """
    try:
        compiled = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
        # What numba compares with what it kept: the one thing here that is not in its documentation.
        kept: Any = compiled
        kept._cache._cache_file._source_stamp = _stamp(Path(function.__code__.co_filename).parent)  # noqa: SLF001
        return cast("F", compiled)
    except RuntimeError:  # what numba raises when no folder can be written
        if not _told:
            _told.append(function.__module__)
            sys.stderr.write(
                "faceup: compiled code cannot be kept: neither the package nor the user's cache folder can be written. "
                "Name a folder in NUMBA_CACHE_DIR to compile once only.\n"
            )
        return cast("F", numba.njit(nogil=True, error_model="numpy")(function))


@cache
def _stamp(folder: Path) -> bytes:
    """What changes when a file changes that kernels of this folder are made of."""
    return sha256(b"".join(file.read_bytes() for file in (*sorted(folder.glob("*.py")), Path(__file__)))).digest()


def _pick(context: Any, condition: Any, yes: Any, no: Any) -> Any:  # noqa: ANN401, ARG001 -- numba's own types
    """`yes if condition else no`, both of one type, never as a branch: loops over lanes with branches stay scalar."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:  # noqa: ANN401, ARG001 -- as above
        return builder.select(*values)

    return yes(numba.types.boolean, yes, yes), generate


pick: Final[Callable[..., Any]] = intrinsic(_pick)


def _count_ones(context: Any, word: Any) -> Any:  # noqa: ANN401, ARG001 -- numba's own types
    """How many bits of a word are set."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:  # noqa: ANN401, ARG001 -- as above
        return builder.ctpop(values[0])

    return numba.types.uint64(numba.types.uint64), generate


count_ones: Final[Callable[..., Any]] = intrinsic(_count_ones)


def _prefetch(context: Any, array: Any, index: Any) -> Any:  # noqa: ANN401, ARG001 -- numba's own types
    """Have memory bring near this element of an array of bytes, counted flat, which is to be written soon."""

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
    """`faceup.core.generator.mix` on machine words."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel
def lane_key(seed: Word, lane: Word) -> Word:
    """What the words of a lane are counted from."""
    return mix(mix(seed + WEYL) + lane * WEYL)


@kernel
def fraction(key: Word, number: Word) -> Word:
    """Word `number` of a lane, from 1, as a fraction of 57 bits to draw from.

    `product = fraction * n`, for an n of at most 128, gives `product >> FRACTION_BITS`, one of `range(n)`, and
    `product & FRACTION`, the fraction for the next draw.
    """
    return mix(key + number * WEYL) >> np.uint64(7)


def check_batch(seed: int, lanes: int, first: int = 0) -> None:
    """Refuse a seed, a number of lanes, or a first lane that is out of range.

    Raises:
        Malformed: which.
    """
    for name, value, least, most in (
        ("seed", seed, 0, 2**64 - 1),
        ("lanes", lanes, 1, 2**40),
        ("first", first, 0, 2**63),
    ):
        if not least <= value <= most:
            raise Malformed(f"{name} is a whole number, {least} to {most}, not {value}", what=value, where=name)


def in_threads(work: Callable[[int, int], object], lanes: int, jobs: int, block: int = 1) -> None:
    """Call `work(begin, end)` on parts of `range(lanes)`, in `jobs` threads; parts begin at multiples of `block`."""
    if not 1 <= jobs <= 1024:
        raise Malformed(f"jobs is 1 to 1024 threads, not {jobs}", what=jobs, where="jobs")
    size = -(-lanes // (jobs * block)) * block
    parts = [(begin, min(begin + size, lanes)) for begin in range(0, lanes, size)]
    if len(parts) == 1:
        work(*parts[0])
        return
    with ThreadPoolExecutor(jobs) as pool:
        for done in [pool.submit(work, *part) for part in parts]:
            done.result()


def cache_folder() -> str | None:
    """Where compiled code is kept; None if it cannot be."""
    folder: str | None = getattr(mix, "stats", None) and mix.stats.cache_path  # type: ignore[attr-defined]  # numba's
    return folder
