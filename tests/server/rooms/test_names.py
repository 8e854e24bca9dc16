"""What people may call themselves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faceup.core import Malformed
from faceup.server.rooms.errors import ConfusableNameError
from faceup.server.rooms.names import handle_of, normalize_name, require_distinct, unique_name


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
def test_an_unprintable_name_is_rejected(name: str) -> None:
    with pytest.raises(Malformed, match="a name must have 1 to 40 printable characters"):
        normalize_name(name)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Zoe\u0308", "Zo\u00eb"),
        (" Ann\t Lee\n", "Ann Lee"),
        ("\u5f20\u4f1f", "\u5f20\u4f1f"),
        ("\u05d3\u05d5\u05d3", "\u05d3\u05d5\u05d3"),
        ("\U0001f404", "\U0001f404"),
    ],
)
def test_a_name_is_normalised(name: str, shown: str) -> None:
    assert normalize_name(name) == shown


def test_the_same_name_twice_gets_a_number_however_it_is_written() -> None:
    assert unique_name("Ann", ["Ann", "ANN 2", "Bo"]) == "Ann 3"
    assert unique_name("\uff21nn", ["Ann"]) == "\uff21nn 2"
    assert unique_name("y" * 40, ["y" * 40]) == "y" * 38 + " 2"


@pytest.mark.parametrize(
    "name",
    [
        *("Admin", "ADMIN", "admin!", "A d m i n", "Admin 2", "Admin 11", "faceup Admin", "Systemadministrator"),
        *(
            "\u0410dmin",
            "\u0430dm\u0456n",
            "\uff21\uff24\uff2d\uff29\uff2e",
            "\U0001d4d0dmin",
            "Adm\u0131n",
            "AdmIn",
            "Adrnin",
        ),
        *(
            "Adm\ufe0fin",
            "Ad\u034fmin",
            "\u0405ystem",
            "\uff33ystem",
            "fac\u0435up",
            "F\u0410CEUP",
            "*faceup*",
            "\u7cfb\u7edf",
        ),
    ],
)
def test_a_name_that_stands_for_the_server_is_refused(name: str) -> None:
    with pytest.raises(ConfusableNameError, match="could be mistaken for the server or its operator"):
        normalize_name(name)


@pytest.mark.parametrize("name", ["Adam", "Ad", "Min", "Syst\u00e8me D", "Face Upton", "My System", "2"])
def test_a_name_that_only_contains_such_a_word_is_allowed(name: str) -> None:
    assert normalize_name(name) == name


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("\u0410nn", "Ann"),  # Cyrillic
        ("Ann", "\u0410nn"),
        ("ann", "\u0410nn"),
        ("Al", "AI"),
        ("Tom 1", "Tom l"),
        ("B0b", "BOb"),
        ("Ann\ufe0f", "Ann"),
        ("\u0391nn\u0430", "Anna"),
        ("Torn", "Tom"),
    ],
)
def test_a_name_that_looks_like_another_one_is_refused(name: str, other: str) -> None:
    with pytest.raises(ConfusableNameError, match="could be mistaken for"):
        require_distinct(name, ["Bo", other])
    assert unique_name(name, ["Bo", other]) == f"{name} 2", "bots get a number"


def test_names_that_differ_visibly_are_distinct() -> None:
    require_distinct("Ann", ["Anne", "\u00c1nn", "An", "ann", "Bo", "\u5f20\u4f1f", "Guest 1001"])


@given(st.text(max_size=50))
def test_normalizing_a_name_is_idempotent(name: str) -> None:
    try:
        proper = normalize_name(name)
    except Malformed:
        return
    assert normalize_name(proper) == proper
    assert len(proper) <= 40
    assert proper.isprintable()


def test_handles_are_unique_and_hide_ids() -> None:
    assert len({handle_of(f"player-{number}") for number in range(1000)}) == 1000
    assert "player" not in handle_of("player-1")
