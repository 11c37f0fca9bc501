"""Experiments: systems side by side on the same examples, each pair once, whatever happens in between."""
