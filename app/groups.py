"""The commands that stand in groups: collections, knowledge, exemplars; ``eval`` has a file of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.exits import Exit
from app.options import All, Json

knowledge = typer.Typer(help="The medical vocabularies and their concepts.", no_args_is_help=True)
collections = typer.Typer(help="The collections of indexed documents.", no_args_is_help=True)
exemplars = typer.Typer(help="The worked examples that a model is shown.", no_args_is_help=True)


@collections.command("list")
def collections_list(as_json: Json = False) -> Exit:
    """List the collections."""
    from app import documents as door

    return door.list_collections(as_json)


@collections.command("show")
def collections_show(name: str, as_json: Json = False) -> Exit:
    """Show one collection."""
    from app import documents as door

    return door.show_collection(name, as_json)


@collections.command("delete")
def collections_delete(
    name: str, yes: Annotated[bool, typer.Option("--yes", help="Do not ask; scripts need it.")] = False
) -> Exit:
    """Delete one collection."""
    from app import documents as door

    return door.delete_collection(name, yes)


@knowledge.command("build")
def knowledge_build(as_json: Json = False) -> Exit:
    """Build the store of the open vocabularies anew; an imported UMLS leaves it."""
    from app import knowledge as door

    return door.build(as_json)


@knowledge.command("import-umls")
def knowledge_import_umls(
    meta: Annotated[Path, typer.Argument(help="The META folder of a UMLS release, with MRCONSO.RRF and the others.")],
    vocabularies: Annotated[
        str | None, typer.Option(help="Source vocabularies to take, such as MSH,SNOMEDCT_US,RXNORM; all otherwise.")
    ] = None,
    as_json: Json = False,
) -> Exit:
    """Import your own UMLS release beside the open vocabularies; a killed import continues."""
    from app import knowledge as door

    return door.import_umls(meta, vocabularies, as_json)


@knowledge.command("lookup")
def knowledge_lookup(
    term: Annotated[str, typer.Argument(help="A name, a CUI, or a CURIE such as MESH:D008687.")],
    everything: All = False,
    as_json: Json = False,
) -> Exit:
    """Show the concepts that a term names."""
    from app import knowledge as door

    return door.lookup(term, everything, as_json)


@knowledge.command("path")
def knowledge_path(
    source: Annotated[str, typer.Argument(help="A concept, by name or id.")],
    target: Annotated[str, typer.Argument(help="Another.")],
    svg: Annotated[Path | None, typer.Option(help="Draw the paths in this file.")] = None,
    everything: All = False,
    as_json: Json = False,
) -> Exit:
    """Show how the fuzzy concept graph connects two concepts, with every number."""
    from app import knowledge as door

    return door.path(source, target, svg, everything, as_json)


@exemplars.command("import")
def exemplars_import(
    file: Annotated[Path, typer.Argument(help="JSONL or CSV of worked examples, of MTS-Dialog or of MedDialog.")],
    everything: All = False,
    as_json: Json = False,
) -> Exit:
    """Import worked examples; what is there already stays."""
    from app import exemplars as door

    return door.import_file(file, everything, as_json)


@exemplars.command("list")
def exemplars_list(as_json: Json = False) -> Exit:
    """List the worked examples."""
    from app import exemplars as door

    return door.list_all(as_json)
