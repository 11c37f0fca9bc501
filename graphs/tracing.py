"""Traces to LangSmith where the settings ask for them: without identifiers of patients."""

from __future__ import annotations

from contextlib import AbstractContextManager

from langsmith import Client, tracing_context

from core.privacy.model import clean_value
from core.settings import Settings


def traced(settings: Settings) -> AbstractContextManager[None]:
    """Trace what runs inside, if the settings say so; otherwise nothing is traced, whatever the environment says."""
    if not settings.tracing:
        return tracing_context(enabled=False)
    client = Client(hide_inputs=clean_value, hide_outputs=clean_value, hide_metadata=clean_value)
    return tracing_context(enabled=True, client=client)
