"""Every prompt has the placeholders that its caller fills: no less, and, but for the styles of an answer, no more."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import get_args

import pytest

from chains.plan import Style
from prompts import abstention, placeholders, prompt, system_and_user

FILLED: Mapping[str, frozenset[str]] = {
    "answer/again.txt": frozenset({"fault"}),
    "answer/fallback.txt": frozenset({"fallback"}),
    "answer/length.txt": frozenset({"words"}),
    "claims/user.txt": frozenset({"text"}),
    "expand/user.txt": frozenset({"count", "question", "options"}),
    "hypothetical/user.txt": frozenset({"question"}),
    "judge/user.txt": frozenset({"question", "claim", "evidence"}),
    "read/user.txt": frozenset({"question", "text"}),
    "revise/user.txt": frozenset({"question", "statements"}),
    "spans/user.txt": frozenset({"count", "text"}),
    "fixed/expired.txt": frozenset({"title", "expires", "owner"}),
    "fixed/omitted.txt": frozenset({"count"}),
    "fixed/retracted.txt": frozenset({"title", "id"}),
    "fixed/ungated.txt": frozenset({"method"}),
    "fixed/premise.txt": frozenset({"premise"}),
    "fixed/unknown_word.txt": frozenset({"word"}),
    "fixed/symptoms.txt": frozenset({"named"}),
    "fixed/wider.txt": frozenset({"named", "kind"}),
}
"""What the callers fill; the others take nothing."""
STEPS = ("claims", "expand", "hypothetical", "judge", "read", "revise", "spans")
TASKS = ("open", "choice", "yesno", "reply")


def texts(folder: Traversable, before: str = "") -> list[str]:
    inside = [texts(f, f"{before}{f.name}/") if f.is_dir() else [f"{before}{f.name}"] for f in folder.iterdir()]
    return sorted(name for names in inside for name in names if name.endswith(".txt"))


NAMES = texts(files("prompts"))


def test_all_that_is_filled_is_there() -> None:
    assert set(FILLED) < set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_has_what_its_caller_fills(name: str) -> None:
    assert placeholders(name) == FILLED.get(name, frozenset())


@pytest.mark.parametrize("name", NAMES)
def test_what_is_filled_stands_in_the_text_once_for_each_place_and_no_brace_is_left(name: str) -> None:
    text = prompt(name, **{field: f"<<{field} {{as}} it is>>" for field in placeholders(name)})
    for field in placeholders(name):
        assert f"<<{field} {{as}} it is>>" in text
        text = text.replace(f"<<{field} {{as}} it is>>", "")
    assert "{" not in text
    assert "}" not in text


def test_every_prompt_is_asked_with() -> None:
    answer = {
        f"answer/{name}.txt" for name in (*get_args(Style), *TASKS, "evidence", "quoted", "known", "length", "again")
    }
    steps = {f"{step}/{part}.txt" for step in STEPS for part in ("system", "user")}
    assert {name for name in NAMES if not name.startswith("fixed/")} == answer | steps


@pytest.mark.parametrize("step", STEPS)
def test_the_rules_take_nothing_and_the_message_takes_all(step: str) -> None:
    values = {field: f"«{field}»" for field in FILLED[f"{step}/user.txt"]}
    system, user = system_and_user(step, **values)
    assert system == prompt(f"{step}/system.txt")
    assert all(value in user for value in values.values())
    assert not any(value in system for value in values.values())


@pytest.mark.parametrize(
    ("language", "begins"),
    [("en", "I'm sorry"), ("de", "Es tut mir leid"), ("es", "Lo siento"), ("fr", "Je suis"), ("it", "Mi dispiace"),
     ("pt", "Lamento"), ("fi", "I'm sorry"), ("", "I'm sorry"), ("../x", "I'm sorry")],
)  # fmt: skip
def test_the_fixed_sentence_is_translated_where_there_is_a_translation(language: str, begins: str) -> None:
    assert abstention(language).startswith(begins)
    assert "\n" not in abstention(language)
