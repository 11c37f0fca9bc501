"""``medattest serve``: the three graphs as LangServe endpoints."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI
from fastapi.responses import JSONResponse
from langchain_core.runnables import Runnable, RunnableLambda
from langserve import add_routes
from starlette.requests import Request

from app.exits import Exit
from app.render import show_progress
from core.errors import MedattestError, UsageError
from core.settings import load_settings
from graphs import medical_qa, retrieval, verification
from graphs.resources import Resources
from graphs.state import QuestionInput, RetrievalInput, VerificationInput

ENDPOINTS = ("/medical_qa", "/verification", "/retrieval")


def serve(host: str, port: int) -> Exit:
    """Serve until interrupted."""
    show_progress(f"http://{host}:{port}: {', '.join(ENDPOINTS)}; Ctrl-C ends it")
    uvicorn.run(application(Resources(load_settings(), show_progress)), host=host, port=port, log_level="warning")
    return Exit.ANSWERED


def application(resources: Resources) -> FastAPI:
    """The server over these resources; an error of ours is an object with its type and message."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        resources.close()

    app = FastAPI(title="Medattest", lifespan=lifespan)

    @app.exception_handler(MedattestError)
    async def told(_: Request, error: Exception) -> JSONResponse:
        status = 422 if isinstance(error, UsageError) else 500
        return JSONResponse({"error": {"type": type(error).__name__, "message": str(error)}}, status_code=status)

    add_routes(app, _question_door(resources), path="/medical_qa")
    add_routes(app, _door(verification.build_graph(resources), VerificationInput), path="/verification")
    add_routes(app, _door(retrieval.build_graph(resources), RetrievalInput), path="/retrieval")
    return app


def _question_door(resources: Resources) -> Runnable[Any, Any]:
    """A question in; the fields of the answer out, as in files and ``--json``."""
    graph = medical_qa.build_graph(resources)

    async def answer(question: dict[str, Any]) -> dict[str, Any]:
        result = await graph.ainvoke(_known(question, QuestionInput))
        fields: dict[str, Any] = result["answer"].model_dump(mode="json")
        return fields

    return RunnableLambda(answer).with_types(input_type=dict[str, Any], output_type=dict[str, Any])


def _door(graph: Any, accepted: type) -> Runnable[Any, Any]:
    """A graph that takes only the fields it knows."""

    async def run(given: dict[str, Any]) -> Any:
        return await graph.ainvoke(_known(given, accepted))

    return RunnableLambda(run).with_types(input_type=dict[str, Any], output_type=dict[str, Any])


def _known(given: dict[str, Any], accepted: type) -> Any:
    unknown = given.keys() - accepted.__annotations__.keys()
    if unknown:
        known = ", ".join(accepted.__annotations__)
        raise UsageError(f"unknown field {', '.join(sorted(unknown))}: use {known}")
    return given
