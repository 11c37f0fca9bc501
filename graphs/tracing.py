"""Traces to LangSmith: sent where ``MEDATTEST_TRACING`` says so and nowhere else, never with a patient's identifiers.

LangSmith's own variables say where traces go (``LANGSMITH_ENDPOINT``, ``LANGSMITH_API_KEY``, ``LANGSMITH_PROJECT``),
not whether any do. Whoever receives a trace keeps it, so a receiver on this machine is no exception.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

import langsmith
from langsmith import Client

from core.errors import SettingsError
from core.privacy.trace import anonymous
from core.settings import Settings, is_address

_log = logging.getLogger(__name__)
SECONDS_TO_SEND = 10.0
"""How long a door waits at its end for what is not sent yet."""


class AnonymousClient(Client):
    """Sends runs without identifiers; LangSmith asks an anonymiser for inputs, outputs, metadata and errors only.

    Looking for identifiers computes, and reads files the first time: one thread does it, in the order of the runs, so
    that no event loop waits. SettingsError where LangSmith's variables name what is no address.
    """

    def __init__(self) -> None:
        _check_address()
        super().__init__(anonymizer=anonymous)
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="tracing")

    def create_run(self, name: str, inputs: dict[str, Any], run_type: Any, **fields: Any) -> None:
        """Send the beginning of a run."""

        def create() -> None:
            super(AnonymousClient, self).create_run(anonymous(name), inputs, run_type, **_rest(fields))

        self._soon(create)

    def update_run(self, run_id: Any, **fields: Any) -> None:
        """Send the end of a run."""
        self._soon(lambda: super(AnonymousClient, self).update_run(run_id, **_rest(fields)))

    def flush(self, timeout: float | None = None) -> None:
        """Wait until what was traced is sent."""
        wait([self._worker.submit(int)], timeout)
        super().flush(timeout)

    def _soon(self, work: Callable[[], None]) -> None:
        def tried() -> None:
            try:
                work()
            except Exception as error:  # noqa: BLE001  # a trace that is lost must not lose an answer
                _log.warning("a run was not traced: %s", type(error).__name__)

        self._worker.submit(tried)


def trace_as_set(settings: Settings) -> Client | None:
    """Trace, in the whole process, if the settings say so; otherwise trace nothing, whatever the environment says."""
    client = AnonymousClient() if settings.tracing else None
    langsmith.configure(client=client, enabled=settings.tracing)
    return client


@contextmanager
def traced(settings: Settings) -> Iterator[None]:
    """The same while the block runs; at its end what is not sent yet is sent."""
    client = trace_as_set(settings)
    try:
        yield
    finally:
        if client is not None:
            client.flush(SECONDS_TO_SEND)
        langsmith.configure(client=None, enabled=None)


def _check_address() -> None:
    for name in ("LANGSMITH_ENDPOINT", "LANGCHAIN_ENDPOINT"):
        address = os.environ.get(name, "").strip(" \"'")
        if address and not is_address(address):
            raise SettingsError(f"{name} is no http(s) address ({address}): mend it, or set MEDATTEST_TRACING=false")


def _rest(fields: dict[str, Any]) -> dict[str, Any]:
    """Fields that the anonymiser is not asked about; files that a run carries are left behind."""
    told = {"name", "tags", "events", "extra", "serialized"}
    return {k: anonymous(v) if k in told else v for k, v in fields.items() if k != "attachments"}
