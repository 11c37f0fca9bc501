"""A manifest names the commit of the code that ran, or says in words that there is none."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from eval.runs import manifest

AUTHOR = ("-c", "user.name=a", "-c", "user.email=a@example.org")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that git knows nothing of, with the module in it."""
    (tmp_path / "manifest.py").write_text("")
    monkeypatch.setattr(manifest, "_CHECKOUT", tmp_path)
    monkeypatch.setattr(manifest, "__file__", str(tmp_path / "manifest.py"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    return tmp_path


def git(folder: Path, *asked: str) -> str:
    return subprocess.run(
        ["git", "-C", str(folder), *AUTHOR, *asked], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_outside_a_checkout_the_report_says_so_in_words(checkout: Path) -> None:
    assert manifest.commit() == "not known: git names no commit of the code that ran"


def test_without_git_it_says_the_same(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(checkout))
    assert manifest.commit() == manifest.NO_COMMIT


def test_a_package_in_the_checkout_of_another_project_has_not_its_commit(checkout: Path) -> None:
    git(checkout, "init", "--quiet")
    git(checkout, "commit", "--allow-empty", "--quiet", "-m", "theirs")
    assert manifest.commit() == manifest.NO_COMMIT


def test_a_checkout_has_its_commit_and_says_whether_files_differ(checkout: Path) -> None:
    git(checkout, "init", "--quiet")
    git(checkout, "add", "manifest.py")
    git(checkout, "commit", "--quiet", "-m", "ours")
    head = git(checkout, "rev-parse", "HEAD")
    assert manifest.commit() == head
    (checkout / "manifest.py").write_text("changed")
    assert manifest.commit() == f"{head} and changes"
