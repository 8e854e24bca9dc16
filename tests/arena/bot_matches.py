"""Matches between built-in bots with transcripts and optional faults."""

from collections.abc import Mapping, Sequence

from faceup.arena import Bot, Cause, Fault, Match, MatchResult, MatchTerms, Transcript, protocol
from faceup.arena.match.result import histogram_of
from faceup.bots import policy
from faceup.core import CHANCE, FORFEIT, SeededGenerator, State, draw, make

Faults = Mapping[tuple[int, int], tuple[Cause, bytes | None]]
"""By player and decision: the cause of a fault, and the output instead of an answer."""

ARENA = MatchTerms()
SHORT = MatchTerms(game="nimmt:arena deals=1")


def bots(*names: str) -> dict[str, Bot]:
    """Return built-in bots under their own names."""
    return {name: Bot(name, player=name.partition("+")[0]) for name in names}


def play(
    match: Match, terms: MatchTerms = SHORT, seed: int = 7, *, faults: Faults | None = None, logs: Sequence[bytes] = ()
) -> tuple[MatchResult, Transcript]:
    """Play a match as the referee would; a suffix `+...` distinguishes players of the same bot."""
    rules = make(terms.game)
    text_protocol = protocol(rules, terms.protocol)
    players = [policy(rules.game, name.partition("+")[0]) for name in match.lineup]
    chance, own = (
        SeededGenerator(seed, match.block),
        [SeededGenerator(seed, 1000 + player) for player in range(len(players))],
    )
    written: list[list[bytes]] = [[] for _ in players]
    asked = [0] * len(players)
    drawn_faults: list[Fault] = []
    state: State = rules.start()
    while to_act := rules.to_act(state):
        if to_act == (CHANCE,):
            state = rules.apply(state, draw(rules, state, chance)).state
            continue
        move = {}
        for seat in to_act:
            player = match.player_in[seat]
            view = rules.view(state, seat)
            action = players[player](rules, view, own[player])
            wrong = (faults or {}).get((player, asked[player]))
            if wrong is None:
                written[player].append(text_protocol.format_action(action).encode())
            else:
                cause, came = wrong
                drawn_faults.append(Fault(player, cause, asked[player], f"it wrote {came!r}"))
                written[player] += [] if came is None else [came]
                action = FORFEIT
            asked[player] += 1
            move[seat] = action
        if FORFEIT in move.values() and not rules.forfeits:
            break
        state = rules.apply(state, move).state
    scores, ranks = rules.scores(state), rules.ranks(state)
    result = MatchResult(
        match,
        tuple(scores[seat] for seat in match.seat_of),
        tuple(ranks[seat] for seat in match.seat_of),
        tuple(drawn_faults),
        tuple(
            histogram_of([90 + 7 * index + 400 * player for index in range(count)])
            for player, count in enumerate(asked)
        ),
        tuple({} for _ in players),
    )
    return result, Transcript(tuple(map(tuple, written)), tuple(logs) or (b"",) * len(players))
