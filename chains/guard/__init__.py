"""Evidence is data: how it is shown to a model, what of it addresses the model, and what a reply may not hold."""
