"""From evidence to a draft of an answer."""
