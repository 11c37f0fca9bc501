"""The one HTTP client: explicit timeouts, a deadline for every call, a pacer for every host, typed errors.

An error names the host, what happened and what to do; never the path, the query, the body or a key, so that it may be
shown, recorded and logged. What is sent to another machine goes without identifiers of patients (``core.privacy``).
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import random
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import httpx
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt

from core.errors import SettingsError, SourceError, SourceTimeout
from core.pacing import Pacer, backoff, retry_after
from core.privacy.boundary import outgoing_values, stays_here

MAX_REDIRECTS = 5

_ADVICE = {
    401: "check the key for it",
    403: "check the key for it, and that it may be used from here",
    404: "check the address set for it",
    413: "ask for less at once",
    414: "ask for less at once",
    429: "ask again later or less often",
}
_LOOPBACK = ("all://127.0.0.1", "all://[::1]", "all://localhost")


@dataclass(frozen=True)
class Limits:
    """Seconds, attempts and bytes that one call may take.

    ``connect``, ``read`` (between two pieces of a reply), ``write`` and ``pool`` are httpx's timeouts; ``deadline``
    bounds the whole call with its waiting, retries and redirects; ``backoff`` is the pause after the first failure,
    doubled after each further one; ``max_bytes`` counts the body after decompression.
    """

    connect: float = 5.0
    read: float = 15.0
    write: float = 10.0
    pool: float = 10.0
    deadline: float = 30.0
    attempts: int = 4
    backoff: float = 0.5
    max_bytes: int = 16 * 2**20


@dataclass(frozen=True)
class Reply:
    """A reply of status 2xx, read whole; ``retry_after`` is the pause, in seconds, that it may ask for all the same."""

    host: str
    status: int
    media_type: str
    charset: str
    body: bytes
    retry_after: float | None = None

    @property
    def text(self) -> str:
        """The body decoded as the reply declares, UTF-8 otherwise; bytes that do not fit are replaced."""
        try:
            return self.body.decode(self.charset, errors="replace")
        except LookupError:
            return self.body.decode("utf-8", errors="replace")

    def json(self) -> Any:
        """The body as JSON; SourceError where it is none, such as an error page sent with status 200."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError) as error:
            raise SourceError(
                f"{self.host} answered with {self.media_type or 'something'} that is no JSON: "
                "try again later, and check the address set for it"
            ) from error


class _Transient(Exception):
    """A failure that another attempt may mend."""

    def __init__(self, problem: str, advice: str, kind: type[SourceError] = SourceError) -> None:
        super().__init__(problem)
        self.problem, self.advice, self.kind = problem, advice, kind


class HttpClient:
    """The process's door to outside hosts; one instance for each event loop, closed on that loop.

    Connections and pacers belong to the loop that first uses them, so an instance is not shared by loops, and two
    instances do not know each other's pace. Making one reads certificates from disk: do it off the loop. Every request
    may be sent more than once, so ``post`` is for requests that only read. Text belongs into parameters or a form:
    identifiers are removed from their values, unless this machine itself is asked, and never from the address.
    """

    def __init__(self, limits: Limits | None = None, *, contact: str = "", seed: int | None = None) -> None:
        """Make a client.

        Args:
            limits: what a call may take.
            contact: an e-mail or web address that hosts' operators may write to, sent in the User-Agent.
            seed: of the jitter between attempts; None differs from process to process, which is what jitter is for.
        """
        self.limits = limits or Limits()
        self._pacers: dict[str, Pacer] = {}
        self._jitter = random.Random(seed)
        self._client = _client(self.limits, user_agent(contact))
        logging.getLogger("httpx").setLevel(logging.WARNING)  # at INFO it logs whole URLs: questions and keys

    def pace(self, url: str, interval: float) -> None:
        """Keep so many seconds between the starts of requests to the host of ``url``."""
        self._pacer(httpx.URL(url)).interval = interval

    async def get(
        self,
        url: str,
        params: Mapping[str, str | int] | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        deadline: float | None = None,
    ) -> Reply:
        """Fetch ``url``; SourceTimeout where the deadline passes, SourceError at any other failure."""
        return await self._call("GET", url, deadline, params=await _cleared(params, url), headers=headers)

    async def post(
        self,
        url: str,
        data: Mapping[str, str | int],
        *,
        headers: Mapping[str, str] | None = None,
        deadline: float | None = None,
    ) -> Reply:
        """Send a form, such as a query too long for an address; fails as ``get`` does."""
        return await self._call("POST", url, deadline, data=await _cleared(data, url), headers=headers)

    async def close(self) -> None:
        """Close every connection; afterwards the client cannot be used."""
        await self._client.aclose()

    def _pacer(self, url: httpx.URL) -> Pacer:
        return self._pacers.setdefault(_host(url), Pacer())

    def _pause(self, state: RetryCallState) -> float:
        return backoff(state.attempt_number, self.limits.backoff, self._jitter)

    async def _call(self, method: str, url: str, deadline: float | None, **parts: Any) -> Reply:
        try:
            request = self._client.build_request(method, url, **parts)
        except httpx.InvalidURL as error:
            raise SourceError(
                "the address of a source is no URL, or too long for one: check the addresses set, or ask for less"
            ) from error
        except UnicodeError:
            raise SourceError("what was asked holds characters that cannot be sent: leave them out") from None
        host, limit = _host(request.url), self.limits.deadline if deadline is None else deadline
        end, attempts, last = time.monotonic() + limit, 0, ""

        async def attempt() -> Reply:
            nonlocal attempts, last
            attempts += 1
            try:
                return await self._follow(request, end)
            except _Transient as failure:
                last = f"; the last attempt: {failure.problem}"
                raise

        retrying = AsyncRetrying(
            stop=stop_after_attempt(self.limits.attempts),
            wait=self._pause,
            retry=retry_if_exception_type(_Transient),
            reraise=True,
        )
        try:
            async with asyncio.timeout(limit):
                return await retrying(attempt)
        except TimeoutError:
            raise SourceTimeout(f"{host} gave no complete answer within {limit:g} s{last}: try again later") from None
        except _Transient as failure:
            tried = f" ({attempts} attempts)" if attempts > 1 else ""
            raise failure.kind(f"{failure.problem}{tried}: {failure.advice}") from failure.__cause__

    async def _follow(self, request: httpx.Request, end: float) -> Reply:
        for _ in range(MAX_REDIRECTS + 1):
            if request.url.scheme not in ("http", "https"):
                raise SourceError(f"{_host(request.url) or 'an address'} is neither http nor https: it is not asked")
            pacer = self._pacer(request.url)
            if pacer.cooling > end - time.monotonic():
                raise SourceError(
                    f"{_host(request.url)} asks for a pause of {math.ceil(pacer.cooling)} s, longer than this call may "
                    "take: ask again after it"
                )
            await pacer.turn()
            answer = await self._exchange(request, pacer)
            if isinstance(answer, Reply):
                return answer
            if request.url.scheme == "https" and answer.url.scheme == "http":
                raise SourceError(f"{_host(request.url)} redirects from https to plain http: it is not followed")
            if stays_here(str(request.url)) and not stays_here(str(answer.url)):  # it was sent all that was asked
                raise SourceError(f"{_host(request.url)} redirects to another machine: it is not followed")
            request = answer
        raise SourceError(
            f"{_host(request.url)} redirects more than {MAX_REDIRECTS} times: check the address set for it"
        )

    async def _exchange(self, request: httpx.Request, pacer: Pacer) -> Reply | httpx.Request:
        host = _host(request.url)
        try:
            response = await self._client.send(request, stream=True)
            try:
                if response.next_request is not None:
                    return response.next_request
                self._refuse(response, host, pacer)
                body = await self._read(response, host)
            finally:
                await response.aclose()
        except httpx.HTTPError as error:
            raise _failure(error, host) from error
        media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        asked = retry_after(response.headers.get("retry-after"))
        return Reply(host, response.status_code, media_type, response.charset_encoding or "utf-8", body, asked)

    def _refuse(self, response: httpx.Response, host: str, pacer: Pacer) -> None:
        status = response.status_code
        if response.is_success:
            return
        if status in (429, 503) and (asked := retry_after(response.headers.get("retry-after"))) is not None:
            pacer.cool_down(asked)
        elif status == 429:
            pacer.cool_down(self.limits.backoff)
        if status == 429 or status >= 500:
            raise _Transient(f"{host} answered with status {status}", _ADVICE.get(status, "try again later"))
        advice = _ADVICE.get(status, "it does not accept what it was asked")
        raise SourceError(f"{host} answered with status {status}: {advice}")

    async def _read(self, response: httpx.Response, host: str) -> bytes:
        limit = self.limits.max_bytes
        declared = response.headers.get("content-length", "")
        body = bytearray()
        if not (declared.isdecimal() and int(declared) > limit):
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > limit:
                    break
            else:
                return bytes(body)
        raise SourceError(f"{host} sends more than {limit / 2**20:g} MiB in one reply: ask for less at once")


def user_agent(contact: str = "") -> str:
    """Who is asking, as operators of public services want to read it."""
    try:
        release = version("medattest")
    except PackageNotFoundError:
        release = "0"
    if not (contact.isascii() and contact.isprintable()):
        raise SettingsError(f"{contact!r} cannot be sent as a contact: give an e-mail or web address in plain ASCII")
    about = "; ".join(filter(None, ("medical question answering", contact)))
    return f"Medattest/{release} ({about}) python-httpx/{httpx.__version__}"


def _client(limits: Limits, agent: str) -> httpx.AsyncClient:
    """Httpx's client, by whatever proxy and certificates the environment names; SourceError where these cannot be."""
    try:
        return httpx.AsyncClient(
            timeout=httpx.Timeout(connect=limits.connect, read=limits.read, write=limits.write, pool=limits.pool),
            verify=_certificates(),
            headers={"User-Agent": agent},
            mounts=dict.fromkeys(_LOOPBACK),  # what stays on this machine is never sent through a proxy
        )
    except (httpx.InvalidURL, ValueError, ImportError) as error:
        lacking = "it needs the package httpx[socks]" if isinstance(error, ImportError) else "it is no address"
        raise SourceError(
            f"the proxy that HTTPS_PROXY, HTTP_PROXY or ALL_PROXY names cannot be used: {lacking}"
        ) from error


@cache
def _certificates() -> ssl.SSLContext:
    try:
        return httpx.create_ssl_context()
    except OSError as error:
        raise SourceError(
            f"the certificates that SSL_CERT_FILE or SSL_CERT_DIR names cannot be read: {error}"
        ) from error


async def _cleared(values: Mapping[str, str | int] | None, url: str) -> Mapping[str, str | int] | None:
    """What may be sent; looking for names computes, so it is done beside the event loop."""
    return values if stays_here(url) else await asyncio.to_thread(outgoing_values, values, url)


def _host(url: httpx.URL) -> str:
    return url.netloc.decode("ascii")


def _failure(error: httpx.HTTPError, host: str) -> SourceError | _Transient:
    """What httpx raised, in this module's terms. Its own words are kept only where they cannot hold an address."""
    if isinstance(error, httpx.ConnectTimeout):
        return _Transient(f"{host} accepts no connection in time", "check the network, try again later", SourceTimeout)
    if isinstance(error, httpx.TimeoutException):
        return _Transient(f"{host} stopped answering", "try again later", SourceTimeout)
    if isinstance(error, httpx.ConnectError):
        return SourceError(f"{host} cannot be reached ({error}): check the network and the address set for it")
    if isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError):
        return _Transient(f"{host} broke off its answer", "try again later")
    return SourceError(f"{host} cannot be asked ({type(error).__name__}): check the address set for it and any proxy")
