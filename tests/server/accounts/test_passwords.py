"""Passwords are the same from every keyboard and system."""

import pytest
from argon2.profiles import CHEAPEST

from faceup.core import Malformed
from faceup.server.accounts.passwords import Passwords


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("stored", "typed"),
    [
        ("k\u00f6nigreich", "ko\u0308nigreich"),  # as macOS and other systems write it
        ("two\u00a0words", "two words"),
        ("two\u3000words", "two words"),
        ("\uac00\ub098\ub2e4\ub77c\ub9c8\ubc14\uc0ac\uc544", "\u1100\u1161\ub098\ub2e4\ub77c\ub9c8\ubc14\uc0ac\uc544"),
    ],
)
async def test_a_password_matches_in_each_form_of_its_characters(stored: str, typed: str) -> None:
    passwords = Passwords(CHEAPEST)
    assert await passwords.check(await passwords.hash(stored), typed)
    assert await passwords.check(await passwords.hash(typed), stored)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("stored", "typed"),
    [("Password-of-Ann", "password-of-Ann"), ("\uff21bcdefgh", "Abcdefgh"), ("two words ", "two words")],
)
async def test_letters_that_differ_in_case_or_width_are_different(stored: str, typed: str) -> None:
    passwords = Passwords(CHEAPEST)
    assert not await passwords.check(await passwords.hash(stored), typed)


@pytest.mark.parametrize(
    "password", ["tab\tin the middle", "\ud800 alone in it", "o\u0308o\u0308o\u0308o\u0308", "x" * 201]
)
def test_a_new_password_is_refused_by_its_characters_and_their_number(password: str) -> None:
    with pytest.raises(Malformed, match="a password must"):
        Passwords(CHEAPEST).validate(password)
