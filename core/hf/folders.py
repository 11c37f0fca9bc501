"""Where a model's files are: in a folder, in the data directory, in the hub's cache, or on the hub."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from core.errors import DataMissing
from core.hf.recipes import ModelName, recipe_for

EXTRA = ("sentence_transformers", "torch", "transformers")
INSTALL = 'pip install -e ".[hf]"'
"""What installs the extra, in the checkout."""

_WANTED = ["*.json", "*.txt", "*.safetensors", "*.model"]
_UNWANTED = ["onnx/*", "openvino/*"]
_INDEX = "model.safetensors.index.json"


def extra_installed() -> bool:
    """Whether the packages of the hf extra are there; none of them is imported."""
    return all(find_spec(package) for package in EXTRA)


def require_extra(name: str) -> None:
    """Raise DataMissing where the hf extra, which this model needs, is not installed."""
    if not extra_installed():
        raise DataMissing(f"{name} needs the hf extra, which is not installed: run `{INSTALL}` in the checkout")


def find_model(name: str, home: Path) -> Path | None:
    """The folder of a model that is on this machine with weights that can be used, if it is; nothing is downloaded."""
    places = [*_folders(name, home), *_cached(name)]
    return next((folder for folder in places if weights_fault(folder) is None), None)


def model_folder(name: str, home: Path) -> Path:
    """The folder of a model, downloaded from the hub where it is not on this machine.

    Raises:
        DataMissing: it is nowhere, it cannot be downloaded, or its weights are not safetensors.
    """
    found = find_model(name, home)
    if found is None:
        found = next(_folders(name, home), None) or _download(name, home)
    if fault := weights_fault(found):
        target = home / "models" / ModelName.parse(name).name
        raise DataMissing(
            f"{found} {fault}. Pickled weights can run code and are never read; where you trust them, write them anew: "
            f"python -c \"from sentence_transformers import SentenceTransformer as S; S('{name}').save('{target}')\""
        )
    return found


def weights_fault(folder: Path) -> str | None:
    """What is wrong with a folder as a model's, if anything is."""
    if not (folder / "config.json").is_file() and not (folder / "modules.json").is_file():
        return "is no model's folder: it has neither config.json nor modules.json"
    pickled = [file.parent for file in folder.rglob("pytorch_model*.bin")]
    if not weights(folder) or any(not [*place.glob("*.safetensors")] for place in pickled):
        return "has no weights in the safetensors format"
    index = folder / _INDEX
    shards = set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()) if index.is_file() else set()
    missing = sorted(shard for shard in shards if not (folder / shard).is_file())
    return f"lacks {missing[0]}" if missing else None


def weights(folder: Path) -> list[Path]:
    """The files of weights, in a fixed order."""
    return sorted(folder.rglob("*.safetensors"))


def _folders(name: str, home: Path) -> Iterator[Path]:
    for folder in (Path(name).expanduser(), home / "models" / name):
        if folder.is_dir():
            yield folder.absolute()


def _cached(name: str) -> Iterator[Path]:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        yield Path(
            snapshot_download(
                _repository(name), local_files_only=True, allow_patterns=_WANTED, ignore_patterns=_UNWANTED
            )
        )
    except (HFValidationError, LocalEntryNotFoundError):
        return


def _download(name: str, home: Path) -> Path:
    from httpx2 import HTTPError  # of huggingface_hub, whose errors while files are read are these
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError

    repository = _repository(name)
    try:
        return Path(snapshot_download(repository, allow_patterns=_WANTED, ignore_patterns=_UNWANTED))
    except (OSError, HTTPError, HFValidationError) as error:
        reason = str(error).strip().split("\n")[0]
        raise DataMissing(
            f"{name} is no folder, and could not be downloaded from the Hugging Face hub ({reason}): fetch it where "
            f"there is a network (hf download {repository}) and put its files into {home / 'models' / name}"
        ) from error


def _repository(name: str) -> str:
    """The hub's name: a model of sentence-transformers may go without its owner, as there."""
    bare = "/" not in name and recipe_for(ModelName(name, None)).pooling == "own"
    return f"sentence-transformers/{name}" if bare else name
