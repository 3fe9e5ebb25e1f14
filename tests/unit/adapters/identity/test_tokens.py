"""Tokens: whose they are, and which are refused."""

import base64
import hmac
import json
from datetime import UTC, datetime, timedelta

import jwt
import pytest

from adapters.identity.tokens import JwtTokens
from application.ports.access_tokens import Bearer, InvalidToken
from domain.ids import UserId
from tests.support.clock import ManualClock
from tests.support.ids import nth_id

SECRET = "correct-horse-battery-staple-0123456789"
ADA = UserId(nth_id(1))
HOUR = timedelta(hours=1)
NEAR_FUTURE = datetime(2100, 1, 1, 12, 0, 0, 999_999, tzinfo=UTC)


def tokens(
    *,
    at: datetime = NEAR_FUTURE - HOUR,
    secret: str = SECRET,
    issuer: str = "anichron",
    audience: str = "anichron",
) -> JwtTokens:
    """Tokens of one install."""
    return JwtTokens(ManualClock(at), secret=secret, issuer=issuer, audience=audience)


def signed(**changed: object) -> str:
    """A token signed with the right secret, whatever it says."""
    claims: dict[str, object] = {
        "sub": str(ADA),
        "iat": datetime(2020, 1, 1, tzinfo=UTC),
        "exp": NEAR_FUTURE,
        "iss": "anichron",
        "aud": "anichron",
    }
    kept = {name: value for name, value in {**claims, **changed}.items() if value is not None}
    return jwt.encode(kept, SECRET, "HS256")


def oddly_signed(changed: dict[str, object]) -> str:
    """The same, also where the library would not write it: signed by hand."""
    claims = {**jwt.decode(signed(), options={"verify_signature": False}), **changed}
    parts = [
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=")
        for part in ({"alg": "HS256", "typ": "JWT"}, claims)
    ]
    signature = hmac.digest(SECRET.encode(), b".".join(parts), "sha256")
    return b".".join([*parts, base64.urlsafe_b64encode(signature).rstrip(b"=")]).decode()


def test_a_token_says_whose_it_is_and_until_when() -> None:
    issued = tokens(at=datetime.now(UTC)).issue(ADA, lasts=HOUR)

    assert tokens().read(issued.text) == Bearer(ADA, issued.expires_at)
    assert issued.expires_at.microsecond == 0


def test_a_token_lasts_as_long_as_was_asked_by_the_clock_it_was_given() -> None:
    issued = tokens(at=datetime(2025, 3, 1, 12, 0, 0, 500_000, tzinfo=UTC)).issue(ADA, lasts=HOUR)

    assert issued.expires_at == datetime(2025, 3, 1, 13, 0, tzinfo=UTC)


def test_a_token_whose_time_is_over_is_refused() -> None:
    issued = tokens(at=datetime(2020, 1, 1, tzinfo=UTC)).issue(ADA, lasts=HOUR)

    assert tokens().read(issued.text) == InvalidToken()


@pytest.mark.parametrize(
    "other",
    [tokens(secret="x" * 40), tokens(issuer="somebody"), tokens(audience="something")],
    ids=["secret", "issuer", "audience"],
)
def test_a_token_of_another_install_is_refused(other: JwtTokens) -> None:
    assert other.read(signed()) == InvalidToken()


@pytest.mark.parametrize(
    "changed",
    [{"sub": None}, {"sub": "ada"}, {"exp": None}, {"iat": None}, {"iss": None}, {"aud": None}],
    ids=str,
)
def test_a_token_that_leaves_something_out_is_refused(changed: dict[str, object]) -> None:
    assert isinstance(tokens().read(signed()), Bearer)
    assert tokens().read(signed(**changed)) == InvalidToken()


@pytest.mark.parametrize(
    "changed",
    [
        {"exp": []},
        {"exp": {}},
        {"exp": "soon"},
        {"exp": True},
        {"exp": 10**400},
        {"iat": []},
        {"iat": "now"},
        {"sub": 1},
        {"sub": ["ada"]},
        {"iss": ["anichron"]},
        {"aud": ["anichron"]},
        {"aud": {}},
        {"aud": 1},
    ],
    ids=str,
)
def test_a_claim_of_another_type_is_refused_without_an_exception(changed: dict[str, object]) -> None:
    assert tokens().read(oddly_signed(changed)) == InvalidToken()


def test_a_token_of_the_year_9999_says_so_to_whoever_judges_it() -> None:
    far = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)

    assert tokens().read(signed(exp=far)) == Bearer(ADA, far)


def test_a_token_without_a_signature_is_refused() -> None:
    claims = jwt.decode(signed(), options={"verify_signature": False})
    unsigned = jwt.encode(claims, None, "none")

    assert tokens().read(unsigned) == InvalidToken()


@pytest.mark.parametrize(
    "garbage",
    ["", "x", "a.b.c", "é.é.é", "\0", "." * 5000, "x" * 10_000, f"{'x' * 3000}.{'y' * 3000}.{'z' * 4000}"],
)
def test_garbage_is_refused_without_an_exception(garbage: str) -> None:
    assert tokens().read(garbage) == InvalidToken()
