from __future__ import annotations

import numpy as np

from chains.scope import Scope, reason_of
from chains.scope.learned import KINDS, Reader, learned_reader, reader_from


def test_every_kind_says_why_and_what_to_do() -> None:
    reasons = {reason_of(kind) for kind in KINDS}
    assert len(reasons) == len(KINDS)
    assert not any("{" in reason for reason in reasons)


def test_the_committed_reader_knows_every_kind() -> None:
    reader = learned_reader()
    assert set(reader.kinds) == set(KINDS)
    shares = reader.shares(np.zeros((1, reader.coefficients.shape[1] - 1)))
    assert 0 < shares.sum() < 1


def test_shares_are_those_of_a_multinomial() -> None:
    reader = reader_from({"coefficients": {"chat": [1.0, 0.0], "vague": [0.0, 0.0]}})
    assert isinstance(reader, Reader)
    assert np.allclose(reader.shares(np.array([[0.0]])), [[1 / 3, 1 / 3]])


def test_a_kind_is_told_where_it_is_likely() -> None:
    assert Scope(outside=0.4, kind="chat").likely is None
    assert Scope(outside=0.6, kind="chat").likely == "chat"
