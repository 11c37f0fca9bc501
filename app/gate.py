"""What stands before the server's doors: no foreign host or page, nothing but JSON, and no more than is allowed."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from urllib.parse import urlsplit

import orjson
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL_NAMES = frozenset({"localhost"})


class Refused(Exception):
    """Why a request is not let in, as an HTTP status and a sentence."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def _place(origin: str) -> str | None:
    """The host and port of an origin; None where it is none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


class Gate:
    """An ASGI application around another.

    Args:
        app: what is behind.
        host: the address that the server listens on.
        allowed_hosts: names that requests may be addressed to beside that address. A web page that has made its own
            name lead to this machine still sends that name, and is refused by it; an address in digits cannot be made
            to lead elsewhere.
        max_body: bytes of a request's body; what is longer is refused before it is read.
    """

    def __init__(self, app: ASGIApp, host: str, allowed_hosts: Collection[str], max_body: int) -> None:
        self.app = app
        self.loopback = _is_loopback(host)
        self.names = frozenset({host.lower(), *LOCAL_NAMES, *(name.lower() for name in allowed_hosts)})
        self.max_body = max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or say why not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
            self._check_host(headers)
            body = await self._body(scope["method"], headers, receive)
        except Refused as refused:
            error = {"type": "InputError", "message": str(refused)}
            await JSONResponse({"error": error}, refused.status)(scope, receive, send)
            return
        await self.app(scope, _replaying(body, receive), send)

    def _check_host(self, headers: dict[str, str]) -> None:
        host = headers.get("host", "")
        if not self._is_ours(_hostname(host)):
            raise Refused(421, f"this server is not {host[:100]!r}: name it in MEDATTEST_ALLOWED_HOSTS if it should be")
        if "origin" in headers and _place(headers["origin"]) != host:
            raise Refused(403, "web pages of other origins may not ask this server")

    def _is_ours(self, name: str) -> bool:
        if name in self.names:
            return True
        return _is_loopback(name) if self.loopback else _is_address(name)

    async def _body(self, method: str, headers: dict[str, str], receive: Receive) -> bytes:
        """The whole body, once it is known to be short enough and JSON."""
        told = headers.get("content-length", "0")
        if told.isdecimal() and int(told[:20]) > self.max_body:
            raise self._too_long()
        body = bytearray()
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                break
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self.max_body:
                raise self._too_long()
        if method == "POST":
            if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
                raise Refused(415, "send the content type application/json")
            try:
                orjson.loads(body)  # stricter than the one behind: half a character is none
            except orjson.JSONDecodeError as error:
                raise Refused(422, f"the body is no JSON that can be read: {str(error)[:200]}") from None
        return bytes(body)

    def _too_long(self) -> Refused:
        return Refused(413, f"the body has more than {self.max_body:,} bytes (MEDATTEST_MAX_BODY_MB): send less")


def _replaying(body: bytes, receive: Receive) -> Receive:
    """What the application receives: the body that was read, then what the connection says."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay


def _hostname(host: str) -> str:
    """The name in a Host header, in small letters, without its port; empty where there is none."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(name: str) -> bool:
    return name in LOCAL_NAMES or (_is_address(name) and ipaddress.ip_address(name).is_loopback)
