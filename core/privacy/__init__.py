"""Identifiers of patients, and the boundary at which they are taken out of what leaves this machine."""
