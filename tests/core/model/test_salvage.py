from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.salvage import closed_object, salvaged
from tests.core.model.asking import Queries

VALUES = st.recursive(
    st.none() | st.booleans() | st.text() | st.integers(), lambda v: st.lists(v) | st.dictionaries(st.text(), v)
)


@pytest.mark.parametrize(
    ("cut", "whole"),
    [
        ('{"a": "x", "b": ["y", "z', {"a": "x", "b": ["y"]}),
        ('{"a": "x, {y}", "b": "z', {"a": "x, {y}"}),
        ('{"a": "x\\\\", "b": {"c": 1, "d": 2', {"a": "x\\", "b": {"c": 1}}),
        ('Here: {"a": {"b": []}} and more {', {"a": {"b": []}}),
        ('{"a": "x', None),
        ('{"a": [', None),
        ("no object", None),
        ("", None),
    ],
)
def test_the_whole_values_are_kept(cut: str, whole: Any) -> None:
    closed = closed_object(cut)
    assert (closed and json.loads(closed)) == whole


@given(st.dictionaries(st.text(), VALUES, min_size=1), st.data())
def test_wherever_it_is_cut_what_is_kept_is_json_and_was_said(value: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(value, ensure_ascii=False)
    closed = closed_object(text[: data.draw(st.integers(0, len(text)))])
    if closed is not None:
        assert json.loads(closed).keys() <= value.keys()


def test_a_field_that_is_needed_and_not_whole_is_not_made_up() -> None:
    assert salvaged(Queries, '{"note": 1, "queries": ["a') is None
    assert salvaged(Queries, '{"queries": ["a", "b') == Queries(queries=["a"])


@pytest.mark.parametrize("hostile", ["{" * 300_000, "[{" * 100_000 + ",", '{"a":[' + "[1," * 100_000, '{"' * 100_000])
def test_hostile_replies_take_no_time(hostile: str) -> None:
    began = time.process_time()
    assert salvaged(Queries, hostile) is None
    assert time.process_time() - began < 2.0
