"""What people may call themselves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faceup.characters import is_printable_line
from faceup.core import Malformed
from faceup.server.rooms.errors import ConfusableNameError
from faceup.server.rooms.names import handle_of, normalize_login, normalize_name, require_distinct, unique_name
from faceup.table.errors import require_name


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
        "a\u200db",  # joiners that join nothing
        "Ann\u200c",
        "\u200d",
        "\U0001f404\u200d",
        "\u0430\u200c\u0430",
        "\U000e0041nn",  # a tag without a flag
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


@pytest.mark.parametrize(
    "name",
    [
        "Jos\u00e9 N\u00fa\u00f1ez",
        "Nguy\u1ec5n Th\u1ecb \u00c1nh",
        "\u0158eho\u0159 \u0160t\u011bp\u00e1nek",
        "\u0395\u03bb\u03ad\u03bd\u03b7",  # Greek
        "\u0415\u043b\u0435\u043d\u0430 \u0401\u043b\u043a\u0438\u043d\u0430",  # Cyrillic
        "\u0531\u0576\u0561\u0570\u056b\u057f",  # Armenian
        "\u10dc\u10d8\u10dc\u10dd",  # Georgian
        "\u05e9\u05b8\u05c2\u05e8\u05b8\u05d4",  # Hebrew with points
        "\u0645\u062d\u0645\u062f\u200c\u0631\u0636\u0627",  # Persian, after a letter that does not join
        "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",  # Persian
        "\u0639\u064e\u0644\u0650\u064a\u0651",  # Arabic with vowels
        "\u0622\u0633\u06c1",  # Urdu
        "\u0710\u0712\u0710",  # Syriac
        "\u0905\u0928\u094d\u200d\u0928\u093e",  # Devanagari
        "\u09b0\u200d\u09cd\u09af\u09be\u099a\u09c7\u09b2",  # Bengali, the joiner before the virama
        "\u0d05\u0d28\u0d3f\u0d32\u0d4d\u200d",  # Malayalam, the joiner at the end
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3",  # Sinhala
        "\u0cb0\u0ccd\u200c\u0caf",  # Kannada
        "\u0ba4\u0bae\u0bbf\u0bb4\u0bcd",  # Tamil
        "\u0e2a\u0e21\u0e0a\u0e31\u0e22",  # Thai
        "\u179f\u17bb\u1781",  # Khmer
        "\u1019\u1031\u102c\u1004\u103a",  # Burmese
        "\u12a0\u1260\u1260",  # Ethiopic
        "\uae40\ubbfc\uc900",  # Korean
        "\u3055\u304f\u3089 \u685c",  # Japanese
        "\u738b\u5c0f\u660e",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family
        "\U0001f469\U0001f3fd\u200d\U0001f4bb",
        "\U0001f3f3\ufe0f\u200d\U0001f308",
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # the flag of Scotland
    ],
)
def test_names_of_many_scripts_are_accepted_as_they_are_written(name: str) -> None:
    assert normalize_name(name) == name
    require_name(name)
    numbered = unique_name(name * 3 if len(name) > 14 else name, [name, name * 3])
    assert normalize_name(numbered) == numbered


def test_a_name_that_differs_only_in_joiners_looks_the_same() -> None:
    with pytest.raises(ConfusableNameError):
        require_distinct("\u0639\u0644\u06cc\u0631\u0636\u0627", ["\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"])
    assert normalize_login("\u0639\u0644\u06cc\u200c\u0631\u0636\u0627") == "\u0639\u0644\u06cc\u0631\u0636\u0627"


def test_a_number_does_not_split_what_is_written_as_one() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert unique_name("x" * 35 + family, ["x" * 35 + family]) == "x" * 35 + " 2"
    assert unique_name("x" * 37 + "\U0001f1e9\U0001f1ea", ["x" * 37 + "\U0001f1e9\U0001f1ea"]) == "x" * 37 + " 2"


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
    assert is_printable_line(proper)


def test_handles_are_unique_and_hide_ids() -> None:
    assert len({handle_of(f"player-{number}") for number in range(1000)}) == 1000
    assert "player" not in handle_of("player-1")
