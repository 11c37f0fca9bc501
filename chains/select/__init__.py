"""Choosing the evidence that goes on to the answer."""
