"""Every setting may come from a file that NAME_FILE names."""

import os
from pathlib import Path

import pytest

from entrypoints.settings.errors import SettingsError
from entrypoints.settings.loading import load
from entrypoints.settings.variables import VARIABLES

SECRET = "correct-horse-battery-staple-0123456789"


def line(**environ: str) -> str:
    """The one line that is said about an environment that cannot be used."""
    with pytest.raises(SettingsError) as raised:
        load(environ)
    (only,) = raised.value.lines
    return only


@pytest.mark.parametrize(
    ("content", "read"),
    [
        (f"{SECRET}", SECRET),
        (f"{SECRET}\n", SECRET),
        (f"{SECRET}\r\n", SECRET),
        (f"{SECRET}\n\n", f"{SECRET}\n"),
        (f" {SECRET} \n", f" {SECRET} "),
    ],
)
def test_one_trailing_newline_is_removed_and_nothing_else(tmp_path: Path, content: str, read: str) -> None:
    path = tmp_path / "secret"
    path.write_bytes(content.encode())

    settings = load({"JWT__SECRET_FILE": str(path)}).settings

    assert settings.jwt.secret is not None
    assert settings.jwt.secret.get_secret_value() == read


@pytest.mark.parametrize(
    "name", [name for name in VARIABLES if name.endswith(("_SECONDS", "_HOURS", "_DAYS"))]
)
def test_every_setting_may_come_from_a_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / "value"
    path.write_text("40\n")

    loaded = load(
        {f"{name}_FILE": str(path), "WORKER__LEASE_SECONDS": "400"}
        if "LEASE" not in name
        else {f"{name}_FILE": str(path)}
    )

    assert loaded.given[name].text == "40"


def test_a_variable_and_its_file_together_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text(SECRET)

    said = line(JWT__SECRET=SECRET, JWT__SECRET_FILE=str(path))

    assert said == "JWT__SECRET and JWT__SECRET_FILE are both set: keep one of them"


def test_a_missing_file_is_named_with_its_variable(tmp_path: Path) -> None:
    path = tmp_path / "gone"

    assert line(DATABASE_URL_FILE=str(path)) == f"DATABASE_URL_FILE={path}: the file does not exist"


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert line(JWT__SECRET_FILE=str(tmp_path)) == f"JWT__SECRET_FILE={tmp_path}: the file is a folder"


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    assert line(JWT__SECRET_FILE=str(pipe)) == f"JWT__SECRET_FILE={pipe}: the file is not a regular file"


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null"])
def test_a_device_is_no_file(device: str) -> None:
    assert line(JWT__SECRET_FILE=device) == f"JWT__SECRET_FILE={device}: the file is not a regular file"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"a\0b", "holds a NUL character"),
        (b"x" * 70_000, "is larger than 64 KiB"),
    ],
)
def test_a_file_that_holds_no_text_is_refused(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "value"
    path.write_bytes(content)

    assert line(WORKER__USER_FILE=str(path)) == f"WORKER__USER_FILE={path}: the file {why}"


def test_a_wrong_value_in_a_file_is_told_without_its_content(tmp_path: Path) -> None:
    path = tmp_path / "value"
    path.write_text("hunter2")

    assert line(WORKER__SLOTS_FILE=str(path)) == f"WORKER__SLOTS_FILE={path}: must be a whole number"
    assert line(JWT__SECRET_FILE=str(path)) == f"JWT__SECRET_FILE={path}: must be at least 32 bytes long"
