"""``medattest serve``: the three graphs as LangServe endpoints."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from langserve import add_routes
from langserve.server import EndpointName
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request

from app.doors import PlainSerializer, doors, told
from app.exits import Exit
from app.gate import Gate
from app.render import show_progress
from core.errors import MedattestError, UsageError
from core.settings import load_settings
from graphs.resources import Resources
from graphs.state import said
from graphs.tracing import traced

SERVED: tuple[EndpointName, ...] = (
    "invoke",
    "batch",
    "stream",
    "stream_log",
    "stream_events",
    "playground",
    "input_schema",
    "output_schema",
    "config_schema",
)
FAULTS_TOLD = 3
_KINDS = frozenset({"Evidence", "str"})
"""What may stand in one place, which the types name after the place."""
MEGABYTE = 1_000_000


def serve(host: str, port: int) -> Exit:
    """Serve until interrupted."""
    with _listening(host, port) as listener:
        app = application(Resources(load_settings(), show_progress), host)
        show_progress(f"http://{host}:{port}: {', '.join(app.state.paths)}; Ctrl-C ends it")
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])
    return Exit.ANSWERED


def application(resources: Resources, host: str = "127.0.0.1") -> FastAPI:
    """The server over these resources; whatever goes wrong is an object with its type and message."""
    settings, served = resources.settings, doors(resources)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        with traced(settings):
            yield
        await resources.services.close()
        resources.close()

    app = FastAPI(title="Medattest", lifespan=lifespan)
    app.state.paths = tuple(served)
    app.add_middleware(Gate, host=host, allowed_hosts=settings.allowed_hosts, max_body=settings.max_body_mb * MEGABYTE)
    for path, door in served.items():
        add_routes(app, door, path=path, enabled_endpoints=SERVED, config_keys=(), serializer=PlainSerializer())
    app.add_exception_handler(MedattestError, _failed)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(ValidationError, _invalid)  # so LangServe reports an input of a batch
    return app


def _listening(host: str, port: int) -> socket.socket:
    """The socket that is served, so that nothing is promised before it is ours."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family)
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or "it is no name of a machine"
        raise UsageError(f"{host}:{port} cannot be served ({why}): name another --host or --port") from error


async def _failed(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, MedattestError)
    return JSONResponse({"error": told(error)}, 422 if isinstance(error, UsageError) else 500)


async def _refused(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": {"type": "InputError", "message": str(error.detail)}}, error.status_code)


async def _invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError | ValidationError)
    faults = [_fault(each) for each in error.errors()[:FAULTS_TOLD]]
    return JSONResponse({"error": {"type": "InputError", "message": "; ".join(dict.fromkeys(faults))}}, 422)


def _fault(error: Mapping[str, Any] | str) -> str:
    if isinstance(error, str):
        return error
    place: Sequence[int | str] = [part for part in error.get("loc", ()) if part not in _KINDS]
    if error.get("type") == "extra_forbidden":
        return f"unknown field {'.'.join(map(str, place))}"
    told_of = said(str(error["msg"]))
    return f"{'.'.join(map(str, place))}: {told_of}" if place else told_of
