"""Doors to knowledge: each package hides one outside service or store; they do not know each other."""
