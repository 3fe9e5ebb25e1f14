"""Where a SQLite file may lie."""

from pathlib import Path

import pytest

from adapters.sql.sqlite import file_system_of, refuse_network_file_system
from application.ports.errors import StoreUnfit

MOUNTS = r"""
/dev/sda1 / ext4 rw,relatime 0 0
proc /proc proc rw 0 0
server:/export /photos nfs4 rw 0 0
/dev/sdb1 /photos/local xfs rw 0 0
//nas/share /mnt/my\040share cifs rw 0 0
me@host:/ /home/me/remote fuse.sshfs rw 0 0
overlay /container fuse.fuse-overlayfs rw 0 0
drvfs /windows 9p rw 0 0
tmpfs /twice tmpfs rw 0 0
server:/other /twice nfs rw 0 0
"""


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("/data/anichron.sqlite3", "ext4"),
        ("/photos/anichron.sqlite3", "nfs4"),
        ("/photos/local/deep/below/anichron.sqlite3", "xfs"),
        ("/photosynthesis/anichron.sqlite3", "ext4"),
        ("/mnt/my share/anichron.sqlite3", "cifs"),
        ("/twice/anichron.sqlite3", "nfs"),
    ],
)
def test_the_innermost_mount_counts_and_of_two_on_one_folder_the_later(file: str, kind: str) -> None:
    assert file_system_of(Path(file), MOUNTS) == kind


def test_the_name_of_a_mount_may_hold_what_others_take_for_the_end_of_a_line() -> None:
    mounts = (
        "/dev/sda1 / ext4 rw 0 0\n/dev/sdb1 /odd\u2028 \x0cname xfs rw 0 0\n/dev/sdc1 /odd\x85 btrfs rw 0 0\n"
    )

    assert file_system_of(Path("/odd\x85/a.db"), mounts) == "btrfs"


@pytest.mark.parametrize(
    "file",
    ["/photos/a.db", "/mnt/my share/a.db", "/home/me/remote/a.db", "/windows/a.db", "/twice/a.db"],
)
def test_a_network_file_system_is_refused(file: str) -> None:
    with pytest.raises(StoreUnfit, match=r"network file system .* local disk, or use PostgreSQL"):
        refuse_network_file_system(Path(file), MOUNTS)


@pytest.mark.parametrize("file", ["/data/a.db", "/photos/local/a.db", "/container/a.db"])
def test_a_disk_of_this_machine_will_do(file: str) -> None:
    refuse_network_file_system(Path(file), MOUNTS)


def test_where_there_is_no_table_of_mounts_nothing_is_refused() -> None:
    refuse_network_file_system(Path("/data/a.db"), "")
