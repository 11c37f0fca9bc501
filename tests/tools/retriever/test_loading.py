from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from core.errors import SettingsError
from tools.retriever.loading import RetrieverSpec, load_retriever, parse_retrievers

MODULE = """
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever


class Fixed(BaseRetriever):
    k: int = 2
    secret: str = ""

    def _get_relevant_documents(self, query, *, run_manager):
        return [Document(f"{query} {n}") for n in range(self.k)]

    @classmethod
    def from_texts(cls, texts):
        return cls(k=len(texts))


class Moody(Fixed):
    def __init__(self, **kwargs):
        raise RuntimeError("the key is hunter2")


class Needy(Fixed):
    def __init__(self, **kwargs):
        import package_that_nobody_has


class Plain:
    pass


def nothing():
    return 3


CONSTANT = 3
"""


@pytest.fixture(autouse=True)
def _modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "small_retrievers.py").write_text(MODULE)
    (tmp_path / "broken_retrievers.py").write_text("raise RuntimeError('no')")
    (tmp_path / "needy_retrievers.py").write_text("import package_that_nobody_has")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    for name in ("small_retrievers", "broken_retrievers", "needy_retrievers"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" ;\n", []),
        ("mine=a.b:C", [("mine", "a.b", "C", {})]),
        ('mine = a.b:C {"k": 3}', [("mine", "a.b", "C", {"k": 3})]),
        (
            'one=a:C.make{"q": "x; y=z:W {}", "n": [1]};\n two=b:D ; three-3=c.d:E{}',
            [
                ("one", "a", "C.make", {"q": "x; y=z:W {}", "n": [1]}),
                ("two", "b", "D", {}),
                ("three-3", "c.d", "E", {}),
            ],
        ),
    ],
)
def test_a_setting_names_retrievers(text: str, expected: list[tuple[Any, ...]]) -> None:
    assert [tuple(spec) for spec in parse_retrievers(text)] == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a.b:C", "retriever 1 of the setting is not written as it must be: write name=package.module:Class"),
        ("mine=a.b.C", "retriever 1 of the setting"),
        ("x=a:B; mine", "retriever 2 of the setting"),
        ("mine=a:C{'k': 3}", "the arguments of the retriever mine are no JSON object"),
        ('mine=a:C{"k": 3', "the arguments of the retriever mine are no JSON object"),
        ('mine=a:C{"k": 3}two=b:D', "something follows the retriever mine"),
        ("mine=a:C[3]", "something follows the retriever mine"),
        ("Mine=a:C", "'Mine' cannot name a source: use small letters"),
        ("wikipedia=a:C", "wikipedia is a source already"),
        ("mine=a:C;mine=b:D", "two retrievers are called mine"),
    ],
)
def test_what_is_written_wrongly_is_said(text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        parse_retrievers(text)


@pytest.mark.parametrize(
    "text", ['mine=small_retrievers:Fixed{"k": 3}', 'mine=small_retrievers:Fixed.from_texts{"texts": ["a", "b", "c"]}']
)
def test_a_retriever_is_loaded_with_its_arguments(text: str) -> None:
    retriever = load_retriever(parse_retrievers(text)[0])
    assert isinstance(retriever, BaseRetriever)
    assert retriever.invoke("x")[2] == Document("x 2")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mine=no_such_package.at_all:C", "no module no_such_package can be imported; install its package"),
        ("mine=small_retrievers.sub:C", "no module small_retrievers.sub can be imported"),
        ("mine=needy_retrievers:C", "no module package_that_nobody_has can be imported"),
        ("mine=broken_retrievers:C", r"importing broken_retrievers failed \(RuntimeError\)"),
        ("mine=small_retrievers:Absent", "small_retrievers has no Absent; check how it is spelt"),
        ("mine=small_retrievers:Fixed.absent", "small_retrievers has no Fixed.absent"),
        ("mine=small_retrievers:Plain", "small_retrievers:Plain makes no LangChain retriever"),
        ("mine=small_retrievers:CONSTANT", "makes no LangChain retriever"),
        ("mine=small_retrievers:nothing", "makes no LangChain retriever"),
        ('mine=small_retrievers:Fixed{"k": "hunter2"}', "does not take its arguments .k: Input should be a valid int"),
        ('mine=small_retrievers:Fixed.from_texts{"hunter2": 1}', r"cannot be made \(TypeError\): check the arguments"),
        ("mine=small_retrievers:Moody", r"cannot be made \(RuntimeError\)"),
        ("mine=small_retrievers:Needy", "no module package_that_nobody_has can be imported"),
    ],
)
def test_what_cannot_be_loaded_says_what_to_do(text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message) as caught:
        load_retriever(parse_retrievers(text)[0])
    assert "retriever mine" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_those_of_langchain_community_load_where_it_is_installed() -> None:
    pytest.importorskip("langchain_community", exc_type=ImportError)
    spec = RetrieverSpec("notes", "langchain_community.retrievers", "TFIDFRetriever.from_texts", {"texts": ["a b"]})
    pytest.importorskip("sklearn")
    assert load_retriever(spec).invoke("a")
