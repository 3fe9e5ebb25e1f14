"""No file or folder name of anybody's library reaches an admin, or a log: a word that all of them hold is looked for."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from tests.support.photos import a_jpeg, exif
from tests.support.processes import environment
from tests.support.serving import ApiProcess, serving
from tests.support.sql import a_sql_house
from tests.support.web import CONFIGS, ITEMS, SECRET, WORKERS, Headers, Json, bearing, signed_as, somebody

WORD: Final = "zwetschgenknoedel"
PATIENCE_SECONDS: Final = 60.0
DESCRIPTION, ARTIST, MAKE = 0x010E, 0x013B, 0x010F


def fill(library: Path) -> None:
    """Everything that a library can hold, good and bad, every name and every tag of it with the word."""
    deep = library / f"{WORD} Été" / f"deep-{WORD}" / WORD.upper()
    deep.mkdir(parents=True)
    tags = exif({DESCRIPTION: f"{WORD} at the lake", ARTIST: WORD, MAKE: WORD})
    whole = a_jpeg(exif=tags)
    for number in range(5):
        (library / f"{WORD}-{number}.jpg").write_bytes(a_jpeg(colour=(number * 40, 1, 1), exif=tags))
    (deep / f"{WORD}.jpeg").write_bytes(a_jpeg(colour=(9, 9, 9)))
    (deep / f"twin of {WORD}.jpg").write_bytes(a_jpeg(colour=(9, 9, 9)))
    (library / f"truncated-{WORD}.jpg").write_bytes(whole[: len(whole) // 2])
    (library / f"empty-{WORD}.jpg").write_bytes(b"")
    (library / f"text-{WORD}.png").write_text(f"{WORD} is no picture")
    (library / f"video-{WORD}.mp4").write_bytes(b"\0\0\0\x18ftypmp42" + WORD.encode() * 9)
    (library / f"notes-{WORD}.txt").write_text(WORD)
    (library / f"two\nlines-{WORD}.jpg").write_bytes(whole[:200])
    (library / os.fsdecode(WORD.encode() + b"-\xff\xfe.jpg")).write_bytes(whole)
    (library / f"link-{WORD}.jpg").symlink_to(library / f"{WORD}-0.jpg")
    os.mkfifo(library / f"pipe-{WORD}.jpg")


def change(library: Path) -> None:
    """What happens to libraries between two crawls."""
    (library / f"{WORD}-1.jpg").unlink()
    (library / f"{WORD}-2.jpg").rename(library / f"moved-{WORD}.jpg")
    (library / f"{WORD}-3.jpg").write_bytes(a_jpeg(colour=(200, 200, 1)))


@pytest.fixture(params=["sqlite_url", "postgres_url"])
def url(request: pytest.FixtureRequest) -> str:
    url: str = request.getfixturevalue(request.param)
    return url


@pytest.fixture
def api(url: str) -> Iterator[ApiProcess]:
    with serving(url, JWT__SECRET=SECRET, LOG__LEVEL="info") as api:
        yield api


class Admin:
    """Asks for everything, and keeps every answer."""

    def __init__(self, api: ApiProcess, headers: Headers) -> None:
        """Take the way in."""
        self._client = httpx.Client(
            base_url=f"http://127.0.0.1:{api.port}", headers=headers, timeout=PATIENCE_SECONDS
        )
        self.told: list[str] = []

    def ask(self, method: str, path: str, body: Json | None = None) -> Any:  # noqa: ANN401 -- any JSON
        response = self._client.request(method, path, json=body)
        self.told += [f"{response.headers}", response.text]
        return response.json()

    def follow(self, cursor: str) -> None:
        """Keep what a stream tells of everything since."""
        asked = {"after": cursor}
        with self._client.stream("GET", f"{ITEMS}/stream", params=asked) as response:
            assert response.status_code == 200
            for line in response.iter_lines():
                self.told.append(line)
                if line == "event: sync":
                    return

    def look_at_everything(self) -> Json:
        """Every address that there is, and some that there are not."""
        page: Json = self.ask("GET", ITEMS)
        for item in page["items"]:
            self.ask("GET", f"{ITEMS}/{item['id']}")
            self.ask("POST", f"{ITEMS}/{item['id']}/cancel")
        for path in (f"{ITEMS}/counts", WORKERS, CONFIGS, "/api/v1/healthz", "/schema/openapi.json"):
            self.ask("GET", path)
        for config in self.ask("GET", CONFIGS)["items"]:
            self.ask("GET", f"{CONFIGS}/{config['id']}")
            self.ask("PATCH", f"{CONFIGS}/{config['id']}", {"isActive": "no"})
        self.ask("GET", f"{ITEMS}?limit=0")
        return page


def worked_off(url: str, tmp_path: Path) -> str:
    """Let a worker do all that waits; what it says meanwhile."""
    proxies = tmp_path / "proxies"
    settings = {"WORKER__PROXY_PATH": str(proxies), "LOG__LEVEL": "info", "LOG__FORMAT": "json"}
    proxies.mkdir(exist_ok=True)
    run = subprocess.run(
        [sys.executable, "-m", "entrypoints", "worker", "--once"],
        env=environment(url, **settings),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout + run.stderr


async def test_the_word_is_nowhere(url: str, api: ApiProcess, tmp_path: Path) -> None:
    library, gone = tmp_path / f"library of {WORD}", tmp_path / f"gone-{WORD}"
    library.mkdir()
    fill(library)
    async with a_sql_house(url) as house:
        admin_id = await somebody(house.users, is_admin=True)
    admin = Admin(api, bearing(signed_as(admin_id)))
    before = admin.ask("GET", ITEMS)["eventCursor"]

    for folder in (library, library, library / WORD, gone):
        admin.ask("POST", CONFIGS, {"userId": str(admin_id), "rootPath": str(folder)})
    said = worked_off(url, tmp_path)
    first = admin.look_at_everything()
    change(library)
    for config in admin.ask("GET", CONFIGS)["items"]:
        admin.ask("POST", f"{ITEMS}/crawls", {"storageConfigId": config["id"]})
    said += worked_off(url, tmp_path)
    admin.look_at_everything()
    admin.follow(before)
    code, _ = api.stop()

    crawls = [item for item in first["items"] if item["kind"] == "crawl"]
    assert {item["status"] for item in crawls} == {"succeeded", "failed"}
    (crawl,) = [item for item in crawls if item["status"] == "succeeded"]
    assert crawl["result"]["new"] > 5
    assert crawl["result"]["failed"] > 2
    assert any(line.startswith("event: item") for line in admin.told)
    assert code == 0
    everything = "\n".join([*admin.told, said, api.said]).casefold()
    assert said
    assert WORD not in everything
