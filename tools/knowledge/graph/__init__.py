"""The fuzzy concept graph: similar concepts as edges, paths between two concepts as support and contradiction."""

from tools.knowledge.graph.drawing import to_svg
from tools.knowledge.graph.graph import ConceptGraph, literal_graph
from tools.knowledge.graph.membership import LITERAL, STEEP, Membership
from tools.knowledge.graph.neighbours import Progress
from tools.knowledge.graph.scores import Balance, ConceptPath, PathEvidence

__all__ = [
    "LITERAL",
    "STEEP",
    "Balance",
    "ConceptGraph",
    "ConceptPath",
    "Membership",
    "PathEvidence",
    "Progress",
    "literal_graph",
    "to_svg",
]
