"""Does a passage answer this question: is it about the question's subject, and does it tell what is asked of it."""

from chains.relevance.model import Relevance, relevance

__all__ = ["Relevance", "relevance"]
