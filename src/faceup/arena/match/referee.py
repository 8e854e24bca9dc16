"""The referee, which plays matches between bots and enforces the terms."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Self

from faceup.arena.match.players import BuiltinPlayer, MatchPlayer, ProgramPlayer
from faceup.arena.match.protocols import protocol
from faceup.arena.match.result import Fault, Match, MatchResult, Transcript, histogram_of
from faceup.arena.match.terms import Bot, MatchTerms
from faceup.arena.process import Program, ProgramRunner, columns
from faceup.bots import policy
from faceup.core import (
    CHANCE,
    FORFEIT,
    AnyRules,
    Generator,
    Malformed,
    Policy,
    Seat,
    SeededGenerator,
    State,
    draw,
    make,
    places,
    plural,
)
from faceup.core.arguments import check_type
from faceup.core.generator import mix
from faceup.core.registry import nearest
from faceup.core.whole_numbers import LARGEST_WORD, whole_number

_CHANCE: Final = (CHANCE,)


class Referee:
    """A referee, which plays matches one after another. A context manager that ends all programs.

    The process of a referee must have only one thread. Seats are asked one at a time, in order, so that each bot has a
    core to itself while it thinks. A program is started when it is first asked in a match, and ended after the match
    unless it is kept alive.

    A bot that breaks the terms is out, and a `Fault` records the reason. If the rules support forfeits, the match
    continues without the bot. If not, the match ends at that decision. The bots that broke the terms then share the
    last place, and the other bots are ranked by their scores so far.

    Raises:
        Malformed: there is no such game or protocol, or a bot is a program and this system cannot run programs.

    >>> from faceup.arena import Bot, Match, MatchTerms
    >>> bots = {name: Bot(name, player=name) for name in ("greedy", "lowest", "highest")}
    >>> with Referee(MatchTerms(game="nimmt:arena deals=1"), bots) as referee:
    ...     result, transcript = referee.play(Match(0, 0, ("greedy", "lowest", "highest", "lowest"), 0), seed=1)
    >>> result.scores, result.places
    ((21, 11, 13, 9), (4, 2, 3, 1))
    >>> transcript.answers[0][:3]
    (b'PLAY 44', b'PLAY 20', b'PLAY 21')
    """

    def __init__(self, terms: MatchTerms, bots: Mapping[str, Bot]) -> None:
        check_type("terms", terms, MatchTerms, "a MatchTerms")
        check_type("bots", bots, Mapping, "a dict of names to bots")
        for bot in bots.values():
            check_type("a bot", bot, Bot, "a Bot")
        self._terms = terms
        self._rules = make(terms.game)
        self._protocol = protocol(self._rules, terms.protocol)
        self._bots = dict(bots)
        self._policies: dict[str, Policy] = {}
        self._alive: dict[str, list[Program]] = {}
        self._paused = 0
        self._programs = ProgramRunner(terms) if any(not bot.player for bot in bots.values()) else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all programs."""
        self._alive.clear()
        if self._programs:
            self._programs.close()
            self._programs = None

    def play(self, match: Match, seed: int) -> tuple[MatchResult, Transcript]:
        """Play a match to its end, whatever its programs do.

        Chance outcomes depend only on the seed and the block, so all matches of a block have the same cards. Each
        built-in bot has its own source of random numbers, so that one bot's draws do not change another bot's draws.

        Raises:
            Malformed: a bot is unknown, the lineup does not fill the seats, or the seed is out of range.
            OSError: the system is out of processes, files or memory.
        """
        check_type("match", match, Match, "a Match")
        seed = whole_number("a seed", seed, 0, LARGEST_WORD)
        faults: list[Fault] = []
        players = self._create_players(match, seed, faults)
        try:
            seated = [players[player] for player in match.player_in]
            state = play_out(self._rules, seated, SeededGenerator(seed, match.block))
        # Also after Ctrl-C: a program that outlives its match would take time from the next one.
        except BaseException:
            self._kill_programs(players)
            raise
        self._end_programs(players)
        return self._report(match, state, players, faults)

    def _create_players(self, match: Match, seed: int, faults: list[Fault]) -> list[MatchPlayer]:
        """Create the players of a match, in the order of its lineup."""
        rules = self._rules
        if len(match.lineup) != rules.seats:
            raise Malformed(
                f"the lineup must have {plural(rules.seats, 'bot')}, one for each seat of {self._terms.game}; "
                f"got {len(match.lineup)}",
                what=match.lineup,
                where="lineup",
            )
        players: list[MatchPlayer] = []
        for player, (name, seat) in enumerate(zip(match.lineup, match.seat_of, strict=True)):
            if name not in self._bots:
                raise Malformed(f"there is no bot {name!r}{nearest(name, list(self._bots))}", what=name, where="lineup")
            bot = self._bots[name]
            if bot.player:
                players.append(
                    BuiltinPlayer(rules, self._protocol, self._policy(bot.player), _source(match, seed, player))
                )
            else:
                players.append(self._program_player(bot, player, seat, faults))
        return players

    def _program_player(self, bot: Bot, player: int, seat: Seat, faults: list[Fault]) -> ProgramPlayer:
        """Create a player for a bot's program. If a program of the bot was kept alive and is ready, reuse it."""
        programs, kept = self._programs, self._alive.get(bot.name)
        if programs is None:
            raise Malformed("the referee is closed and cannot play matches", where="referee")
        program = None
        while kept and program is None:
            program = kept.pop()
            if not programs.start_next_match(program):
                program = None
        return ProgramPlayer(
            self._terms, self._protocol, programs, bot, program, player=player, seat=seat, faults=faults
        )

    def _policy(self, name: str) -> Policy:
        """Load a built-in bot and let it decide once, so that compilation does not count as its thinking time."""
        if name not in self._policies:
            rules = self._rules
            bot, rng, state = policy(rules.game, name), SeededGenerator(0), rules.start()
            while rules.to_act(state) == _CHANCE:
                state = rules.apply(state, draw(rules, state, rng)).state
            for seat in rules.to_act(state)[:1]:
                bot(rules, rules.view(state, seat), rng)
            self._policies[name] = bot
        return self._policies[name]

    def _end_programs(self, players: Iterable[MatchPlayer]) -> None:
        """End the programs of a match, except those that are kept alive."""
        if self._programs is None:
            return
        ending: list[Program] = []
        for player in players:
            program = player.program
            if program is None or program.status is not None:
                continue
            if self._terms.alive and program.bot.alive:
                self._alive.setdefault(program.bot.name, []).append(program)
            else:
                ending.append(program)
        self._programs.end(ending)

    def _kill_programs(self, players: Iterable[MatchPlayer]) -> None:
        """Kill the programs of a match that cannot continue."""
        for player in players:
            if self._programs and player.program:
                self._programs.kill(player.program)

    def _report(
        self, match: Match, state: State, players: Sequence[MatchPlayer], faults: Sequence[Fault]
    ) -> tuple[MatchResult, Transcript]:
        rules, seat_of = self._rules, match.seat_of
        scores, ranks = rules.scores(state), _ranks(rules, state, {seat_of[fault.player] for fault in faults})
        before, self._paused = self._paused, self._programs.paused if self._programs else 0
        logs = tuple([player.program.log.content() if player.program else b"" for player in players])
        result = MatchResult(
            match,
            tuple([scores[seat] for seat in seat_of]),
            tuple([ranks[seat] for seat in seat_of]),
            tuple(faults),
            tuple([histogram_of(player.times, player.grace) for player in players]),
            tuple(map(columns, logs)),
            (self._paused - before) // 1_000_000,
        )
        marks = tuple(
            [(*running.marks, running.log.total) if (running := player.program) else () for player in players]
        )
        return result, Transcript(tuple([tuple(player.answers) for player in players]), logs, marks)


def play_out(rules: AnyRules, seated: Sequence[MatchPlayer], chance: Generator) -> State:
    """Play a match of these players and return its final state.

    Args:
        rules: the rules.
        seated: the players in the order of their seats.
        chance: the source of random numbers for the chance outcomes.
    """
    state: State = rules.start()
    while to_act := rules.to_act(state):
        if to_act == _CHANCE:
            state = rules.apply(state, draw(rules, state, chance)).state
            continue
        # All views are of the same state: a seat that is asked later learns nothing of the choices before it.
        move = {seat: seated[seat].decide(rules.view(state, seat)) for seat in to_act}
        if FORFEIT in move.values() and not rules.forfeits:
            break
        state = rules.apply(state, move).state
    return state


def _ranks(rules: AnyRules, state: State, out: set[Seat]) -> tuple[int, ...]:
    """Return the place of each seat. Seats that forfeited come last, even if the rules do not support forfeits."""
    ranks = rules.ranks(state)
    if rules.forfeits or not out:
        return ranks
    return places([(seat in out, 0 if seat in out else ranks[seat]) for seat in range(rules.seats)])


def _source(match: Match, seed: int, player: int) -> Generator:
    """Return a player's own source of random numbers for a match."""
    return SeededGenerator(mix(seed ^ mix(player + 1)), match.block * len(match.lineup) + match.rotation)
