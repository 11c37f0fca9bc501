"""Where models are found, and what is said of one that is not there or cannot be read safely."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import DataMissing
from core.hf.folders import find_model, model_folder
from tests.core.hf.hub import playing_hub

ROOT = Path(__file__).parents[3]


def test_a_folder_a_name_in_the_data_directory_and_one_in_the_hubs_cache(
    bare_folder: Path, home: Path, tmp_path: Path
) -> None:
    assert find_model(str(bare_folder), home) is None
    (bare_folder / "model.safetensors").touch()
    assert find_model(str(bare_folder), home) == bare_folder
    assert find_model("owner/name", home) is None
    snapshot = cache(tmp_path / "hub", "owner/name")
    assert find_model("owner/name", home) == snapshot
    (home / "models" / "owner").mkdir(parents=True)
    bare_folder.rename(home / "models" / "owner" / "name")
    assert find_model("owner/name", home) == home / "models" / "owner" / "name"


def test_models_of_sentence_transformers_go_without_their_owner(home: Path, tmp_path: Path) -> None:
    snapshot = cache(tmp_path / "hub", "sentence-transformers/paraphrase-multilingual-mpnet-base-v2")
    assert find_model("paraphrase-multilingual-mpnet-base-v2", home) == snapshot
    snapshot = cache(tmp_path / "hub", "roberta-base")
    assert find_model("roberta-base", home) == snapshot


def cache(hub: Path, repository: str) -> Path:
    """A model as the hub's client keeps it."""
    commit = "0" * 40
    folder = hub / f"models--{repository.replace('/', '--')}"
    snapshot = folder / "snapshots" / commit
    snapshot.mkdir(parents=True)
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text(commit)
    (snapshot / "config.json").write_text("{}")
    (snapshot / "model.safetensors").touch()
    return snapshot


def test_pickled_weights_are_refused_with_the_way_out(bare_folder: Path, home: Path) -> None:
    (bare_folder / "pytorch_model.bin").touch()
    with pytest.raises(DataMissing, match=r"safetensors.*never read.*save\("):
        model_folder(str(bare_folder), home)
    (bare_folder / "model.safetensors").touch()
    assert model_folder(str(bare_folder), home) == bare_folder


def test_pickled_weights_of_one_module_are_refused(bare_folder: Path, home: Path) -> None:
    (bare_folder / "model.safetensors").touch()
    (bare_folder / "2_Dense").mkdir()
    (bare_folder / "2_Dense" / "pytorch_model.bin").touch()
    with pytest.raises(DataMissing, match="safetensors"):
        model_folder(str(bare_folder), home)


def test_a_missing_shard_is_named(bare_folder: Path, home: Path) -> None:
    parts = [f"model-0000{n}-of-00002.safetensors" for n in (1, 2)]
    (bare_folder / "model.safetensors.index.json").write_text(
        json.dumps({"weight_map": dict(zip("ab", parts, strict=True))})
    )
    (bare_folder / parts[0]).touch()
    with pytest.raises(DataMissing, match=f"lacks {parts[1]}"):
        model_folder(str(bare_folder), home)


def test_an_empty_folder_is_no_model(tmp_path: Path, home: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataMissing, match=r"neither config\.json nor"):
        model_folder(str(tmp_path / "empty"), home)


@pytest.mark.parametrize("name", ["owner/name", "roberta-base", "./no/such/folder"])
def test_a_model_that_is_nowhere_is_named_with_where_to_put_it(name: str, home: Path) -> None:
    with pytest.raises(DataMissing, match=r"could not be downloaded.*put its files into") as caught:
        model_folder(name, home)
    assert str(home / "models") in str(caught.value)


@pytest.mark.parametrize("environment", [{"HF_HUB_OFFLINE": "1"}, {"HF_ENDPOINT": "http://127.0.0.1:9"}])
def test_a_hub_that_is_off_or_down_is_an_error_of_ours(environment: dict[str, str], home: Path, tmp_path: Path) -> None:
    code = (
        f"from pathlib import Path; from core.hf.folders import model_folder; model_folder('a/b', Path({str(home)!r}))"
    )
    found = run(code, environment | {"HF_HOME": str(tmp_path / "hf")})
    assert found.returncode == 1
    assert "core.errors.DataMissing: a/b is no folder, and could not be downloaded" in found.stderr


def test_a_model_named_by_the_user_is_downloaded_once_without_what_is_never_read(home: Path, tmp_path: Path) -> None:
    wanted = {"config.json": b"{}", "model.safetensors": b"weights", "1_Pooling/config.json": b"{}"}
    other = {"pytorch_model.bin": b"pickle", "onnx/config.json": b"{}", "README.md": b"read me"}
    code = (
        f"from pathlib import Path; from core.hf.folders import model_folder as f; print(f('a/b', Path({str(home)!r})))"
    )
    with playing_hub("a/b", wanted | other) as (address, fetched):
        first = run(code, {"HF_ENDPOINT": address, "HF_HOME": str(tmp_path / "hf")})
    again = run(code, {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf")})
    assert sorted(fetched) == sorted(wanted), first.stderr
    assert first.stdout == again.stdout
    folder = Path(first.stdout.strip())
    assert {name: (folder / name).read_bytes() for name in wanted} == wanted


@pytest.mark.parametrize("package", ["torch", "transformers", "sentence_transformers"])
def test_without_the_extra_both_loaders_say_how_to_install_it(package: str, home: Path) -> None:
    code = (
        f"import sys; sys.modules[{package!r}] = None\n"
        "from pathlib import Path\n"
        "from core.errors import DataMissing\n"
        "from core.hf.cross_encoder import load_cross_encoder\n"
        "from core.hf.encoders import load_encoder\n"
        "for load in load_encoder, load_cross_encoder:\n"
        "    try:\n"
        f"        load('roberta-base', Path({str(home)!r}), 1)\n"
        "    except DataMissing as error:\n"
        "        print(error)\n"
    )
    found = run(code, {})
    assert found.stdout.count('the hf extra, which is not installed: run `pip install -e ".[hf]"`') == 2, found.stderr


def test_naming_the_loaders_imports_nothing_heavy() -> None:
    code = (
        "import sys, core.encoders, core.hf.encoders, core.hf.cross_encoder\n"
        "print({'torch', 'transformers', 'sentence_transformers', 'huggingface_hub'} & set(sys.modules))"
    )
    assert run(code, {}).stdout.strip() == "set()"


def run(code: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
