"""How the library's files are made from what NLM publishes; nothing here runs when a question is asked."""
