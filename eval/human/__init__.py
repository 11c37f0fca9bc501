"""Answers as people rate them: sheets that hide who answered, and what the raters made of them."""
