"""A game as an environment of texts, in the manner of TextArena."""

from collections.abc import Mapping
from secrets import randbits
from typing import Any, NamedTuple

from faceup.bots import policy
from faceup.core import CHANCE, Action, Malformed, Policy, Seat, SeededGenerator, State
from faceup.core.arguments import check_callable, check_text, check_type
from faceup.core.registry import OptionValue, make_with_keywords
from faceup.core.whole_numbers import LARGEST_WORD, to_int, whole_number
from faceup.games.lane_chance import LaneChance
from faceup.llm.prompt import instructions, parse_reply, prompt_version, question

_MUST_RESET = "the environment must be reset first"


class TextDecision(NamedTuple):
    """What a player replied, and what was played.

    Attributes:
        seat: the player's seat.
        reply: the reply.
        action: the action that was played.
        fault: why the reply was not accepted, in which case `action` is the lowest legal action; "" if it was.
    """

    seat: Seat
    reply: str
    action: Action
    fault: str


class TextEnv:
    """A match in which players read and write text.

    Players are asked one after another, but no observation shows what others have chosen in the same turn. A decision
    with one possible answer is not asked for. A reply that names no legal action is a fault: the lowest legal action is
    played instead, and `close` counts it.

    Args:
        spec: the game, its variant and options, as for `faceup.core.make`.
        opponents: the bots of some seats, by seat, as names or policies; `reset` asks all other seats.
        options: more options of the game, such as `seats`.

    Attributes:
        rules: the rules of the game.
        decisions: all decisions of the current match that were asked for.

    Raises:
        Malformed: the game, an option, a seat or a bot is unknown, or no seat is left to be asked.

    >>> env = TextEnv("nimmt", seats=2, hand=2, opponents={1: "greedy"})
    >>> env.reset(seed=7)
    >>> seat, observation = env.get_observation()
    >>> seat, observation.splitlines()[-4:-2]
    (0, ['play 86', 'play 99'])
    >>> done, info = env.step("99 is far from every row, so I keep it. ANSWER: play 86")
    >>> done, env.close()[1]["faults"]
    (True, {0: 0})
    """

    def __init__(
        self, spec: str, *, opponents: Mapping[Seat, str | Policy] | None = None, **options: OptionValue
    ) -> None:
        self.rules = make_with_keywords(spec, options)
        self._policies: dict[Seat, Policy] = {}
        opponents = {} if opponents is None else opponents
        check_type("opponents", opponents, Mapping, "a dict of seats to bots")
        for seat, opponent in opponents.items():
            whole_number("a seat of an opponent", seat, 0, self.rules.seats - 1)
            self._policies[seat] = policy(self.rules.game, opponent) if isinstance(opponent, str) else opponent
            check_callable("an opponent", self._policies[seat], "the name of a bot or a function")
        if len(self._policies) == self.rules.seats:
            raise Malformed("at least one seat must have no opponent", what=opponents, where="opponents")
        self._instructions = instructions(self.rules)
        self._state: State | None = None
        self._move: dict[Seat, Action] = {}
        self.decisions: list[TextDecision] = []

    def reset(self, num_players: int | None = None, seed: int | None = None) -> None:
        """Start a match. A seed has the same deals here as in all other environments.

        Args:
            num_players: ignored unless it differs from the number of seats, which the constructor sets.
            seed: 0 to 2**64 - 1; random by default.

        Raises:
            Malformed: the seed or the number of players is wrong.
        """
        if num_players is not None and to_int("num_players", num_players) != self.rules.seats:
            raise Malformed(
                f"num_players must be the number of seats, {self.rules.seats}; got {num_players!r}",
                what=num_players,
                where="num_players",
            )
        drawn = randbits(64) if seed is None else whole_number("a seed", seed, 0, LARGEST_WORD)
        self._chance = LaneChance(self.rules, drawn)
        self._rng = SeededGenerator(drawn, LARGEST_WORD)  # of the bots: what they draw changes no deal
        self._move, self.decisions = {}, []
        self._advance(self.rules.start())

    def get_observation(self) -> tuple[Seat, str]:
        """Return the seat that is asked next, and its observation: instructions, position and possible answers.

        Raises:
            Malformed: `reset` was not called, or the match is over.
        """
        state, seat = self._asked("get_observation")
        return seat, f"{self._instructions}\n{question(self.rules, self.rules.view(state, seat))}"

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Take the reply of the seat that is asked.

        Returns:
            Whether the match is over, and a dictionary with the members of `TextDecision`.

        Raises:
            Malformed: `reset` was not called, or the match is over. A reply that names no action raises nothing.
        """
        state, seat = self._asked("step")
        check_text("a reply", action, "ANSWER: play 7")
        view = self.rules.view(state, seat)
        try:
            decision = TextDecision(seat, action, parse_reply(self.rules, view, action), "")
        except Malformed as error:
            decision = TextDecision(seat, action, view.legal[0], str(error))
        self.decisions.append(decision)
        self._move[seat] = decision.action
        self._advance(state)
        return not self.rules.to_act(self._state), decision._asdict()

    def close(self) -> tuple[dict[Seat, float], dict[str, Any]]:
        """Return each seat's points so far, and the prompt's version, the number of decisions and faults by seat."""
        if self._state is None:
            raise Malformed(_MUST_RESET, where="close")
        counts: dict[str, dict[Seat, int]] = {"decisions": {}, "faults": {}}
        for decision in self.decisions:
            counts["decisions"][decision.seat] = counts["decisions"].get(decision.seat, 0) + 1
            counts["faults"][decision.seat] = counts["faults"].get(decision.seat, 0) + bool(decision.fault)
        rewards = {seat: float(points) for seat, points in enumerate(self.rules.scores(self._state))}
        return rewards, {"prompt": prompt_version(self.rules), **counts}

    def _asked(self, where: str) -> tuple[State, Seat]:
        """Return the state, and the seat that is asked next."""
        if self._state is None:
            raise Malformed(_MUST_RESET, where=where)
        for seat in self.rules.to_act(self._state):
            if seat not in self._move:
                return self._state, seat
        raise Malformed(f"{_MUST_RESET}, because the match is over", where=where)

    def _advance(self, state: State) -> None:
        """Let chance, bots and forced decisions act until a seat must be asked or the match is over."""
        rules = self.rules
        while to_act := rules.to_act(state):
            if to_act == (CHANCE,):
                state = rules.apply(state, self._chance.draw(state)).state
                continue
            for seat in [seat for seat in to_act if seat not in self._move]:
                view = rules.view(state, seat)
                if seat in self._policies:
                    self._move[seat] = self._policies[seat](rules, view, self._rng)
                elif len(view.legal) == 1:
                    self._move[seat] = view.legal[0]
            if len(self._move) < len(to_act):
                break
            state, self._move = rules.apply(state, self._move).state, {}
        self._state = state
