"""The command line. Commands import what they need when they run, so that ``--help`` answers at once."""

from __future__ import annotations

import errno
import gc
import json
import logging
import sys
import traceback
from pathlib import Path
from typing import Annotated, Any, NoReturn, Protocol, runtime_checkable

import typer

from app.eval_group import evaluation
from app.exits import Exit
from app.groups import collections, exemplars, knowledge
from app.options import All, AllFailed, Collection, Json, Out, Quiet, RetryFailed
from app.terminal import discard_output, made_ready
from core.errors import InputError, MedattestError, StoreError, UsageError

_NAMES = frozenset({errno.ENAMETOOLONG, errno.ELOOP})
"""What a file's name alone can be wrong with."""
_LACKING = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})
LONGEST_NAME = 100

cli = typer.Typer(
    name="medattest",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
cli.add_typer(collections, name="collections")
cli.add_typer(knowledge, name="knowledge")
cli.add_typer(exemplars, name="exemplars")
cli.add_typer(evaluation, name="eval")


@runtime_checkable
class WrongArguments(Protocol):
    """What Typer raises where arguments do not fit; its class is private to it."""

    exit_code: int

    def show(self) -> None:
        """Say what does not fit, on standard error."""
        ...


def main() -> None:
    """Run the command line; every failure ends in one message and the exit status of its kind."""
    # Loading makes many objects that live to the end: looking for garbage among them slows a cold start.
    gc.set_threshold(100_000)
    logging.getLogger("dotenv").setLevel(
        logging.ERROR
    )  # environment.faults says which lines are no settings, and where
    try:
        made_ready()
        status = cli(standalone_mode=False)
        sys.stdout.flush()
    except MedattestError as error:
        _fail(error, Exit.WRONG_USE if isinstance(error, UsageError) else Exit.FAILURE)
    except BrokenPipeError:
        sys.stderr.close()
        raise SystemExit(Exit.FAILURE) from None
    except OSError as error:
        if error.errno in _NAMES:
            told = str(error.filename)[:LONGEST_NAME]
            _fail(InputError(f"{told} cannot be used ({error.strerror}): name another file"), Exit.FAILURE)
        if error.errno in _LACKING:
            _fail(
                StoreError(f"this machine lacks what is needed ({error.strerror}): allow more, or free some"),
                Exit.FAILURE,
            )
        if error.errno != errno.ENOSPC:
            _unexpected(error)
        discard_output()
        _end("what is told cannot be written: no space left where the output goes", Exit.FAILURE)
    except Exception as error:  # noqa: BLE001  # the last door: a defect must end in a message, and in a status
        _unexpected(error)
    if status == Exit.INTERRUPTED:  # so Typer reports Ctrl-C
        _end("interrupted: what was finished is kept", Exit.INTERRUPTED)
    raise SystemExit(status)


def _tell_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"medattest {version('medattest')}")
        raise typer.Exit


@cli.callback()
def before_any_command(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_tell_version, is_eager=True)
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Answers medical questions and attests every claim it makes."""
    if "--help" in sys.argv:
        return
    from app.environment import faults
    from app.render import warn

    for told in faults():
        warn(told)


@cli.command()
def ask(
    question: Annotated[str | None, typer.Argument(help="The question, in English.")] = None,
    option: Annotated[list[str] | None, typer.Option(help="One option of a choice, as LETTER=TEXT; repeat.")] = None,
    history: Annotated[
        Path | None, typer.Option(help="The consultation so far: lines “Patient: …” and “Doctor: …”, or JSON.")
    ] = None,
    task: Annotated[
        str | None, typer.Option(help="open, choice, yesno or dialogue; read off the question otherwise.")
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            help="vanilla, rag, halo, imkdg, certified, context-only, graph, graph-literal or full: which "
            "system answers."
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            help="Leave out: knowledge, exemplars, expansion, mmr, rerank, verification or loop; repeat, or use commas."
        ),
    ] = None,
    sources: Annotated[
        str | None,
        typer.Option(
            help="library,knowledge,repository,pubmed,wikipedia,umls,given, or a retriever's name: where to search."
        ),
    ] = None,
    collection: Collection = None,
    evidence: Annotated[
        list[Path] | None, typer.Option(help="A text file that takes part as evidence; repeat.")
    ] = None,
    max_words: Annotated[
        int | None, typer.Option(help="The longest answer, in words; one sentence is told whole.")
    ] = None,
    rounds: Annotated[int | None, typer.Option(help="How often weak claims may send the agent back to search.")] = None,
    verbatim: Annotated[
        bool, typer.Option("--verbatim", help="Method certified: answer with the certified text itself.")
    ] = False,
    offline: Annotated[bool, typer.Option("--offline", help="Ask no service: use the replies that are kept.")] = False,
    refresh: Annotated[bool, typer.Option("--refresh", help="Ask services anew, whatever replies are kept.")] = False,
    thread: Annotated[
        str | None, typer.Option(help="Keep the run under this name; the same name continues it.")
    ] = None,
    questions: Annotated[Path | None, typer.Option(help="Batch: a JSONL file of questions.")] = None,
    out: Out = None,
    retry_failed: RetryFailed = False,
    everything: AllFailed = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> Exit:
    """Ask a medical question; get an answer whose every claim is attested, or none and the reason."""
    from app.asked import checked, evidence_of, history_of, options_from, settings_from

    settings = settings_from(
        without or [],
        sources,
        collection,
        rounds,
        method=method,
        verbatim=verbatim,
        offline=offline,
        refresh=refresh,
    )
    if questions is not None:
        if question is not None or out is None:
            raise UsageError("a batch takes --questions IN.jsonl --out OUT.jsonl and no QUESTION")
        from app.ask import ask_batch

        return ask_batch(questions, out, settings, retry_failed, everything)
    fields: dict[str, Any] = {
        "question": question or "",
        "options": options_from(option or []),
        "task": task,
        "history": history_of(history) if history else [],
        "evidence": evidence_of(evidence or []),
        "max_words": max_words,
        "settings": settings,
    }
    if thread is None:
        checked(fields)  # nothing is loaded for what cannot be asked
    from app.ask import ask_one

    return ask_one(fields, thread, as_json)


@cli.command()
def verify(
    file: Annotated[str | None, typer.Argument(help="A text file, or - for standard input.")] = None,
    evidence: Annotated[list[Path] | None, typer.Option(help="A text file to check against; repeat.")] = None,
    sources: Annotated[
        str | None, typer.Option(help="knowledge,repository,pubmed,…: where to search without --evidence.")
    ] = None,
    collection: Collection = None,
    paths: Annotated[
        Path | None, typer.Option(help="A folder: draw there the paths between each claim's concepts, as SVG.")
    ] = None,
    pairs: Annotated[Path | None, typer.Option(help="Batch: a JSONL file of {id, claim, evidence: [text]}.")] = None,
    out: Out = None,
    retry_failed: RetryFailed = False,
    everything: AllFailed = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> Exit:
    """Check the claims of any text."""
    from app import verify as door

    if pairs is not None:
        if file is not None or out is None or paths is not None:
            raise UsageError("a batch takes --pairs IN.jsonl --out OUT.jsonl, no FILE and no --paths")
        return door.verify_batch(pairs, out, retry_failed, everything)
    if not file:
        raise UsageError("name a FILE to verify, or - for standard input")
    return door.verify_one(file, evidence or [], sources, collection, paths, as_json)


@cli.command()
def rank(
    question: Annotated[str | None, typer.Argument(help="The question.")] = None,
    evidence: Annotated[list[Path] | None, typer.Option(help="A text file that may answer it; repeat.")] = None,
    pairs: Annotated[
        Path | None, typer.Option(help="Batch: a JSONL file of {id, question, passages: [{title?, text}]}.")
    ] = None,
    out: Out = None,
    retry_failed: RetryFailed = False,
    everything: AllFailed = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> Exit:
    """Say how probable it is that each of some texts answers a question."""
    from app import rank as door

    if pairs is not None:
        if question is not None or out is None:
            raise UsageError("a batch takes --pairs IN.jsonl --out OUT.jsonl and no QUESTION")
        return door.rank_batch(pairs, out, retry_failed, everything)
    if question is None or not evidence:
        raise UsageError("name a QUESTION and at least one --evidence FILE")
    return door.rank_one(question, evidence, as_json)


@cli.command()
def index(
    paths: Annotated[
        list[Path],
        typer.Argument(help="Files or folders: Markdown, text, HTML, PDF, docx, pptx, epub, rtf, csv, JSONL."),
    ],
    collection: Annotated[str, typer.Option(help="The collection to index into; made where there is none.")],
    certified: Annotated[bool, typer.Option("--certified", help="The texts are certified by their owner.")] = False,
    id_field: Annotated[
        str | None, typer.Option(help="JSONL: field of the id; a[].b walks a list, a,b joins two.")
    ] = None,
    text_field: Annotated[str | None, typer.Option(help="JSONL: field of the text.")] = None,
    title_field: Annotated[str | None, typer.Option(help="JSONL: field of the title.")] = None,
    everything: All = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> Exit:
    """Index documents: only what changed is read again, and what is gone is removed."""
    from app import documents as door

    return door.index(paths, collection, certified, (id_field, text_field, title_field), everything, as_json)


@cli.command()
def search(
    query: Annotated[str | None, typer.Argument(help="What to look for.")] = None,
    collection: Annotated[str | None, typer.Option(help="The collection to search; all of them otherwise.")] = None,
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="How many hits.")] = 10,
    queries: Annotated[Path | None, typer.Option(help="Batch: a JSONL file of {id, query}.")] = None,
    literal: Annotated[bool, typer.Option(help="Search the words as they stand, no other names of concepts.")] = False,
    out: Out = None,
    retry_failed: RetryFailed = False,
    everything: AllFailed = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> Exit:
    """Search indexed documents, also under the other names of the concepts that the query mentions."""
    from app import documents as door

    if queries is not None:
        if query is not None or out is None:
            raise UsageError("a batch takes --queries IN.jsonl --out OUT.jsonl and no QUERY")
        return door.search_batch(queries, out, collection, k, literal, retry_failed, everything)
    if query is None or not query.strip():
        raise UsageError("name what to look for, or --queries IN.jsonl --out OUT.jsonl")
    return door.search_one(query, collection, k, literal, as_json)


@cli.command()
def link(
    text: Annotated[str | None, typer.Argument(help="The text.")] = None,
    texts: Annotated[Path | None, typer.Option(help="Batch: a JSONL file of {id, text}.")] = None,
    out: Out = None,
    retry_failed: RetryFailed = False,
    everything: AllFailed = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> Exit:
    """Find the concepts that a text mentions."""
    from app import knowledge as door

    if texts is not None:
        if text is not None or out is None:
            raise UsageError("a batch takes --texts IN.jsonl --out OUT.jsonl and no TEXT")
        return door.link_batch(texts, out, retry_failed, everything)
    if text is None or not text.strip():
        raise UsageError("name a TEXT, or --texts IN.jsonl --out OUT.jsonl")
    return door.link_one(text, as_json)


@cli.command()
def library(as_json: Json = False) -> Exit:
    """Show the texts that ship: how many, how old, whose, and under which licence."""
    from app import library as door

    return door.show(as_json)


@cli.command()
def doctor(
    as_json: Json = False,
    method: Annotated[
        str | None, typer.Option(help="The hyper-parameters that this method was published with.")
    ] = None,
) -> Exit:
    """Say what is installed, where data stands, under which licences, and what does not work."""
    from app import doctor as door

    return door.examine(as_json) if method is None else door.show_method(method, as_json)


@cli.command()
def serve(
    host: Annotated[
        str, typer.Option(help="Listen here; the default can be reached from this machine alone.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port.")] = 8000,
) -> Exit:
    """Serve the graphs over HTTP, as LangServe endpoints."""
    from app import server as door

    return door.serve(host, port)


def _fail(error: MedattestError, status: Exit) -> NoReturn:
    if "--json" in sys.argv:
        typer.echo(json.dumps({"error": {"type": type(error).__name__, "message": str(error)}}))
    _end(str(error), status)


def _end(message: str, status: Exit) -> NoReturn:
    typer.echo(f"medattest: {message}", err=True)
    raise SystemExit(status) from None


def _unexpected(error: Exception) -> NoReturn:
    """Wrong arguments speak for themselves; anything else is a defect, shown whole."""
    if isinstance(error, WrongArguments):
        error.show()
        raise SystemExit(error.exit_code) from None
    traceback.print_exception(error)
    if "--json" in sys.argv:
        typer.echo(json.dumps({"error": {"type": type(error).__name__, "message": str(error)}}))
    _end(f"{type(error).__name__}: {error} (this is a defect: please report it)", Exit.FAILURE)
