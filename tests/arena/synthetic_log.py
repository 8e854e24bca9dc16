"""Synthetic results and contests for tests of logs and engines."""

from collections.abc import Iterator

from faceup.arena import Match, MatchResult, MatchTerms, Transcript
from faceup.arena.run.log import StoredMatch, pack
from faceup.arena.run.pairings import Contest, ContestBot, contest
from faceup.arena.run.schedule import schedule
from faceup.core import places

TWO = (ContestBot("new", "1" * 64), ContestBot("old", "2" * 64))
FIVE = tuple(ContestBot(name, name * 64) for name in "abcde")


def comparison(
    seed: int = 7, *, bots: tuple[ContestBot, ...] = TWO, game: str = "nimmt:arena", unit: str = "match"
) -> Contest:
    assert unit in {"match", "deal"}
    return contest("compare", MatchTerms(game), bots, seed=seed, unit="deal" if unit == "deal" else "match")


def result(match: Match) -> MatchResult:
    """Return a made-up result in which bots with earlier names tend to have fewer points."""
    scores = tuple(10 * ord(name[0]) + (match.number * 7 + player) % 60 for player, name in enumerate(match.lineup))
    return MatchResult(match, scores, places(scores))


def played(match: Match) -> StoredMatch:
    answers = tuple((f"PLAY {match.number % 104 + 1}".encode(),) for _ in match.lineup)
    return pack(result(match), Transcript(answers, tuple(b"" for _ in match.lineup)))


def matches(contest: Contest, blocks: int) -> Iterator[Match]:
    """Return the matches of a contest that is no ladder."""
    plan = schedule(contest)
    for number in range(blocks):
        block = plan.block(number)
        assert block is not None
        yield from block
