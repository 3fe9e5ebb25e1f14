"""The admin page as it is served: its shell, its files, and what of them is other people's."""

import gzip
import hashlib
import json
import re
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest
from hatchling.builders.wheel import WheelBuilder

from adapters.web.page import FIRST, PAGE_FILES, PAGE_VERSION
from tests.support.memory import a_memory_house
from tests.support.web import WebClient, a_web_client, ports_of, problem_of
from tests.unit.architecture.seeded import ROOT

PAGE: Final = ROOT / "src/adapters/web/page"
VENDOR: Final = PAGE / "vendor"
IMPORT: Final = re.compile(r"""(?:from|import\()\s*"(\./[^"]+\.js)\"""")
ASSETS: Final = f"/admin/assets/{PAGE_VERSION}"


@pytest.fixture
async def web() -> AsyncIterator[WebClient]:
    async with a_web_client(ports_of(a_memory_house())) as client:
        yield client


@pytest.mark.parametrize(
    "path",
    ["/", "/admin", "/admin/", "/admin/work-items", "/admin/work-items/x?status=failed", "/admin/a/b/c"],
)
async def test_one_shell_answers_every_place_of_the_page(web: WebClient, path: str) -> None:
    shell = await web.get(path, anonymous=True)

    assert shell.status_code == 200
    assert shell.headers["Content-Type"] == "text/html; charset=utf-8"
    assert f'<script type="module" src="{ASSETS}/main.js"></script>' in shell.text
    assert "anichron items list" in shell.text


async def test_a_chosen_theme_is_in_the_shell_and_nothing_else_is(web: WebClient) -> None:
    dark = await web.get("/admin", headers={"Cookie": "anichron-theme=dark"}, anonymous=True)
    odd = await web.get("/admin", headers={"Cookie": 'anichron-theme="><script>'}, anonymous=True)

    assert 'data-theme="dark"' in dark.text
    assert 'data-theme="auto"' in odd.text


@pytest.mark.parametrize("name", sorted(PAGE_FILES))
async def test_each_file_is_kept_for_good_and_travels_packed(web: WebClient, name: str) -> None:
    packed = await web.get(f"{ASSETS}/{name}", headers={"Accept-Encoding": "gzip"}, anonymous=True)
    plain = await web.get(f"{ASSETS}/{name}", headers={"Accept-Encoding": "identity"}, anonymous=True)

    assert packed.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.headers["Content-Type"].count("charset") <= 1
    assert "Content-Encoding" not in plain.headers
    assert packed.content == plain.content == (PAGE / name).read_bytes()


@pytest.mark.parametrize(
    "path",
    [
        f"{ASSETS}/nothing.js",
        f"{ASSETS}/shell.html",
        f"{ASSETS}/types.d.ts",
        f"{ASSETS}/../page.py",
        f"{ASSETS}/%2e%2e/page.py",
        "/admin/assets/0123456789ab/main.js",
    ],
)
async def test_what_is_no_file_of_this_version_is_not_found(web: WebClient, path: str) -> None:
    problem_of(await web.get(path, anonymous=True), 404, "not-found")


def test_every_module_that_is_imported_is_there() -> None:
    missing = {
        (name, wanted)
        for name in PAGE_FILES
        if name.endswith(".js")
        for wanted in IMPORT.findall((PAGE / name).read_text(encoding="utf-8"))
        if str((PAGE / name).parent.joinpath(wanted).resolve().relative_to(PAGE)) not in PAGE_FILES
    }

    assert missing == set()


def test_all_that_is_loaded_first_is_told_to_the_browser() -> None:
    needed = {"main.js", "queue.js"}
    while (more := needed | {wanted for name in needed for wanted in statically_imported(name)}) != needed:
        needed = more

    assert needed == {"main.js", *FIRST}


def test_what_is_other_peoples_is_as_it_was_published() -> None:
    manifest = json.loads((VENDOR / "manifest.json").read_text(encoding="utf-8"))
    listed = {
        f"{folder}/{name}": file["sha256"]
        for folder, package in manifest.items()
        for name, file in package["files"].items()
    }
    there = {
        str(path.relative_to(VENDOR)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.rglob("*")
        if path.is_file() and path.name != "manifest.json"
    }

    assert there == listed
    assert {folder for folder in manifest if f"{folder}/LICENSE" not in listed} == set()


def test_no_module_is_over_400_lines_and_none_writes_markup() -> None:
    own = list(PAGE.glob("*.js"))

    assert [path.name for path in own if len(path.read_text(encoding="utf-8").splitlines()) > 400] == []
    unsafe = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|unsafeHTML|eval\(|new Function"
    )
    assert [path.name for path in own if unsafe.search(path.read_text(encoding="utf-8"))] == []


def test_the_wheel_has_the_whole_page(tmp_path: Path) -> None:
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])

    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())

    assert {f"adapters/web/page/{name}" for name in (*PAGE_FILES, "shell.html")} <= names
    assert "adapters/web/page/vendor/lit-html-3.3.3/LICENSE" in names


def test_packing_is_the_same_each_time() -> None:
    assert all(gzip.decompress(file.packed) == file.content for file in PAGE_FILES.values())


def statically_imported(name: str) -> set[str]:
    text = (PAGE / name).read_text(encoding="utf-8")
    wanted = re.findall(r"""from\s+['"](\.\.?/[^'"]+\.js)['"]""", text)
    return {str((PAGE / name).parent.joinpath(path).resolve().relative_to(PAGE)) for path in wanted}
