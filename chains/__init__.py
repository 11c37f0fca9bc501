"""The reasoning steps, one a file, each usable by itself."""
