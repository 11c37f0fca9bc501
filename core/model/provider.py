"""The chat model, by the name that LangChain's ``init_chat_model`` knows it by; none without ``MEDATTEST_MODEL``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import ValidationError

from core.errors import SettingsError
from core.privacy.boundary import stays_here
from core.settings import Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

_REASONING = re.compile(r"(?:openai:)?(?:o\d|gpt-(?:[5-9]|\d\d)|codex)")
"""OpenAI's models that refuse a temperature, and whose Responses API refuses a seed."""


def chat_model(settings: Settings) -> BaseChatModel | None:
    """The model that the settings name, with their sampling and limits; None where they name none.

    A model that takes a temperature and a seed gets both; one that is not known to answer from this machine is shown no
    identifiers of patients (``core.privacy``). Nothing is sent here. The first call imports LangChain and
    the provider's package, which takes seconds: make it off the event loop. What is awaited belongs to the loop that
    first awaits it; synchronous calls may come from any thread.

    Raises:
        SettingsError: the provider is unknown, its package is not installed, or it lacks something such as a key.
    """
    if settings.model is None:
        return None
    from langchain.chat_models import init_chat_model  # takes a second: only for those who have a model

    samples = not _REASONING.match(settings.model)
    options: dict[str, Any] = {"temperature": settings.model_temperature} if samples else {}
    options |= {"timeout": settings.model_timeout, "max_retries": settings.model_retries}
    try:
        model: BaseChatModel = init_chat_model(settings.model, max_tokens=settings.model_output, **options)
    except Exception as error:  # every provider has errors of its own; each means that the setting cannot work
        raise SettingsError(f"MEDATTEST_MODEL={settings.model} cannot be used: {_reason(error)}") from error
    model = model.model_copy(update=_extras(model, settings, seeded=samples))
    from core.privacy.model import redacting  # imports LangChain too

    return redacting(model)


def address(model: BaseChatModel) -> str:
    """Where the model is asked, without what may be secret in it; empty where its class does not say."""
    found = getattr(getattr(model, "root_client", None), "base_url", None) or getattr(model, "base_url", None)
    parts = urlsplit(str(found or ""))
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path.rstrip('/')}" if parts.netloc else ""


def _extras(model: BaseChatModel, settings: Settings, *, seeded: bool) -> dict[str, Any]:
    """What ``init_chat_model`` takes for no provider in general, for those whose class has a field for it."""
    fields = type(model).model_fields
    extras: dict[str, Any] = {}
    if seeded and "seed" in fields and not getattr(model, "use_responses_api", False):
        extras["seed"] = settings.model_seed
    if "stream_usage" in fields:
        extras["stream_usage"] = True  # otherwise a streamed reply of a compatible server counts no tokens
    if "extra_body" in fields and stays_here(address(model)):
        extras["extra_body"] = {"max_tokens": settings.model_output}  # Ollama ignores OpenAI's newer name, #7125
    return extras


def _reason(error: Exception) -> str:
    first = str(error).strip().partition("\n")[0]
    if isinstance(error, ImportError | AttributeError):
        package = first.partition("pip install ")[2].strip("`") or "for its provider"
        return f"the package {package} is not installed; install it into the environment that runs medattest"
    if isinstance(error, ValidationError):  # its own text repeats the values given, keys among them
        return "; ".join(".".join(map(str, fault["loc"])) + ": " + fault["msg"] for fault in error.errors())
    if first.startswith(("Unable to infer", "Unsupported provider")):
        return "its provider is not known; write provider:model, such as openai:gpt-4o-mini"
    if "OPENAI_API_KEY" in first:
        return "OPENAI_API_KEY is not set; a local server behind OPENAI_BASE_URL takes any word for it"
    return first or type(error).__name__
