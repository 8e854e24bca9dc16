"""Errors of accounts. Each error has a `kind` for programs and a message of one sentence for people."""

from typing import ClassVar


class AccountError(Exception):
    """The base class of these errors. A function that raises one has changed nothing."""

    kind: ClassVar[str] = "refused"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class UnauthenticatedError(AccountError):
    """A session, token, code, passkey or password is invalid."""

    kind = "unauthenticated"


class SecondFactorRequiredError(AccountError):
    """The password is right, but the account has a second factor."""

    kind = "second_factor_required"

    def __init__(self) -> None:
        super().__init__("this account has a second factor: add a one-time password or a recovery code as `second`")


class WrongSecondFactorError(AccountError):
    """The one-time password or recovery code is wrong or was already used."""

    kind = "wrong_second_factor"

    def __init__(self) -> None:
        super().__init__("the one-time password or recovery code is wrong, or was already used")


class FreshLoginRequiredError(AccountError):
    """The request needs a recent login with a password, passkey or recovery code."""

    kind = "login_required"

    def __init__(self) -> None:
        super().__init__("log in again, with your password or passkey, and send the request within ten minutes")


class ConsentRequiredError(AccountError):
    """The request must say that the player accepts the server's terms."""

    kind = "consent_required"


class ForbiddenError(AccountError):
    """The request is not allowed, for example because of a missing scope, a ban, or closed registration."""

    kind = "forbidden"


class BannedError(AccountError):
    """The player or the address is banned.

    Attributes:
        until: the end of the ban, in milliseconds since 1970; None if it has no end.
        reason: the reason that the operator gave; "" for none.
    """

    kind = "banned"

    def __init__(self, message: str, until: int | None, reason: str) -> None:
        super().__init__(message)
        self.until = until
        self.reason = reason


class AlreadyTakenError(AccountError):
    """The login or passkey is already in use."""

    kind = "taken"


class WeakPasswordError(AccountError):
    """The new password is easy to guess."""

    kind = "weak_password"


class NotFoundError(AccountError):
    """The requested object does not exist."""

    kind = "not_found"


class BusyError(AccountError):
    """Too many requests of the same kind are running. The client may retry the request later."""

    kind = "rate_limited"
    retry_after: int = 5


class ProviderFailedError(AccountError):
    """The OpenID provider did not answer, or its answer is not valid."""

    kind = "openid_failed"

    def __init__(self) -> None:
        super().__init__("the login service did not answer as expected: try again later, or log in in another way")


class LoginExpiredError(AccountError):
    """A login with OpenID started on another device or too long ago, or has already ended."""

    kind = "openid_expired"

    def __init__(self) -> None:
        super().__init__("this login started in another browser or too long ago, or was already used: start it again")


class LoginCanceledError(AccountError):
    """The OpenID provider refused a login, for example because the player canceled it."""

    kind = "openid_canceled"

    def __init__(self) -> None:
        super().__init__("the login was canceled: start it again, or log in in another way")


class UnknownPersonError(AccountError):
    """The person at the OpenID provider has no account, and does not get one by this login."""

    kind = "openid_unknown"


class MailDomainError(AccountError):
    """The person at the OpenID provider has no verified mail address of an allowed domain."""

    kind = "openid_mail"


class MailFailedError(AccountError):
    """The mail server did not take a mail."""

    kind = "mail_failed"


class OverloadedError(BusyError):
    """The server has too much to do. The client may retry the request later."""

    kind = "overloaded"


class LimitReachedError(BusyError):
    """The player or the address has reached a limit of the server's settings."""

    def __init__(self, message: str, retry_after: int = 60) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class TooManyTablesError(LimitReachedError):
    """The player or the address has too many open tables."""

    kind = "too_many_tables"
