"""The source vocabularies of the UMLS that its relations and definitions most often come from."""

from __future__ import annotations

import re

NAMES = {
    "AOD": "Alcohol and Other Drug Thesaurus",
    "ATC": "Anatomical Therapeutic Chemical Classification",
    "CHV": "Consumer Health Vocabulary",
    "CSP": "CRISP Thesaurus",
    "CVX": "Vaccines Administered",
    "DRUGBANK": "DrugBank",
    "FMA": "Foundational Model of Anatomy",
    "GO": "Gene Ontology",
    "HGNC": "HUGO Gene Nomenclature Committee",
    "HL7V3.0": "HL7 Version 3.0",
    "HPO": "Human Phenotype Ontology",
    "ICD10": "International Classification of Diseases, 10th Revision",
    "ICD10CM": "ICD-10 Clinical Modification",
    "ICD10PCS": "ICD-10 Procedure Coding System",
    "ICD9CM": "ICD-9 Clinical Modification",
    "ICF": "International Classification of Functioning, Disability and Health",
    "LNC": "LOINC",
    "MDR": "MedDRA",
    "MED-RT": "Medication Reference Terminology",
    "MEDLINEPLUS": "MedlinePlus Health Topics",
    "MSH": "Medical Subject Headings",
    "MTH": "UMLS Metathesaurus",
    "NANDA-I": "NANDA-I Taxonomy",
    "NCBI": "NCBI Taxonomy",
    "NCI": "NCI Thesaurus",
    "NDDF": "First Databank MedKnowledge",
    "NDFRT": "National Drug File Reference Terminology",
    "OMIM": "Online Mendelian Inheritance in Man",
    "ORPHANET": "Orphanet Rare Disease Ontology",
    "PDQ": "Physician Data Query",
    "PSY": "Thesaurus of Psychological Index Terms",
    "RXNORM": "RxNorm",
    "SNM": "SNOMED 1982",
    "SNMI": "SNOMED International",
    "SNOMEDCT_US": "SNOMED CT, US Edition",
    "SNOMEDCT_VET": "SNOMED CT, Veterinary Extension",
    "SPN": "Standard Product Nomenclature",
    "UMD": "UMDNS product category thesaurus",
    "USP": "USP Compendial Nomenclature",
    "UWDA": "Digital Anatomist",
    "VANDF": "VA National Drug File",
}
"""Name by UMLS source abbreviation."""

_LANGUAGES = (
    "ARA|BAQ|BPO|CZE|DAN|DUT|EST|FIN|FRE|GER|GRE|HEB|HUN|ICE|ITA|JPN|KOR|LAV|LIT|NOR|POL|POR|RUS|SCR|SPA|SWE|TUR|UKR"
)
_TRANSLATED = re.compile(
    rf"(?:MDR|MSH|SCT|ICPC|WHO|DMDICD10|ICD10)_?(?:{_LANGUAGES})|LNC-[A-Z]{{2}}-[A-Z]{{2}}|\w+_SPA"
)


def vocabulary_name(abbreviation: str) -> str:
    """Return the name of a vocabulary; its abbreviation where this table does not have it."""
    return NAMES.get(abbreviation, abbreviation)


def is_translation(abbreviation: str) -> bool:
    """Whether a vocabulary is the translation of an English one, and so says nothing that the original does not."""
    return _TRANSLATED.fullmatch(abbreviation) is not None
