"""What a door sees of a running graph: each node says what it did and how long it took."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from time import perf_counter
from typing import Any, ParamSpec

from langgraph.config import get_stream_writer

from core.schema import Outcome

P = ParamSpec("P")
Update = dict[str, Any]
Node = Callable[P, Awaitable[Update]]


def step(said: Callable[[Mapping[str, Any]], str]) -> Callable[[Node[P]], Node[P]]:
    """Make a node report itself on the ``custom`` stream as ``{node, did, seconds}``.

    Args:
        said: what the node did, in words, from its update.
    """

    def decorate(node: Node[P]) -> Node[P]:
        @wraps(node)
        async def timed(*args: P.args, **kwargs: P.kwargs) -> Update:
            started = perf_counter()
            update = await node(*args, **kwargs)
            seconds = perf_counter() - started
            get_stream_writer()({"node": node.__name__, "did": said(update), "seconds": seconds})
            return update

        return timed

    return decorate


def spent(state: Mapping[str, Any], outcome: Outcome[Any]) -> Update:
    """What a step failed at and consumed, added to what was so far; each failure once."""
    failures = tuple(dict.fromkeys((*state["failures"], *outcome.failures)))
    return {"failures": failures, "usage": state["usage"] + outcome.usage}


def count(things: object, singular: str) -> str:
    """``1 claim``, ``2 claims``, ``2 queries``."""
    n = len(things) if hasattr(things, "__len__") else int(str(things))
    plural = singular[:-1] + "ies" if singular.endswith("y") else singular + "s"
    return f"{n} {singular if n == 1 else plural}"
