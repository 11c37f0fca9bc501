"""Encoders and cross-encoders by name, through the `hf` extra; nothing of it is imported before one is loaded."""
