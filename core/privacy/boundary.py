"""The boundary: what goes to another machine goes without identifiers, and whoever asked can learn what was removed.

An address of this machine is exempt. What is removed is noted for every ``noting()`` that is open, also where the
request is sent by a task or thread begun inside it, so that clients shared by all need not know whose question it is.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from urllib.parse import urlsplit

from core.privacy.identifier import KINDS, Kind
from core.privacy.redaction import redacted

NOT_TEXT = frozenset({"api_key", "apikey", "email", "tool"})
"""Parameters, in lower case, that say who asks rather than what: they go as they are."""


class Noted:
    """Which kinds of identifiers were removed; never the identifiers themselves."""

    def __init__(self) -> None:
        self._kinds: set[Kind] = set()

    def add(self, kind: Kind) -> None:
        """Note that one of this kind was removed."""
        self._kinds.add(kind)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds, always in the same order."""
        return tuple(kind for kind in KINDS if kind in self._kinds)

    @property
    def notice(self) -> str | None:
        """What to tell the reader; None where nothing was removed."""
        if not self._kinds:
            return None
        return f"removed before anything left this machine: {', '.join(self.kinds)}"


_open: ContextVar[tuple[Noted, ...]] = ContextVar("privacy_noted", default=())


@contextmanager
def noting() -> Iterator[Noted]:
    """Collect the kinds that are removed while the block runs; what an inner block notes, the outer one has too."""
    noted = Noted()
    token = _open.set((*_open.get(), noted))
    try:
        yield noted
    finally:
        _open.reset(token)


def note(kinds: Iterator[Kind]) -> None:
    """Tell every open ``noting()`` what was removed."""
    noted = _open.get()
    for kind in kinds:
        for each in noted:
            each.add(kind)


def outgoing(text: str, address: str) -> str:
    """A query as it may be sent to an address, and as it may be part of a cache's key; noted where it changes.

    A client that keeps replies by what it asked calls this first, so that no key holds an identifier.
    """
    if stays_here(address):
        return text
    found = redacted(text)
    note(piece.kind for piece in found.removed)
    return found.query


def outgoing_values(values: Mapping[str, str | int] | None, address: str) -> Mapping[str, str | int] | None:
    """Parameters or a form as they may be sent; their names, and values that are no text, go as they are."""
    if values is None or stays_here(address):
        return values
    return {
        name: outgoing(value, address) if isinstance(value, str) and name.lower() not in NOT_TEXT else value
        for name, value in values.items()
    }


def stays_here(address: str) -> bool:
    """Whether a URL's host is this machine; False where that cannot be told."""
    try:
        host = urlsplit(address).hostname or ""
        return host == "localhost" or host.endswith(".localhost") or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
