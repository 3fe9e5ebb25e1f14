"""What drivers say, in the words of the ports."""

import psycopg
import pytest

from adapters.sql.errors import translated
from application.ports.errors import StoreUnavailable, StoreUnfit


@pytest.mark.parametrize(
    "told",
    [
        "unsupported startup parameter: options",
        "unsupported startup parameter in options: lock_timeout",
        "unsupported options startup parameter: parameter 'jit' is not tracked by PgBouncer",
    ],
)
def test_a_pooler_that_takes_no_settings_is_told_with_the_setting_that_helps(told: str) -> None:
    error = psycopg.OperationalError(f"connection failed: FATAL:  {told}")

    answer = translated(error)

    assert isinstance(answer, StoreUnfit)
    assert str(answer) == (
        f"PostgreSQL client: connection failed: FATAL:  {told}: a pooler lies between, set DATABASE__BEHIND_POOLER=true"
    )


def test_any_other_server_that_cannot_be_reached_is_away() -> None:
    answer = translated(psycopg.OperationalError("connection failed: Connection refused\nIs it running?"))

    assert type(answer) is StoreUnavailable
    assert str(answer) == "PostgreSQL client: connection failed: Connection refused"
