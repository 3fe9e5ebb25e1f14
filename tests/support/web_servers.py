"""Web servers in front of an API, with the configurations that we ship."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.support.serving import a_free_port, until

DEPLOY: Final = Path(__file__).parents[2] / "deploy"
PLACES: Final = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/usr/local/sbin"
INSTALLING_SECONDS: Final = 300

UPSTREAM: Final = "127.0.0.1:8080"

NGINX: Final = """\
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log stderr warn;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/anichron.conf;
}}
"""


@contextmanager
def nginx(folder: Path, *, upstream: int) -> Iterator[int]:
    """The port of an nginx that has our configuration and no other."""
    port = a_free_port()
    site = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    _write(folder / "anichron.conf", site, {UPSTREAM: f"127.0.0.1:{upstream}", "listen 80": f"listen {port}"})
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder), encoding="utf-8")
    program = installed("nginx", package="nginx-light")
    with _running([program, "-p", str(folder), "-c", str(folder / "nginx.conf")], port, {}):
        yield port


@contextmanager
def caddy(folder: Path, *, upstream: int) -> Iterator[int]:
    """The port of a Caddy that has our configuration, but for the certificate."""
    port = a_free_port()
    site = "{\n\tadmin off\n}\n" + (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    changes = {UPSTREAM: f"127.0.0.1:{upstream}", "photos.example": f"http://:{port}"}
    _write(folder / "Caddyfile", site, changes)
    own = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)}
    command = [installed("caddy", package="caddy"), "run", "--adapter", "caddyfile"]
    with _running([*command, "--config", str(folder / "Caddyfile")], port, own):
        yield port


def installed(program: str, *, package: str) -> str:
    """Where the program is. Installs it where it is not there and that is possible; fails in one line if not."""
    found = shutil.which(program, path=PLACES)
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        _install(package)
        found = shutil.which(program, path=PLACES)
    if found is None:
        raise pytest.fail.Exception(
            f"{program} is not there: install it, for instance with `apt-get install {package}`",
            pytrace=False,
        )
    return found


def _install(package: str) -> None:
    # Run level 1 keeps the package from starting a server of its own.
    quietly = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    install = ["apt-get", "install", "--yes", "--no-install-recommends", package]
    for command in (install, ["apt-get", "update"], install):
        done = subprocess.run(
            command, env=quietly, check=False, capture_output=True, timeout=INSTALLING_SECONDS
        )
        if command == install and done.returncode == 0:
            return


def _write(path: Path, text: str, changes: dict[str, str]) -> None:
    """What we ship, with other addresses; asserts that it names those that are changed."""
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


@contextmanager
def _running(command: list[str], port: int, variables: dict[str, str]) -> Iterator[None]:
    with subprocess.Popen(
        command, env={**os.environ, **variables}, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as server:
        try:
            until(lambda: _listens(server, port), what=f"{command[0]} listens")
            yield
        finally:
            server.terminate()


def _listens(server: subprocess.Popen[bytes], port: int) -> bool:
    if server.poll() is not None:
        assert server.stderr is not None
        raise AssertionError(server.stderr.read().decode(errors="replace"))
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0
