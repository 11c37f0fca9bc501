"""The model: opened by its name, asked by schema. Importing this package imports no LangChain."""
