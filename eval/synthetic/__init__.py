"""Synthetic data of any size for tests and benchmarks: made up, of the shape of data that may not be shipped."""
