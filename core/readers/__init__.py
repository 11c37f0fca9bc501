"""Readers that have learned: small cross-encoders that read two texts together, fine-tuned from the embedder."""
