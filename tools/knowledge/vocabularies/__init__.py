"""The open vocabularies that install with the project, each read into records, and records merged into concepts."""
