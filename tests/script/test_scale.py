"""The tables of docs/scale.md are made by script/scale, and its simulation keeps to what queues keep to."""

import re

import pytest
from benchmarks.queues import Crowd, simulate
from benchmarks.scale import CASES, MEASURED, PAGE, POSTGRESQL, made, written

TEXT = PAGE.read_text("utf-8")


def test_the_page_has_a_row_for_every_case() -> None:
    rows = re.findall(r"^\| ([^|]+) \| ([0-9,]+) \|", TEXT, re.MULTILINE)
    assert [row for row in rows if row[0] in {case.name for case in CASES}] == [
        (case.name, f"{case.people:,}") for case in CASES
    ], "run ./script/scale"


def test_a_small_run_makes_the_tables_and_writes_them_where_the_page_has_them() -> None:
    tables = made(2, part=0.01)
    page = written(TEXT, tables)
    assert all(table in page for table in tables.values())
    assert len(page.splitlines()) == len(TEXT.splitlines())


def test_a_choice_that_meets_nobody_waits_for_its_own_work_alone() -> None:
    found = simulate(MEASURED, Crowd(1), 600)
    alone = (MEASURED.decide + MEASURED.group + MEASURED.append + MEASURED.sync + MEASURED.tell) / 1000
    assert found.half == pytest.approx(alone, rel=0.01)
    assert found.group == pytest.approx(1, abs=0.01)


def test_all_that_a_core_does_is_counted() -> None:
    """A tenth of the choices also turns up; a group has its own cost, and so has each further line."""
    found = simulate(MEASURED, Crowd(500), 20)
    groups = found.rate / found.group
    least = found.rate * (MEASURED.decide + MEASURED.append) + groups * MEASURED.group
    assert least < 1e6 * found.busy < least + found.rate * (MEASURED.tell + MEASURED.reveal)


def test_the_busier_the_larger_the_groups_and_the_less_each_choice_costs() -> None:
    costs = MEASURED._replace(sync=5_000.0)
    few, many = (simulate(costs, Crowd(tables), 10) for tables in (20, 800))
    assert many.group > 2 * few.group
    assert many.busy / many.rate < few.busy / few.rate


def test_more_than_a_core_can_do_shows_as_a_queue() -> None:
    slow = MEASURED._replace(decide=200_000.0)
    found = simulate(slow, Crowd(20), 20)
    assert found.busy > 0.8
    assert found.late > 1000


def test_processes_share_the_work_and_the_database_counts_it() -> None:
    one, four = (simulate(POSTGRESQL, Crowd(300), 10, processes=count, cores=2) for count in (1, 4))
    assert four.rate == pytest.approx(one.rate, rel=0.03)
    assert one.busy > 2.5 * four.busy
    assert one.store > 0
