"""script/scale makes the tables of docs/explanation/capacity.md, and its simulation follows queueing theory."""

import re

import pytest
from benchmarks.queue_simulation import Crowd, simulate
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


def test_a_choice_without_contention_takes_only_its_own_time() -> None:
    result = simulate(MEASURED, Crowd(1), 600)
    alone = (MEASURED.decide + MEASURED.group + MEASURED.append + MEASURED.sync + MEASURED.broadcast) / 1000
    assert result.half == pytest.approx(alone, rel=0.01)
    assert result.group == pytest.approx(1, abs=0.01)


def test_all_work_of_a_core_is_counted() -> None:
    """A tenth of the choices also reveals; a group and each additional line have a cost."""
    result = simulate(MEASURED, Crowd(500), 20)
    groups = result.rate / result.group
    least = result.rate * (MEASURED.decide + MEASURED.append) + groups * MEASURED.group
    assert least < 1e6 * result.busy < least + result.rate * (MEASURED.broadcast + MEASURED.reveal)


def test_higher_load_means_larger_groups_and_lower_cost_per_choice() -> None:
    costs = MEASURED._replace(sync=5_000.0)
    few, many = (simulate(costs, Crowd(tables), 10) for tables in (20, 800))
    assert many.group > 2 * few.group
    assert many.busy / many.rate < few.busy / few.rate


def test_overload_shows_as_a_queue() -> None:
    slow = MEASURED._replace(decide=200_000.0)
    result = simulate(slow, Crowd(20), 20)
    assert result.busy > 0.8
    assert result.late > 1000


def test_processes_share_the_work_and_the_database_counts_it() -> None:
    single, four = (simulate(POSTGRESQL, Crowd(300), 10, processes=count, cores=2) for count in (1, 4))
    assert four.rate == pytest.approx(single.rate, rel=0.03)
    assert single.busy > 2.5 * four.busy
    assert single.store > 0
