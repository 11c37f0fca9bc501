"""A provider's errors as Medattest's: what happened and what to do, never a key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from core.errors import ModelError, ModelReplyError, ModelUnavailable
from core.model.reply import CutShort, declined

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

_ADVICE = {
    401: "refuses the key: check the provider's key, such as OPENAI_API_KEY",
    403: "refuses the key: check that the provider's key may use this model, and from here",
    408: "was too slow: ask again later, or raise MEDATTEST_MODEL_TIMEOUT",
    413: "finds the prompt too long: set MEDATTEST_MODEL_WINDOW to what the model reads",
    429: "is too busy, or its quota is spent: ask again later, or lower MEDATTEST_MODEL_CONCURRENCY",
}
_FORM = frozenset({400, 404, 405, 415, 422, 501})
"""What servers answer to a way of asking that they do not know."""


class FormRefused(ModelReplyError):
    """The server cannot be asked in this way; ``otherwise`` is the error where no other way is left."""

    def __init__(self, otherwise: ModelError) -> None:
        super().__init__(str(otherwise))
        self.otherwise = otherwise


def model_error(error: Exception, chat: BaseChatModel, where: str) -> ModelError:
    """The error that a failed call means.

    Args:
        error: what the provider's package raised.
        chat: the model that was asked; its secrets are left out of what the server said.
        where: the model's name and address, for the message.
    """
    import openai
    from langchain_core.exceptions import ContextOverflowError

    if isinstance(error, openai.LengthFinishReasonError):
        return CutShort(_written(error.completion))
    if isinstance(error, openai.ContentFilterFinishReasonError) or getattr(error, "code", None) == "content_filter":
        return declined("")
    if isinstance(error, ContextOverflowError):
        return ModelUnavailable(f"{where} {_ADVICE[413]}")
    status = _status(error)
    if status is not None:
        return _of_status(status, f"{where} (status {status})", _words(error, chat))
    if isinstance(error, UnicodeEncodeError):
        return ModelUnavailable(
            f"{where} cannot be asked: its key has characters that no key has, check OPENAI_API_KEY"
        )
    if isinstance(error, TimeoutError) or "timeout" in type(error).__name__.lower():
        return ModelUnavailable(f"{where} {_ADVICE[408]}")
    if isinstance(error, openai.APIConnectionError | OSError) or "connect" in type(error).__name__.lower():
        return ModelUnavailable(f"{where} cannot be reached: check that it runs, OPENAI_BASE_URL and the network")
    if isinstance(error, openai.APIError):  # said amid a stream, whose status was 200
        return ModelUnavailable(f"{where} failed: {_words(error, chat)}; ask again later")
    return FormRefused(
        ModelReplyError(f"{where} replied with something that is no chat completion: check OPENAI_BASE_URL")
    )


def _of_status(status: int, where: str, words: str) -> ModelError:
    if status in _ADVICE:
        return ModelUnavailable(f"{where} {_ADVICE[status]}")
    if status in _FORM:
        refused = f"{where} refuses the request: {words}; check MEDATTEST_MODEL and OPENAI_BASE_URL"
        return FormRefused(ModelUnavailable(refused))
    return ModelUnavailable(f"{where} failed: ask again later")


def _written(completion: Any) -> str:
    """What a model has written of a reply that OpenAI's package raises as an error, since it was cut short."""
    for choice in getattr(completion, "choices", None) or ():
        message = getattr(choice, "message", None)
        calls = getattr(message, "tool_calls", None) or ()
        texts = [getattr(message, "content", None), *(call.function.arguments for call in calls)]
        return "\n".join(text for text in texts if isinstance(text, str))
    return ""


def _status(error: Exception) -> int | None:
    found = getattr(error, "status_code", None) or getattr(getattr(error, "response", None), "status_code", None)
    return found if isinstance(found, int) and found >= 300 else None


def _words(error: Exception, chat: BaseChatModel) -> str:
    """What the server said, in one short line without the model's keys."""
    body: Any = getattr(error, "body", None)
    said = body.get("message") if isinstance(body, dict) else None
    line = " ".join((said if isinstance(said, str) else str(error)).split())
    for name in type(chat).model_fields:
        secret = getattr(chat, name, None)
        if isinstance(secret, SecretStr) and secret.get_secret_value():
            line = line.replace(secret.get_secret_value(), "[key]")
    return line[:200] or "it does not say why"
