"""The search in plain Python gives the results of the compiled search, and takes its place without the extra `fast`."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.nimmt.batch.scalar_worlds import QUICK, choosing, position, rules_of

from faceup import extras
from faceup.bots import describe, evaluate, is_playable, policies, policy
from faceup.coach import hint
from faceup.core import Malformed, SeededGenerator, find_game, laws, make
from faceup.extras import MissingExtraError
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.batch import BatchSearchTrials
from faceup.games.nimmt.cards import total
from faceup.games.nimmt.objectives import MEASURES
from faceup.games.nimmt.python_search import PythonSearchTrials
from faceup.installation import install_command

NEED_FAST = {"sharp", "champion", "network", "deep"}


@pytest.mark.sample(2)
@pytest.mark.parametrize("spec", [*QUICK, "nimmt:cowheadking seats=10", "nimmt seats=2 hand=3"])
@pytest.mark.parametrize("objective", ["heads", "relative", "win late"])
@settings(max_examples=15)  # the first call compiles
@given(seed=st.integers(0, 2**32), moves=st.integers(0, 12))
def test_results_equal_those_of_the_compiled_search(spec: str, objective: str, seed: int, moves: int) -> None:
    rules = rules_of(spec)
    state = position(rules, seed, moves, forfeits=rules.forfeits)
    seats = rules.to_act(state)
    view = rules.view(state, seats[seed % len(seats)])
    plain = PythonSearchTrials(rules, view, model="random", objective=objective, seed=seed, explain=True)
    compiled = BatchSearchTrials(
        rules, view, model="random", objective=objective, seed=seed, use_beliefs=False, explain=True
    )
    for options, worlds in ((range(len(view.legal)), 7), (range(0, len(view.legal), 2), 3)):
        plain.run(options, worlds)
        compiled.run(options, worlds)
    assert (plain.options, plain.objective) == (compiled.options, compiled.objective)
    assert plain.worlds == compiled.worlds.tolist()
    for measure in MEASURES:
        assert plain.means(measure) == tuple(array.tolist() for array in compiled.means(measure))
    assert plain.behind(0) == tuple(array.tolist() for array in compiled.behind(0))
    assert plain.risk() == compiled.risk().tolist()
    assert plain.spread() == compiled.spread().tolist()
    for option, heads in enumerate(plain.means("heads")[0]):
        assert plain.results(option) == (results := compiled.results(option))
        now = total(view.rows[view.legal[option] - TAKE]) if view.waiting else 0
        assert sum(result.heads for result in results) + now == pytest.approx(heads)
        assert sum(result.share for result in results) == pytest.approx(len(view.hand))


@pytest.mark.usefixtures("without_fast")
def test_an_evaluation_without_the_extra_equals_one_without_beliefs(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rules_of("nimmt")
    view = choosing(rules, 6)
    plain = evaluate(rules, view, worlds=40, seed=3)
    monkeypatch.undo()
    extras.is_installed.cache_clear()
    compiled = evaluate(rules, view, worlds=40, seed=3, use_beliefs=False)
    assert (plain.options, plain.objective) == (compiled.options, compiled.objective)


@pytest.mark.usefixtures("without_fast")
def test_a_time_limit_is_kept() -> None:
    rules = rules_of("nimmt")
    evaluation = evaluate(rules, choosing(rules, 10), seconds=0.05, seed=1)
    assert evaluation.seconds < 5
    assert all(option.worlds for option in evaluation.options)


@pytest.mark.usefixtures("without_fast")
@pytest.mark.parametrize("bot", policies("nimmt"))
def test_bots_play_or_say_which_extra_they_need(bot: str) -> None:
    described = next(listed_bot for listed_bot in describe(find_game("nimmt")).bots if listed_bot.name == bot)
    sentence = f"needs the fast extra: {install_command('fast', ['server-small'])}"
    assert is_playable("nimmt", bot) == (bot not in NEED_FAST)
    if bot in NEED_FAST:
        assert described.think_time == f"It {sentence}."
        with pytest.raises(MissingExtraError, match=f"^the bot {bot} needs the fast extra"):
            policy("nimmt", bot)
    else:
        assert sentence not in described.think_time
        rules = rules_of("nimmt hand=4")
        view = choosing(rules, 4)
        assert policy("nimmt", bot)(rules, view, SeededGenerator(1)) in view.legal


@pytest.mark.usefixtures("without_fast")
@pytest.mark.parametrize("bot", ["mc@4", "gentle"])
def test_the_search_obeys_the_policy_law(bot: str) -> None:
    laws.check_policy(rules_of("nimmt seats=3 hand=3"), policy("nimmt", bot), name=bot, examples=1, max_decisions=2)


@pytest.mark.usefixtures("without_fast")
def test_hints_need_no_extra() -> None:
    rules = make("nimmt:cowheadking seats=4 hand=2")
    view = rules.from_text("view=0 sizes=2,2,2,2 hand=2,90 rows=5/6,7/31,32,33,34,35/81")
    assert hint(rules, view).words.startswith("Card 90 mostly goes to row 4")


def test_a_model_that_needs_compiled_code_is_refused() -> None:
    rules = rules_of("nimmt hand=3")
    with pytest.raises(Malformed, match="there is no model 'fitted'"):
        PythonSearchTrials(rules, choosing(rules, 3), model="fitted", objective="heads", seed=0)
