"""The errors that Medattest raises on purpose.

    MedattestError
    ├── UsageError            the caller asked for something that cannot be (exit status 2)
    │   ├── SettingsError     a setting has a value that cannot work
    │   ├── InputError        a question, a file or a line of one is not what it must be
    │   ├── UnknownCollection no collection of that name
    │   └── EmbedderMismatch  the collection was made with another embedder or chunking
    ├── StoreError            the data directory cannot be used (exit status 1)
    │   ├── StoreBusy         another process is writing there
    │   └── StoreCorrupted    what is there is damaged
    ├── DataMissing           a data wheel is not installed, or is not the one expected
    ├── SourceError           a source of evidence failed: recorded in an answer's failures, never evidence
    │   └── SourceTimeout     it did not answer within its deadline
    └── ModelError            the model gave nothing that can be used
        ├── ModelUnavailable  it cannot be reached, is too busy, too slow, or refuses the key
        ├── ModelRefusal      it declined to answer
        └── ModelReplyError   its reply does not keep the schema, after one repair

A message says what was wrong, where, and what to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.schema import Usage


class MedattestError(Exception):
    """The root: catch it to catch everything raised on purpose."""


class UsageError(MedattestError):
    """The caller asked for something that cannot be."""


class SettingsError(UsageError):
    """A setting has a value that cannot work."""


class InputError(UsageError):
    """A question, a file or a line of one is not what it must be."""


class UnknownCollection(UsageError):
    """No collection of that name."""


class EmbedderMismatch(UsageError):
    """The collection was made with another embedder or chunking."""


class StoreError(MedattestError):
    """The data directory cannot be used."""


class StoreBusy(StoreError):
    """Another process is writing there."""


class StoreCorrupted(StoreError):
    """What is there is damaged."""


class DataMissing(MedattestError):
    """A data wheel is not installed, or is not the one expected."""


class SourceError(MedattestError):
    """A source of evidence failed."""


class SourceTimeout(SourceError):
    """A source did not answer within its deadline."""


class ModelError(MedattestError):
    """The model gave nothing that can be used; ``usage`` is what was spent on it all the same."""

    usage: Usage | None = None


class ModelUnavailable(ModelError):
    """The model cannot be reached, is too busy, too slow, or refuses the key."""


class ModelRefusal(ModelError):
    """The model declined to answer."""


class ModelReplyError(ModelError):
    """The model's reply does not keep the schema, after one repair."""
