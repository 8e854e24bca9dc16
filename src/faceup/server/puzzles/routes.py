"""Routes of puzzles. The values of the options are sent only in answer to the player's own answer."""

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, JSONBody

from faceup.core import Seat
from faceup.core.registry import OptionValue, options_of
from faceup.server.accounts.errors import NotFoundError
from faceup.server.http.idempotency import request_id
from faceup.server.http.schemas import Name
from faceup.server.http.services import Requester, Services
from faceup.server.puzzles.queries import (
    PuzzleAnswer,
    PuzzleProgress,
    PuzzleTotals,
    first_rating,
    next_puzzle,
    progress_of,
    puzzle_answers_of,
    rating_of_puzzle,
    store_answer,
    totals_of_puzzles,
)
from faceup.server.rooms.merge_patch import drop_nulls
from faceup.server.tables.routes import identity_or_guest

if TYPE_CHECKING:
    from faceup.coach.puzzles import Puzzle


class PuzzleVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of the requester to a puzzle, and what the coach found.

    Attributes:
        action: the requester's answer.
        solved: whether it is the best option.
        points: by how much the answer changed the rating of the requester.
        options: all options with their values, the best one first: `action`, `heads`, `win`, `behind`, `risk` and
            `explanation`, as in a hint.
        lead: how many expected heads the best option is better than the second one.
        theme: what the puzzle trains: "last_turns", "purpose", "count", "keep_low", "dump_high" or "in_time".
        rating: the rating of the puzzle.
        tries: how many players have answered it.
        found: how many of them have solved it.
    """

    action: str
    solved: bool
    points: int
    options: tuple[dict[str, Any], ...]  # Any: JSON, from a module that is slow to import
    lead: float
    theme: str
    rating: int
    tries: int
    found: int


class PuzzleView(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle, as the requester may see it.

    Attributes:
        id: its id.
        position: the rules and the view of the seat that decides, in notation.
        game: the game.
        variant: the variant.
        options: the options of the game, with the number of seats.
        seat: the seat that decides.
        view: what the seat sees, as at a table.
        actions: the legal actions in notation.
        deal: the deal, from 1.
        turn: the turn in the deal, from 1.
        bots: the bots that played the game; empty if it was not played by bots.
        verdict: the verdict; null until the requester has answered.
    """

    id: str
    position: str
    game: str
    variant: str
    options: dict[str, OptionValue]
    seat: Seat
    view: dict[str, Any]  # Any: each game defines its own view
    actions: tuple[str, ...]
    deal: int
    turn: int
    bots: tuple[str, ...]
    verdict: PuzzleVerdict | None


class PuzzleOverview(PuzzleProgress, frozen=True, kw_only=True):
    """The results of the requester, and the next puzzle.

    Attributes:
        puzzles: the number of puzzles on this server.
        next: the next puzzle; null if the requester has answered all.
    """

    puzzles: int
    next: PuzzleView | None


class PuzzleAnswered(PuzzleOverview, frozen=True, kw_only=True):
    """The reply to an answer. `puzzle` is the answered puzzle with its verdict."""

    puzzle: PuzzleView


class NewAnswer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An answer to a puzzle.

    Attributes:
        action: one of the puzzle's actions, in notation.
        name: the name of the guest that is created without a session.
    """

    action: Annotated[str, msgspec.Meta(max_length=40)]
    name: Name | None = None


@get("/api/puzzles", tags=["puzzles"])
async def get_puzzle_overview(services: Given[Services], requester: Given[Requester]) -> PuzzleOverview:
    """Get the next puzzle, and the requester's rating and streak.

    The next puzzle is one that the requester has not answered, with a rating near the requester's.
    The first ten are easy ones, of one deal of the base game with three or four players.
    """
    player = None if requester.identity is None else requester.may("read").player
    return PuzzleOverview(**await _overview(services, player))


@get("/api/puzzles/{puzzle:str}", tags=["puzzles"])
async def get_puzzle(puzzle: FromPath[str], services: Given[Services], requester: Given[Requester]) -> PuzzleView:
    """Get a puzzle, with its verdict if the requester has answered it."""
    stored_puzzle = await _find(services, puzzle)
    player = None if requester.identity is None else requester.may("read").player
    answers = [] if player is None else await services.query(puzzle_answers_of, player)
    answer = next((own_answer for own_answer in answers if own_answer.puzzle == stored_puzzle.id), None)
    return await _puzzle_view(services, stored_puzzle, answer)


@post("/api/puzzles/{puzzle:str}", tags=["puzzles"])
async def answer_puzzle(
    puzzle: FromPath[str], data: JSONBody[NewAnswer], services: Given[Services], requester: Given[Requester]
) -> Response[PuzzleAnswered]:
    """Answer a puzzle, and get the verdict with the values of all options. Only the first answer is accepted.

    Without a session or token, the server creates a guest.
    """
    stored_puzzle = await _find(services, puzzle)
    option = stored_puzzle.option(data.action)
    identity, headers = await identity_or_guest(services, requester, data.name)
    first, solved = first_rating(stored_puzzle.found), option is stored_puzzle.best
    player, is_retry = identity.player, bool(request_id())
    answer = await services.write(
        store_answer, player, stored_puzzle.id, option.action, solved=solved, first=first, is_retry=is_retry
    )
    shown = await _puzzle_view(services, stored_puzzle, answer)
    overview = await _overview(services, player)
    return Response(PuzzleAnswered(**overview, puzzle=shown), headers=headers)


async def _find(services: Services, puzzle: str) -> "Puzzle":
    """Return the puzzle with this id. Raises `NotFoundError`."""
    if (stored_puzzle := (await services.puzzles()).get(puzzle)) is None:
        raise NotFoundError("there is no such puzzle")
    return stored_puzzle


async def _overview(services: Services, player: str | None) -> dict[str, Any]:  # Any: the members of `PuzzleOverview`
    answers = [] if player is None else await services.query(puzzle_answers_of, player)
    totals, puzzles = await services.query(totals_of_puzzles), await services.puzzles()
    ratings = {
        served_puzzle.id: first_rating(served_puzzle.found) + totals.get(served_puzzle.id, PuzzleTotals()).points
        for served_puzzle in puzzles.values()
    }
    basic = {served_puzzle.id for served_puzzle in puzzles.values() if served_puzzle.is_basic}
    chosen = next_puzzle(ratings, answers, basic=basic, key=player or "")
    following = None if chosen is None else await _puzzle_view(services, puzzles[chosen], None)
    progress = msgspec.structs.asdict(progress_of(answers))
    return {**progress, "puzzles": len(puzzles), "next": following}


async def _puzzle_view(services: Services, puzzle: "Puzzle", answer: PuzzleAnswer | None) -> PuzzleView:
    rules, view = puzzle.parsed
    assert view.seat is not None  # noqa: S101 -- a puzzle has the view of a seat
    return PuzzleView(
        id=puzzle.id,
        position=puzzle.position,
        game=rules.game,
        variant=rules.variant,
        options=options_of(rules),
        seat=view.seat,
        view=drop_nulls(msgspec.to_builtins(view)),
        actions=tuple(rules.describe(action) for action in view.legal),
        deal=puzzle.source.deal,
        turn=puzzle.source.turn,
        bots=puzzle.source.bots,
        verdict=None if answer is None else await _verdict(services, puzzle, answer),
    )


async def _verdict(services: Services, puzzle: "Puzzle", answer: PuzzleAnswer) -> PuzzleVerdict:
    totals = (await services.query(totals_of_puzzles)).get(puzzle.id, PuzzleTotals())
    return PuzzleVerdict(
        action=answer.action,
        solved=answer.solved,
        points=round(answer.points),
        options=tuple([msgspec.to_builtins(option) for option in puzzle.options]),
        lead=puzzle.lead,
        theme=puzzle.theme,
        rating=rating_of_puzzle(first_rating(puzzle.found), totals),
        tries=totals.tries,
        found=totals.solved,
    )
