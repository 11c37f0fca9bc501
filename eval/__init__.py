"""Floor 5: experiments, metrics and benchmarks: every figure in the documents is printed from here."""
