"""Any LangChain retriever as a source of evidence, by its import path."""
