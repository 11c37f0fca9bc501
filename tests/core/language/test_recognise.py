from __future__ import annotations

import pytest

from core.language import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Am i contagious?", "en"),
        ("Am Montag habe ich Husten", "de"),
        ("Was verursacht Skorbut?", "de"),
        ("Cos'è l'asma?", "it"),
        ("¿Qué es el asma?", "es"),
        ("Qu'est-ce que le diabète ?", "fr"),
        ("O que é a asma?", "pt"),
        ("Wie behandelt man Gicht?", "de"),
        ("Что такое астма?", "ru"),
        ("什么是哮喘", "zh"),
        ("What causes scurvy?", "en"),
        ("is sciatica permanent", "en"),
        ("gout diet", "en"),
        ("asthma", "en"),
        ("metformin", "en"),
        ("situs inversus", "en"),
        ("angina pectoris", "en"),
        ("acute otitis media amoxicillin", "en"),
        ("Is it safe?", "en"),
        ("12 mg", "en"),
        ("", "en"),
    ],
)
def test_a_language_is_told_and_terms_alone_are_english(text: str, language: str) -> None:
    assert language_of(text) == language
