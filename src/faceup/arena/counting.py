"""What a result counts as: places that are shared, and the points of a player that was put out."""

from collections.abc import Sequence

from faceup.arena.matches import Result


def shared_places(places: Sequence[int]) -> tuple[float, ...]:
    """Places for taking means of: players that share one have the mean of those that they take up together.

    Whoever plays, the places of a match then have the same mean, so that nobody gains by sharing. Source: Kendall, "The
    treatment of ties in ranking problems" (1945).

    >>> shared_places((1, 3, 1, 4))
    (1.5, 3.0, 1.5, 4.0)
    """
    return tuple([place + (places.count(place) - 1) / 2 for place in places])


def out_of(result: Result) -> frozenset[int]:
    """The players that were put out."""
    return frozenset(fault.player for fault in result.faults)


def points_of(results: Sequence[Result], *, fewer: bool) -> list[tuple[int, ...]]:
    """The points of each player in each match of a block, with those that were put out counted as the worst.

    A player that is out takes part no more, and its points stay as they are: where fewer points are better, nothing
    would be as good as to crash at once. So it has the worst points of anybody in the block, its own among them.

    Args:
        results: of one block.
        fewer: whether fewer points are better.
    """
    everybody = [score for result in results for score in result.scores]
    worst = max(everybody) if fewer else min(everybody)
    return [
        tuple([worst if player in out else score for player, score in enumerate(result.scores)])
        for result, out in ((result, out_of(result)) for result in results)
    ]
