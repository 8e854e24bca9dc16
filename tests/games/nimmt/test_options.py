"""The checklist of docs/how-to/add-an-option.md: what has to know an option of 6 nimmt!, besides its rules."""

import re
from typing import Annotated, Any

import pytest
from msgspec import Meta
from msgspec.structs import replace
from tests.jax.test_env import ODD, QUICK

from faceup.core import Malformed, make
from faceup.core.options import OptionField, option_fields
from faceup.core.registry import options_of
from faceup.games import batch_law
from faceup.games.nimmt import GAME, Rules, batch
from faceup.games.nimmt.codingame import CODINGAME
from faceup.games.nimmt.codingame.messages import ARENA
from faceup.games.nimmt.observation import limits
from faceup.games.nimmt.parameters import Support
from faceup.jax import env as jax_env
from faceup.translations import LANGUAGES, Language, catalogue

OPTIONS = [*GAME.options]


class JokerRules(Rules, frozen=True, kw_only=True):
    """Rules with an option that nothing else knows."""

    jokers: int = 0


class DeclaredJokerRules(Rules, frozen=True, kw_only=True):
    """The same, with all but the code."""

    jokers: Annotated[int, Meta(ge=0, le=3, description="jokers"), Support("default", "default", "default")] = 0


def support_of(field: OptionField) -> Support | None:
    return next((note for note in field.notes if isinstance(note, Support)), None)


def other_value(field: OptionField) -> Any:
    """Return a value that is not the default."""
    if field.kind is bool:
        return not field.default
    return field.default + 1 if field.default < field.high else field.default - 1


def changed(option: str, rules: type[Rules] = Rules) -> Rules:
    """Return rules that differ from the default in one option."""
    values: dict[str, Any] = {option: other_value(option_fields(rules)[option])}
    return rules(**values)


def words(language: Language, option: str) -> str:
    """Return the page's words for an option; "" if there are none."""
    return catalogue(language, "shell").get(f"shell.option.{option}", "")


def open_items(rules: type[Rules]) -> list[str]:
    """Return what is left to do for each option of these rules."""
    items: list[str] = []
    for name, field in option_fields(rules).items():
        if name in {"variant", "seats"}:
            continue
        support = support_of(field)
        if not field.description or (field.kind is int and not field.ranged):
            items.append(f"{name}: declare its description and range (parameters.py)")
        if support is None:
            items.append(f"{name}: declare which engines play it (parameters.py)")
        for language in LANGUAGES:
            interval = re.search(r"\D(\d+)\D+(\d+)\D", words(language, name))
            if not words(language, name):
                items.append(f"{name}: translate its name (translations/{language})")
            elif interval and interval.groups() != (str(field.low), str(field.high)):
                items.append(f"{name}: correct its range (translations/{language})")
        encoded = limits(rules()) != limits(changed(name, rules))
        if encoded != (support is None or support.encoded):
            items.append(f"{name}: encode it (observation.limits)")
        cases = [
            options_of(make(spec)).keys() | GAME.variant(make(spec).variant).preset.keys() for spec in (*QUICK, *ODD)
        ]
        if (support is None or support.jax != "default") and not any(name in case for case in cases):
            items.append(f"{name}: add a case with it (ODD in tests/jax/test_env.py)")
    return items


def test_nothing_is_left_to_do_for_an_option() -> None:
    assert open_items(Rules) == []


def test_the_checklist_finds_what_is_left_to_do_for_a_new_option() -> None:
    assert open_items(JokerRules) == [
        "jokers: declare its description and range (parameters.py)",
        "jokers: declare which engines play it (parameters.py)",
        "jokers: translate its name (translations/en)",
        "jokers: translate its name (translations/de)",
        "jokers: translate its name (translations/fr)",
        "jokers: translate its name (translations/zh)",
        "jokers: encode it (observation.limits)",
        "jokers: add a case with it (ODD in tests/jax/test_env.py)",
    ]


@pytest.mark.parametrize("option", OPTIONS)
def test_the_batch_engine_plays_every_option_by_the_rules(option: str) -> None:
    field = option_fields(Rules)[option]
    support = support_of(field)
    assert support is not None
    if support.batch == "all":
        assert batch_law.check(changed(option), batch, lanes=5, seed=3)


@pytest.mark.parametrize("kind", [JokerRules, DeclaredJokerRules])
def test_engines_refuse_an_option_that_they_do_not_play(
    kind: type[JokerRules | DeclaredJokerRules], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, plain = kind(jokers=1), kind()
    monkeypatch.setattr(jax_env, "make_with_keywords", lambda *_: rules)
    with pytest.raises(Malformed, match="the jax engine does not play jokers=1"):
        jax_env.make()
    for play in (batch.reset, batch.playouts):
        with pytest.raises(Malformed, match="the batch engine does not play jokers=1"):
            play(rules, lanes=1, seed=1)
        play(plain, lanes=1, seed=1)
    assert CODINGAME.fits(plain)
    assert not CODINGAME.fits(rules)


def test_codingame_has_the_defaults() -> None:
    assert {name: getattr(make("nimmt:arena"), name) for name in ARENA._fields} == ARENA._asdict()
    fits = {name: CODINGAME.fits(changed(name)) for name in OPTIONS}
    assert [name for name, fit in fits.items() if not fit] == ["cards", "rows", "capacity"]
    assert not CODINGAME.fits(Rules(seats=5))


def test_an_option_out_of_its_range_is_refused_with_the_declared_range() -> None:
    for name in ("seats", *OPTIONS):
        field = option_fields(Rules)[name]
        if field.kind is int:
            with pytest.raises(Malformed, match=rf"^{name} must be {field.range}; got {field.low - 1}$"):
                replace(Rules(), **{name: field.low - 1})


def test_a_deal_needs_no_more_cards_than_there_are() -> None:
    with pytest.raises(Malformed, match="need 108 cards, but only 104 are in play"):
        make("nimmt seats=10 rows=8 cards=0")
    assert Rules(seats=10, cards=0).cards == 104
