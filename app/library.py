"""``medattest library``: the texts that ship."""

from __future__ import annotations

import sys

from app.exits import Exit
from app.render import out, show_progress, show_table
from core.settings import load_settings
from graphs.resources import Resources


def show(as_json: bool) -> Exit:
    """Show what is in the library: counts, ages, owners and licences."""
    resources = Resources(load_settings(), show_progress)
    sheet = resources.library.sheet()
    if as_json:
        sys.stdout.write(sheet.model_dump_json() + "\n")
        return Exit.ANSWERED
    counted = ("documents", "passages", "questions")
    rows = [
        (c.name, c.title, c.published, *(f"{getattr(c, name):,}" for name in counted), c.licence, c.address)
        for c in sheet.corpora
    ]
    columns = ("corpus", "title", "published", *counted, "licence", "address")
    show_table(columns, tuple(rows))
    for corpus in sheet.corpora:
        out().print(f"{corpus.name}: {corpus.acknowledgement}", markup=False, soft_wrap=True)
    return Exit.ANSWERED
