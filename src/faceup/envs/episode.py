"""The parts of environments that are the same for every API: options, seeding, chance, illegal actions, rendering."""

import sys
from collections.abc import Mapping, Sequence
from inspect import signature
from io import BytesIO
from operator import index
from secrets import randbits
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from faceup.core import (
    CHANCE,
    Action,
    AnyRules,
    Generator,
    Malformed,
    Policy,
    Seat,
    SeededGenerator,
    State,
    View,
    draw,
    find_game,
)
from faceup.core.registry import OptionValue, make_with_keywords
from faceup.envs.observation import observer
from faceup.envs.rewards import reward as reward_of

Opponents: TypeAlias = str | Policy | Sequence[str | Policy]
"""A policy or its name for all other seats, or a sequence with one policy or name for each other seat."""


def refuse_options(options: Mapping[str, Any] | None) -> None:
    """Raise `Malformed` if `reset` got options, because all options are arguments of the constructor.

    The name `options` is allowed and ignored, because PettingZoo's tests pass `{"options": 1}` to every environment.
    """
    if options and options.keys() - {"options"}:
        raise Malformed(
            f"reset takes no options: give them when you create the environment; got {options!r}",
            what=options,
            where="options",
        )


def create_generator(seed: int | None) -> SeededGenerator:
    """Return a generator with this seed, or with a random seed if `seed` is None."""
    return SeededGenerator(randbits(64) if seed is None else seed)


def draw_due_chance(rules: AnyRules, state: State, rng: Generator) -> State:
    """Apply outcomes of chance until a seat is to act or the game is over, and return the resulting state."""
    while rules.to_act(state) == (CHANCE,):
        state = rules.apply(state, draw(rules, state, rng)).state
    return state


def replace_illegal(action: object, legal: tuple[Action, ...], actions: int) -> tuple[Action, bool]:
    """Return the action to play, and whether it replaces the given action.

    An illegal action is replaced by the lowest legal action.

    Raises:
        Malformed: the given action is not in `range(actions)`.
    """
    try:
        number = index(action)  # type: ignore[arg-type]  # anything else is rejected below
    except TypeError:
        number = -1
    if number in legal:
        return number, False
    if not 0 <= number < actions:
        raise Malformed(f"an action must be 0 to {actions - 1}; got {action!r}", what=action, where="action")
    return legal[0], True


MODES: Final = ("human", "ansi", "svg", "rgb_array")
"""The render modes. The mode `human` prints the text that `ansi` returns."""

FRAME: Final = (720, 1280)
"""The height and width in pixels of the picture that the mode `rgb_array` returns."""


def check_render_mode(mode: str | None, modes: Sequence[str]) -> None:
    """Raise `Malformed` if there is no such mode among `modes`; None is no rendering."""
    if mode is not None and mode not in modes:
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
    ) -> None:
        check_render_mode(render_mode, MODES)
        self.rules = make_with_keywords(spec, options)
        self.reward = reward_of(self.rules, reward)
        self.render_mode = render_mode
        self.agent_names = tuple([f"seat_{seat}" for seat in range(self.rules.seats)])
        self._observer = observer(self.rules, encoding)
        self.wait = self.rules.bounds.actions
        self._rng = create_generator(None)

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes for `pickle` and `copy`, with a name in place of the reward, which holds functions."""
        return {**vars(self), "reward": self.reward.name}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        vars(self).update(attributes)
        self.reward = reward_of(self.rules, attributes["reward"])

    def _start_episode(self, seed: int | None) -> None:
        """Start an episode with its first deal. A seed determines the chance of this episode and all later episodes."""
        if seed is not None:
            self._rng = create_generator(seed)
        self._state = draw_due_chance(self.rules, self.rules.start(), self._rng)

    def _final_scores(self) -> NDArray[np.int64]:
        """Return the points of each seat, in the order of the seats, for the infos of the last step."""
        return np.array(self.rules.scores(self._state), np.int64)

    def _render(self, viewer: Seat | None) -> Any:  # noqa: ANN401 -- depends on the mode
        if self.render_mode is None:
            return None
        return render(self.rules, self.rules.view(self._state, viewer), self.agent_names, self.render_mode)


def assign_opponents(rules: AnyRules, seat: Seat, opponents: Opponents) -> list[Any]:
    """Return the opponents in all seats except `seat`, in the order of the seats.

    Raises:
        Malformed: there is no such seat, or the number of opponents is not the number of other seats.
    """
    if not 0 <= seat < rules.seats:
        raise Malformed(f"a seat must be 0 to {rules.seats - 1}; got {seat}", what=seat, where="seat")
    others = rules.seats - 1
    assigned = [opponents] * others if isinstance(opponents, str) or callable(opponents) else [*opponents]
    if len(assigned) != others:
        raise Malformed(
            f"there must be {others} opponents, one for each other seat; got {len(assigned)}",
            what=opponents,
            where="opponents",
        )
    return assigned


def render(rules: AnyRules, view: View, names: tuple[str, ...], mode: str) -> Any:  # noqa: ANN401 -- depends on the mode
    """Render a view in one of `MODES`.

    Returns:
        A string for `ansi` and `svg`, an array `[*FRAME, 3]` of uint8 for `rgb_array`, None for `human`.
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
    """
    from PIL import Image  # noqa: PLC0415 -- seldom needed, and slow to import
    from resvg_py import svg_to_bytes  # noqa: PLC0415 -- likewise

    height, width = FRAME
    frame = Image.new("RGB", (width, height), "white")
    with Image.open(BytesIO(svg_to_bytes(svg_string=svg, width=width, height=height, background="white"))) as image:
        frame.paste(image.convert("RGB"), ((width - image.width) // 2, (height - image.height) // 2))
    return np.asarray(frame)
