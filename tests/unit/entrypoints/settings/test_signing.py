"""The secret that signs tokens: as set, or made once for the embedded default."""

from pathlib import Path

import pytest

from entrypoints.settings.errors import SettingsError
from entrypoints.settings.loading import load
from entrypoints.settings.signing import signing_secret

SECRET = "correct-horse-battery-staple-0123456789"


def test_a_secret_that_was_set_is_used_and_none_is_kept(tmp_path: Path) -> None:
    settings = load({"ANICHRON_DATA": str(tmp_path), "JWT__SECRET": SECRET}).settings

    assert signing_secret(settings) == SECRET
    assert list(tmp_path.iterdir()) == []


def test_the_embedded_default_makes_its_own_once_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    settings = load({"ANICHRON_DATA": str(folder)}).settings

    made = signing_secret(settings)

    assert len(made) == 64
    assert signing_secret(settings) == made
    assert [path.name for path in folder.iterdir()] == ["jwt-secret"]
    assert (folder / "jwt-secret").stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_database_that_others_share_needs_a_secret_that_was_set(tmp_path: Path) -> None:
    settings = load({"ANICHRON_DATA": str(tmp_path), "DATABASE_URL": "postgresql://db/photos"}).settings

    with pytest.raises(SettingsError, match="JWT__SECRET: is needed to sign access tokens"):
        signing_secret(settings)


def test_a_data_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    settings = load({"ANICHRON_DATA": str(blocked / "data")}).settings

    with pytest.raises(SettingsError, match=r"ANICHRON_DATA=.*: cannot keep the signing secret there"):
        signing_secret(settings)


def test_a_kept_secret_that_was_cut_short_is_refused(tmp_path: Path) -> None:
    (tmp_path / "jwt-secret").write_text("short")
    settings = load({"ANICHRON_DATA": str(tmp_path)}).settings

    with pytest.raises(SettingsError, match="is too short for a secret; delete it"):
        signing_secret(settings)
