"""The referee: plays a match between bots, and says how it ended and why."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Self

from faceup.arena.bots import Bot
from faceup.arena.matches import Fault, Match, Result, Transcript
from faceup.arena.programs import Program, Programs, columns
from faceup.arena.protocols import protocol
from faceup.arena.sitters import Insider, Outsider, Sitter, Table
from faceup.arena.terms import Terms
from faceup.arena.times import times_of
from faceup.bots import policy
from faceup.core import (
    CHANCE,
    FORFEIT,
    AnyRules,
    Generator,
    Malformed,
    Policy,
    Seat,
    Seeded,
    State,
    draw,
    make,
    places,
)
from faceup.core.generator import mix
from faceup.core.registry import nearest

_CHANCE: Final = (CHANCE,)


class Referee:
    """Plays matches, one after another, in a process of one thread. A context manager: it leaves no program running.

    One seat is asked at a time, in the order of the seats, so that each bot has the core to itself while it thinks. A
    program is started when it is first asked in a match, and ended when the match is over, unless it is kept.

    Whoever breaks the terms is out, and a `Fault` says why. Where the rules know forfeits, the match goes on without
    it. Where they do not, the match ends with that decision: those who broke the terms in it are last, alike, and the
    others share the places that their scores so far give them among themselves.

    Args:
        terms: on which they play.
        bots: by name.

    Raises:
        Malformed: no such game or protocol, or one of the bots is a program and this system runs none.

    >>> from faceup.arena import Bot, Match, Terms
    >>> bots = {name: Bot(name, player=name) for name in ("greedy", "lowest", "highest")}
    >>> with Referee(Terms(game="nimmt:arena deals=1"), bots) as referee:
    ...     result, transcript = referee.play(Match(0, 0, ("greedy", "lowest", "highest", "lowest"), 0), seed=1)
    >>> result.scores, result.places
    ((21, 11, 13, 9), (4, 2, 3, 1))
    >>> transcript.answers[0][:3]
    (b'PLAY 44', b'PLAY 20', b'PLAY 21')
    """

    def __init__(self, terms: Terms, bots: Mapping[str, Bot]) -> None:
        rules = make(terms.game)
        self._table = Table(terms, rules, protocol(rules, terms.protocol))
        self._bots = dict(bots)
        self._policies: dict[str, Policy] = {}
        self._kept: dict[str, list[Program]] = {}
        self._programs = Programs(terms) if any(not bot.player for bot in bots.values()) else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all programs: nothing of any bot is left running."""
        self._kept.clear()
        if self._programs:
            self._programs.close()
            self._programs = None

    def play(self, match: Match, seed: int) -> tuple[Result, Transcript]:
        """Play a match to its end; nothing that a program does keeps it from that.

        Chance is drawn from the seed and the block alone, so that all matches of a block have the same cards. Each
        player of ours draws from a source of its own, so that none is disturbed by how much another draws.

        Args:
            match: which.
            seed: of the schedule.

        Raises:
            Malformed: a bot that is not known, or a lineup that does not fill the seats.
            OSError: the system is out of processes, files or memory.
        """
        faults: list[Fault] = []
        sitters = self._sit_down(match, seed, faults)
        try:
            seated = [sitters[player] for player in match.player_in]
            state = play_out(self._table.rules, seated, Seeded(seed, match.block))
        except BaseException:
            self._drop(sitters)
            raise
        self._leave(sitters)
        return self._report(match, state, sitters, faults)

    def _sit_down(self, match: Match, seed: int, faults: list[Fault]) -> list[Sitter]:
        """The sitters of a match, player by player."""
        rules = self._table.rules
        if len(match.lineup) != rules.seats:
            raise Malformed(
                f"{self._table.terms.game} has {rules.seats} seats, and the lineup {len(match.lineup)} bots",
                what=match.lineup,
                where="lineup",
            )
        sitters: list[Sitter] = []
        for player, (name, seat) in enumerate(zip(match.lineup, match.seat_of, strict=True)):
            if name not in self._bots:
                raise Malformed(f"there is no bot {name!r}{nearest(name, list(self._bots))}", what=name, where="lineup")
            bot = self._bots[name]
            if bot.player:
                sitters.append(Insider(self._table, self._policy(bot.player), _source(match, seed, player)))
            else:
                sitters.append(self._outsider(bot, player, seat, faults))
        return sitters

    def _outsider(self, bot: Bot, player: int, seat: Seat, faults: list[Fault]) -> Outsider:
        """A program, the one that was kept from another match if there is one that can play."""
        programs, kept = self._programs, self._kept.get(bot.name)
        if programs is None:
            raise Malformed("the referee is closed, and plays no more matches", where="referee")
        program = None
        while kept and program is None:
            program = kept.pop()
            if not programs.renew(program):
                program = None
        return Outsider(self._table, programs, bot, program, player=player, seat=seat, faults=faults)

    def _policy(self, name: str) -> Policy:
        """A player of ours, which has decided once: what it loads or compiles for that does not count as thinking."""
        if name not in self._policies:
            rules = self._table.rules
            found = policy(rules.game, name)
            state: State = rules.start()
            rng = Seeded(0)
            while rules.to_act(state) == _CHANCE:
                state = rules.apply(state, draw(rules, state, rng)).state
            for seat in rules.to_act(state)[:1]:
                found(rules, rules.view(state, seat), rng)
            self._policies[name] = found
        return self._policies[name]

    def _leave(self, sitters: Iterable[Sitter]) -> None:
        """End the programs of a match, but for those that are kept."""
        if self._programs is None:
            return
        leaving: list[Program] = []
        for sitter in sitters:
            program = sitter.program
            if program is None or program.status is not None:
                continue
            if self._table.terms.alive and program.bot.alive:
                self._kept.setdefault(program.bot.name, []).append(program)
            else:
                leaving.append(program)
        self._programs.end(leaving)

    def _drop(self, sitters: Iterable[Sitter]) -> None:
        """End the programs of a match that cannot be played on."""
        for sitter in sitters:
            if self._programs and sitter.program:
                self._programs.drop(sitter.program)

    def _report(
        self, match: Match, state: State, sitters: Sequence[Sitter], faults: Sequence[Fault]
    ) -> tuple[Result, Transcript]:
        rules, seat_of = self._table.rules, match.seat_of
        scores, ranks = rules.scores(state), _ranks(rules, state, {seat_of[fault.player] for fault in faults})
        logs = tuple([sitter.program.log.kept() if sitter.program else b"" for sitter in sitters])
        result = Result(
            match,
            tuple([scores[seat] for seat in seat_of]),
            tuple([ranks[seat] for seat in seat_of]),
            tuple(faults),
            tuple([times_of(sitter.times, sitter.grace) for sitter in sitters]),
            tuple(map(columns, logs)),
        )
        marks = tuple(
            [(*running.marks, running.log.total) if (running := sitter.program) else () for sitter in sitters]
        )
        return result, Transcript(tuple([tuple(sitter.answers) for sitter in sitters]), logs, marks)


def play_out(rules: AnyRules, seated: Sequence[Sitter], chance: Generator) -> State:
    """The state in which a match ends.

    Args:
        rules: of the game.
        seated: who decides, seat by seat.
        chance: where everything comes from that nobody decides.
    """
    state: State = rules.start()
    while to_act := rules.to_act(state):
        if to_act == _CHANCE:
            state = rules.apply(state, draw(rules, state, chance)).state
            continue
        move = {seat: seated[seat].decide(rules.view(state, seat)) for seat in to_act}
        if FORFEIT in move.values() and not rules.forfeits:
            break
        state = rules.apply(state, move).state
    return state


def _ranks(rules: AnyRules, state: State, out: set[Seat]) -> tuple[int, ...]:
    """The places by seat, those who are out behind all others whether or not the rules know of it."""
    ranks = rules.ranks(state)
    if rules.forfeits or not out:
        return ranks
    return places([(seat in out, 0 if seat in out else ranks[seat]) for seat in range(rules.seats)])


def _source(match: Match, seed: int, player: int) -> Generator:
    """A player's own source of random numbers."""
    return Seeded(mix(seed ^ mix(player + 1)), match.block * len(match.lineup) + match.rotation)
