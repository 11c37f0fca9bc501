"""The open vocabularies that a store is built from by default, those that name concepts best first."""

from __future__ import annotations

from tools.knowledge.vocabularies.chebi import ChebiLoader
from tools.knowledge.vocabularies.drugs import DrugNamesLoader
from tools.knowledge.vocabularies.hpo import HpoLoader
from tools.knowledge.vocabularies.mesh import MeshLoader
from tools.knowledge.vocabularies.ontologies import DOID, MONDO, OntologyLoader
from tools.knowledge.vocabularies.records import Loader


def default_loaders() -> tuple[Loader, ...]:
    """Return a loader for each: HPO, MONDO, DOID, MeSH, ChEBI, names of drugs."""
    mesh = MeshLoader()
    names = DrugNamesLoader(mesh=mesh)
    return HpoLoader(), OntologyLoader(MONDO), OntologyLoader(DOID), mesh, ChebiLoader(), names
