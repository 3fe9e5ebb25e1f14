"""Which proxies are believed: by the server's own library, on addresses as sockets show them."""

from ipaddress import ip_network
from typing import Any

import pytest
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from entrypoints.listening import trusted

PROXIES = (ip_network("172.18.0.0/16"), ip_network("fd00::/8"))


async def seen(connected_from: str, *told: tuple[str, str]) -> tuple[str, str]:
    """Scheme and address that the application sees of a request from there that tells this."""
    scope: dict[str, Any] = {
        "type": "http",
        "scheme": "http",
        "client": (connected_from, 4711),
        "headers": [(name.encode(), value.encode()) for name, value in told],
    }

    async def app(*_: object) -> None:
        pass

    server: Any = ProxyHeadersMiddleware(app, trusted(PROXIES))
    await server(scope, None, None)
    return scope["scheme"], scope["client"][0]


@pytest.mark.parametrize("proxy", ["172.18.0.7", "::ffff:172.18.0.7", "fd00::7"])
async def test_a_known_proxy_is_believed_who_asks_and_how(proxy: str) -> None:
    told = (("x-forwarded-for", "203.0.113.9"), ("x-forwarded-proto", "https"))

    assert await seen(proxy, *told) == ("https", "203.0.113.9")


@pytest.mark.parametrize("stranger", ["172.19.0.7", "::ffff:172.19.0.7", "127.0.0.1", "fe80::7"])
async def test_nobody_else_is(stranger: str) -> None:
    told = (("x-forwarded-for", "203.0.113.9"), ("x-forwarded-proto", "https"))

    assert await seen(stranger, *told) == ("http", stranger)


async def test_what_the_client_itself_has_told_the_proxy_is_not_believed() -> None:
    told = (("x-forwarded-for", "198.51.100.1, 203.0.113.9"),)

    assert await seen("172.18.0.7", *told) == ("http", "203.0.113.9")


def test_without_a_proxy_nobody_is_trusted() -> None:
    assert trusted(()) == []
