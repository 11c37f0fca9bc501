"""Floor 6: the doors. They read what a person or program gives, run a graph, and show what came of it."""
