"""A client of an OpenID provider: the authorization code flow with PKCE (OpenID Connect Core, RFC 7636 and RFC 9207).

The provider's documents are kept for an hour. The library `joserfc` is imported only when it is needed, because its
import is slow.
"""

import asyncio
import base64
import hashlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar
from urllib.parse import quote_plus, urlencode

import httpcore
import msgspec

from faceup.server.accounts.errors import NotFoundError, ProviderFailedError
from faceup.server.process.logs import LOG
from faceup.server.process.openid_settings import OpenIdSettings, is_secure_url
from faceup.server.turns.push_client import trusted_certificates

if TYPE_CHECKING:
    from joserfc.jwk import KeySet

T = TypeVar("T")

TIMEOUT: Final = 10.0
"""Seconds in which the provider must have answered all requests of a step of a login."""

CLOCK_SKEW: Final = 60
"""Seconds by which the provider's clock may differ."""

_AT_ONCE: Final = 16
"""The number of connections to the provider."""

_LONGEST: Final = 1 << 20
"""The maximum length of an answer in bytes."""

_KEPT: Final = 3600
"""Seconds for which the provider's documents are kept."""

_LONGEST_SUBJECT: Final = 255

_KEY_TYPES: Final = {"RSA", "EC", "OKP"}
"""The types of public keys. The type "oct" is for shared secrets."""

_ALGORITHMS: Final = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "Ed25519",
    "EdDSA",
)
"""The accepted signatures, all with public keys."""


class OpenIdPerson(msgspec.Struct, frozen=True):
    """A person who has logged in at the provider.

    Attributes:
        subject: the provider's id of the person.
        names: possible names for a new player, the best first.
        domain: the domain of the verified mail address, in lower case; "" for none.
        at: when the person logged in there, in seconds since 1970; None if the provider does not report it.
    """

    subject: str
    names: tuple[str, ...]
    domain: str
    at: int | None


class LoginSecrets(NamedTuple):
    """What belongs to one login: the state in its addresses, the nonce of its token, and the verifier of its code."""

    state: str
    nonce: str
    verifier: str


class _Metadata(msgspec.Struct, frozen=True):
    """The discovery document."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str = ""
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)
    id_token_signing_alg_values_supported: tuple[str, ...] = ("RS256",)
    authorization_response_iss_parameter_supported: bool = False


class _Tokens(msgspec.Struct, frozen=True):
    """The answer of the token endpoint."""

    id_token: str
    access_token: str = ""


class _Documents(NamedTuple):
    metadata: _Metadata
    keys: "KeySet"
    until: float


class OpenIdProvider:
    """A client of the OpenID provider that the settings name."""

    def __init__(self, settings: OpenIdSettings) -> None:
        self._settings = settings
        self._pool: httpcore.AsyncConnectionPool | None = None
        self._documents: _Documents | None = None
        self._loading = asyncio.Lock()

    @property
    def issuer(self) -> str:
        """The issuer URL; "" if there is no provider."""
        return self._settings.openid_issuer

    async def login_url(self, redirect_uri: str, login: LoginSecrets, *, again: bool) -> str:
        """Return the address at which a person logs in.

        Args:
            redirect_uri: the address of this server to which the provider sends the person.
            login: the secrets of this login.
            again: whether the person must enter a password, or the like, also if logged in there.

        Raises:
            ProviderFailedError: the provider did not answer, or its answer is not valid.
        """
        async with self._time_limit():
            metadata = (await self._current_documents()).metadata
        scopes = ("openid", "profile", *(("email",) if self._settings.openid_domains else ()))
        query = {
            "response_type": "code",
            "client_id": self._settings.openid_client_id,
            "redirect_uri": redirect_uri,
            "scope": " ".join(scopes),
            "state": login.state,
            "nonce": login.nonce,
            "code_challenge": _base64url(hashlib.sha256(login.verifier.encode()).digest()),
            "code_challenge_method": "S256",
            **({"prompt": "login", "max_age": "0"} if again else {}),
        }
        endpoint = metadata.authorization_endpoint
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(query)}"

    async def find_person(
        self, redirect_uri: str, login: LoginSecrets, code: str, issuer: str | None, *, now: int
    ) -> OpenIdPerson:
        """Return the person who has logged in.

        Args:
            redirect_uri: the address of this server to which the provider sent the person.
            login: the secrets of this login.
            code: the authorization code.
            issuer: the issuer in that address; None if there is none.
            now: seconds since 1970.

        Raises:
            ProviderFailedError: the provider did not answer, or its answer is not valid.
        """
        async with self._time_limit():
            documents = await self._current_documents()
            required = documents.metadata.authorization_response_iss_parameter_supported
            if issuer != self.issuer and (issuer is not None or required):
                raise _failed("the authorization response names another issuer")
            tokens = await self._redeem(documents.metadata, redirect_uri, login, code)
            try:
                claims = _decode(tokens.id_token, documents)
            except ProviderFailedError:  # the provider may have a new key
                documents = await self._load_documents()
                claims = _decode(tokens.id_token, documents)
            self._check(claims, login.nonce, now)
            needed = {"email", "email_verified"} if self._settings.openid_domains else {"preferred_username"}
            if not needed <= claims.keys() and documents.metadata.userinfo_endpoint and tokens.access_token:
                claims = await self._user_info(documents.metadata, tokens.access_token, claims["sub"]) | claims
        return _person(claims)

    async def close(self) -> None:
        """Close all connections."""
        if self._pool is not None:
            await self._pool.aclose()

    @asynccontextmanager
    async def _time_limit(self) -> AsyncIterator[None]:
        """Limit the time of a step of a login, also while it waits for other logins. Raises `ProviderFailedError`."""
        if not self.issuer:
            raise NotFoundError("this server has no login with OpenID")
        try:
            async with asyncio.timeout(TIMEOUT):
                yield
        except TimeoutError:
            raise _failed("the provider took too long") from None

    async def _current_documents(self) -> _Documents:
        async with self._loading:
            documents = self._documents
            if documents is None or documents.until < asyncio.get_running_loop().time():
                documents = await self._load_documents()
            return documents

    async def _load_documents(self) -> _Documents:
        """Load the discovery document and the keys of the provider."""
        url = f"{self.issuer.removesuffix('/')}/.well-known/openid-configuration"
        metadata = _parse(await self._request("GET", url), _Metadata)
        if metadata.issuer != self.issuer:
            raise _failed(f"openid_issuer must be exactly {metadata.issuer[:200]!r}, as in its discovery document")
        if not is_secure_url(metadata.authorization_endpoint.partition("?")[0]):
            raise _failed("the authorization endpoint does not use https")
        keys = _parse(await self._request("GET", metadata.jwks_uri), _Keys).usable()
        self._documents = _Documents(metadata, keys, asyncio.get_running_loop().time() + _KEPT)
        return self._documents

    async def _redeem(self, metadata: _Metadata, redirect_uri: str, login: LoginSecrets, code: str) -> _Tokens:
        """Exchange an authorization code for tokens."""
        client, secret = self._settings.openid_client_id, self._settings.openid_client_secret
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": login.verifier,
        }
        headers = {"content-type": "application/x-www-form-urlencoded"}
        if secret and "client_secret_post" not in metadata.token_endpoint_auth_methods_supported:
            credentials = f"{quote_plus(client)}:{quote_plus(secret)}"
            headers["authorization"] = f"Basic {base64.b64encode(credentials.encode()).decode()}"
        else:
            form |= {"client_id": client, **({"client_secret": secret} if secret else {})}
        return _parse(await self._request("POST", metadata.token_endpoint, headers, urlencode(form).encode()), _Tokens)

    async def _user_info(self, metadata: _Metadata, access_token: str, subject: str) -> dict[str, Any]:  # Any: JSON
        """Return further claims about the person, which some providers do not write into the token."""
        headers = {"authorization": f"Bearer {access_token}"}
        claims = _parse(await self._request("GET", metadata.userinfo_endpoint, headers), dict[str, Any])
        if claims.get("sub") != subject:
            raise _failed("the user info is about another person")
        return claims

    def _check(self, claims: dict[str, Any], nonce: str, now: int) -> None:  # Any: JSON
        """Check that a signed token was issued by this provider for this login, and has not expired."""
        from joserfc.errors import JoseError
        from joserfc.jwt import JWTClaimsRegistry

        client = self._settings.openid_client_id
        registry = JWTClaimsRegistry(
            now=now,
            leeway=CLOCK_SKEW,
            iss={"essential": True, "value": self.issuer},
            aud={"essential": True, "value": client},
            sub={"essential": True},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        try:
            registry.validate(claims)
        except JoseError as error:
            raise _failed(f"the token is not valid: {error}") from None
        several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
        if claims.get("azp", "" if several else client) != client:
            raise _failed("the token was issued to another client")
        if len(claims["sub"]) > _LONGEST_SUBJECT or "\0" in claims["sub"]:
            raise _failed("the provider's id of the person has more than 255 characters")

    async def _request(
        self, method: str, url: str, headers: Mapping[str, str] | None = None, content: bytes = b""
    ) -> bytes:
        """Return the body of a successful response. Raises `ProviderFailedError`."""
        if not is_secure_url(url.partition("?")[0]):
            raise _failed("an endpoint of the provider does not use https")
        context = await asyncio.to_thread(trusted_certificates)
        if self._pool is None:
            self._pool = httpcore.AsyncConnectionPool(ssl_context=context, max_connections=_AT_ONCE)
        sent = [(b"accept", b"application/json")]
        sent += [(name.encode(), value.encode()) for name, value in (headers or {}).items()]
        body = bytearray()
        try:
            async with self._pool.stream(method, url, headers=sent, content=content) as response:
                async for part in response.aiter_stream():
                    body += part
                    if len(body) > _LONGEST:
                        raise _failed("an answer of the provider is too long")
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError, OSError) as error:
            raise _failed(f"the provider cannot be reached: {type(error).__name__}") from None
        if response.status != HTTPStatus.OK:
            reason = _reason(bytes(body))
            raise _failed(f"the provider answered with the status {response.status}{reason}")
        return bytes(body)


class _Keys(msgspec.Struct, frozen=True):
    """The public keys of the provider (RFC 7517)."""

    keys: tuple[dict[str, Any], ...]  # Any: JSON

    def usable(self) -> "KeySet":
        """Return the keys for signatures. Keys of unknown types are ignored."""
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet, import_key

        keys = []
        for key in self.keys:
            if key.get("use", "sig") == "sig" and key.get("kty") in _KEY_TYPES:
                with suppress(JoseError, ValueError, TypeError, KeyError):
                    keys.append(import_key(key))
        return KeySet(keys)


def _decode(token: str, documents: _Documents) -> dict[str, Any]:  # Any: JSON
    """Verify the signature of a token and return its claims. Raises `ProviderFailedError`."""
    from joserfc import jwt
    from joserfc.errors import JoseError

    allowed = set(_ALGORITHMS) & set(documents.metadata.id_token_signing_alg_values_supported)
    try:
        return jwt.decode(token, documents.keys, algorithms=sorted(allowed)).claims
    except (JoseError, ValueError, TypeError, KeyError) as error:
        raise _failed(f"the token has no valid signature: {type(error).__name__}") from None


def _person(claims: Mapping[str, Any]) -> OpenIdPerson:  # Any: JSON
    names = [claims.get(name) for name in ("nickname", "preferred_username", "given_name")]
    verified = claims.get("email_verified") in {True, "true"}
    mail = claims.get("email") if verified else ""
    at = claims.get("auth_time")
    return OpenIdPerson(
        subject=claims["sub"],
        names=tuple(name for name in names if isinstance(name, str) and "@" not in name),
        domain=mail.rpartition("@")[2].lower() if isinstance(mail, str) else "",
        at=int(at) if isinstance(at, int | float) else None,
    )


def _reason(body: bytes) -> str:
    """Return the error code of an OAuth response (RFC 6749), such as ": invalid_client"."""
    with suppress(msgspec.MsgspecError):
        return f": {msgspec.json.decode(body, type=_Refusal).error[:40]}"
    return ""


class _Refusal(msgspec.Struct, frozen=True):
    error: str


def _parse(body: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.MsgspecError as error:
        raise _failed(f"an answer of the provider is not valid: {error}") from None


def _failed(reason: str) -> ProviderFailedError:
    """Log why a login failed, and return the error for the player."""
    LOG.warning("a login with OpenID failed", extra={"fields": {"reason": reason}})
    return ProviderFailedError()


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
