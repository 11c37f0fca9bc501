"""PubMed records made up for the emulator, in the shape of NLM's XML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

METFORMIN, PCOS, MARFAN = (
    ("D008687", "Metformin"),
    ("D011085", "Polycystic Ovary Syndrome"),
    ("D008382", "Marfan Syndrome"),
)
HUMANS, ANIMALS = ("D006801", "Humans"), ("D000818", "Animals")
TAGS = (HUMANS[0], ANIMALS[0])


def article(
    pmid: int,
    title: str,
    abstract: Mapping[str, str] | str = "",
    types: Sequence[str] = ("Journal Article",),
    mesh: Sequence[tuple[str, str]] = (HUMANS,),
    links: Mapping[str, tuple[str, int]] | None = None,
    year: int = 2020,
    language: str = "eng",
) -> str:
    """One PubmedArticle; ``links`` are printed reference and id by RefType."""
    sections = {"": abstract} if isinstance(abstract, str) else abstract
    parts = "".join(
        f'<AbstractText Label="{label}">{text}</AbstractText>' if label else f"<AbstractText>{text}</AbstractText>"
        for label, text in sections.items()
        if text
    )
    headings = "".join(
        f'<MeshHeading><DescriptorName UI="{ui}" MajorTopicYN="{"N" if ui in TAGS else "Y"}">{name}'
        "</DescriptorName></MeshHeading>"
        for ui, name in mesh
    )
    related = "".join(
        f'<CommentsCorrections RefType="{kind}"><RefSource>{place}</RefSource><PMID Version="1">{other}</PMID>'
        "</CommentsCorrections>"
        for kind, (place, other) in (links or {}).items()
    )
    return (
        f'<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">{pmid}</PMID>'
        '<Article PubModel="Print"><Journal><ISSN IssnType="Print">0028-4793</ISSN><JournalIssue CitedMedium="Print">'
        f"<Volume>1</Volume><Issue>2</Issue><PubDate><Year>{year}</Year><Month>Mar</Month></PubDate></JournalIssue>"
        "<Title>The journal of examples</Title><ISOAbbreviation>J Ex</ISOAbbreviation></Journal>"
        f"<ArticleTitle>{title}</ArticleTitle>"
        + (f"<Abstract>{parts}</Abstract>" if parts else "")
        + f'<AuthorList CompleteYN="Y"><Author ValidYN="Y"><LastName>Doe</LastName><ForeName>Jane {pmid}</ForeName>'
        f"<Initials>J</Initials></Author></AuthorList><Language>{language}</Language><PublicationTypeList>"
        + "".join(f'<PublicationType UI="D0">{kind}</PublicationType>' for kind in types)
        + "</PublicationTypeList></Article>"
        + (f"<CommentsCorrectionsList>{related}</CommentsCorrectionsList>" if related else "")
        + (f"<MeshHeadingList>{headings}</MeshHeadingList>" if headings else "")
        + "</MedlineCitation><PubmedData><PublicationStatus>ppublish</PublicationStatus><ArticleIdList>"
        f'<ArticleId IdType="pubmed">{pmid}</ArticleId><ArticleId IdType="doi">10.1000/ex.{pmid}</ArticleId>'
        "</ArticleIdList></PubmedData></PubmedArticle>"
    )


RETRACTED, DOUBTED, BARE, LISTED = 31000001, 31000002, 31000003, 31000004
ARTICLES = (
    *(
        article(
            30000000 + n,
            f"Metformin and ovulation in polycystic ovary syndrome: trial {n}.",
            {
                "BACKGROUND": f"Women with polycystic ovary syndrome ovulate rarely; this is study number {n}.",
                "RESULTS": f"Ovulation was more frequent with metformin (odds ratio {1 + n / 10:.1f}, p &lt; 0.01).",
            },
            ("Journal Article", "Randomized Controlled Trial"),
            (METFORMIN, PCOS, HUMANS),
            year=2000 + n,
        )
        for n in range(25)
    ),
    article(
        RETRACTED,
        "RETRACTED: Losartan stops aortic growth in Marfan syndrome.",
        "Losartan stopped aortic growth in all patients with Marfan syndrome.",
        ("Journal Article", "Retracted Publication"),
        (MARFAN, HUMANS),
        {"RetractionIn": ("J Ex. 2021 May;2(1):9", 31999999)},
    ),
    article(
        DOUBTED,
        "Losartan and the aortic root in Marfan syndrome.",
        "Losartan slowed dilatation of the aortic root.",
        ("Journal Article", "Controlled Clinical Trial"),
        (MARFAN, HUMANS),
        {"ExpressionOfConcernIn": ("J Ex. 2022;3(1):1", 31999998), "ErratumIn": ("J Ex. 2021;2(2):2", 31999997)},
    ),
    article(BARE, "Marfan syndrome.", "", ("Editorial",), (MARFAN,)),
    article(
        LISTED,
        "Beta blockers in mice with Marfan syndrome.",
        "Propranolol slowed aortic growth in mice with Marfan syndrome.",
        mesh=(MARFAN, ANIMALS),
    ),
)
