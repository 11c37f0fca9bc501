"""Does a passage, or a sentence of it, answer this question: is it about the subject, does it tell what is asked."""

from chains.relevance.model import Relevance, relevance
from chains.relevance.sentences import sentence_scores

__all__ = ["Relevance", "relevance", "sentence_scores"]
