"""What each encoder needs to give the vectors of its paper, as data, and how encoders are named."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Literal, NamedTuple, get_args

Pooling = Literal["own", "cls", "mean"]
"""How token vectors become one: by the modules that come with the model, the first token's, or the mean by the mask."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a model is read: pooling, what is put before a question and before a passage, and two corrections.

    ``None`` for an instruction leaves it to what the model's own configuration says, which mostly is nothing.
    """

    pooling: Pooling = "own"
    query: str | None = None
    passage: str | None = None
    instruction_pooled: bool = True
    """Whether the instruction's tokens count in the pooling."""
    cased: bool = False
    """Whether case is kept although the model's files forget to say so."""


RECIPES: tuple[tuple[str, Recipe], ...] = (
    # Su et al. 2023: the instruction is read, and left out of the mean.
    (
        r"instructor-(base|large|xl)",
        Recipe(
            query="Represent the Medicine question for retrieving supporting documents: ",
            passage="Represent the Medicine document for retrieval: ",
            instruction_pooled=False,
        ),
    ),
    # Lee et al. 2020. Its files have no tokenizer_config.json, without which BERT's tokenizer lowers the case.
    (r"biobert", Recipe(pooling="cls", cased=True)),
    (r"^(xlm-)?roberta-(base|large)$", Recipe(pooling="mean")),
)
"""Patterns of a model's name without its owner or folder, and the recipe of the first that is found in it."""

_SUFFIX = re.compile(rf"#({'|'.join(get_args(Pooling))})(@[0-9a-f]{{8}})?$")


class ModelName(NamedTuple):
    """A name as settings and collections have it, ``name[#pooling[@fingerprint]]``, taken apart."""

    name: str
    pooling: Pooling | None

    @classmethod
    def parse(cls, text: str) -> ModelName:
        """Take a name apart; the fingerprint is that of a collection's embedder and decides nothing here."""
        found = _SUFFIX.search(text)
        if found is None:
            return cls(text, None)
        pooling: Pooling = found[1]  # type: ignore[assignment]  # one of the pattern's, which are the type's
        return cls(text[: found.start()], pooling)


def recipe_for(name: ModelName) -> Recipe:
    """The recipe of a name; a pooling that the name itself has comes first."""
    short = PurePath(name.name).name.lower()
    recipe = next((recipe for pattern, recipe in RECIPES if re.search(pattern, short)), Recipe())
    return recipe if name.pooling is None else replace(recipe, pooling=name.pooling)
