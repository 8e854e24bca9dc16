"""The benchmark nimmt-v1 is frozen, and its seeds are held out."""

import ast
import re
from pathlib import Path

import pytest

from faceup.benchmark.definition import HELD_OUT, NIMMT_V1
from faceup.benchmark.play import check_reference
from faceup.core import Malformed, make

ROOT = Path(__file__).parents[2]
DIGEST = "3b493e6da1ecefacea189ac5602c884d6cee1ad74d1b863869c31b6894f13ebd"


def test_the_definition_never_changes() -> None:
    assert NIMMT_V1.digest == DIGEST, "nimmt-v1 is frozen: make a new benchmark instead"


def test_it_has_three_variants_at_three_numbers_of_seats() -> None:
    cells = [(cell.variant, cell.seats) for cell in NIMMT_V1.cells]
    assert cells == [(variant, seats) for variant in ("cowheadking", "tactical", "classic") for seats in (2, 4, 10)]
    assert all(
        (make(cell.rules).variant, make(cell.rules).seats) == (cell.variant, cell.seats) for cell in NIMMT_V1.cells
    )
    assert all(cell.blocks * cell.seats == (40 if cell.variant == "classic" else 200) for cell in NIMMT_V1.cells)


@pytest.mark.slow
def test_the_reference_opponents_play_as_they_did_when_it_was_frozen() -> None:
    check_reference(NIMMT_V1)


def test_no_training_program_can_reach_a_held_out_seed() -> None:
    seeds = {cell.seed for cell in NIMMT_V1.cells}
    assert len(seeds) == 9
    assert min(seeds) >= HELD_OUT
    programs = [
        *(ROOT / "examples").rglob("*.py"),
        *(ROOT / "script").glob("*.py"),
        *(ROOT / "benchmarks").glob("*.py"),
    ]
    assert len(programs) > 20
    for path in programs:
        numbers = [
            node.value for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Constant)
        ]
        assert all(abs(number) < HELD_OUT for number in numbers if isinstance(number, int)), path
    environments = "".join(path.read_text("utf-8") for path in (ROOT / "src" / "faceup" / "envs").glob("*.py"))
    assert {*re.findall(r"integers\((2\*\*\d+)\)", environments)} == {"2**63"}


def test_unknown_names_are_rejected_with_the_nearest() -> None:
    with pytest.raises(Malformed, match="no cell 'classic/3'; did you mean 'classic/"):
        NIMMT_V1.cell("classic/3")
    with pytest.raises(Malformed, match="no budget class '100 ms'; did you mean '100ms'"):
        NIMMT_V1.budget("100 ms")
