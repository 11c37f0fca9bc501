from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from core.presets import presets, with_preset
from core.schema import Method
from core.settings import Settings
from tools.exemplars.shipped import shipped


def test_every_preset_is_a_methods_and_names_settings_that_can_have_its_values() -> None:
    assert set(presets()) <= set(get_args(Method))
    for preset in presets().values():
        Settings.model_validate({n: tuple(v) if isinstance(v, list) else v for n, v in preset.items()})
        assert set(preset) <= set(Settings.model_fields)


def test_the_papers_values_stand_in_for_defaults_alone(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert with_preset(Settings(home=home), "halo").live_queries == 20
    assert with_preset(Settings(home=home), "full").live_queries == 2
    monkeypatch.setenv("MEDATTEST_LIVE_QUERIES", "3")
    assert with_preset(Settings(home=home), "halo").live_queries == 3


def test_the_fixed_examples_of_halo_ship(home: Path) -> None:
    settings = with_preset(Settings(home=home), "halo")
    assert len(settings.fixed_exemplars) == settings.exemplars == 5
    assert set(settings.fixed_exemplars) <= {exemplar.id for exemplar in shipped()}
