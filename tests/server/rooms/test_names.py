"""What people may call themselves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faceup.core import Malformed
from faceup.server.rooms import free_name, handle_of, proper_name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "\u3164\u2800",  # fillers: letters in which there is nothing to be seen
        "\u0301",  # an accent on nothing
        "a\x07b",
        "\u202eevil",  # turns the direction of writing
        "a\u2066b",
        "zero\u200bwidth",
        "x" * 41,
        "\ud800",
    ],
)
def test_a_name_that_cannot_be_shown_plainly_is_refused(name: str) -> None:
    with pytest.raises(Malformed, match="a name is 1 to 40 printable characters"):
        proper_name(name)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Zoe\u0308", "Zo\u00eb"),
        (" Ann\t Lee\n", "Ann Lee"),
        ("\u5f20\u4f1f", "\u5f20\u4f1f"),
        ("\u05d3\u05d5\u05d3", "\u05d3\u05d5\u05d3"),
        ("\U0001f404", "\U0001f404"),
    ],
)
def test_a_name_is_normalised(said: str, shown: str) -> None:
    assert proper_name(said) == shown


def test_the_same_name_twice_gets_a_number_however_it_is_written() -> None:
    assert free_name("Ann", ["Ann", "ANN 2", "Bo"]) == "Ann 3"
    assert free_name("\uff21nn", ["Ann"]) == "\uff21nn 2"
    assert free_name("y" * 40, ["y" * 40]) == "y" * 38 + " 2"


@given(st.text(max_size=50))
def test_a_name_is_proper_or_refused_and_stays_as_it_is(name: str) -> None:
    try:
        proper = proper_name(name)
    except Malformed:
        return
    assert proper_name(proper) == proper
    assert len(proper) <= 40
    assert proper.isprintable()


def test_a_handle_tells_players_apart_and_not_their_ids() -> None:
    assert len({handle_of(f"player-{number}") for number in range(1000)}) == 1000
    assert "player" not in handle_of("player-1")
