"""Results that nobody played, for tests of what keeps and counts them."""

from collections.abc import Iterator

from faceup.arena import Match, Result, Terms, Transcript
from faceup.arena.contests import Contest, Named, contest
from faceup.arena.log import Played, pack
from faceup.arena.schedule import schedule
from faceup.core import places

TWO = (Named("new", "1" * 64), Named("old", "2" * 64))
FIVE = tuple(Named(name, name * 64) for name in "abcde")


def comparison(
    seed: int = 7, *, bots: tuple[Named, ...] = TWO, game: str = "nimmt:arena", unit: str = "match"
) -> Contest:
    assert unit in {"match", "deal"}
    return contest("compare", Terms(game), bots, seed=seed, unit="deal" if unit == "deal" else "match")


def result(match: Match) -> Result:
    """Bots with earlier names have fewer points, more or less."""
    scores = tuple(10 * ord(name[0]) + (match.number * 7 + player) % 60 for player, name in enumerate(match.lineup))
    return Result(match, scores, places(scores))


def played(match: Match) -> Played:
    answers = tuple((f"PLAY {match.number % 104 + 1}".encode(),) for _ in match.lineup)
    return pack(result(match), Transcript(answers, tuple(b"" for _ in match.lineup)))


def matches(contest: Contest, blocks: int) -> Iterator[Match]:
    """Of a contest that is no ladder."""
    plan = schedule(contest)
    for number in range(blocks):
        found = plan.block(number)
        assert found is not None
        yield from found
