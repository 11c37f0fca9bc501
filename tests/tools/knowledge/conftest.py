"""A little ontology in HPO's formats, and the store, linker and source over it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.knowledge.linking.linker import Linker
from tools.knowledge.source import KnowledgeSource
from tools.knowledge.store import KnowledgeStore
from tools.knowledge.vocabularies.hpo import HpoLoader

OBO = """format-version: 1.2
data-version: hp/releases/2020-02-02
synonymtypedef: layperson "layperson term"

[Term]
id: HP:0000001
name: All

[Term]
id: HP:0000118
name: Phenotypic abnormality
is_a: HP:0000001 ! All

[Term]
id: HP:0000010
name: Abnormal finger
alt_id: HP:0000999
def: "A change of a \\"finger\\"." [X:1]
xref: UMLS:C0000010
xref: UMLS:C0000011
is_a: HP:0000118 ! Phenotypic abnormality

[Term]
id: HP:0000011
name: Long finger
def: "A finger that is long. It is longer than others." [X:1]
synonym: "Spider finger" EXACT layperson []
synonym: "LFG" EXACT abbreviation []
synonym: "Thin hand" RELATED []
xref: UMLS:C0000012
is_a: HP:0000010 ! Abnormal finger

[Term]
id: HP:0000012
name: Sinusitis
xref: UMLS:C0000013
is_a: HP:0000118 ! Phenotypic abnormality

[Term]
id: HP:0000013
name: Cloudy lens
synonym: "Corn" EXACT layperson []
xref: UMLS:C0000013
is_a: HP:0000118 ! Phenotypic abnormality

[Term]
id: HP:0000005
name: Mode of inheritance
is_a: HP:0000001 ! All

[Term]
id: HP:0000006
name: Autosomal dominant inheritance
is_a: HP:0000005 ! Mode of inheritance

[Term]
id: HP:0012823
name: Clinical modifier
is_a: HP:0000001 ! All

[Term]
id: HP:0012825
name: Mild
is_a: HP:0012823 ! Clinical modifier

[Term]
id: HP:0000020
name: obsolete Old thing
is_obsolete: true

[Typedef]
id: part_of
name: part of
"""
_COLUMNS = (
    "database_id disease_name qualifier hpo_id reference evidence onset frequency sex modifier aspect biocuration"
)
_ROWS = """OMIM:1|Marlow syndrome||HP:0000011|PMID:1;PMID:2|PCS||119/251|||P
ORPHA:7|Marlow syndrome||HP:0000011|ORPHA:7|TAS||HP:0040281|||P
OMIM:1|Marlow syndrome||HP:0000006|PMID:1|PCS|||||I
OMIM:1|Marlow syndrome|NOT|HP:0000012|PMID:1|PCS|||||P
OMIM:2|Cardiomyopathy, dilated, 1H||HP:0000013|OMIM:2|IEA|||||P
ORPHA:8|Dilated cardiomyopathy 1H||HP:0000011|ORPHA:8|TAS||HP:0040283|||P
OMIM:3|Twin disease|NOT|HP:0000010|OMIM:3|TAS|||||P
OMIM:3|Twin disease||HP:0000013|OMIM:3|PCS||1/2|||P
OMIM:4|Twin disease||HP:0000013|OMIM:4|PCS||0/8|||P"""


@pytest.fixture(scope="session")
def loader(tmp_path_factory: pytest.TempPathFactory) -> HpoLoader:
    folder = tmp_path_factory.mktemp("hpo")
    folder.joinpath("hp.obo").write_text(OBO, encoding="utf-8")
    rows = "\n".join(row.replace("|", "\t") + "\tX:1" for row in _ROWS.splitlines())
    header = "#version: 2020-02-02\n" + _COLUMNS.replace(" ", "\t")
    folder.joinpath("phenotype.hpoa").write_text(f"{header}\n{rows}\n", encoding="utf-8")
    return HpoLoader(folder)


@pytest.fixture(scope="session")
def store(loader: HpoLoader, tmp_path_factory: pytest.TempPathFactory) -> KnowledgeStore:
    return KnowledgeStore.open(Path(tmp_path_factory.mktemp("knowledge")), loaders=[loader])


@pytest.fixture(scope="session")
def linker(store: KnowledgeStore) -> Linker:
    return Linker(store)


@pytest.fixture(scope="session")
def source(store: KnowledgeStore, linker: Linker) -> KnowledgeSource:
    return KnowledgeSource(store, linker)
