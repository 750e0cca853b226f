"""The text of a document: its signs and their places, macros, rows, chains, in the order of reading."""
