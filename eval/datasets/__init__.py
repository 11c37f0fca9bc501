"""Data sets: one way to load each."""

from eval.datasets.example import Example, ExampleTask
from eval.datasets.load import Dataset, load

__all__ = ["Dataset", "Example", "ExampleTask", "load"]
