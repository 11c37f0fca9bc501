"""Speed, always as a ratio against a named peer measured in the same run: the machines are noisy."""
