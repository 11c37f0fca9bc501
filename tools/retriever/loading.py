"""Retrievers named in a setting: ``name=package.module:Class{"k": 3}``, more of them after a semicolon or new line.

What stands after the colon is called with the JSON object as keyword arguments, or with none; it may be a class's
constructor such as ``BM25Retriever.from_texts``. Loading imports and runs code of the operator's choice: such a text
comes from the environment or ``.env``, never through a door.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from langchain_core.retrievers import BaseRetriever
from pydantic import ValidationError

from core.errors import SettingsError

TAKEN = frozenset({"knowledge", "repository", "umls", "given", "pubmed", "wikipedia"})
"""Names of other sources."""

_NAMED = re.compile(r"(?P<name>[^\s=;]+)\s*=\s*(?P<module>[A-Za-z_][\w.]*):(?P<attribute>[A-Za-z_][\w.]*)\s*")
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_BETWEEN = re.compile(r"[\s;]*")
_FORM = 'write name=package.module:Class{"argument": value}, the part in braces only where arguments are needed'


class RetrieverSpec(NamedTuple):
    """A retriever before it is loaded; ``arguments`` may hold keys, so they are never shown."""

    name: str
    module: str
    attribute: str
    arguments: dict[str, Any]

    @property
    def path(self) -> str:
        """Where it is imported from."""
        return f"{self.module}:{self.attribute}"


def parse_retrievers(text: str) -> tuple[RetrieverSpec, ...]:
    """The retrievers that a setting names; none for an empty one.

    Raises:
        SettingsError: it is not written as it must be, or names a source twice, or one that exists already.
    """
    specs: list[RetrieverSpec] = []
    decoder = json.JSONDecoder()
    place = _end(_BETWEEN, text, 0)
    while place < len(text):
        match = _NAMED.match(text, place)
        if match is None:
            raise SettingsError(f"retriever {len(specs) + 1} of the setting is not written as it must be: {_FORM}")
        place = match.end()
        arguments: dict[str, Any] = {}
        if text.startswith("{", place):
            try:
                arguments, place = decoder.raw_decode(text, place)
            except (ValueError, RecursionError) as error:
                raise SettingsError(
                    f"the arguments of the retriever {match['name']} are no JSON object: {_FORM}"
                ) from error
        if place < len(text) and _end(_BETWEEN, text, place) == place:
            raise SettingsError(f"something follows the retriever {match['name']} that does not belong there: {_FORM}")
        specs.append(RetrieverSpec(match["name"], match["module"], match["attribute"], arguments))
        _check_name(specs)
        place = _end(_BETWEEN, text, place)
    return tuple(specs)


def load_retriever(spec: RetrieverSpec) -> BaseRetriever:
    """Import and make a retriever. It may import much and read files: do it off the event loop.

    Raises:
        SettingsError: there is no such module or class, it is no retriever, or it does not take these arguments.
    """
    make = _imported(spec)
    try:
        retriever = make(**spec.arguments)
    except ValidationError as error:  # its own text repeats the values given, keys among them
        faults = "; ".join(".".join(map(str, fault["loc"])) + ": " + fault["msg"] for fault in error.errors())
        raise SettingsError(f"the retriever {spec.name} does not take its arguments ({faults}): mend them") from None
    except ImportError as error:
        raise _missing(spec, error) from error
    except Exception as error:  # a class of anyone's may raise anything
        raise SettingsError(
            f"the retriever {spec.name} cannot be made ({type(error).__name__}): "
            f"check the arguments that {spec.path} takes"
        ) from error
    if not isinstance(retriever, BaseRetriever):
        raise _no_retriever(spec)
    return retriever


def _check_name(specs: list[RetrieverSpec]) -> None:
    name = specs[-1].name
    if not _NAME.fullmatch(name):
        raise SettingsError(f"{name!r} cannot name a source: use small letters, digits, - and _, a letter first")
    if name in TAKEN:
        raise SettingsError(f"{name} is a source already: give the retriever another name")
    if any(spec.name == name for spec in specs[:-1]):
        raise SettingsError(f"two retrievers are called {name}: give each a name of its own")


def _imported(spec: RetrieverSpec) -> Callable[..., Any]:
    try:
        found: Any = importlib.import_module(spec.module)
    except ImportError as error:
        raise _missing(spec, error) from error
    except Exception as error:  # a module of anyone's may raise anything
        raise SettingsError(
            f"the retriever {spec.name} cannot be used: importing {spec.module} failed ({type(error).__name__})"
        ) from error
    for part in spec.attribute.split("."):
        found = getattr(found, part, None)
    if found is None:
        raise SettingsError(
            f"the retriever {spec.name} cannot be used: {spec.module} has no {spec.attribute}; check how it is spelt"
        )
    if (isinstance(found, type) and not issubclass(found, BaseRetriever)) or not callable(found):
        raise _no_retriever(spec)
    made: Callable[..., Any] = found
    return made


def _missing(spec: RetrieverSpec, error: ImportError) -> SettingsError:
    wanted = error.name or spec.module
    return SettingsError(
        f"the retriever {spec.name} cannot be used: no module {wanted} can be imported; install its package into the "
        "environment that runs medattest, or check how it is spelt"
    )


def _no_retriever(spec: RetrieverSpec) -> SettingsError:
    return SettingsError(
        f"the retriever {spec.name} cannot be used: {spec.path} makes no LangChain retriever; name a class that "
        "derives from langchain_core.retrievers.BaseRetriever, or what makes one"
    )


def _end(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return match.end() if match else place
