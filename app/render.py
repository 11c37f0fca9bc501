"""How results look in a terminal: answers on standard output, what happens meanwhile on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.wrapping import show_text
from core.schema import Evidence, Verdict, VerifiedAnswer

WIDEST = 1_000_000
"""Columns of what is no terminal: a table takes as many as it needs."""
MARKS = {
    "supported": ("✓", "green"),
    "contradicted": ("✗", "red"),
    "unverifiable": ("?", "yellow"),
}


@cache
def out() -> Console:
    """Standard output."""
    return Console(highlight=False)


@cache
def err() -> Console:
    """Standard error."""
    return Console(stderr=True, highlight=False)


def hush() -> None:
    """Show no more of what goes on; what went wrong is shown all the same."""
    err().quiet = True


def warn(message: str) -> None:
    """One line of what a person must know, also of a quiet program."""
    Console(stderr=True, highlight=False).print(message, markup=False, soft_wrap=True)


def show_progress(message: str) -> None:
    """One line of what goes on."""
    err().print(f"[dim]{escape(message)}[/dim]", soft_wrap=True)


def show_step(step: Mapping[str, Any]) -> None:
    """What a node did and how long it took, to a person who watches."""
    if not err().is_terminal:
        return
    err().print(f"[dim]{step['node']:>14} {step['seconds'] * 1000:7.1f} ms  {escape(str(step['did']))}[/dim]")


@contextmanager
def progress_bar(
    what: str, total: int | None, completed: int = 0
) -> Iterator[tuple[Callable[[], None], Callable[[int, str], None]]]:
    """A bar on standard error; yields how to advance it by one, and how to set it and say what goes on."""
    # Half of what rich costs to import; most commands show no bar.
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err(), disable=not err().is_terminal or err().quiet) as progress:
        task = progress.add_task(what, total=total, completed=completed)
        yield (
            lambda: progress.advance(task),
            lambda done, text: progress.update(task, completed=done, description=text),
        )


def show_answer(answer: VerifiedAnswer) -> None:
    """The answer with its claims marked, its evidence numbered, and what the reader must know."""
    console = out()
    numbers = {id_: n for n, id_ in enumerate(answer.citations, start=1)}
    for urgent in answer.urgent:
        show_text(console, f"[bold red]{escape(urgent)}[/bold red]", rest=0)
    if answer.resolved:
        show_text(console, f"[dim]Asked as: {escape(answer.resolved)}[/dim]")
    console.print()
    if answer.abstained:
        show_text(console, f"[bold yellow]{escape(answer.text)}[/bold yellow]", rest=0)
        show_text(console, f"Reason: {escape(answer.reason or '')}.", rest=8)
        _show_suggestions(console, answer)
    else:
        if answer.choice:
            option = "" if answer.choice in ("yes", "no", "maybe") else "Option "
            console.print(f"[bold]{option}{escape(answer.choice)}[/bold]")
        if answer.method == "certified" or not answer.verdicts:
            show_text(console, escape(answer.text), rest=0)
        for verdict in answer.verdicts:
            _show_claim(console, verdict, answer.text, numbers)
        _show_evidence(console, answer, numbers)
    _show_pointers(console, answer)
    console.print()
    show_text(console, f"[bold]Risk {answer.risk:.2f}[/bold]  [dim]{escape(_circumstances(answer))}[/dim]")
    for failure in answer.failures:
        told = str(failure)
        show_text(console, f"[red]{escape(told[0].upper() + told[1:])}[/red]")
    for notice in answer.notices:
        show_text(console, f"[italic]{escape(notice)}[/italic]", rest=0)


def _show_suggestions(console: Console, answer: VerifiedAnswer) -> None:
    """The pages nearest to a question that is not answered, and what could be asked of them."""
    if answer.suggestions:
        console.print("Near to it:")
    for near in answer.suggestions:
        asked = f" · ask: {near.question}" if near.question else ""
        show_text(console, escape(f"{near.title} · {near.url}{asked}"), 2)


def _show_claim(console: Console, verdict: Verdict, text: str, numbers: Mapping[str, int]) -> None:
    mark, colour = MARKS[verdict.label]
    start, end = verdict.claim.span
    cited = "".join(f"[{numbers[id_]}]" for id_ in verdict.claim.cited if id_ in numbers)
    line = f"[{colour}]{mark}[/{colour}] {escape(text[start:end])} [cyan]{escape(cited)}[/cyan]"
    show_text(console, f"{line} [dim]risk {verdict.risk:.2f}[/dim]", rest=2)
    if verdict.label != "supported":
        show_text(console, f"[{colour}]{escape(verdict.why)}[/{colour}]", 4, 4)


def show_verdicts(verdicts: Sequence[Verdict], evidence: Sequence[Evidence]) -> None:
    """Every claim with its verdict, its reason and what it rests on."""
    titles = {e.id: e.title or e.id for e in evidence}
    for verdict in verdicts:
        mark, colour = MARKS[verdict.label]
        show_text(out(), f"[{colour}]{mark} {verdict.label}[/{colour}] {escape(verdict.claim.text)}", rest=2)
        show_text(out(), f"risk {verdict.risk:.2f}: {escape(verdict.why)}", 4, 4)
        for quote in verdict.quotes:
            show_text(out(), f"[dim]{escape(titles[quote.evidence_id])}: “{escape(quote.text)}”[/dim]", 4, 6)
    if not verdicts:
        out().print("The text makes no statement that can be checked.")


def _show_evidence(console: Console, answer: VerifiedAnswer, numbers: Mapping[str, int]) -> None:
    by_id = {e.id: e for e in answer.evidence}
    console.print()
    for id_, number in numbers.items():
        if id_ in by_id:
            show_text(console, f"[cyan]\\[{number}][/cyan] {escape(_described(by_id[id_]))}")


def _show_pointers(console: Console, answer: VerifiedAnswer) -> None:
    """The documents that a reader is pointed to."""
    by_id = {e.id: e for e in answer.evidence}
    if answer.pointers:
        console.print("[bold]See the certified documents:[/bold]")
    for id_ in answer.pointers:
        if id_ in by_id:
            show_text(console, escape(_described(by_id[id_])), 2)


def _described(evidence: Evidence) -> str:
    parts = [
        evidence.title or evidence.id,
        evidence.owner or evidence.source,
        f"version {evidence.version}" if evidence.version else "",
        f"reviewed {evidence.reviewed}" if evidence.reviewed else "",
        "certified" if evidence.certified else "",
        evidence.level or "",
        evidence.published or "",
        "RETRACTED" if evidence.retracted else "",
        evidence.notice or "",
        evidence.licence or "",
        evidence.url or evidence.id,
    ]
    return " · ".join(part for part in parts if part)


def _circumstances(answer: VerifiedAnswer) -> str:
    searched = f"{len(answer.queries)} {'query' if len(answer.queries) == 1 else 'queries'}"
    again = f", searched again {answer.rounds}×" if answer.rounds else ""
    spent = answer.usage
    kept = f", {spent.cached_calls} kept" if spent.cached_calls else ""
    tokens = f", {spent.input_tokens:,} + {spent.output_tokens:,} tokens" if spent.input_tokens else ""
    cost = f", cost {spent.cost:.4f}" if spent.cost else ""
    asked = f", {spent.model_calls} model calls{kept}{tokens}{cost}" if spent.model_calls or kept else ""
    return f"{answer.engine} engine, method {answer.method}, {searched}{again}{asked}"


def show_table(columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    """A table on standard output; its lines are whole where it is piped."""
    table = Table(*columns, box=None, header_style="bold", pad_edge=False)
    for row in rows:
        table.add_row(*(escape(cell) for cell in row))
    console = out() if out().is_terminal else Console(highlight=False, width=WIDEST)
    console.print(table)
