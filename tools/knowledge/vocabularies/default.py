"""The open vocabularies that a store is built from by default, those that name concepts best first."""

from __future__ import annotations

from tools.knowledge.vocabularies.chebi import ChebiLoader
from tools.knowledge.vocabularies.hpo import HpoLoader
from tools.knowledge.vocabularies.mesh import MeshLoader
from tools.knowledge.vocabularies.ontologies import DOID, MONDO, OntologyLoader
from tools.knowledge.vocabularies.records import Loader


def default_loaders() -> tuple[Loader, ...]:
    """Return a loader for each: HPO, MONDO, DOID, MeSH, ChEBI."""
    return HpoLoader(), OntologyLoader(MONDO), OntologyLoader(DOID), MeshLoader(), ChebiLoader()
