"""An environment without anybody's proxies, keys and addresses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.model.client import Model, open_model
from core.settings import Settings
from tests.core.model.asking import Opened

_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
_PROVIDERS = ("OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_ORG_ID", "LANGSMITH_GATEWAY")


@pytest.fixture(autouse=True)
def _provider(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*_PROXIES, *_PROVIDERS):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setenv("LANGSMITH_TRACING", "false")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-secret")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, home: Path) -> Opened:
    def open_at(url: str, **limits: Any) -> Model:
        monkeypatch.setenv("OPENAI_BASE_URL", url + "/v1")
        model = open_model(Settings(_env_file=None, home=home, model="openai:emulated", **limits))
        assert model is not None
        return model

    return open_at
