import pytest
from sqlalchemy import Connection, select

from faceup.server.accounts import one_time_codes
from faceup.server.accounts.credentials import digest
from faceup.server.accounts.errors import NotFoundError, UnauthenticatedError
from faceup.server.accounts.players import create_guest, update_profile
from faceup.server.accounts.revocations import revoke, revoked_since
from faceup.server.accounts.schema import one_time_codes as code_table
from faceup.server.accounts.schema import sessions, tokens
from faceup.server.accounts.sessions import (
    SESSION_LIFETIME,
    create_session,
    delete_expired_sessions,
    list_sessions,
    resolve_session,
)
from faceup.server.accounts.tokens import PREFIX, create_token, list_tokens, resolve_token


def test_a_session_resolves_to_its_player_until_it_ends(people: Connection) -> None:
    ann = create_guest(people, 1000, "Ann")
    opened = create_session(people, 1000, ann.id, "a phone")
    identity = resolve_session(people, 2000, digest(opened.key))
    assert identity is not None
    assert (identity.player, identity.name) == (ann.id, "Ann")
    assert "self" in identity.scopes

    revoke(people, 3000, ann.id, "session", opened.id)
    assert resolve_session(people, 4000, digest(opened.key)) is None
    assert [subject for _, subject in revoked_since(people, 3000)] == [identity.subject]


def test_a_player_cannot_end_anothers_session(people: Connection) -> None:
    ann, bo = create_guest(people, 0), create_guest(people, 0)
    opened = create_session(people, 0, ann.id, "")
    with pytest.raises(NotFoundError):
        revoke(people, 1, bo.id, "session", opened.id)
    assert resolve_session(people, 2, digest(opened.key)) is not None


def test_a_session_expires_after_four_hundred_days(people: Connection) -> None:
    opened = create_session(people, 0, create_guest(people, 0).id, "")
    assert resolve_session(people, SESSION_LIFETIME - 1, digest(opened.key)) is not None
    assert resolve_session(people, SESSION_LIFETIME, digest(opened.key)) is None
    assert delete_expired_sessions(people, SESSION_LIFETIME) == 1


def test_no_key_is_in_the_database(people: Connection) -> None:
    ann = create_guest(people, 0)
    opened = create_session(people, 0, ann.id, "")
    token = create_token(people, 0, ann.id, "a bot", ("play",))
    code = one_time_codes.issue(people, 0, "device", ann.id)
    stored = str([people.execute(select(table)).all() for table in (sessions, tokens, code_table)])
    assert token.key is not None
    assert not any(key in stored for key in (opened.key, token.key, code))


def test_the_list_of_sessions_marks_the_current_one_and_has_no_keys(people: Connection) -> None:
    ann = create_guest(people, 0)
    first, second = (create_session(people, at, ann.id, f"device {at}") for at in (1, 2))
    identity = resolve_session(people, 3, digest(first.key))
    assert identity is not None
    listed = list_sessions(people, ann.id, identity.subject)
    assert [(session.id, session.current) for session in listed] == [(second.id, False), (first.id, True)]


def test_a_token_resolves_to_its_scopes_until_it_is_revoked(people: Connection) -> None:
    ann = create_guest(people, 0, "Ann")
    token = create_token(people, 0, ann.id, "a bot", ("read",))
    assert token.key is not None
    assert token.key.startswith(PREFIX)
    identity = resolve_token(people, 0, digest(token.key))
    assert identity is not None
    assert identity.scopes == {"read"}
    assert [(token.label, token.key) for token in list_tokens(people, ann.id)] == [("a bot", None)]

    revoke(people, 1, ann.id, "token", token.id)
    assert resolve_token(people, 0, digest(token.key)) is None
    assert [subject for _, subject in revoked_since(people, 1)] == [identity.subject]


def test_a_device_code_is_valid_once_for_five_minutes_and_replaced_by_the_next(
    people: Connection,
) -> None:
    ann = create_guest(people, 0)
    code = one_time_codes.issue(people, 0, "device", ann.id)
    assert (
        one_time_codes.redeem(people, 1, "device", one_time_codes.normalize_code(f" {code[:4].lower()}-{code[4:]}"))
        == ann.id
    )
    with pytest.raises(UnauthenticatedError):
        one_time_codes.redeem(people, 2, "device", code)

    first, second = one_time_codes.issue(people, 0, "device", ann.id), one_time_codes.issue(people, 0, "device", ann.id)
    with pytest.raises(UnauthenticatedError):
        one_time_codes.redeem(people, 1, "device", first)
    with pytest.raises(UnauthenticatedError):
        one_time_codes.redeem(people, one_time_codes.LIFETIMES["device"], "device", second)
    with pytest.raises(UnauthenticatedError):
        one_time_codes.redeem(people, 1, "password", second)


def test_a_new_name_is_normalized_and_an_invisible_one_rejected(people: Connection) -> None:
    ann = create_guest(people, 0)
    assert update_profile(people, ann.id, name="  Ann   Lee ").name == "Ann Lee"
    for name in ("", "  ", "\u202eAnn", "x" * 41):
        with pytest.raises(ValueError, match="a name must"):
            update_profile(people, ann.id, name=name)
