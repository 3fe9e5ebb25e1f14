"""The admin page: one shell for every address below `/admin`, and its files under a name that says what is in them."""

import gzip
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

from litestar import Controller, Request, Response, get
from litestar.params import FromPath
from litestar.response import Redirect

from adapters.web.arrival import arrival_of
from adapters.web.problem_types import NOT_FOUND
from adapters.web.problems import Problem, ProblemError

SHELL: Final = "shell.html"
TYPES: Final = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
"""What is served, by the end of its name; nothing else is."""

FIRST: Final = (
    "connection.js",
    "items.js",
    "server.js",
    "words.js",
    "queue.js",
    "vendor/lit-html-3.3.3/lit-html.js",
    "vendor/eventsource-parser-4.1.3/parse.js",
    "vendor/eventsource-parser-4.1.3/errors.js",
)
"""What the queue needs at once: browsers are told, so that none is found out about late."""

THEMES: Final = ("light", "dark")
THEME_COOKIE: Final = "anichron-theme"

SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html"
)
SHELL_HEADERS: Final = {
    "Content-Security-Policy": SECURITY_POLICY,
    "Cache-Control": "no-cache",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Robots-Tag": "none",
    "Vary": "Cookie",
}
FILE_HEADERS: Final = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Vary": "Accept-Encoding",
}
NO_FILE: Final = Problem(NOT_FOUND, "The page has no such file, or not any more: load it again.")

AnyRequest = Request[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class PageFile:
    """One file of the page, as it is and as it travels."""

    media_type: str
    content: bytes
    packed: bytes


def _read(folder: Traversable, below: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _read(entry, f"{below}{entry.name}/")
        else:
            yield below + entry.name, entry.read_bytes()


def _files(contents: Mapping[str, bytes]) -> dict[str, PageFile]:
    typed = ((name, TYPES.get("." + name.rpartition(".")[2])) for name in contents)
    return {
        name: PageFile(media_type, contents[name], gzip.compress(contents[name], mtime=0))
        for name, media_type in typed
        if media_type is not None
    }


_CONTENTS: Final = dict(_read(files("adapters.web") / "page"))

PAGE_FILES: Final = _files(_CONTENTS)
PAGE_VERSION: Final = hashlib.sha256(
    b"".join(name.encode() + hashlib.sha256(content).digest() for name, content in _CONTENTS.items())
).hexdigest()[:12]
"""Another one for each change of any file: so browsers may keep what they have for good."""


class PageController(Controller):
    """Serves the page. It has no rights: everything it shows, it asks the API for."""

    include_in_schema = False

    @get("/")
    async def top(self, request: AnyRequest) -> Redirect:
        """The page is what people look for at the top."""
        return Redirect(f"{arrival_of(request.scope).root}/admin", status_code=307)

    @get(["/admin", "/admin/{place:path}"])
    async def shell(self, request: AnyRequest) -> Response[bytes]:
        """The same for every place: the page itself looks at its address."""
        theme = request.cookies.get(THEME_COOKIE, "")
        shell = _shell(arrival_of(request.scope).root, theme if theme in THEMES else "auto")
        return Response(shell, media_type="text/html", headers=SHELL_HEADERS)

    @get("/admin/assets/{version:str}/{name:path}")
    async def file(self, request: AnyRequest, version: FromPath[str], name: FromPath[str]) -> Response[bytes]:
        """One file; never another one under the same address."""
        found = PAGE_FILES.get(name.removeprefix("/")) if version == PAGE_VERSION else None
        if found is None:
            raise ProblemError(NO_FILE)
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(found.content, media_type=found.media_type, headers=FILE_HEADERS)
        return Response(
            found.packed,
            media_type=found.media_type,
            headers={**FILE_HEADERS, "Content-Encoding": "gzip"},
        )


def _shell(root: str, theme: str) -> bytes:
    assets = f"{root}/admin/assets/{PAGE_VERSION}"
    preloads = "\n".join(f'<link rel="modulepreload" href="{assets}/{name}">' for name in FIRST)
    shell = _CONTENTS[SHELL].decode()
    return (
        shell.replace("{theme}", theme).replace("{preloads}", preloads).replace("{assets}", assets).encode()
    )
