"""Signing in, broken one rule at a time."""

from typing import Final

from tests.mutants.mutant import Mutant, Suite

SESSIONS: Final = Suite(
    "sessions on postgres",
    ("tests/integration/postgres/test_session_races.py", "tests/integration/postgres/test_accounts.py"),
)
DOOR: Final = Suite(
    "door",
    (
        "tests/unit/application/test_sign_in.py",
        "tests/unit/application/test_sessions.py",
        "tests/unit/adapters/identity",
        "tests/unit/adapters/web/test_sessions.py",
        "tests/unit/adapters/web/test_tokens_at_the_door.py",
    ),
)

TOKENS: Final = "adapters/sql/refresh_tokens.py"
FAILURES: Final = "adapters/sql/sign_in_failures.py"
CHANGES: Final = "adapters/sql/account_changes.py"
SIGN_IN: Final = "application/sign_in.py"
JWT: Final = "adapters/identity/tokens.py"
PAGES: Final = "adapters/web/own_pages.py"


def in_store(name: str, path: str, original: str, broken: str, noticed_by: str) -> Mutant:
    """A mutant that the tests of sessions on PostgreSQL must notice."""
    return Mutant(
        name=name, suite=SESSIONS, path=path, original=original, broken=broken, noticed_by=noticed_by
    )


def at_door(name: str, path: str, original: str, broken: str, noticed_by: str) -> Mutant:
    """A mutant that the tests of the door must notice."""
    return Mutant(name=name, suite=DOOR, path=path, original=original, broken=broken, noticed_by=noticed_by)


MUTANTS: Final = (
    in_store(
        "rotation of a token that was rotated",
        TOKENS,
        "(refresh_tokens.c.token_hash == presented) & refresh_tokens.c.rotated_at.is_(None)",
        "refresh_tokens.c.token_hash == presented",
        "comes_again_later",
    ),
    in_store(
        "reuse that ends nothing",
        TOKENS,
        "            connection.execute(sa.delete(sessions).where(sessions.c.id == id_))\n",
        "",
        "comes_again_later",
    ),
    in_store(
        "sign-in that does not hold its account",
        TOKENS,
        ".with_for_update(read=True)",
        "",
        "old_password_does_not_outlive or is_being_changed",
    ),
    in_store(
        "sign-in by any hash",
        TOKENS,
        "(users.c.id == session.user) & (users.c.password_hash == session.password_hash)",
        "users.c.id == session.user",
        "password_that_is_not_theirs",
    ),
    in_store(
        "another password that ends no session",
        CHANGES,
        "_changed(connection, user, ends=True, password_hash=password_hash)",
        "_changed(connection, user, ends=False, password_hash=password_hash)",
        "another_password_ends",
    ),
    in_store(
        "last admins that are judged without the lock",
        CHANGES,
        "        self._database.dialect.lock_key(connection, CHANGING)\n",
        "",
        "two_last_admins",
    ),
    in_store(
        "refused tries that count",
        FAILURES,
        "                raise _AtLimit\n",
        "                continue\n",
        "counts_for_nobody",
    ),
    in_store(
        "tries beyond the limit",
        FAILURES,
        "where=is_over | (table.failures < limit)",
        "where=is_over | (table.failures <= limit)",
        "so_many_are_admitted",
    ),
    at_door(
        "unknown accounts that cost no comparison",
        SIGN_IN,
        "        if not await self._proves(user, password) or user is None:",
        "        if user is None or not await self._proves(user, password):",
        "unknown_and_disabled",
    ),
    at_door(
        "as many comparisons at once as ask",
        SIGN_IN,
        "asyncio.Semaphore(MOST_AT_ONCE)",
        "asyncio.Semaphore(100)",
        "compared_at_a_time",
    ),
    at_door(
        "a success that forgives every failure",
        SIGN_IN,
        "        await self._parts.failures.forgive(frozenset(limits))\n",
        "        for _ in range(10):\n            await self._parts.failures.forgive(frozenset(limits))\n",
        "costs_no_try",
    ),
    at_door("any audience", JWT, "audience=self._audience,\n                options", "options", "claim"),
    at_door("audiences by the list", JWT, '"strict_aud": True', '"strict_aud": False', "claim"),
    at_door(
        "any algorithm of the key",
        JWT,
        "algorithms=[ALGORITHM]",
        'algorithms=[ALGORITHM, "HS512"]',
        "another_way",
    ),
    at_door(
        "origins that begin like ours",
        PAGES,
        '_named(parts.netloc, port) == _named(host, port) != ""',
        "_named(parts.netloc, port).startswith(_named(host, port))",
        "another_site",
    ),
    at_door(
        "pages that say nothing of where they are from",
        PAGES,
        "not in OWN:",
        'not in {*OWN, "same-site"}:',
        "another_site",
    ),
)
