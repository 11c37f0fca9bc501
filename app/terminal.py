"""The standard streams, the arguments and the terminal's width, made such that every command can use them."""

from __future__ import annotations

import codecs
import io
import json
import os
import re
import sys

from core.errors import InputError, UsageError

_WIDTH = re.compile(r"0{0,9}[1-9][0-9]{0,8}")
ESCAPED = "medattest-escaped"
"""What becomes of a character that a stream's encoding lacks: JSON's escape, so that JSON stays JSON."""


def made_ready() -> None:
    """Make every character tellable on any terminal; UsageError for what cannot be read, or told to nobody."""
    if not _WIDTH.fullmatch(os.environ.get("COLUMNS", "80").strip()):
        del os.environ["COLUMNS"]  # a width of nothing would show nothing
    codecs.register_error(ESCAPED, _escaped)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # open to the end
    if sys.stdout is None:
        raise UsageError("standard output is closed: nothing could be told")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=ESCAPED)
    for argument in sys.argv[1:]:
        if not argument.isprintable() and any("\ud800" <= c <= "\udfff" for c in argument):
            raise InputError(f"{argument!r} is no text in UTF-8: write it so, or rename the file that it names")


def discard_output() -> None:
    """Forget what could not be written, so that nothing tries again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end
