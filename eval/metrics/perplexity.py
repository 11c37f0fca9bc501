"""Perplexity of an answer, from the log-probabilities that a model gives its tokens after the question.

A server that echoes prompts with their log-probabilities (vLLM, OpenAI's base models) is asked once an answer. One that
holds to a grammar (llama.cpp) is made to write just the answer, and tells how likely each token was without it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from core.model.faults import FormRefused, model_error
from core.model.provider import address
from core.privacy.boundary import outgoing

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

MOST_TOKENS = 2048
"""Of an answer that is written under a grammar."""


def perplexity(log_probabilities: Sequence[float]) -> float | None:
    """``exp(−mean log p)`` over the tokens, natural logarithms; None where there is none."""
    return math.exp(-sum(log_probabilities) / len(log_probabilities)) if log_probabilities else None


class LogProbabilities:
    """Asks an OpenAI-compatible server's text completions, without the chat's template."""

    def __init__(self, chat: BaseChatModel) -> None:
        """Take a chat model; one that is not OpenAI's or compatible tells nothing."""
        self._chat = chat
        self._client = getattr(chat, "root_client", None)
        self._model = getattr(chat, "model_name", "")
        self._address = address(chat)

    def __call__(self, question: str, answer: str) -> list[float] | None:
        """Log-probabilities of the answer's tokens; None where the server cannot tell, ModelError where it fails."""
        if self._client is None or not answer:
            return None
        prompt, answer = (outgoing(text, self._address) for text in (f"{question}\n", answer))
        return self._echoed(prompt, answer) or self._forced(prompt, answer)

    def _echoed(self, prompt: str, answer: str) -> list[float] | None:
        told = self._complete(prompt + answer, max_tokens=0, echo=True)
        offsets, found = told.get("text_offset") or [], told.get("token_logprobs") or []
        return [p for place, p in zip(offsets, found, strict=False) if place >= len(prompt) and p is not None] or None

    def _forced(self, prompt: str, answer: str) -> list[float] | None:
        grammar = f"root ::= {json.dumps(answer, ensure_ascii=False)}"
        told = self._complete(prompt, max_tokens=MOST_TOKENS, extra_body={"grammar": grammar}).get("content") or []
        written = [token for token in told if token["token"]]  # the end of the text is no word of the answer
        return [token["logprob"] for token in written] if "".join(t["token"] for t in written) == answer else None

    def _complete(self, prompt: str, **asked: Any) -> dict[str, Any]:
        """What the reply says of log-probabilities; nothing where the server does not know this way of asking."""
        from openai import APIError

        client: Any = self._client
        try:
            reply = client.completions.create(model=self._model, prompt=prompt, temperature=0, logprobs=1, **asked)
        except APIError as error:
            fault = model_error(error, self._chat, f"{self._model} at {self._address}")
            if isinstance(fault, FormRefused):
                return {}
            raise fault from error
        told = reply.choices[0].logprobs if reply.choices else None
        return dict(told.model_dump()) if told is not None else {}
