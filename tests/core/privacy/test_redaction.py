from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.privacy.identifier import KINDS
from core.privacy.numbers import is_nhs_number
from core.privacy.redaction import redacted


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mr John Smith has gout.", "[name] has gout."),
        ("Prof. Dr. van der Berg's advice", "[name]'s advice"),
        ("MRS ELIZABETH WARD ATTENDED", "[name] ATTENDED"),
        ("my name is maria lopez and i take aspirin", "my name is [name] and i take aspirin"),
        ("The patient's name is Łukasz Nowak-Żak.", "The patient's name is [name]."),
        ("Patient: Jane Doe, 45, with migraine", "Patient: [name], 45, with migraine"),
        ("Name: Doe, Jane", "Name: [name]"),
        ("I am Jean Dupont, 54, with gout", "I am [name], 54, with gout"),
        ("I am Vitamin D deficient, 54", "I am Vitamin D deficient, 54"),
        ("patient id: ab-123", "patient id: [record number]"),
        ("the patient ID was unique in 120 cases", "the patient ID was unique in 120 cases"),
        ("driver's licence RAVEN 604078", "driver's licence [record number]"),
        ("12 Maple Street, Springfield", "[address]"),
        ("My wife, Susan, has lupus.", "My wife, [name], has lupus."),
        ("My dad Harold Quill had a stroke", "My dad [name] had a stroke"),
        ("a boy called Tim with croup", "a boy called [name] with croup"),
        ("Olgun Demir (DOB 3.4.58)", "[name] (DOB [date of birth])"),
        ("Dr. Smith's method", "[name]'s method"),  # a title means a person
        ("born on 12 March 1961, seen 14 June 2023", "born on [date of birth], seen 14 June 2023"),
        ("Date of birth: 1961-03-12", "Date of birth: [date of birth]"),
        ("12/03/1961 (DOB)", "[date of birth] (DOB)"),
        ("Call (415) 555-2671 or +49 (0)30 901820.", "Call [phone number] or [phone number]."),
        ("Mobile 07700 900123", "Mobile [phone number]"),
        ("tel: 4 22 33 44", "tel: [phone number]"),
        ("01 23 45 67 89", "[phone number]"),
        ("to o'hara@clinic.example, not post", "to [e-mail address], not post"),
        ("greta (at) mail (dot) example", "[e-mail address]"),
        ("MRN 1234567: stable", "MRN [record number]: stable"),
        ("943 476 5919 takes lithium", "[record number] takes lithium"),
        ("patient no. 120045 has CKD", "patient no. [record number] has CKD"),
        ("SSN 123-45-6789", "SSN [insurance number]"),
        ("insurance number AB 123456", "insurance number [insurance number]"),
        ("NI QQ 12 34 56 C", "NI QQ 12 34 56 C"),  # QQ is given to nobody
        ("NI AB 12 34 56 C", "NI [insurance number]"),
        ("MBI 1EG4-TE5-MK73", "MBI [insurance number]"),
        ("card 4539 1488 0343 6467, exp 09/27", "card [account number], exp 09/27"),
        ("IBAN DE89 3704 0044 0532 0130 00 please", "IBAN [account number] please"),
        ("sort code 12-34-56, account 12345678", "sort code [account number], account [account number]"),
        ("my pacemaker serial number is ABX 123456-7", "my pacemaker serial number is [device number]"),
        ("VIN 1HGCM82633A004352", "VIN [device number]"),
        ("licence plate AB12 CDE", "licence plate [device number]"),
        ("sent from 86.143.22.9 today", "sent from [network address] today"),
        ("IP address: 3.4.5.6, 2001:db8::1", "IP address: [network address], [network address]"),
        ("MAC 00:1A:2B:3C:4D:5E", "MAC [network address]"),
        ("lives at 12 Oak Street, walks unaided", "lives at [address], walks unaided"),
        ("at 221B Baker Street, London NW1 6XE.", "at [address]."),
        ("Hauptstraße 5, 10115 Berlin", "[address]"),
        ("4 rue des Lilas, 69003 Lyon", "[address]"),
        ("postcode SW1A 1AA", "postcode [address]"),
        ("see https://p.example/patients/77/x now", "see [web address] now"),
    ],
)
def test_an_identifier_is_replaced_by_what_it_was(text: str, expected: str) -> None:
    assert redacted(text).text == expected


@pytest.mark.parametrize(
    "text",
    [
        "Down syndrome, Parkinson's disease, Alzheimer's disease and Crohn disease",
        "Severe MR on echo; MR imaging; MS patients; MRS of the brain; HLA-DR4",
        "Charles Bonnet syndrome, Sister Mary Joseph nodule, Marcus Gunn pupil, Glasgow Coma Scale",
        "5 mg, HbA1c 7.2 %, 120/80 mmHg, 135-145 mmol/L, 500-250-500 mg, 10 000 IU",
        "COVID-19, NCT01234567, PMID 12345678, 23456789 and PMC1234567, doi:10.1056/NEJMoa2034577",
        "ICD-10 I21.4, SNOMED 401314000, OMIM 603903, NM_000518.5, C0011849, MESH:D003920, CAS 103-90-2",
        "Cohort born between 1 May 1990 and 3 June 1995; baby born at 32 weeks; born in 1946",
        "Seen on 12/03/2021, again on 2021-09-12",
        "Trypsin is EC 3.4.21.4; section 1.2.3.4; version 10.2.1.0; at 10:20:30; a ratio of 1::2",
        "The serial number of beds is 3; 4539 1488 0343 6468 cells; GB82 WEST 1234 5698 7654 33",
        "Patient no. 3 and case 12 of the series; patient number 2041 of 4096",
        "Vitamin B12 5MG at home, T4 1ML",
        "Patient: Good morning doctor. Doctor: Hello",
        "The drug named Ozempic is semaglutide. Brand name: Xarelto",
        "I am HIV positive and Rh negative. My father had Huntington disease.",
        "Miss a pill? my dr prescribed it. Ask your Doctor About statins",
        "John Snow[Author] AND cholera; Mary Smith et al. 2019",
        "https://pubmed.ncbi.nlm.nih.gov/31978945/ and 10.1000/xyz123",
        "https://www.cancer.gov/types/breast/patient/breast-treatment-pdq",
        "32145678,31234567,30123456",
        "",
    ],
)
def test_medicine_survives(text: str) -> None:
    assert redacted(text).text == text
    assert redacted(text).query == text
    assert redacted(text).removed == ()


def test_places_are_those_of_the_text_as_given() -> None:
    text = "Mrs\u00a0O’Neill, tel. +44\u00a020\u20117946\u20110857, 💊 x@y.example"
    found = redacted(text)
    assert [(kind, text[start:end]) for kind, start, end in found.removed] == [
        ("name", "Mrs\u00a0O’Neill"),
        ("phone number", "+44\u00a020\u20117946\u20110857"),
        ("e-mail address", "x@y.example"),
    ]
    assert found.text == "[name], tel. [phone number], 💊 [e-mail address]"


def test_a_query_has_nothing_where_something_was() -> None:
    found = redacted("Does Mr Ito, born 3 May 1950, need amlodipine?")
    assert found.query == "Does , born , need amlodipine?"


def test_a_placeholder_is_no_cue() -> None:
    once = redacted("DOB: 3 May 1950, admitted 12/03/2020; phone number +1 415 555 2671, 250000 platelets").text
    assert once == "DOB: [date of birth], admitted 12/03/2020; phone number [phone number], 250000 platelets"
    assert redacted(once).text == once


_PIECES = st.sampled_from(
    [f"[{kind}]" for kind in KINDS]
    + "Mr|Smith|John|born|3 May 1950|DOB:|MRN|1234567|tel|+1 415 555 2671|lives at|12 Oak Street|a@b.example".split("|")
    + "my name is|Parkinson's|disease|5 mg|,|.|\n|and|SW1A 1AA|SSN|123-45-6789|’s|(|Patient:|insurance number".split(
        "|"
    )
)


@given(st.lists(_PIECES, max_size=12).map(" ".join))
def test_every_text_ends_in_one_whose_places_fit(text: str) -> None:
    found = redacted(text)
    assert all(0 <= one.start < one.end <= len(text) for one in found.removed)
    assert all(one.end <= other.start for one, other in zip(found.removed, found.removed[1:], strict=False))
    for kind in KINDS:  # what was put in is never taken for something else
        assert found.text.count(f"[{kind}]") >= text.count(f"[{kind}]")


@given(st.text(max_size=200))
def test_no_text_is_too_odd(text: str) -> None:
    redacted(text)


@pytest.mark.parametrize("piece", ["Mr ", "Anna ", "1 ", "born ", "(0", "my name is ", "a.b-", "12 Oak ", "aa@", "A "])
def test_time_grows_with_length_only(piece: str) -> None:
    started = time.perf_counter()
    redacted(piece * (20_000 // len(piece)))
    assert time.perf_counter() - started < 8


def test_the_check_digit_of_an_nhs_number() -> None:
    assert is_nhs_number("943 476 5919")
    assert not is_nhs_number("943 476 5918")
    assert not is_nhs_number("1234")
    assert redacted("943 476 5918").removed == ()
