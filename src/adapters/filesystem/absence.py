"""Looking once more at paths where no file was met."""

import os
from collections.abc import Collection, Iterator
from itertools import groupby

from adapters.filesystem.beneath import NOT_THERE, open_folder, open_root
from adapters.filesystem.walk import WalkRules, is_regular
from application.ports.file_tree import RootUnreadable
from domain.media.file import RelativePath, folder_of


def absent(root: str, paths: Collection[RelativePath], rules: WalkRules) -> frozenset[RelativePath]:
    """Those paths at which the walk would find no file now. What cannot be looked at is not absent."""
    try:
        descriptor = open_root(root)
    except OSError as error:
        raise RootUnreadable(error.strerror or "the root cannot be opened") from error
    try:
        by_folder = groupby(sorted(paths, key=lambda path: (folder_of(path), path)), folder_of)
        return frozenset(
            path
            for folder, inside in by_folder
            for path in _absent_in(descriptor, folder, list(inside), rules)
        )
    finally:
        os.close(descriptor)


def _absent_in(
    root: int, folder: bytes, paths: Collection[RelativePath], rules: WalkRules
) -> Iterator[RelativePath]:
    try:
        descriptor = open_folder(root, folder)
    except OSError as error:
        yield from paths if error.errno in NOT_THERE else [path for path in paths if not rules.admits(path)]
        return
    try:
        yield from (path for path in paths if not rules.admits(path) or _is_absent(descriptor, path))
    finally:
        os.close(descriptor)


def _is_absent(folder: int, path: RelativePath) -> bool:
    try:
        status = os.stat(path.rpartition(b"/")[2], dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        return error.errno in NOT_THERE
    return not is_regular(status)
