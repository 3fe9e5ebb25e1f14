import shutil
from pathlib import Path

import pytest

from tests.support.command_line import Install


@pytest.fixture
def new_install(tmp_path: Path) -> Install:
    """An install without a database; not even its folder is there."""
    return Install(tmp_path / "data")


@pytest.fixture
def install(tmp_path: Path, sqlite_template: Path) -> Install:
    """An install with an empty database."""
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    shutil.copyfile(sqlite_template, data / "anichron.db")
    return Install(data)
