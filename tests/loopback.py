"""Keeps a process off every network but its own machine's."""

import ipaddress
import socket
from collections.abc import Callable
from typing import Any


class OutsideNetwork(AssertionError):
    """A test tried to reach another machine; no `except OSError` swallows it."""


def require_loopback(address: Any) -> None:
    """Raises OutsideNetwork unless `address`, as sockets take it or a host's name, is on this machine."""
    host = address[0] if isinstance(address, tuple) else None
    if host is not None and not is_loopback(host):
        raise OutsideNetwork(f"tests reach no other machine, and this one tried {host}")


def is_loopback(host: str | bytes) -> bool:
    """Whether the host's name or address means this machine."""
    name = host.decode() if isinstance(host, bytes) else host
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name in {"", "localhost"}


def guarded(connect: Callable[..., Any]) -> Callable[..., Any]:
    """`connect` or `connect_ex` of a socket, for this machine only."""

    def to_loopback(self: socket.socket, address: Any) -> Any:
        require_loopback(address)
        return connect(self, address)

    return to_loopback


def guarded_lookup(getaddrinfo: Callable[..., Any]) -> Callable[..., Any]:
    """`getaddrinfo` that asks no name server."""

    def of_loopback(host: Any, *arguments: Any, **options: Any) -> Any:
        if host is not None:
            require_loopback((host,))
        return getaddrinfo(host, *arguments, **options)

    return of_loopback


def guards() -> list[tuple[object, str, Callable[..., Any]]]:
    """(owner, name, replacement) of what has to be patched."""
    return [
        (socket.socket, "connect", guarded(socket.socket.connect)),
        (socket.socket, "connect_ex", guarded(socket.socket.connect_ex)),
        (socket, "getaddrinfo", guarded_lookup(socket.getaddrinfo)),
    ]


def stay_on_loopback() -> None:
    """Guard this process until it ends."""
    for owner, name, replacement in guards():
        setattr(owner, name, replacement)
