"""The chat model, by the name that LangChain's ``init_chat_model`` knows it by; none without ``MEDATTEST_MODEL``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from core.errors import SettingsError
from core.settings import Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

TEMPERATURE = 0.0
TIMEOUT = 60.0
"""Seconds that one request to the model may take."""
RETRIES = 2
"""Attempts after the first one, at a timeout, status 429 or 5xx; the provider's package waits between them."""
SEED = 0

_REASONING = re.compile(r"(?:openai:)?(?:o\d|gpt-(?:[5-9]|\d\d)|codex)")
"""OpenAI's models that refuse a temperature, and whose Responses API refuses a seed."""


def chat_model(settings: Settings) -> BaseChatModel | None:
    """The model that the settings name, asked for its likeliest answer; None where they name none.

    A model that takes a temperature and a seed gets both; one that is not known to answer from this machine is shown no
    identifiers of patients (``core.privacy``). Nothing is sent here. The first call imports LangChain and
    the provider's package, which takes seconds: make it off the event loop. The model's connections belong to the
    loop that first awaits it.

    Raises:
        SettingsError: the provider is unknown, its package is not installed, or it lacks something such as a key.
    """
    if settings.model is None:
        return None
    from langchain.chat_models import init_chat_model  # takes a second: only for those who have a model

    sampling: dict[str, Any] = {} if _REASONING.match(settings.model) else {"temperature": TEMPERATURE}
    try:
        model: BaseChatModel = init_chat_model(settings.model, timeout=TIMEOUT, max_retries=RETRIES, **sampling)
    except Exception as error:  # every provider has errors of its own; each means that the setting cannot work
        raise SettingsError(f"MEDATTEST_MODEL={settings.model} cannot be used: {_reason(error)}") from error
    if sampling and "seed" in type(model).model_fields and not getattr(model, "use_responses_api", False):
        model = model.model_copy(update={"seed": SEED})
    from core.privacy.model import redacting  # imports LangChain too

    return redacting(model)


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
