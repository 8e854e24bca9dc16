"""The parts of environments that are the same for every API: options, seeding, chance, illegal actions, rendering."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from inspect import signature
from io import BytesIO
from secrets import randbits
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from faceup.core import (
    CHANCE,
    Action,
    AnyRules,
    IllegalActionError,
    Malformed,
    Policy,
    Seat,
    State,
    View,
    find_game,
    illegal_action_error,
    plural,
)
from faceup.core.registry import OptionValue, make_with_keywords
from faceup.core.whole_numbers import LARGEST_WORD, whole_number
from faceup.envs.observation import observer
from faceup.envs.rewards import reward as reward_of
from faceup.games.lane_chance import LaneChance

MUST_RESET: Final = "the environment must be reset first"
"""The message of the error before the first reset."""

OVER: Final = f"{MUST_RESET}, because the episode is over"
"""The message of the error after the end of an episode."""

Illegal: TypeAlias = Literal["replace", "raise"]
"""What a step does with an illegal action: replace it by the lowest legal action, or raise an error."""

ILLEGAL: Final = get_args(Illegal)

OPPONENTS_LANE: Final = LARGEST_WORD
"""The lane of a seed from which opponents draw, so that what they draw changes no deal."""

Opponents: TypeAlias = str | Policy | Sequence[str | Policy]
"""A policy or its name for all other seats, or a sequence with one policy or name for each other seat."""


def check_word(name: str, word: object, accepted: Sequence[str]) -> None:
    """Raise `Malformed` if an argument is not one of the accepted words.

    >>> check_word("illegal", "stop", ("replace", "raise"))
    Traceback (most recent call last):
    faceup.core.errors.Malformed: illegal must be "replace" or "raise"; got 'stop'
    """
    if not isinstance(word, str) or word not in accepted:
        quoted = " or ".join(f'"{accepted_word}"' for accepted_word in accepted)
        raise Malformed(f"{name} must be {quoted}; got {word!r}", what=word, where=name)


def refuse_options(options: Mapping[str, Any] | None) -> None:
    """Raise `Malformed` if `reset` got options, because all options are arguments of the constructor.

    The name `options` is allowed and ignored, because PettingZoo's tests pass `{"options": 1}` to every environment.

    >>> refuse_options(None)
    >>> refuse_options({"seats": 3})
    Traceback (most recent call last):
    faceup.core.errors.Malformed: reset takes no options: give them when you create the environment; got {'seats': 3}
    """
    requested: object = options  # from callers that no type checker has seen
    if requested is not None and not (isinstance(requested, Mapping) and requested.keys() <= {"options"}):
        raise Malformed(
            f"reset takes no options: give them when you create the environment; got {options!r}",
            what=options,
            where="options",
        )


def create_chance(rules: AnyRules, seed: int | None) -> LaneChance:
    """Return the chance of lane 0 of this seed, or of a random seed if `seed` is None.

    >>> from faceup.core import make
    >>> rules = make("nimmt seats=2 hand=1")
    >>> rules.describe(create_chance(rules, 7).draw(rules.start()))
    'deal 99 86 16 92 89 5'
    """
    return LaneChance(rules, randbits(64) if seed is None else seed)


def illegal_action(rules: AnyRules, state: State, seat: Seat, action: int) -> IllegalActionError:
    """Return the error for an action that the seat may not choose now.

    >>> from faceup.core import read
    >>> rules, state = read("nimmt seats=2 hand=1 | hands=7/44 rows=5/6/88/29")
    >>> illegal_action(rules, state, 1, 6).legal
    ('play 44',)
    """
    if seat in rules.to_act(state):
        return illegal_action_error(rules, state, seat, action)
    return IllegalActionError(
        f"seat {seat} is not to act now, so it can only wait, which is action {rules.bounds.actions}; got {action}",
        seat=seat,
        action=action,
    )


MODES: Final = ("human", "ansi", "svg", "rgb_array")
"""The render modes. The mode `human` prints the text that `ansi` returns, once for each new state."""

FRAME: Final = (720, 1280)
"""The height and width in pixels of the picture that the mode `rgb_array` returns."""


def check_render_mode(mode: object, modes: Sequence[str]) -> None:
    """Raise `Malformed` if there is no such mode among `modes`; None is no rendering.

    >>> check_render_mode("text", ("ansi", "svg"))
    Traceback (most recent call last):
    faceup.core.errors.Malformed: there is no render mode 'text'; there are: ansi, svg
    """
    if mode is not None and (not isinstance(mode, str) or mode not in modes):
        raise Malformed(
            f"there is no render mode {mode!r}; there are: {', '.join(modes)}", what=mode, where="render_mode"
        )


class Episodes:
    """The rules, reward, generator and current state of an environment of one game.

    Args:
        spec: the game, its variant and options, as for `faceup.core.make`.
        options: more options of the game, such as `seats`.
        reward: one of `reward_names(rules)`, by default the game's points.
        render_mode: one of `MODES`.
        encoding: one of `encoding_names(rules)`.
        illegal: what `step` does with an illegal action.

    Attributes:
        rules: the rules of the game.
        reward: the reward, with its bounds.
        agent_names: a name for each seat.
        wait: the action of a seat that is not to act. Its value equals the number of the game's actions.

    Raises:
        Malformed: an argument is invalid.
        TypeError: the game has no option of this name.
    """

    def __init__(
        self,
        spec: str,
        options: Mapping[str, OptionValue],
        reward: str | None,
        render_mode: str | None,
        encoding: str,
        *,
        illegal: Illegal,
    ) -> None:
        check_render_mode(render_mode, MODES)
        check_word("illegal", illegal, ILLEGAL)
        self.rules = make_with_keywords(spec, options)
        self.reward = reward_of(self.rules, reward)
        self.render_mode = render_mode
        self.agent_names = tuple([f"seat_{seat}" for seat in range(self.rules.seats)])
        self._observer = observer(self.rules, encoding)
        self.wait = self.rules.bounds.actions
        self._illegal = illegal
        self._chance = create_chance(self.rules, None)
        self._current: State | None = None
        self._shown: State | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes for `pickle` and `copy`, with a name in place of the reward, which holds functions."""
        return {**vars(self), "reward": self.reward.name}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        vars(self).update(attributes)
        self.reward = reward_of(self.rules, attributes["reward"])

    def _start_episode(self, seed: int | None) -> None:
        """Start an episode with its first deal. A seed determines the chance of this episode and all later episodes."""
        if seed is not None:
            self._chance = create_chance(self.rules, seed)
        self._current = self._after_chance(self.rules.start())

    @property
    def _state(self) -> State:
        """The current state. Raises `Malformed` before the first reset."""
        if self._current is None:
            raise Malformed(MUST_RESET, where="reset")
        return self._current

    def _after_chance(self, state: State) -> State:
        """Apply outcomes of chance until a seat is to act or the game is over, and return the resulting state."""
        while self.rules.to_act(state) == (CHANCE,):
            state = self.rules.apply(state, self._chance.draw(state)).state
        return state

    def _fit(self, seat: Seat, action: object, legal: tuple[Action, ...]) -> tuple[Action, bool]:
        """Return the action to play, and whether it replaces the given action.

        Args:
            seat: the seat.
            action: the given action.
            legal: the seat's legal actions in the state; empty if it is not to act.

        Raises:
            Malformed: the given action is not in the action space.
            IllegalActionError: it is illegal, and illegal actions raise.
        """
        number = whole_number(f"the action of {self.agent_names[seat]}", action, 0, self.wait)
        options = legal or (self.wait,)
        if number in options:
            return number, False
        if self._illegal == "raise":
            raise illegal_action(self.rules, self._state, seat, number)
        return options[0], True

    def _final_scores(self) -> NDArray[np.int64]:
        """Return the points of each seat, in the order of the seats, for the infos of the last step."""
        return np.array(self.rules.scores(self._state), np.int64)

    def _show(self) -> None:
        """Print the state in the mode `human`."""
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:  # noqa: ANN401 -- depends on the mode
        """Render the current state. An environment chooses who sees it.

        >>> from faceup.envs import parallel_env
        >>> env = parallel_env("nimmt", render_mode="svg")
        >>> observations, infos = env.reset(seed=7)
        >>> env.render()[:4]
        '<svg'
        """
        raise NotImplementedError

    def _render(self, viewer: Seat | None) -> Any:  # noqa: ANN401 -- depends on the mode
        if self.render_mode is None:
            return None
        state = self._state
        if self.render_mode == "human":
            if state is self._shown:
                return None
            self._shown = state
        return render(self.rules, self.rules.view(state, viewer), self.agent_names, self.render_mode)


def assign_opponents(rules: AnyRules, seat: Seat, opponents: Opponents) -> list[Any]:
    """Return the opponents in all seats except `seat`, in the order of the seats.

    Raises:
        Malformed: there is no such seat, or the number of opponents is not the number of other seats.

    >>> from faceup.core import make
    >>> assign_opponents(make("nimmt seats=3"), 0, "greedy")
    ['greedy', 'greedy']
    """
    whole_number("a seat", seat, 0, rules.seats - 1)
    others = rules.seats - 1
    assigned: list[object] = [opponents] * others
    if isinstance(opponents, Iterable) and not isinstance(opponents, str) and not callable(opponents):
        assigned = [*opponents]
    if len(assigned) != others:
        raise Malformed(
            f"there must be {plural(others, 'opponent')}, one for each other seat; got {len(assigned)}",
            what=opponents,
            where="opponents",
        )
    return assigned


def render(rules: AnyRules, view: View, names: tuple[str, ...], mode: str) -> Any:  # noqa: ANN401 -- depends on the mode
    """Render a view in one of `MODES`.

    Returns:
        A string for `ansi` and `svg`, an array `[*FRAME, 3]` of uint8 for `rgb_array`, None for `human`.

    >>> from faceup.core import read
    >>> rules, view = read("nimmt seats=2 hand=1 | view=0 sizes=1,1 hand=7 rows=5/6/88/29")
    >>> render(rules, view, ("seat_0", "seat_1"), "svg")[:4]
    '<svg'
    """
    drawings = find_game(rules.game).drawings
    if mode in {"human", "ansi"}:
        text = drawings["text"](view, names, rules=rules)
        if mode == "ansi":
            return text
        sys.stdout.write(f"{text}\n\n")
        return None
    draw_svg = drawings["svg"]
    if mode == "svg":
        return draw_svg(view, names, rules=rules)
    wide = {"wide": True} if "wide" in signature(draw_svg).parameters else {}
    return pixels(draw_svg(view, names, rules=rules, **wide))


def pixels(svg: str) -> NDArray[np.uint8]:
    """Return an SVG as pixels of shape `[*FRAME, 3]`, as large as fits, in the middle of a white background.

    The renderer, resvg, uses the fonts of the system. If the system has no fonts, the picture has no text.

    >>> pixels('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"/>').shape
    (720, 1280, 3)
    """
    from PIL import Image  # noqa: PLC0415 -- seldom needed, and slow to import
    from resvg_py import svg_to_bytes  # noqa: PLC0415 -- likewise

    height, width = FRAME
    frame = Image.new("RGB", (width, height), "white")
    with Image.open(BytesIO(svg_to_bytes(svg_string=svg, width=width, height=height, background="white"))) as image:
        frame.paste(image.convert("RGB"), ((width - image.width) // 2, (height - image.height) // 2))
    return np.asarray(frame)
