"""Every setting, with its description and bounds. Precedence: argument, environment, ``.env``, default."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from core.errors import SettingsError
from core.schema import SourceName

SOURCES = ("library", "knowledge", "repository", "pubmed", "wikipedia", "umls", "given")
ENV_FILES = (Path(__file__).resolve().parent.parent / ".env", Path(".env"))
"""Where settings may stand: in the checkout, and in the current folder, which rules."""
_RETRIEVER_NAME = re.compile(r"(?:^|[;\n])\s*([a-z][a-z0-9_-]*)\s*=")


class Settings(BaseSettings):
    """What the environment or ``.env`` may say; ``.env.example`` lists the same fields, and a test compares them."""

    model_config = SettingsConfigDict(
        env_prefix="MEDATTEST_", env_file=ENV_FILES, env_ignore_empty=True, extra="ignore", frozen=True
    )

    home: Path = Field(Path("~/.medattest"), description="the data directory")
    model: str | None = Field(None, description="an init_chat_model name; unset: the evidence-only engine, offline")
    model_temperature: float = Field(0.0, ge=0, le=2, description="0: the model's likeliest answer")
    model_seed: int = Field(0, description="of the model's sampling, where it takes one")
    model_timeout: float = Field(60.0, gt=0, le=3600, description="seconds that one request to the model may take")
    model_retries: int = Field(2, ge=0, le=10, description="attempts after the first, at a timeout, status 429 or 5xx")
    model_concurrency: int = Field(4, ge=1, le=256, description="requests to the model at once")
    model_window: int | None = Field(
        None, ge=512, description="tokens that the model reads at once; unset: what is known of it, otherwise 8192"
    )
    model_output: int = Field(1024, ge=64, le=100_000, description="tokens that the model may write at most")
    model_cache: bool = Field(True, description="keep the model's replies on disk, for cache_hours")
    model_price_input: float = Field(0.0, ge=0, description="price of a million tokens that the model reads")
    model_price_output: float = Field(0.0, ge=0, description="price of a million tokens that the model writes")
    exemplars: int = Field(3, ge=0, le=20, description="worked examples in a prompt (H2ES's l)")
    fixed_exemplars: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="ids of the worked examples of a multiple-choice question, not chosen by H2ES; commas between"
    )
    exemplar_pool: int = Field(20, ge=1, le=10_000, description="most similar examples chosen from (H2ES's L)")
    exemplar_lambda: float = Field(0.2, ge=0, le=1, description="relevance against diversity in H2ES")
    exemplar_scaled: bool = Field(
        True, description="H2ES's distances divided by the largest; false: the paper's letter"
    )
    embedder: str = Field(
        "minilm",
        min_length=1,
        description="minilm, or with the hf extra a model's folder or hub name, then #cls or #mean",
    )
    cross_encoder: str | None = Field(
        None, description="a cross-encoder's folder or hub name, with the hf extra; unset: the fused score re-ranks"
    )
    chroma_url: str | None = Field(None, description="a Chroma server, such as http://127.0.0.1:8000; unset: embedded")

    sources: Annotated[tuple[SourceName, ...], NoDecode] = Field(
        ("library", "knowledge", "repository"), description="where evidence is searched, with commas between"
    )
    library: bool = Field(
        True, description="search the texts that ship where nothing else is named; false: never unasked"
    )
    source_deadline: float = Field(20.0, gt=0, le=600, description="seconds that one source may take for one question")
    queries: int = Field(3, ge=0, le=10, description="alternative phrasings of a question")
    live_queries: int = Field(
        2, ge=1, le=20, description="query texts that PubMed and Wikipedia are each asked, the question among them"
    )
    retrieve: int = Field(30, ge=1, le=500, description="passages that a source returns for one query")
    select: int = Field(8, ge=1, le=100, description="passages that go on to the answer")
    mmr_lambda: float = Field(0.5, ge=0, le=1, description="relevance against diversity in multi-query MMR")
    mmr_question: bool = Field(True, description="the question itself is one of MMR's queries")
    answer_sentences: int = Field(6, ge=1, le=50, description="sentences of an evidence-only answer at most")
    rounds: int = Field(1, ge=0, le=10, description="times that weak claims send the agent back to search")
    accept_risk: float = Field(0.45, ge=0, le=1, description="claims and answers of a higher risk are not given")
    decide_risk: float = Field(
        0.5, ge=0, le=1, description="the same of a yes or no on texts that the asker gave: likelier right than not"
    )

    triples: int = Field(20, ge=0, le=200, description="relations of a question's concepts that are looked up at most")

    graph_slope: float = Field(12.0, gt=0, le=1000, description="steepness of the concept graph's membership")
    graph_midpoint: float = Field(0.5, ge=-1, le=1, description="the cosine of which the membership is one half")
    graph_tau: float = Field(0.2, ge=0, lt=1, description="two concepts are joined where their membership is above it")
    graph_alpha: float = Field(0.9, gt=0, le=1, description="how much a hop of the concept graph is believed")
    graph_neighbours: int = Field(
        32, ge=0, le=10_000, description="concepts that one is joined to at most; 0: no limit, for small graphs"
    )
    graph_aggregation: Literal["max", "sum", "noisy-or"] = Field(
        "max", description="how paths are counted: max (the best one), sum or noisy-or"
    )
    graph_denials: bool = Field(
        True, description="what a vocabulary denies counts against a pair, and its P_net by 1 − alpha"
    )

    strength_weight: float = Field(
        0.2, ge=0, le=1, description="how much the strength of a source (its evidence level) counts in selection"
    )
    contact: str = Field("", description="an e-mail address that the operators of PubMed and Wikipedia may write to")
    entrez_url: str = Field("https://eutils.ncbi.nlm.nih.gov/entrez/eutils", description="address of the E-utilities")
    entrez_key: SecretStr | None = Field(None, description="key of an NCBI account: ten requests a second, not three")
    pubmed_humans: bool = Field(False, description="no articles that are indexed as of animals alone")
    pubmed_from_year: int | None = Field(None, ge=1500, le=2999, description="no articles before this year")
    pubmed_to_year: int | None = Field(None, ge=1500, le=2999, description="no articles after this year")
    pubmed_enough: int = Field(
        3, ge=1, le=500, description="abstracts below which PubMed is asked a weaker query too: fewer cannot agree"
    )
    pubmed_types: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="publication types, any of which will do, with commas between"
    )
    wikipedia_pages: int = Field(4, ge=1, le=50, description="pages of Wikipedia that are read for one question")
    wikipedia_language: str = Field("en", pattern=r"^[a-z]{2,3}(-[a-z]+)*$", description="which Wikipedia is asked")
    wikipedia_url: str | None = Field(None, description="address of its w/api.php; unset: that of the language")
    retrievers: str = Field(
        "", description='LangChain retrievers as sources: name=package.module:Class{"k": 3}, with semicolons between'
    )

    umls_key: SecretStr | None = Field(None, description="key of the UMLS service; with one it is a source, umls")
    umls_url: str = Field("https://uts-ws.nlm.nih.gov/rest", description="address of the UMLS service")
    cache_hours: float = Field(168.0, ge=0, description="how long replies of outside services are kept")
    cache_mb: int = Field(256, ge=1, description="size of the kept replies at most")

    chunk_tokens: int = Field(128, ge=16, le=4096, description="tokens of a passage at most")
    chunk_overlap: int = Field(16, ge=0, le=1024, description="tokens that neighbouring passages share at most")
    max_file_mb: int = Field(200, ge=1, description="larger files are refused by index")
    max_pdf_pages: int = Field(2000, ge=1, description="PDFs with more pages are refused by index")

    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="names that the server may be reached by beside its address, with commas between"
    )
    max_body_mb: int = Field(8, ge=1, le=1024, description="larger requests are refused by the server")

    wordnet: Path = Field(
        Path("/usr/share/wordnet"), description="folder of WordNet's files, for METEOR's synonyms; Debian's place"
    )
    nmiss_context: Literal["rest", "answer"] = Field(
        "rest", description="what NMISS holds against the context: the rest that the reference lacks, or the answer"
    )

    threads: int = Field(2, ge=1, le=256, description="threads for embedding, ranking and verifying")
    tracing: bool = Field(
        False, description="send traces to LangSmith, without identifiers; LANGSMITH_TRACING alone sends none"
    )

    @field_validator("sources", "pubmed_types", "fixed_exemplars", "allowed_hosts", mode="before")
    @classmethod
    def _listed(cls, sources: Any) -> Any:
        return [name.strip() for name in sources.split(",") if name.strip()] if isinstance(sources, str) else sources

    @field_validator("embedder")
    @classmethod
    def _built_in(cls, name: str) -> str:
        """A collection records the built-in embedder by its model's name."""
        return "minilm" if name == "all-MiniLM-L6-v2" else name

    @field_validator("umls_url", "entrez_url")
    @classmethod
    def _web(cls, url: str) -> str:
        if not is_address(url):
            raise ValueError(f"{url!r} is no web address: give one that begins with https:// or http://")
        return url.rstrip("/")

    @field_validator("home")
    @classmethod
    def _absolute(cls, home: Path) -> Path:
        try:
            return home.expanduser().absolute()
        except RuntimeError as error:
            raise ValueError(f"{home} names no folder: {error}") from error

    @model_validator(mode="after")
    def _known_sources(self) -> Settings:
        known = {*SOURCES, *_RETRIEVER_NAME.findall(self.retrievers)}
        if unknown := [name for name in self.sources if name not in known]:
            raise ValueError(
                f"MEDATTEST_SOURCES: there is no source {unknown[0]!r}: use some of {', '.join(sorted(known))}"
            )
        return self

    @model_validator(mode="after")
    def _advancing(self) -> Settings:
        if self.chunk_overlap * 2 > self.chunk_tokens:
            raise ValueError("MEDATTEST_CHUNK_OVERLAP must be at most half of MEDATTEST_CHUNK_TOKENS")
        return self


def is_address(url: str) -> bool:
    """Whether a text is the address of something in the web."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:  # an IPv6 address without its end
        return False


def load_settings(**overrides: object) -> Settings:
    """Read the settings; raise SettingsError, naming the variable, where one cannot work."""
    if unknown := sorted(overrides.keys() - Settings.model_fields.keys()):
        raise SettingsError(f"{', '.join(unknown)}: there is no such setting; .env.example lists them all")
    try:
        return Settings(**overrides)  # type: ignore[arg-type]  # values are checked by pydantic
    except ValidationError as error:
        faults = "; ".join(f"{_variable(e['loc'])}{e['msg']}" for e in error.errors())
        raise SettingsError(f"settings cannot be used ({faults}); mend the environment or .env") from error
    except (UnicodeDecodeError, OSError) as error:
        files = " or ".join(str(file.absolute()) for file in ENV_FILES if file.exists())
        raise SettingsError(f"{files} cannot be read as UTF-8 text ({error}): save it as UTF-8") from error


def _variable(place: tuple[int | str, ...]) -> str:
    return f"MEDATTEST_{str(place[0]).upper()}: " if place else ""
