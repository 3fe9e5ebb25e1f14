"""Settings around signing in: how long a session lasts, and who is the first admin."""

from datetime import timedelta
from pathlib import Path

import pytest

from entrypoints.settings.errors import SettingsError
from entrypoints.settings.loading import load
from entrypoints.settings.variables import VARIABLES


def lines(**environ: str) -> tuple[str, ...]:
    """What is said about an environment that cannot be used."""
    with pytest.raises(SettingsError) as raised:
        load(environ)
    return raised.value.lines


def test_an_access_token_lasts_a_quarter_of_an_hour_and_a_session_a_month_and_three_at_most() -> None:
    settings = load({}).settings

    assert settings.jwt.access == timedelta(minutes=15)
    assert settings.session.idle == timedelta(days=30)
    assert settings.session.longest == timedelta(days=90)
    assert (settings.admin.email, settings.admin.password) == (None, None)


@pytest.mark.parametrize(
    ("environ", "line"),
    [
        (
            {"JWT__ACCESS_SECONDS": "86401"},
            "JWT__ACCESS_SECONDS=86401: must be at most 86400: the API takes no longer tokens",
        ),
        ({"JWT__ACCESS_SECONDS": "0.5"}, "JWT__ACCESS_SECONDS=0.5: must be at least 1"),
        ({"SESSION__IDLE_DAYS": "91"}, "SESSION__IDLE_DAYS=91: must be at most SESSION__LONGEST_DAYS (90)"),
        (
            {"SESSION__LONGEST_DAYS": "7"},
            "SESSION__LONGEST_DAYS=7: must be at least SESSION__IDLE_DAYS (30)",
        ),
        ({"SESSION__IDLE_DAYS": "0.001"}, "SESSION__IDLE_DAYS=0.001: must be at least 0.003 (5 minutes)"),
        (
            {"ADMIN__EMAIL": "ada@photos.example"},
            "ADMIN__PASSWORD: must be set, best by a file, since ADMIN__EMAIL is",
        ),
        ({"ADMIN__PASSWORD": "correct horse"}, "ADMIN__EMAIL: must be set, since ADMIN__PASSWORD is"),
        (
            {"ADMIN__EMAIL": "ada", "ADMIN__PASSWORD": "correct horse"},
            "ADMIN__EMAIL=ada: must look like ada@photos.example",
        ),
        (
            {"ADMIN__EMAIL": "ada@photos.example", "ADMIN__PASSWORD": "hunter2"},
            "ADMIN__PASSWORD: must be at least 8 characters long",
        ),
    ],
    ids=lambda value: str(value)[:50],
)
def test_what_cannot_be_is_told_in_one_line(environ: dict[str, str], line: str) -> None:
    assert lines(**environ) == (line,)


def test_the_first_admins_password_comes_from_a_file_and_is_never_shown(tmp_path: Path) -> None:
    path = tmp_path / "password"
    path.write_text("correct horse\n")

    settings = load({"ADMIN__EMAIL": "ada@photos.example", "ADMIN__PASSWORD_FILE": str(path)}).settings

    assert settings.admin.password is not None
    assert settings.admin.password.get_secret_value() == "correct horse"
    assert VARIABLES["ADMIN__PASSWORD"].shown_in(settings) == "(hidden)"
    assert "correct horse" not in repr(settings)
