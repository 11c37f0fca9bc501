"""Makes the pairs that the readers learn from, trains the readers, and writes the files that the product runs."""
