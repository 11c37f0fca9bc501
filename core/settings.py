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

    home: Path = Field(Path("~/.medattest"), description="The folder where Medattest keeps its data.")
    model: str | None = Field(
        None,
        description="A model by its init_chat_model name; unset, the evidence-only engine answers, offline.",
    )
    model_temperature: float = Field(
        0.0, ge=0, le=2, description="The model's temperature; at 0 it writes its likeliest answer."
    )
    model_seed: int = Field(0, description="The seed of the model's sampling, where it takes one.")
    model_timeout: float = Field(60.0, gt=0, le=3600, description="One request to the model may take so many seconds.")
    model_retries: int = Field(
        2,
        ge=0,
        le=10,
        description="A request to the model that times out or ends with status 429 or 5xx is made so many times more.",
    )
    model_concurrency: int = Field(4, ge=1, le=256, description="So many requests may be with the model at once.")
    model_window: int | None = Field(
        None, ge=512, description="The model reads so many tokens at once; unset, what is known of it, otherwise 8192."
    )
    model_output: int = Field(1024, ge=64, le=100_000, description="The model may write at most so many tokens.")
    model_cache: bool = Field(True, description="The model's replies are kept on disk for MEDATTEST_CACHE_HOURS.")
    model_price_input: float = Field(0.0, ge=0, description="The price of a million tokens that the model reads.")
    model_price_output: float = Field(0.0, ge=0, description="The price of a million tokens that the model writes.")
    exemplars: int = Field(3, ge=0, le=20, description="A prompt has so many worked examples (H2ES's l).")
    fixed_exemplars: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="The ids of the examples for multiple choice, with commas between; unset, H2ES chooses.",
    )
    exemplar_pool: int = Field(
        20, ge=1, le=10_000, description="H2ES chooses from so many of the most similar examples (its L)."
    )
    exemplar_lambda: float = Field(
        0.2, ge=0, le=1, description="In H2ES relevance weighs so much, and diversity the rest."
    )
    exemplar_scaled: bool = Field(
        True, description="H2ES's distances are divided by the largest; with false they are as the paper has them."
    )
    embedder: str = Field(
        "minilm",
        min_length=1,
        description="The embedder: minilm, or with the hf extra a model's folder or hub name, then #cls or #mean.",
    )
    cross_encoder: str | None = Field(
        None,
        description="With the hf extra a cross-encoder's folder or hub name; unset, the fused score re-ranks.",
    )
    chroma_url: str | None = Field(
        None, description="The address of a Chroma server, such as http://127.0.0.1:8000; unset, Chroma is embedded."
    )

    sources: Annotated[tuple[SourceName, ...], NoDecode] = Field(
        ("library", "knowledge", "repository"),
        description="Evidence is searched in these sources, with commas between.",
    )
    library: bool = Field(
        True,
        description="The texts that ship are searched where nothing else is named; with false never unasked.",
    )
    source_deadline: float = Field(
        20.0, gt=0, le=600, description="One source may take so many seconds for one question."
    )
    queries: int = Field(3, ge=0, le=10, description="A question is searched for in so many alternative phrasings too.")
    live_queries: int = Field(
        2, ge=1, le=20, description="PubMed and Wikipedia are each asked so many query texts, the question among them."
    )
    retrieve: int = Field(30, ge=1, le=500, description="A source returns so many passages for one query.")
    select: int = Field(8, ge=1, le=100, description="So many passages go on to the answer.")
    mmr_lambda: float = Field(
        0.5, ge=0, le=1, description="In multi-query MMR relevance weighs so much, and diversity the rest."
    )
    mmr_question: bool = Field(True, description="The question itself is one of MMR's queries.")
    answer_sentences: int = Field(6, ge=1, le=50, description="An evidence-only answer has at most so many sentences.")
    rounds: int = Field(1, ge=0, le=10, description="Weak claims send the agent back to search so many times.")
    accept_risk: float = Field(0.45, ge=0, le=1, description="Claims and answers of a higher risk are not given.")
    decide_risk: float = Field(
        0.5,
        ge=0,
        le=1,
        description="At a higher risk no yes or no on given texts is told; at 0.5 it is likelier right than not.",
    )

    triples: int = Field(
        20, ge=0, le=200, description="At most so many relations of a question's concepts are looked up."
    )

    graph_slope: float = Field(12.0, gt=0, le=1000, description="The concept graph's membership is so steep.")
    graph_midpoint: float = Field(
        0.5, ge=-1, le=1, description="At this cosine the concept graph's membership is one half."
    )
    graph_tau: float = Field(
        0.2, ge=0, lt=1, description="Two concepts of the graph are joined where their membership is higher."
    )
    graph_alpha: float = Field(0.9, gt=0, le=1, description="A hop of the concept graph is believed so far.")
    graph_neighbours: int = Field(
        32,
        ge=0,
        le=10_000,
        description="A concept of the graph is joined to at most so many; 0 sets no limit, for small graphs.",
    )
    graph_aggregation: Literal["max", "sum", "noisy-or"] = Field(
        "max", description="The paths of the concept graph are counted by max (the best one), sum or noisy-or."
    )
    graph_denials: bool = Field(
        True,
        description="What a vocabulary denies counts against a pair of the concept graph, and its P_net by 1 − alpha.",
    )

    strength_weight: float = Field(
        0.2, ge=0, le=1, description="In selection the strength of a source (its evidence level) counts so much."
    )
    contact: str = Field("", description="The operators of PubMed and Wikipedia may write to this e-mail address.")
    entrez_url: str = Field(
        "https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
        description="The address of the E-utilities, by which PubMed is asked.",
    )
    entrez_key: SecretStr | None = Field(
        None, description="The key of an NCBI account, with which PubMed takes ten requests a second, not three."
    )
    pubmed_humans: bool = Field(False, description="Articles that PubMed indexes as of animals alone are left out.")
    pubmed_from_year: int | None = Field(
        None, ge=1500, le=2999, description="Articles of PubMed before this year are left out."
    )
    pubmed_to_year: int | None = Field(
        None, ge=1500, le=2999, description="Articles of PubMed after this year are left out."
    )
    pubmed_enough: int = Field(
        3,
        ge=1,
        le=500,
        description="With fewer abstracts than these PubMed is asked a weaker query too, as fewer cannot agree.",
    )
    pubmed_types: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="Articles of PubMed must be of one of these publication types, with commas between."
    )
    wikipedia_pages: int = Field(4, ge=1, le=50, description="So many pages of Wikipedia are read for one question.")
    wikipedia_language: str = Field(
        "en", pattern=r"^[a-z]{2,3}(-[a-z]+)*$", description="The Wikipedia of this language is asked."
    )
    wikipedia_url: str | None = Field(
        None, description="The address of Wikipedia's w/api.php; unset, that of the language."
    )
    retrievers: str = Field(
        "",
        description='LangChain retrievers are sources as name=package.module:Class{"k": 3}, with semicolons between.',
    )

    umls_key: SecretStr | None = Field(None, description="The key of the UMLS service, with which umls is a source.")
    umls_url: str = Field("https://uts-ws.nlm.nih.gov/rest", description="The address of the UMLS service.")
    cache_hours: float = Field(168.0, ge=0, description="Replies of outside services are kept for so many hours.")
    cache_mb: int = Field(256, ge=1, description="The kept replies have at most so many megabytes.")

    chunk_tokens: int = Field(128, ge=16, le=4096, description="A passage has at most so many tokens.")
    chunk_overlap: int = Field(16, ge=0, le=1024, description="Neighbouring passages share at most so many tokens.")
    max_file_mb: int = Field(200, ge=1, description="A file of more megabytes is refused by index.")
    max_pdf_pages: int = Field(2000, ge=1, description="A PDF of more pages is refused by index.")

    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="The server may be reached by these names beside its address, with commas between."
    )
    max_body_mb: int = Field(8, ge=1, le=1024, description="A request of more megabytes is refused by the server.")

    wordnet: Path = Field(
        Path("/usr/share/wordnet"),
        description="The folder of WordNet's files, for METEOR's synonyms; the default is Debian's place.",
    )
    nmiss_context: Literal["rest", "answer"] = Field(
        "rest",
        description="NMISS holds this against the context: rest, what the reference lacks, or answer, the whole of it.",
    )

    threads: int = Field(2, ge=1, le=256, description="So many threads embed, rank and verify.")
    tracing: bool = Field(
        False, description="Traces go to LangSmith, without identifiers; LANGSMITH_TRACING alone sends none."
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
