"""The socket that a server listens on."""

import os
import socket
import sys
from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network
from typing import Final

BACKLOG: Final = 2048
EVERY_ADDRESS: Final = "::"

SEND_BUFFER_BYTES: Final = 256 * 1024
"""How much the kernel keeps for a client that does not read."""

UNANSWERED_MS: Final = 30_000
"""After so long without an acknowledgement the kernel drops a client."""

MAPPED_BITS: Final = 96
"""How much of `::ffff:192.0.2.1` is not the IPv4 address."""


class CannotListen(Exception):  # noqa: N818 -- reads as the state it names
    """The address is taken, not allowed, or none of this host's; says so in one line."""


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens there: clients may connect from now on. Raises `CannotListen`."""
    try:
        family, _, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        both = host == EVERY_ADDRESS and socket.has_dualstack_ipv6()
        listening = socket.create_server(address[:2], family=family, backlog=BACKLOG, dualstack_ipv6=both)
    except OSError as error:
        raise CannotListen(
            f"cannot listen on {host} port {port}: {_reason(error)}; see API__HOST and API__PORT"
        ) from error
    _bound(listening)
    return listening


def trusted(proxies: Iterable[IPv4Network | IPv6Network]) -> list[str]:
    """The networks as a server compares them with who connects.

    A socket for both families shows an IPv4 address in the clothes of IPv6: each is named in both.
    """
    networks = list(proxies)
    dressed = (
        f"::ffff:{network.network_address}/{MAPPED_BITS + network.prefixlen}"
        for network in networks
        if isinstance(network, IPv4Network)
    )
    return [*map(str, networks), *dressed]


def _bound(listening: socket.socket) -> None:
    """See to it that clients that do not read cost little: a connection has the options of its listener."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    if sys.platform == "linux":
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNANSWERED_MS)


def _reason(error: OSError) -> str:
    if isinstance(error, socket.gaierror) or error.errno is None:
        return str(error.strerror).lower()
    # The error itself repeats the address.
    return os.strerror(error.errno).lower()
