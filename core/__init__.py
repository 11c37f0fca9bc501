"""Floor 0: what flows (schema), what is set (settings), what fails (errors), and the factories everything shares."""
