"""`anichron configs` and `anichron crawl`: photo folders, and asking for their crawls."""

import os
import signal
from pathlib import Path

import pytest

from tests.support.command_line import Install


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """A folder of photos."""
    folder = tmp_path / "photos"
    folder.mkdir()
    return folder


def test_a_folder_is_added_with_its_first_crawl(install: Install, photos: Path) -> None:
    user = install.ada()

    document = install.json("configs", "add", "ada", str(photos))

    assert document["config"].keys() == {"id", "userId", "rootPath", "isActive", "createdAt"}
    assert document["config"]["userId"] == user
    assert document["config"]["rootPath"] == str(photos)
    (crawl,) = install.json("items", "list")["items"]
    assert crawl["id"] == document["crawlId"]
    assert crawl["storageConfigId"] == document["config"]["id"]
    assert crawl["kind"] == "crawl"
    assert install.json("configs", "list")["items"] == [document["config"]]


def test_a_folder_is_kept_absolute_with_its_links_followed(
    install: Install, photos: Path, tmp_path: Path
) -> None:
    install.ada()
    (tmp_path / "link").symlink_to(photos)

    document = install.json("configs", "add", "ada", str(tmp_path / "data" / ".." / "link"))

    assert document["config"]["rootPath"] == str(photos)


def test_the_list_names_the_owner_and_the_folder(install: Install, photos: Path) -> None:
    install.ada()
    id_ = install.library(photos)

    assert install.ok("configs", "list").stdout.splitlines()[1].split()[:4] == [
        id_,
        "ada",
        str(photos),
        "yes",
    ]


def test_a_folder_of_nobody_is_code_3(install: Install, photos: Path) -> None:
    result = install.run("configs", "add", "bob", str(photos))

    assert result.exit_code == 3
    assert result.stderr == "anichron: nobody is called 'bob': see 'anichron users list'\n"


def test_a_folder_that_cannot_be_one_is_named_with_the_reason(install: Install, tmp_path: Path) -> None:
    install.ada()
    (tmp_path / "file").write_text("")

    missing = install.run("configs", "add", "ada", str(tmp_path / "missing"))
    no_folder = install.run("configs", "add", "ada", str(tmp_path / "file"))

    assert (missing.exit_code, no_folder.exit_code) == (2, 2)
    assert f"{tmp_path / 'missing'}: no such file or directory." in missing.stderr
    assert f"{tmp_path / 'file'} is not a folder." in no_folder.stderr
    assert install.json("configs", "list")["items"] == []


def test_a_folder_that_is_there_already_is_code_4(install: Install, photos: Path) -> None:
    install.ada()
    id_ = install.library(photos)
    (photos / "inner").mkdir()

    again = install.run("configs", "add", "ada", str(photos))
    inner = install.run("configs", "add", "ada", str(photos / "inner"))

    assert (again.exit_code, inner.exit_code) == (4, 4)
    assert again.stderr == f"anichron: {photos} is there already, as {id_}\n"
    assert "another photo folder lies within it, or holds it" in inner.stderr


def test_a_folder_that_holds_the_proxies_is_refused(install: Install, tmp_path: Path) -> None:
    install.ada()

    result = install.run("configs", "add", "ada", str(tmp_path))

    assert result.exit_code == 2
    assert "may not hold one another" in result.stderr


def test_where_a_root_was_set_folders_must_lie_below_it(
    install: Install, photos: Path, tmp_path: Path
) -> None:
    install.ada()
    (tmp_path / "originals" / "ada").mkdir(parents=True)
    install.set(WORKER__ROOT=str(tmp_path / "originals"))

    outside = install.run("configs", "add", "ada", str(photos))

    assert outside.exit_code == 2
    assert (
        outside.stderr == f"anichron: {photos} does not lie below WORKER__ROOT ({tmp_path / 'originals'})\n"
    )
    install.ok("configs", "add", "ada", str(tmp_path / "originals" / "ada"))


def test_a_crawl_is_asked_for_by_the_folder_or_the_beginning_of_its_id(
    install: Install, photos: Path
) -> None:
    ada = install.ada()
    id_ = install.library(photos)

    by_id = install.json("crawl", id_[:13], "--verify")
    by_folder = install.ok("crawl", str(photos)).stdout.strip()

    assert by_id["coalesced"] is False
    assert install.json("items", "show", by_id["id"])["payload"] == {
        "storageConfigId": id_,
        "verify": True,
    }
    assert install.json("items", "show", by_folder)["payload"] == {"storageConfigId": id_}
    assert install.json("items", "show", by_folder)["requestedBy"] == ada


def test_a_crawl_of_no_folder_is_code_3(install: Install) -> None:
    result = install.run("crawl", "0192f3c8")

    assert result.exit_code == 3
    assert "no photo folder is '0192f3c8'" in result.stderr


def test_removing_without_a_terminal_names_the_flag(install: Install, photos: Path) -> None:
    install.ada()
    id_ = install.library(photos)

    result = install.run("configs", "remove", id_)

    assert result.exit_code == 2
    assert "confirm with --yes" in result.stderr
    assert len(install.json("configs", "list")["items"]) == 1


def is_asleep(process: int) -> bool:
    """Whether it waits for something: after a question, for the answer."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "S"


def test_ctrl_c_is_an_answer_to_a_question(install: Install, photos: Path) -> None:
    install.ada()
    id_ = install.library(photos)
    keyboard, terminal = os.openpty()

    process = install.start("configs", "remove", id_, stdin=terminal)
    assert process.stderr is not None
    while not process.stderr.read(1).endswith(":"):
        pass
    while not is_asleep(process.pid):
        pass
    process.send_signal(signal.SIGINT)

    assert process.wait(timeout=20) == 130
    process.communicate()
    assert len(install.json("configs", "list")["items"]) == 1
    for descriptor in (keyboard, terminal):
        os.close(descriptor)


def test_a_removed_folder_takes_its_items_along_and_leaves_its_photos(install: Install, photos: Path) -> None:
    install.ada()
    id_ = install.library(photos)
    (photos / "a.jpg").write_text("")

    install.ok("configs", "remove", id_[:13], "--yes")

    assert install.json("configs", "list")["items"] == []
    assert install.json("items", "list")["items"] == []
    assert (photos / "a.jpg").exists()
    assert install.run("configs", "remove", id_, "--yes").exit_code == 3
