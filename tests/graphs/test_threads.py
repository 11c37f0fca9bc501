from __future__ import annotations

import pytest

from chains.understand import understand
from chains.understanding import Understanding
from graphs.threads import serializer


def test_a_thread_saved_when_a_type_had_another_place_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = understand("What causes gout?")
    with monkeypatch.context() as before:
        before.setattr(Understanding, "__module__", "chains.understand")
        saved = serializer().dumps_typed(asked)
    assert b"chains.understanding" not in saved[1]
    assert serializer().loads_typed(saved) == asked
