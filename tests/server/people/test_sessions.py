import pytest
from sqlalchemy import Connection, select

from faceup.server.people import Forbidden, Missing, ban, make_guest, once, rename, unban
from faceup.server.people.keys import digest
from faceup.server.people.refusals import Unknown
from faceup.server.people.revocations import announced_since
from faceup.server.people.schema import once as once_table
from faceup.server.people.schema import sessions, tokens
from faceup.server.people.sessions import LASTS, end_session, list_sessions, open_session, tidy_sessions, whose_session
from faceup.server.people.tokens import PREFIX, list_tokens, make_token, revoke_token, whose_token


def test_a_session_opens_as_its_player_until_it_is_ended(people: Connection) -> None:
    ann = make_guest(people, 1000, "Ann")
    opened = open_session(people, 1000, ann.id, "a phone")
    identity = whose_session(people, 2000, digest(opened.key))
    assert identity is not None
    assert (identity.player, identity.name) == (ann.id, "Ann")
    assert "self" in identity.scopes

    end_session(people, 3000, ann.id, opened.id)
    assert whose_session(people, 4000, digest(opened.key)) is None
    assert [subject for _, subject in announced_since(people, 3000)] == [identity.subject]


def test_nobody_ends_the_session_of_another(people: Connection) -> None:
    ann, bo = make_guest(people, 0), make_guest(people, 0)
    opened = open_session(people, 0, ann.id, "")
    with pytest.raises(Missing):
        end_session(people, 1, bo.id, opened.id)
    assert whose_session(people, 2, digest(opened.key)) is not None


def test_a_session_that_was_not_used_for_four_hundred_days_opens_nothing(people: Connection) -> None:
    opened = open_session(people, 0, make_guest(people, 0).id, "")
    assert whose_session(people, LASTS - 1, digest(opened.key)) is not None
    assert whose_session(people, LASTS, digest(opened.key)) is None
    assert tidy_sessions(people, LASTS) == 1


def test_no_key_is_in_the_database(people: Connection) -> None:
    ann = make_guest(people, 0)
    opened = open_session(people, 0, ann.id, "")
    token = make_token(people, 0, ann.id, "a bot", ("play",))
    code = once.issue(people, 0, "device", ann.id)
    kept = str([people.execute(select(table)).all() for table in (sessions, tokens, once_table)])
    assert token.key is not None
    assert not any(key in kept for key in (opened.key, token.key, code))


def test_a_list_of_sessions_says_which_one_asks_and_tells_no_key(people: Connection) -> None:
    ann = make_guest(people, 0)
    first, second = (open_session(people, at, ann.id, f"device {at}") for at in (1, 2))
    identity = whose_session(people, 3, digest(first.key))
    assert identity is not None
    listed = list_sessions(people, ann.id, identity.subject)
    assert [(each.id, each.current) for each in listed] == [(second.id, False), (first.id, True)]


def test_a_ban_ends_everything_of_a_player_and_can_be_taken_back(people: Connection) -> None:
    ann = make_guest(people, 0)
    opened = open_session(people, 0, ann.id, "")
    ban(people, 5, ann.id, "slow")
    with pytest.raises(Forbidden, match="slow"):
        whose_session(people, 6, digest(opened.key))
    assert [subject for _, subject in announced_since(people, 5)] == [f"player:{ann.id}"]
    unban(people, ann.id)
    assert whose_session(people, 7, digest(opened.key)) is not None


def test_a_token_opens_what_its_scopes_say_until_it_is_revoked(people: Connection) -> None:
    ann = make_guest(people, 0, "Ann")
    token = make_token(people, 0, ann.id, "a bot", ("read",))
    assert token.key is not None
    assert token.key.startswith(PREFIX)
    identity = whose_token(people, digest(token.key))
    assert identity is not None
    assert identity.scopes == {"read"}
    assert [(each.label, each.key) for each in list_tokens(people, ann.id)] == [("a bot", None)]

    revoke_token(people, 1, ann.id, token.id)
    assert whose_token(people, digest(token.key)) is None
    assert [subject for _, subject in announced_since(people, 1)] == [identity.subject]


def test_a_code_for_another_device_is_used_once_in_five_minutes_and_the_next_one_replaces_it(
    people: Connection,
) -> None:
    ann = make_guest(people, 0)
    code = once.issue(people, 0, "device", ann.id)
    assert once.use(people, 1, "device", once.as_typed(f" {code[:4].lower()}-{code[4:]}")) == ann.id
    with pytest.raises(Unknown):
        once.use(people, 2, "device", code)

    first, second = once.issue(people, 0, "device", ann.id), once.issue(people, 0, "device", ann.id)
    with pytest.raises(Unknown):
        once.use(people, 1, "device", first)
    with pytest.raises(Unknown):
        once.use(people, once.LASTS["device"], "device", second)
    with pytest.raises(Unknown):
        once.use(people, 1, "password", second)


def test_a_new_name_is_cleaned_and_one_that_shows_nothing_refused(people: Connection) -> None:
    ann = make_guest(people, 0)
    assert rename(people, ann.id, "  Ann   Lee ").name == "Ann Lee"
    for name in ("", "  ", "\u202eAnn", "x" * 41):
        with pytest.raises(ValueError, match="a name is"):
            rename(people, ann.id, name)
