"""Where a request comes from, as far as tries to sign in are counted by it."""

import ipaddress
from collections.abc import Mapping
from typing import Any, Final

UNKNOWN: Final = "unknown"
NETWORK_BITS: Final = 64
"""Of an IPv6 address, what one customer of a provider has at least: the rest they may choose as they like."""


def address_of(scope: Mapping[str, Any]) -> str:
    """The client's address, by the word of a known proxy where there is one; of IPv6 its network."""
    client = scope.get("client")
    host = UNKNOWN if client is None else str(client[0])
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((address.packed, NETWORK_BITS), strict=False))
