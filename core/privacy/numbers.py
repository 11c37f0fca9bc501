"""Numbers that stand for a person: phone numbers, numbers of records, insurances, accounts and devices.

A form alone is enough where medicine has no other use for it; otherwise a cue must stand before the number. Doses,
ranges, counts, codes and identifiers of trials have such forms too rarely to be guarded one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.privacy.identifier import Removed, matches

_NOT_INSIDE = r"(?<![\w.,/+-])"
_NO_MORE = r"(?![-./]?\d|\w| ?(?:mg|mcg|µg|g|ml|mL|IU|units?|kcal|mmol|%)\b)"
_PHONE = re.compile(
    rf"(?=[+(\d])(?:(?<![\w+])\+\d{{1,3}}[ .-]?(?:\(0?\d{{0,4}}\)[ .-]?)?\d(?:[ ./-]?\d){{6,11}}{_NO_MORE}"
    rf"|{_NOT_INSIDE}00[1-9]\d(?:[ ./-]?\d){{7,11}}{_NO_MORE}"
    rf"|{_NOT_INSIDE}(?:\+?1[ .-])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[.-])\d{{3}}[ .-]\d{{4}}{_NO_MORE}"  # US
    rf"|{_NOT_INSIDE}0\d{{2,4}}[ -]\d{{3,4}}[ -]?\d{{3,4}}{_NO_MORE}"  # UK
    rf"|{_NOT_INSIDE}\(0\d{{1,5}}\) ?\d{{3,4}}[ -]?\d{{3,4}}{_NO_MORE}"
    rf"|{_NOT_INSIDE}0[127]\d{{9}}{_NO_MORE}"
    rf"|{_NOT_INSIDE}0\d{{1,4}} ?/ ?\d{{3,4}}(?: ?\d{{2,4}}){{1,3}}{_NO_MORE}"  # Germany
    rf"|{_NOT_INSIDE}0\d(?:[ .]\d\d){{4}}{_NO_MORE})"  # France
)
_PHONE_CUE = re.compile(
    r"\b(?:tel(?:ephone|efon|\.)?|t[ée]l[ée]phone|phone|mobile|cell|fax|handy|pager|bleep|call|ring|dial|text|contact"
    r"|reach|whatsapp)\b"
    r"(?:[ .:#-]|\b(?:me|us|him|her|them|back|now|number|no|nr|at|on|is|was|the)\b){0,8}"
    r"(?P<it>\(?\d(?:[ ()./-]{0,2}\d){5,13})(?!\d| ?(?:mg|ml|mL|%)\b)",
    re.IGNORECASE,
)

_OF = r"(?:[ .:#=-]|\b(?:numbers?|num|no|nr|id|identifier|code|is|was|card)\b){0,6}"
_TOKEN = (
    r"(?P<it>(?-i:[A-Z]{1,2} ?)?\d{2,4}(?: \d{2,4}){1,3}(?-i: [A-Z])?\b(?![/.]\d)"  # in groups of digits
    r"|(?:(?-i:[A-Z]{1,8}) ?|[A-Z]{1,4}[/-])?(?:[A-Z]{1,4})?\d(?:[\dA-Z./-]*[\dA-Z])?)"
)
_SHORT = re.compile(r"(?:\D*\d){3}")
_LONG = re.compile(r"(?:\D*\d){4}")
_RECORD_CUE = re.compile(
    r"\b(?:MRN|(?-i:URN|CHI|PID)|NHS (?:number|no)|(?:medical |health |electronic )?records? (?:number|no|nr|id)"
    r"|hosp(?:ital)?\.? ?(?:number|no|id|#)|rec(?:ord)?s?\.? ?#"
    r"|(?:chart|unit|file|folder) (?:number|no|id)|(?:patient|pt)[ -]?id(?:entifier)?|passport(?: number| no)?"
    r"|driv(?:er'?s?|ing) licen[cs]e|licen[cs]e number)(?:\b|(?<=#))" + _OF + _TOKEN,
    re.IGNORECASE,
)
_CASE_CUE = re.compile(
    r"\b(?:pat(?:ient(?:en)?)?|pt|client|case|subject|study|account|admission|encounter|visit)"
    r"[ -]?(?:(?:number|no|nr|id|identifier)\b|#)" + _OF + _TOKEN + r"(?! of \d)",
    re.IGNORECASE,
)
_NHS = re.compile(rf"{_NOT_INSIDE}\d{{3}}([ -])\d{{3}}\1\d{{4}}{_NO_MORE}")

_INSURANCE_CUE = re.compile(
    r"\b(?:SSN|social security(?: number| no)?|(?:health |national |medical |travel )?insurance (?:number|no|nr|id|card"
    r"|policy)|policy (?:number|no|nr|id)|(?:member(?:ship)?|subscriber|beneficiary|group) (?:number|no|id)"
    r"|medica(?:re|id) (?:number|no|id|card)|health ?card|versich\w*(?:nummer|-?nr\b)"
    r"|kranken(?:kasse|versicherung)\w*,?(?: [A-Z]{2,4},?)? (?:nummer|nr)|KVNR|NI number"
    r"|BSN|aadhaar|PESEL|s[ée]curit[ée] sociale|codice fiscale|AHV|CPR number|personnummer)\b" + _OF + _TOKEN,
    re.IGNORECASE,
)
_SSN = re.compile(rf"{_NOT_INSIDE}(?!000|666|9\d\d)\d{{3}}-\d\d-\d{{4}}{_NO_MORE}")
_NINO = re.compile(r"\b(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D]\b")
_LETTER = "[AC-HJKMNP-RT-Y]"
_MBI = re.compile(
    rf"(?<![\w-])[1-9]{_LETTER}(?:\d|{_LETTER})\d([ -]?){_LETTER}(?:\d|{_LETTER})\d\1{_LETTER}{{2}}\d\d(?![\w-])"
)
"""Medicare's beneficiary identifier (CMS, Understanding the MBI format)."""

_CARD = re.compile(
    rf"{_NOT_INSIDE}[3-6]\d{{3}}(?:[ -]?\d{{4}}){{2}}[ -]?\d{{1,7}}(?!\w|[-.]\d)"
    rf"|{_NOT_INSIDE}3[47]\d\d[ -]?\d{{6}}[ -]?\d{{5}}(?!\w)"
)
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d\d(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?(?!\w)")
_ACCOUNT_CUE = re.compile(
    r"\b(?:(?:bank |credit |debit )?(?:(?:account|card)(?: number| no| nr|#)|account(?= \d{6}))"
    r"|sort code|routing number|acct)\b" + _OF + _TOKEN,
    re.IGNORECASE,
)
_DEVICE_CUE = re.compile(
    r"\b(?:(?:device|serial|pacemaker|implant) (?:serial )?(?:number|no|nr|id)|(?-i:IMEI|VIN|UDI)"
    r"|(?:licen[cs]e|number|registration) plate|car registration)\b"
    + _OF
    + r"(?P<it>(?=\w{0,20}[ /-]?\w{0,20}\d)\w{1,20}(?:[/-]\w{1,20}|(?-i: [A-Z\d]{2,20})){0,4})",
    re.IGNORECASE,
)


def phone_numbers(text: str) -> Iterator[Removed]:
    """Phone numbers, international, American and European; other digits where "call", "tel" and the like precede."""
    yield from matches("phone number", _PHONE, text)
    yield from matches("phone number", _PHONE_CUE, text)


def record_numbers(text: str) -> Iterator[Removed]:
    """Numbers of patients and records; a case or patient of a series ("patient no. 3") has fewer than 4 digits."""
    yield from _cued(_RECORD_CUE, _SHORT, text)
    yield from _cued(_CASE_CUE, _LONG, text)
    for found in matches("record number", _NHS, text):
        if is_nhs_number(text[found.start : found.end]):
            yield found


def insurance_numbers(text: str) -> Iterator[Removed]:
    """Numbers of insurances and of social security."""
    for found in matches("insurance number", _INSURANCE_CUE, text):
        if _LONG.match(text, found.start, found.end):
            yield found
    yield from matches("insurance number", _SSN, text)
    yield from matches("insurance number", _NINO, text)
    yield from matches("insurance number", _MBI, text)


def account_numbers(text: str) -> Iterator[Removed]:
    """Numbers of payment cards and bank accounts: by their check digits, or where a cue stands before them."""
    for found in matches("account number", _CARD, text):
        if is_card_number(text[found.start : found.end]):
            yield found
    for found in matches("account number", _IBAN, text):
        if is_iban(text[found.start : found.end]):
            yield found
    for found in matches("account number", _ACCOUNT_CUE, text):
        if _LONG.match(text, found.start, found.end):
            yield found


def device_numbers(text: str) -> Iterator[Removed]:
    """Numbers of somebody's devices and vehicles, where a cue stands before them."""
    for found in matches("device number", _DEVICE_CUE, text):
        if _SHORT.match(text, found.start, found.end) or text[found.start : found.end].isupper():
            yield found


def is_nhs_number(text: str) -> bool:
    """Whether ten digits carry the check digit of an NHS number (modulus 11, NHS Data Dictionary)."""
    digits = [int(character) for character in text if character.isdecimal()]
    if len(digits) != 10:
        return False
    check = 11 - sum(digit * weight for digit, weight in zip(digits, range(10, 1, -1), strict=False)) % 11
    return check % 11 == digits[9]


def is_card_number(text: str) -> bool:
    """Whether 13 to 19 digits carry the check digit of a payment card (ISO/IEC 7812-1, Luhn's formula)."""
    digits = [int(character) for character in reversed(text) if character.isdecimal()]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[1::2]]
    return 13 <= len(digits) <= 19 and (sum(digits[::2]) + sum(doubled)) % 10 == 0


def is_iban(text: str) -> bool:
    """Whether a text carries the check digits of an international bank account number (ISO 13616, modulus 97)."""
    plain = text.replace(" ", "")
    return int("".join(str(int(character, 36)) for character in plain[4:] + plain[:4])) % 97 == 1


def _cued(cue: re.Pattern[str], enough: re.Pattern[str], text: str) -> Iterator[Removed]:
    for found in matches("record number", cue, text):
        if enough.match(text, found.start, found.end):
            yield found
