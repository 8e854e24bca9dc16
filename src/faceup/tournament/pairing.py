"""The pairing of a round: the players of each table.

The draw minimizes two costs, the first before the second:

1. repeated meetings: for each pair at a table, how often the two have met before;
2. differences in points: for each pair at a table, the square of the difference.

For tables of two, this is a matching of least cost in a graph, as proposed by Ólafsson, "Weighted matching in chess
tournaments" (Journal of the Operational Research Society 41, 1990), and found with the algorithm of Edmonds ("Paths,
trees, and flowers", 1965). So no one meets twice if any pairing avoids it.

For larger tables the problem is NP-hard (it contains Karp's 3-dimensional matching), so the draw is a local search: the
standings are cut into tables from the top, and players of different tables are exchanged where this lowers the costs
most, until no exchange helps (2-exchange, as in Kernighan and Lin, 1970). If repeated meetings are left, the search
starts again from other orders, and the best result counts.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from faceup.core import Generator
from faceup.extras import needs

Meetings: TypeAlias = Mapping[int, Mapping[int, int]]
"""How often each entrant has met each other one."""

_NEAREST: Final = 16
"""How many of the next entrants in the order an entrant is paired or exchanged with, unless this leaves repeats."""

_LEAST: Final = 1e-9
"""The least change of the squared differences in points that counts, because they are sums of rounded numbers."""

_STARTS: Final = 1000
"""The greatest number of players in all restarts of a search together."""


class Cost(NamedTuple):
    """The costs of tables: repeated meetings, and squared differences in points."""

    repeats: int
    spread: float


def meetings(tables: Sequence[Sequence[int]]) -> dict[int, Counter[int]]:
    """Return how often the entrants at these tables have met.

    >>> meetings([(1, 2, 3), (1, 2)])[1]
    Counter({2: 2, 3: 1})
    """
    met: dict[int, Counter[int]] = {}
    for table in tables:
        for first, second in combinations(table, 2):
            met.setdefault(first, Counter())[second] += 1
            met.setdefault(second, Counter())[first] += 1
    return met


def cost(tables: Sequence[Sequence[int]], met: Meetings, points: Mapping[int, float]) -> Cost:
    """Return the costs of a round."""
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    repeats = sum(met[first].get(second, 0) for first, second in pairs if first in met)
    return Cost(repeats, sum((points[first] - points[second]) ** 2 for first, second in pairs))


def pair(
    order: Sequence[int], sizes: Sequence[int], met: Meetings, points: Mapping[int, float], rng: Generator
) -> list[tuple[int, ...]]:
    """Return the tables of a round.

    Args:
        order: the entrants, the best one first.
        sizes: the numbers of people at the tables, in the order of the tables.
        met: how often they have met.
        points: the points of each; all the same if only repeated meetings count.
        rng: the generator for restarts.

    >>> from faceup.core import generator
    >>> pair((1, 2, 3, 4, 5, 6), (3, 3), meetings([(1, 2), (2, 3)]), dict.fromkeys(range(1, 7), 0.0), generator(1))
    [(4, 1, 3), (2, 5, 6)]
    """
    if set(sizes) == {2}:
        return _match(order, met, points)
    best = _exchange(order, sizes, met, points)
    lowest = cost(best, met, points)
    for _ in range(_STARTS // len(order)):
        if not lowest.repeats:
            break
        tables_found = _exchange(shuffled(order, rng), sizes, met, points)
        if (reached := cost(tables_found, met, points)) < lowest:
            best, lowest = tables_found, reached
    return best


def shuffled(values: Sequence[int], rng: Generator) -> list[int]:
    """Return the values in a random order."""
    mixed = list(values)
    for last in range(len(mixed) - 1, 0, -1):
        other = rng.below(last + 1)
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed


def _match(order: Sequence[int], met: Meetings, points: Mapping[int, float]) -> list[tuple[int, ...]]:
    """Return the tables of two with the least cost.

    At first, an edge leads only from each entrant to the `_NEAREST` next new opponents in the order, because the
    running time grows with the number of edges. If this gives no pairing, all edges are there.
    """
    new = [(first, second) for first, second in combinations(order, 2) if not met.get(first, {}).get(second, 0)]
    near, degree = list[tuple[int, int]](), Counter[int]()
    for first, second in new:
        if degree[first] < _NEAREST:
            near.append((first, second))
            degree[first] += 1
    pairs = _matching(near, met, points)
    if 2 * len(pairs) < len(order):
        pairs = _matching(list(combinations(order, 2)), met, points)
    rank = {number: index for index, number in enumerate(order)}
    return sorted((tuple(sorted(pair, key=rank.__getitem__)) for pair in pairs), key=lambda pair: rank[pair[0]])


def _matching(edges: Sequence[tuple[int, int]], met: Meetings, points: Mapping[int, float]) -> list[tuple[int, int]]:
    """Return the matching with the most edges, and among these one of least cost. Raises `MissingExtraError`."""
    with needs("server", "the draw for tables of two"):
        import networkx as nx  # noqa: PLC0415 -- slow to import, which would delay every start of a server

    steepest = 1 + len(points) * max(points.values(), default=0.0) ** 2  # more than all differences together
    graph: nx.Graph[int] = nx.Graph()
    for first, second in edges:
        repeats = met.get(first, {}).get(second, 0)
        graph.add_edge(first, second, weight=repeats * steepest + (points[first] - points[second]) ** 2)
    return list(nx.min_weight_matching(graph))


def _exchange(
    order: Sequence[int], sizes: Sequence[int], met: Meetings, points: Mapping[int, float]
) -> list[tuple[int, ...]]:
    """Cut the order into tables, and exchange players until no exchange lowers the cost."""
    tables, start = list[list[int]](), 0
    for size in sizes:
        tables.append(list(order[start : start + size]))
        start += size
    at = {number: index for index, table in enumerate(tables) for number in table}

    def cost_at(number: int, table: Sequence[int], without: int) -> Cost:
        """Return the cost of an entrant at a table in the place of another one."""
        meetings, own_points = met.get(number, {}), points[number]
        others = [other for other in table if other not in {number, without}]
        return Cost(
            sum(meetings.get(other, 0) for other in others), sum((own_points - points[other]) ** 2 for other in others)
        )

    improved = True
    while improved:
        improved = False
        for index, number in enumerate(order):
            own_table = tables[at[number]]
            now = cost_at(number, own_table, number)
            best, other = Cost(0, -_LEAST), 0
            for candidate in order if now.repeats else order[max(0, index - _NEAREST) : index + _NEAREST + 1]:
                there = tables[at[candidate]]
                if there is own_table:
                    continue
                before = cost_at(candidate, there, candidate)
                moved, replaced = cost_at(number, there, candidate), cost_at(candidate, own_table, number)
                change = Cost(
                    moved.repeats + replaced.repeats - now.repeats - before.repeats,
                    moved.spread + replaced.spread - now.spread - before.spread,
                )
                if change < best:
                    best, other = change, candidate
            if other:
                there = tables[at[other]]
                own_table[own_table.index(number)], there[there.index(other)] = other, number
                at[number], at[other] = at[other], at[number]
                improved = True
    return [tuple(table) for table in tables]
