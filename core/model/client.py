"""The model, asked for values: a schema and a prompt in, a value of that schema and what it cost out.

Which way of asking a model can (``core.model.ladder``) is found out at its first reply. A reply that does not keep the
schema is shown to the model once with what is wrong; of one that was cut short the whole fields are used, or else a
shorter one is asked for once; then it is an error. Replies are kept on disk.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from inspect import signature
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import BaseModel, ValidationError

from core.cache import DiskCache, Mode
from core.errors import ModelError, ModelReplyError, ModelUnavailable
from core.model.faults import FormRefused, model_error
from core.model.ladder import Ladder, Rung
from core.model.provider import address, chat_model
from core.model.reply import CutShort, S, Unfit, read, wire_schema
from core.model.salvage import salvaged
from core.privacy.boundary import stays_here
from core.schema import Outcome, Usage
from core.settings import Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage

CACHE_FILE = "model-replies.sqlite"
WINDOW = 8192
"""Tokens that a model of which nothing is known is taken to read."""

# What follows belongs to the protocol, not to a step of the reasoning, so it stands here and not among the prompts.
_FORM = "Reply with one JSON object and nothing else. It keeps this JSON schema:\n{schema}"
_SHORTER = "Be brief: an earlier reply was cut short. Few and short entries in every list, nothing twice."
_REPAIR = "That reply cannot be used: {fault}. Reply again with the corrected JSON object and nothing else."

_mode: ContextVar[Mode] = ContextVar("model_mode", default="normal")
_gates: dict[tuple[str, str, int], BoundedSemaphore] = {}


@contextmanager
def asking(mode: Mode) -> Iterator[None]:
    """Ask models as the mode says: ``offline`` asks none but one on this machine, ``refresh`` reads no kept reply."""
    token = _mode.set(mode)
    try:
        yield
    finally:
        _mode.reset(token)


class Prompt(NamedTuple):
    """What a model is told: the rules, and the message that they are for."""

    system: str
    user: str


class Model:
    """A model that replies in schemas. It blocks, from any thread: on an event loop, ask it in a thread."""

    def __init__(self, name: str, chat: BaseChatModel, settings: Settings) -> None:
        """Ask the chat model ``chat``, which the settings call ``name``; nothing is sent yet."""
        self.name = name
        """As the settings have it, such as openai:gpt-4o-mini."""
        self.window: int = settings.model_window or _profiled(chat) or WINDOW
        """Tokens that it reads at once."""
        self._chat, self._settings, self._address = chat, settings, address(chat)
        self.where = f"{name} at {self._address}" if self._address else name
        """What it is called in messages: its name, and its address where that is known."""
        limit = settings.model_concurrency
        self._gate = _gates.setdefault((name, self._address, limit), BoundedSemaphore(limit))
        self._ladder = Ladder(settings.home, f"{name} {self._address}".strip())
        self._cache = _cache(settings) if settings.model_cache else None

    @property
    def is_here(self) -> bool:
        """Whether what it is asked stays on this machine."""
        return stays_here(self._address)

    def ask(self, schema: type[S], prompt: Prompt) -> Outcome[S]:
        """What the model replies, as the schema has it.

        Raises:
            ModelUnavailable: it cannot be reached, is too busy or slow, or refuses the key or the request.
            ModelRefusal: it declined.
            ModelReplyError: its reply was cut short, or does not keep the schema after one repair.
        """
        key, mode = self._key(schema, prompt), _mode.get()
        if mode != "refresh" and (kept := self._kept(schema, key, any_age=mode == "offline")) is not None:
            return Outcome(value=kept, usage=Usage(cached_calls=1))
        if mode == "offline" and not self.is_here:
            raise ModelUnavailable(f"offline: {self.where} was not asked, and no earlier reply of it is kept")
        spent: list[Usage] = []
        try:
            value = self._climb(schema, prompt, spent)
        except ModelError as error:
            error.usage = sum(spent, Usage())
            raise
        if self._cache is not None:
            self._cache.put(key, value.model_dump(mode="json"))
        return Outcome(value=value, usage=sum(spent, Usage()))

    def ask_all(self, schema: type[S], prompts: Sequence[Prompt]) -> list[Outcome[S] | ModelError]:
        """What the model replies to each prompt, or how it failed there, in the prompts' order; asked side by side."""
        if not prompts:
            return []
        with ThreadPoolExecutor(min(len(prompts), self._settings.model_concurrency), "model") as pool:
            asked = [pool.submit(copy_context().run, self._attempt, schema, prompt) for prompt in prompts]
            return [each.result() for each in asked]

    def _attempt(self, schema: type[S], prompt: Prompt) -> Outcome[S] | ModelError:
        try:
            return self.ask(schema, prompt)
        except ModelError as error:
            return error

    def _climb(self, schema: type[S], prompt: Prompt, spent: list[Usage]) -> S:
        """The value by the first rung that gives one; where none does, the last rung's error."""
        fault: ModelError = ModelReplyError(f"{self.where} was not asked")
        for rung in self._ladder.to_try():
            try:
                value, repaired = self._converse(rung, schema, prompt, spent)
            except FormRefused as error:
                self._ladder.refused(rung)
                fault = error.otherwise
            except CutShort as error:
                if "{" in error.text:
                    raise  # it knows the form: no other way of asking would make it shorter
                self._ladder.failed(rung)
                fault = error
            except ModelReplyError as error:
                self._ladder.failed(rung)
                fault = error
            else:
                self._ladder.worked(rung, repaired=repaired)
                return value
        raise fault

    def _converse(self, rung: Rung, schema: type[S], prompt: Prompt, spent: list[Usage]) -> tuple[S, bool]:
        """The value by one rung, and whether it took the repair."""
        messages, repaired = _opening(rung, wire_schema(schema), prompt), False
        try:
            return self._reply(rung, schema, messages, spent), repaired
        except CutShort:
            messages[-1] = ("human", f"{prompt.user}\n\n{_SHORTER}")
        except Unfit as fault:
            messages += [("ai", fault.said), ("human", _REPAIR.format(fault=fault))]
            repaired = True
        try:
            return self._reply(rung, schema, messages, spent), repaired
        except Unfit as fault:
            raise ModelReplyError(
                f"{self.where} does not reply with a {schema.__name__}, not even after one repair ({fault}): "
                "ask again, or set a MEDATTEST_MODEL that keeps a schema"
            ) from fault

    def _reply(self, rung: Rung, schema: type[S], messages: list[tuple[str, str]], spent: list[Usage]) -> S:
        """What the model says to messages, as the schema has it, or what the whole fields of a cut reply make."""
        try:
            return read(schema, self._send(rung, wire_schema(schema), messages, spent), prose=rung == "text")
        except CutShort as cut:
            if (value := salvaged(schema, cut.text)) is None:
                raise
            return value

    def _send(self, rung: Rung, wire: dict[str, Any], messages: list[tuple[str, str]], spent: list[Usage]) -> AIMessage:
        ways = self._ways(rung, wire)
        with self._gate:
            try:
                found = ways.invoke(messages)
            except Exception as error:  # providers' packages raise errors of their own, hostile replies any
                spent.append(self._usage(_counted(error)))
                raise model_error(error, self._chat, self.where) from error
        reply: AIMessage = found["raw"] if isinstance(found, dict) else found
        spent.append(self._usage(reply.usage_metadata or {}))
        return reply

    def _ways(self, rung: Rung, wire: dict[str, Any]) -> Any:
        """The chat model, told in the provider's manner to reply by this rung."""
        if rung == "text":
            return self._chat
        structured = self._chat.with_structured_output
        strict = rung != "json_mode" and "strict" in signature(structured).parameters
        try:
            return structured(wire, method=rung, include_raw=True, **({"strict": True} if strict else {}))
        except (ValueError, TypeError, NotImplementedError) as error:
            raise FormRefused(ModelReplyError(f"{self.where} cannot be asked by {rung}: {error}")) from error

    def _usage(self, counted: Any) -> Usage:
        """One request's worth; what is no count of tokens is none."""
        counts = [counted.get(name) for name in ("input_tokens", "output_tokens")]
        asked, replied = (count if isinstance(count, int) and count > 0 else 0 for count in counts)
        cost = (asked * self._settings.model_price_input + replied * self._settings.model_price_output) / 1e6
        return Usage(model_calls=1, input_tokens=asked, output_tokens=replied, cost=cost)

    def _key(self, schema: type[BaseModel], prompt: Prompt) -> str:
        s = self._settings
        asked = (self.name, self._address, s.model_temperature, s.model_seed, s.model_output)
        return json.dumps([*asked, wire_schema(schema), *prompt], sort_keys=True)

    def _kept(self, schema: type[S], key: str, *, any_age: bool = False) -> S | None:
        found = None if self._cache is None else self._cache.get(key, any_age=any_age)
        try:
            return None if found is None else schema.model_validate(found)
        except ValidationError:  # what a reply must be has changed in a way that its JSON schema does not show
            return None


def open_model(settings: Settings) -> Model | None:
    """The model that the settings name; None where they name none. Takes seconds, as ``chat_model`` does.

    Raises:
        SettingsError: it cannot be used as it is named.
    """
    chat = chat_model(settings)
    return None if chat is None or settings.model is None else Model(settings.model, chat, settings)


def _opening(rung: Rung, wire: dict[str, Any], prompt: Prompt) -> list[tuple[str, str]]:
    system = prompt.system
    if rung in ("json_mode", "text"):
        system = f"{system}\n\n{_FORM.format(schema=json.dumps(wire, ensure_ascii=False))}".strip()
    return [*([("system", system)] if system else []), ("human", prompt.user)]


def _profiled(chat: BaseChatModel) -> int | None:
    found = (getattr(chat, "profile", None) or {}).get("max_input_tokens")
    return found if isinstance(found, int) and found > 0 else None


def _cache(settings: Settings) -> DiskCache:
    return DiskCache(settings.home / CACHE_FILE, settings.cache_hours * 3600, max_bytes=settings.cache_mb * 2**20)


def _counted(error: Exception) -> dict[str, Any]:
    """The tokens of a reply that the provider's package raises as an error, since it was cut short or withheld."""
    usage = getattr(getattr(error, "completion", None), "usage", None)
    return {
        "input_tokens": getattr(usage, "prompt_tokens", None),
        "output_tokens": getattr(usage, "completion_tokens", None),
    }
